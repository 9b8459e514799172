"""The commands, and the exit codes of their errors.

Exit codes: 0 success, 1 invalid data or model, 2 wrong usage (or a missing file), 130 interrupted,
143 terminated.
"""

import errno
import functools
import io
import os
import shlex
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from headwise.cli import INTERRUPTED
from headwise.cli.output import WRONG_CALL, complain, silence_standard_output
from headwise.errors import (
    ConstraintError,
    HeadwiseError,
    HeadwiseWarning,
    InputError,
    UsageError,
)

SUMMARIES = {
    "train": "Train a pipeline on a treebank: tokeniser, tagger, lemmas and parser, or some of "
    "them.",
    "settings": "List the settings of training: for files (`--config`), `--set`, and parameters in "
    "Python.",
    "parse": "Parse raw text, or sentences in CoNLL-U, CoNLL-X or JSON lines; on this machine or a "
    "cluster.",
    "show": "Draw trees in the terminal or as SVG.",
    "check": "Report every problem with its file, line and sentence.",
    "stats": "Count sentences, words, non-projective trees, tags and relations.",
    "convert": "Convert a treebank to another format, by default chosen by the file extensions.",
    "evaluate": "Attachment scores with and without punctuation.",
    "compare": "Score two systems and test whether their differences are significant.",
    "features": "List the templates of a feature set, one per line, in the format of template "
    "files.",
    "plot": "Plot loss and accuracy by epoch. Requires matplotlib (pip install 'headwise[plot]').",
    "info": "Show the card, kind, size and licence of a model, without reading its weights.",
    "models": "List models with their size, their accuracy on development data, speed and licence.",
    "mbr": "Predict trees of minimum Bayes risk from the outputs of several parsers or k-best "
    "lists.",
    "ensemble": "Make a model of several: averages of their probabilities, trees of minimum Bayes "
    "risk.",
    "experiment": "Do the runs of an experiment and write its table (Markdown, JSON, CSV) and "
    "plot.",
    "review": "List what is probably wrong in a treebank: the least likely heads, relations and "
    "tags first.",
    "serve": "Serve the workbench, a page to look at trees and correct them, and parsing over "
    "HTTP.",
    "warmup": "Compile the kernels of all kinds of work now, so that nothing has to wait for them "
    "later.",
    "constituency": "Constituency trees: train, parse, rerank, score.",
    "rerank": "Rerankers of k-best lists: train, apply.",
    "similarity": "Distributionally similar words: learn them from text (build), or look up a "
    "WORD.",
    "vectors": "Vectors of words: make them from text (build).",
}
"""What the list of commands says of each, which is in the module of its name.

A module has a function of the same name, or is a group of those in `COMMANDS`. Only that of the
command that is called is imported: all of them take longer than many a call.
"""

BAD_DATA = 1

MARKUP: Literal["markdown"] = "markdown"

OF_WRITING = {errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC}
"""Errors of the system that say that something cannot be written."""

NO_THREAD = "can't start new thread"
"""How Python says that the system allows no more threads."""


class Commands(TyperGroup):
    """The commands; what is not one may be a text or a file that was meant to be parsed."""

    def __init__(self, **settings: Any) -> None:
        listed = {name: TyperCommand(name, help=text) for name, text in SUMMARIES.items()}
        super().__init__(**{**settings, "commands": listed})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called."""
        name = args[0]
        if name not in self.commands and (" " in name or Path(name).is_file()):
            ctx.fail(f"No such command; to parse it: headwise parse {shlex.quote(name)}")
        called, command, rest = super().resolve_command(ctx, args)
        return called, command and loaded(name), rest


app = typer.Typer(
    name="headwise",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=MARKUP,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with errors turned into one line on standard error and an exit code."""

    @functools.wraps(command)
    def run_guarded(*arguments: object, **options: object) -> None:
        try:
            check_environment()
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
            complain(system_error_text(error))
            raise typer.Exit(WRONG_CALL) from None
        except RuntimeError as error:
            if str(error) != NO_THREAD:
                raise
            complain("the system allows no further thread: use fewer (--jobs)")
            raise typer.Exit(WRONG_CALL) from None

    return run_guarded


def check_environment() -> None:
    """Raise where variables keep Numba from compiling, which it would tell in a traceback."""
    if os.environ.get("NUMBA_DISABLE_JIT", "") not in ("", "0"):
        raise UsageError("NUMBA_DISABLE_JIT switches off the compiler: unset it")
    threads = os.environ.get("NUMBA_NUM_THREADS", "")
    if threads and not (threads.isdecimal() and int(threads)):
        raise UsageError(f"NUMBA_NUM_THREADS is {threads!r}, not 1 or more: change or unset it")


def system_error_text(error: OSError) -> str:
    """What to print of an error of the system; one of writing without a name is of our output."""
    of_output = "standard output" if error.errno in OF_WRITING else None
    name = error.filename or of_output
    reason = error.strerror or str(error)
    if not name and error.errno == errno.ENOENT:  # from os.getcwd
        return "the current folder no longer exists: change to another one"
    return f"{name}: {reason}" if name else reason


def loaded(name: str) -> Any:
    """A command, from the module of its name."""
    module = import_module(f"headwise.cli.{name}")
    own: dict[str, Any] = {"cls": getattr(module, "COMMAND_CLASS", None)}
    if not hasattr(module, "COMMANDS"):
        alone = typer.Typer(add_completion=False, rich_markup_mode=MARKUP)
        alone.command(name, **own)(guarded(getattr(module, name)))
        return get_command(alone)
    group = typer.Typer(
        name=name, help=SUMMARIES[name], no_args_is_help=True, add_completion=False,
        rich_markup_mode=MARKUP, **own,
    )  # fmt: skip
    group.callback()(lambda: None)  # a group, though it may have one command
    for command in module.COMMANDS:
        group.command()(guarded(command))
    return get_command(group)


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
