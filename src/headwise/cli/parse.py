"""`headwise parse`: parse text or sentences into dependency trees."""

import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from headwise.cli import parseoptions as chosen
from headwise.cli.formatters import STANDARD_STREAM, TREE, writer_of
from headwise.cli.options import From, refuse_two_standard_inputs
from headwise.cli.output import complain, quietly
from headwise.cli.parsecluster import is_for_cluster, parse_on_cluster, refuse_on_cluster
from headwise.cli.parseinputs import chosen_inputs, chosen_kind, table_reader, use_processes
from headwise.cli.progressbar import ProgressBar, is_typed, progress
from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, UsageError, counted
from headwise.processes.garbage import collect_rarely
from headwise.processes.pages import give_back

if TYPE_CHECKING:
    from headwise.inference.answers import ParseOptions
    from headwise.pipeline.inputs import Input
    from headwise.pipeline.models import Reading
    from headwise.pipeline.pipeline import Pipeline

THREADS_FOR_ACCELERATOR = 4
"""More were not faster (benchmarks/neural_device.py)."""

SENTENCES_BEFORE_GIVING_BACK = 5000
"""It takes milliseconds, and these take a second at least."""


def parse(
    arguments: chosen.Arguments = None,
    model: chosen.Model = None,
    text: chosen.Text = False,
    presegmented: chosen.Presegmented = False,
    tokenized: chosen.Tokenized = False,
    from_format: From = None,
    column: chosen.Column = None,
    id_column: chosen.IdColumn = None,
    errors: chosen.Errors = "strict",
    output: chosen.Output = STANDARD_STREAM,
    to_format: chosen.ToFormat = None,
    flush: chosen.Flush = False,
    generator: chosen.Generator = False,
    own_tags: chosen.OwnTags = False,
    kbest: chosen.Kbest = None,
    decode: chosen.Decode = "map",
    samples: chosen.Samples = None,
    marginals: chosen.Marginals = False,
    candidates: chosen.Candidates = None,
    constraints: chosen.Constraints = False,
    guide: chosen.Guide = None,
    device: chosen.Device = "cpu",
    jobs: chosen.Jobs = None,
    engine: chosen.Engine = "local",
    address: chosen.Address = None,
    quiet: chosen.Quiet = False,
) -> None:
    """Parse raw text, or sentences in CoNLL-U, CoNLL-X or JSON lines; on this machine or a cluster.

    Files are raw text unless their extension says otherwise. Existing tags, lemmas, comments,
    multiword tokens and empty nodes are kept. Output files are written completely or not at all.

    Example: `headwise parse "Some text. And more."`, or `headwise parse book.txt -o book.conllu`
    """
    with quietly(quiet):
        from headwise.pipeline.models import begin_reading

        kind = chosen_kind(text, presegmented, tokenized, from_format)
        if errors not in ("strict", "replace"):
            raise UsageError(f"--errors must be strict or replace, not {errors!r}")
        table = table_reader(kind, column, id_column)
        asked = parse_options(decode, kbest, samples, marginals=marginals, constraints=constraints)
        options = replace(asked, candidates=candidates)
        if is_for_cluster(engine, address):
            refuse_on_cluster(
                flush=flush, generator=generator, guide=guide is not None, device=device != "cpu"
            )
            from headwise.integrations.ray.job import Recipe

            recipe = Recipe(to_format or "conllu", options, kind, errors, own_tags, table)
            parse_on_cluster(arguments, output, recipe, model=model, address=address, workers=jobs)
            return
        reading = begin_reading(model)
        from headwise.pipeline.inputs import read_inputs
        from headwise.pipeline.pipeline import signed

        inputs = chosen_inputs(arguments, kind, table)
        files = [one.path for one in inputs if one.path is not None]
        refuse_two_standard_inputs(*files, *([guide] if guide else []))
        shows_chances = marginals or candidates is not None
        if to_format is None and output == STANDARD_STREAM and not files and not shows_chances:
            to_format = TREE  # drawings do not show probabilities
        answer_nothing = answer_empty_line if flush and output == STANDARD_STREAM else None
        flush = flush or is_typed(*files)
        write = writer_of(output, to_format, flush=flush)
        guides = read_sentences(guide, from_format) if guide is not None else None
        # Text on the command line is parsed faster than a progress bar can be read.
        with progress("loading the model", *files) if files else nullcontext(ProgressBar()) as bar:
            pipeline = loaded(model, reading, device, is_stream=bool(files))
            jobs, processes = workers(pipeline, inputs, jobs, at_once=flush)
            if pipeline.tokeniser is None:
                inputs = chosen_inputs(arguments, kind, table, stream_kind="conllu")
            refuse_what_is_not_there(pipeline, inputs, own_tags=own_tags, constraints=constraints)
            if files and processes == 1 and options.is_plain:
                load_kernels(pipeline, inputs)
            bar.doing("parsing")
            answers = pipeline.annotate(
                read_inputs(
                    inputs,
                    pipeline.need_tokeniser,
                    errors,
                    at_once=flush,
                    on_nothing=answer_nothing,
                ),
                options,
                own_tags=own_tags,
                guides=guides,
                jobs=jobs,
                processes=processes,
                at_once=flush,
            )
            if generator:
                answers = signed(pipeline, answers)
            if files:
                answers = giving_back(answers)
            write(bar.sentences(with_notes(answers, options.kbest), output))
        if kind is None:
            note_words(inputs)


def answer_empty_line() -> None:
    """Answer a line without words with an empty line: the caller waits for one.

    With --flush, all earlier sentences have been answered by then.
    """
    sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


def loaded(model: str | None, reading: "Reading", device: str, *, is_stream: bool) -> "Pipeline":
    """The pipeline, once read; the kernels it needs are compiled in the meantime.

    What importing and reading took is given back to a stream; else that would take longer.
    """
    from headwise.pipeline.models import as_pipeline
    from headwise.pipeline.warmup import compile_beside

    compile_beside(model)
    if is_stream:
        give_back()
    pipeline = as_pipeline(model, reading)
    pipeline.use_device(device)
    collect_rarely()  # the model lives until exit
    if is_stream:
        give_back()
    return pipeline


def load_kernels(pipeline: "Pipeline", inputs: "list[Input]") -> None:
    """Parse a sentence, and give back what loading kernels took: memory is for the stream now.

    An accelerator would compile for a sentence of this length.
    """
    from headwise.pipeline.inputs import PLAIN, TOKENIZED

    if pipeline.parser is not None and pipeline.search().on_accelerator:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadwiseWarning)
        if any(one.kind in PLAIN and one.kind != TOKENIZED for one in inputs):
            list(pipeline.stream(["Dogs bark."]))
        else:
            list(pipeline.annotate([Sentence.from_words(["Dogs", "bark"])]))
    give_back()


def giving_back(answers: Iterator[Sentence]) -> Iterator[Sentence]:
    """The sentences; memory that a long one took is given back some time after."""
    for number, answer in enumerate(answers):
        if number % SENTENCES_BEFORE_GIVING_BACK == 0:
            give_back()
        yield answer


def workers(
    pipeline: "Pipeline", inputs: "list[Input]", jobs: int | None, *, at_once: bool
) -> tuple[int, int]:
    """How many threads parse, or how many processes in their place.

    On an accelerator they are threads: while it computes for one, others search trees.
    """
    if pipeline.parser is not None and pipeline.search().on_accelerator:
        return jobs or (1 if at_once else THREADS_FOR_ACCELERATOR), 1
    return jobs or 1, use_processes(inputs, jobs or 1)


def refuse_what_is_not_there(
    pipeline: "Pipeline", inputs: "list[Input]", *, own_tags: bool, constraints: bool
) -> None:
    """Raise if --own-tags lacks a tagger, or --constraints an input with heads."""
    from headwise.pipeline.inputs import PLAIN

    if own_tags and not pipeline.found_tags:
        raise UsageError("--own-tags requires a tagger, which this model does not have")
    if constraints and any(one.kind in PLAIN for one in inputs):
        raise UsageError(
            "--constraints keeps the heads of the input, and plain text has none: pass sentences "
            "with heads (--from conllu)"
        )


def parse_options(
    decode: str, kbest: int | None, samples: int | None, *, marginals: bool, constraints: bool
) -> "ParseOptions":
    """The parse options of the call."""
    from headwise.inference.answers import ParseOptions
    from headwise.search.decoders.decodenames import decode_name
    from headwise.search.decoders.decoding import Decoding

    name = decode_name(decode)
    if name == "map":
        return ParseOptions(kbest, marginals, constraints, samples=samples)
    return ParseOptions(None, marginals, constraints, Decoding(name, kbest, samples))


def note_words(inputs: "list[Input]") -> None:
    """Note if single words were parsed as texts: they are usually one text, or missing files."""
    words = [one.text for one in inputs if one.path is None and len(one.text.split()) == 1]
    if len(inputs) < 2 or not words:
        return
    if len(words) == len(inputs):
        sentence = shlex.quote(" ".join(words))
        message = (
            f"each of the {len(words)} arguments was parsed as a separate text; "
            f"to parse one text, quote it: headwise parse {sentence}"
        )
    else:
        names = ", ".join(words)
        message = f"no such file: {names}; parsed as text (--text silences this note)"
    complain(message, "note")


def with_notes(answers: Iterator[Sentence], kbest: int | None) -> Iterator[Sentence]:
    """The sentences; notes at the end if there were none, or not all have `kbest` trees."""
    count = lists = full = 0
    for answer in answers:
        count += 1
        if kbest is not None:
            rank = int((answer.id or "/1").rpartition("/")[2])
            lists, full = lists + (rank == 1), full + (rank == kbest)
        yield answer
    if not count:
        complain("there are no words in the input: nothing was parsed", "note")
    if full < lists:
        have = "has" if lists - full == 1 else "have"
        complain(
            f"{lists - full:,} of {counted(lists, 'sentence')} {have} fewer than {kbest} trees: "
            "there are no others, or the model's pruner leaves none",
            "note",
        )
