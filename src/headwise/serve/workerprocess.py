"""A worker process: it keeps models in memory and does the jobs that come through a pipe.

It ends when the other end of the pipe is closed, and so with the server, however that ends.
"""

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from multiprocessing.connection import Connection
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.errors import HeadwiseError, HeadwiseWarning, ModelError, UsageError
from headwise.processes.garbage import collect_rarely
from headwise.serve.requesterrors import RequestError, request_error

if TYPE_CHECKING:
    from headwise.corpus.sentence import Sentence
    from headwise.pipeline.pipeline import Pipeline
    from headwise.serve.jobs import Work

Call = tuple["Work", str, Any]
"""What to do, the name of the model, and the task."""

READY = "ready"
THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""What BLAS asks for the number of its threads. Those of a network's small products mostly wait for
each other: on two busy cores, two took ten times as long as one. More workers use more cores."""


def run_worker(connection: Connection, folders: Mapping[str, Path]) -> None:
    """Load all models and do jobs until the pipe is closed.

    The first model must be there. Another one that cannot be loaded is tried again, and the error
    told, when it is asked for.
    """
    for name in THREADS:
        os.environ.setdefault(name, "1")  # before NumPy is imported
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal: the server ends this
    warnings.simplefilter("ignore", HeadwiseWarning)  # they would quote the users' text in the log
    models = Models(folders)
    try:
        models.load(next(iter(folders)))
    except Exception as error:
        connection.send(told(error))
        return
    for name in folders:  # before the first request, whose time is limited
        with suppress(HeadwiseError):
            models.load(name)
    connection.send(READY)
    try:
        while True:
            calls = connection.recv()
            connection.send(list(results_of(models, calls)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


class Models:
    """The models of a worker, each loaded once."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        """Know where each model is."""
        self.folders = folders
        self.loaded: dict[str, Pipeline] = {}

    def load(self, name: str) -> "Pipeline":
        """A model by its name; the kernels that it needs are compiled before its first job."""
        if name not in self.loaded:
            from headwise.pipeline.models import as_pipeline

            try:
                pipeline = as_pipeline(self.folders[name])
            except UsageError as error:  # it was there when the server began
                raise ModelError(f"the model {name} cannot be loaded: {error}") from None
            warm_up(pipeline)
            self.loaded[name] = pipeline
            collect_rarely()  # the model lives until exit
        return self.loaded[name]


def warm_up(pipeline: "Pipeline") -> None:
    """Ask all that can be asked, so that no request waits for kernels to be compiled."""
    from headwise.corpus.sentence import Sentence
    from headwise.inference.answers import ParseOptions

    if pipeline.tokeniser is not None:
        list(pipeline.stream(["Dogs bark."]))
    sentence = Sentence.from_words(["Dogs", "bark"], heads=[2, None])
    list(pipeline.annotate([sentence]))
    if pipeline.parser is not None:
        list(pipeline.annotate([sentence], ParseOptions(2, marginals=True, constraints=True)))
    from headwise.serve.editing.proposing import Task, propose_many

    propose_many(pipeline, [Task(one) for one in examples()])


def examples() -> "Iterator[Sentence]":
    """Sentences with all that can be fixed: brackets, heads that cross, and heads that clash."""
    from headwise.corpus.sentence import Sentence

    forms = ["Dogs", "that", "bark", "bite"]
    yield Sentence.from_words(forms)
    yield Sentence.from_words(forms, comments=["# brackets = 2-3", "# forbidden_arcs = 1>4"])
    yield Sentence.from_words(forms, heads=[3, 4, None, None])
    yield Sentence.from_words(forms, heads=[2, 1, None, None])


def results_of(models: Models, calls: Sequence[Call]) -> Iterator[Any]:
    """The results of calls, in order; neighbours that are alike are done together."""
    for (work, name), alike in groupby(calls, itemgetter(0, 1)):
        tasks = [task for _, _, task in alike]
        try:
            pipeline = models.load(name)
        except Exception as error:
            yield from [told(error)] * len(tasks)
        else:
            yield from attempted(work, pipeline, tasks)


def attempted(work: "Work", pipeline: "Pipeline", tasks: list[Any]) -> list[Any]:
    """The results of tasks; after an error that nobody expected, of each on its own.

    So a request that makes the server fail spoils no other one that came with it.
    """
    try:
        results = work(pipeline, tasks)
    except Exception as error:
        if len(tasks) > 1:
            return [one for task in tasks for one in attempted(work, pipeline, [task])]
        return [told(error)]
    return [told(one) if isinstance(one, Exception) else one for one in results]


def told(error: Exception) -> RequestError:
    """An error as it is told to whoever asked; one that nobody expected is logged as well.

    The log says where it was raised, and not what it says: that may quote the users' text.
    """
    if not isinstance(error, HeadwiseError | RequestError):
        where = "".join(traceback.format_tb(error.__traceback__))
        print(f"headwise: {type(error).__name__} in a worker\n{where}", file=sys.stderr, flush=True)
    return request_error(error)
