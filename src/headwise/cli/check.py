"""`headwise check`: validate treebanks."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from headwise.cli.options import From, Json
from headwise.cli.output import complain, print_json
from headwise.cli.progressbar import is_terminal, progress
from headwise.corpus.check import MAX_PROBLEMS, check_file
from headwise.corpus.diagnosis import Problem
from headwise.errors import UsageError, counted
from headwise.safe import safe_text


def check(
    files: Annotated[list[Path], typer.Argument(help="Treebanks to check (- for standard input).")],
    format_name: From = None,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
    several_roots: Annotated[
        bool,
        typer.Option("--several-roots", help="Allow more than one root word per sentence."),
    ] = False,
    max_problems: Annotated[
        int,
        typer.Option(
            "--max-problems",
            "--most",
            min=1,
            help="Stop checking a file after this many problems.",
            show_default=True,
        ),
    ] = MAX_PROBLEMS,
    as_json: Json = False,
) -> None:
    """Report every problem with its file, line and sentence.

    The exit code is 1 if there are errors.

    Example: `headwise check train.conllu dev.conllu.gz`
    """
    errors = warnings = missing = 0
    listed = []
    with progress("checking", *files) as bar:
        for file in files:
            try:
                for problem in check_file(
                    file, format_name, several_roots=several_roots, max_problems=max_problems
                ):
                    errors += problem.is_error
                    warnings += not problem.is_error
                    if as_json:
                        listed.append(_as_json(problem))
                    else:
                        if is_terminal(Path("-")):
                            bar.stop()
                        kind = "error" if problem.is_error else "warning"
                        typer.echo(safe_text(f"{problem.location}: {kind}: {problem.message}"))
            except UsageError as error:  # a missing file; check the others all the same
                missing += 1
                complain(str(error))
    if as_json:
        print_json({"errors": errors, "warnings": warnings, "problems": listed})
    elif checked := len(files) - missing:
        found = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
        typer.echo(f"{counted(checked, 'file')}: {found}")
    if missing:
        raise typer.Exit(2)
    if errors or (strict and warnings):
        raise typer.Exit(1)


def _as_json(problem: Problem) -> dict[str, Any]:
    return {**asdict(problem.location), "message": problem.message, "error": problem.is_error}
