"""The commands, and the exit codes of their errors.

Exit codes: 0 success, 1 invalid data or model, 2 wrong usage (or a missing file), 130 interrupted,
143 terminated.
"""

import functools
import io
import shlex
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from headwise.cli import INTERRUPTED, constituency, rerank, similarity, vectors
from headwise.cli.check import check
from headwise.cli.compare import compare
from headwise.cli.convert import convert
from headwise.cli.ensemble import ensemble
from headwise.cli.evaluate import evaluate
from headwise.cli.experiment import experiment
from headwise.cli.features import features
from headwise.cli.info import info
from headwise.cli.mbr import mbr
from headwise.cli.models import models
from headwise.cli.output import WRONG_CALL, complain, silence_standard_output
from headwise.cli.parse import parse
from headwise.cli.plot import plot
from headwise.cli.review import review
from headwise.cli.serve import serve
from headwise.cli.settings import settings
from headwise.cli.show import show
from headwise.cli.stats import stats
from headwise.cli.train import train
from headwise.cli.trainoptions import TrainCommand
from headwise.cli.warmup import warmup
from headwise.errors import ConstraintError, HeadwiseError, HeadwiseWarning, InputError

BAD_DATA = 1


class Commands(TyperGroup):
    """The commands; what is not one may be a text or a file that was meant to be parsed."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called."""
        name = args[0]
        if name not in self.commands and (" " in name or Path(name).is_file()):
            ctx.fail(f"No such command; to parse it: headwise parse {shlex.quote(name)}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="headwise",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with errors turned into one line on standard error and an exit code."""

    @functools.wraps(command)
    def run_guarded(*arguments: object, **options: object) -> None:
        try:
            command(*arguments, **options)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader of our output has closed it
            silence_standard_output()
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except (InputError, ConstraintError) as error:
            complain(str(error))
            raise typer.Exit(BAD_DATA) from None
        except HeadwiseError as error:
            complain(str(error))
            raise typer.Exit(WRONG_CALL) from None
        except MemoryError:
            complain("out of memory")
            raise typer.Exit(WRONG_CALL) from None
        except OSError as error:
            complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
            raise typer.Exit(WRONG_CALL) from None

    return run_guarded


app.command(cls=TrainCommand)(guarded(train))
for command in (
    settings, parse, show, check, stats, convert, evaluate, compare, features, plot, info, models,
    mbr, ensemble, experiment, review, serve, warmup,
):  # fmt: skip
    app.command()(guarded(command))

trees = typer.Typer(no_args_is_help=True, help="Constituency trees: train, parse, rerank, score.")
for tree_command in constituency.COMMANDS:
    trees.command()(guarded(tree_command))
app.add_typer(trees, name="constituency")

rerankers = typer.Typer(no_args_is_help=True, help="Rerankers of k-best lists: train, apply.")
for rerank_command in rerank.COMMANDS:
    rerankers.command()(guarded(rerank_command))
app.add_typer(rerankers, name="rerank")

similar = typer.Typer(
    cls=similarity.WordsByDefault,
    no_args_is_help=True,
    help="Distributionally similar words: learn them from text (build), or look up a WORD.",
)
for similarity_command in similarity.COMMANDS:
    similar.command()(guarded(similarity_command))
app.add_typer(similar, name="similarity")

of_words = typer.Typer(no_args_is_help=True, help="Vectors of words: make them from text (build).")
of_words.callback()(lambda: None)  # a group, though it has one command
for vectors_command in vectors.COMMANDS:
    of_words.command()(guarded(vectors_command))
app.add_typer(of_words, name="vectors")


def _print_version(wanted: bool) -> None:
    if wanted:
        from headwise import __version__

        typer.echo(f"headwise {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: bool = typer.Option(  # noqa: ARG001, RUF100
        False, "--version", callback=_print_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Train, run and evaluate dependency parsers."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line on its arguments and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # escape what the encoding cannot represent
            stream.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.simplefilter("always", HeadwiseWarning)
        warnings.showwarning = _show_warning
        try:
            app(args=list(arguments), prog_name="headwise", obj=tuple(arguments))
        except SystemExit as leaving:
            if _is_closed_pipe(leaving.__context__):
                silence_standard_output()
                return 0
            return leaving.code if isinstance(leaving.code, int) else WRONG_CALL
        except OSError as error:  # while printing help
            complain(f"standard output: {error.strerror or error}")
            return WRONG_CALL
    return 0


def _is_closed_pipe(reason: BaseException | None) -> bool:
    """Whether a command ended only because nobody reads its help any more; Click exits with 1."""
    return isinstance(reason, BrokenPipeError) and reason.__context__ is None


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: str | None = None,
) -> None:
    if issubclass(category, HeadwiseWarning):
        complain(str(message), kind="warning")
