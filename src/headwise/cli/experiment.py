"""`headwise experiment`: run an experiment and tabulate it beside published figures."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from headwise.cli.options import Json
from headwise.cli.output import complain, print_json, print_tables
from headwise.errors import UsageError
from headwise.safe import safe_text

if TYPE_CHECKING:
    from rich.table import Table

    from headwise.experiments.perform import Task
    from headwise.experiments.results import Result
    from headwise.experiments.table import ResultTable
    from headwise.experiments.work import Work


def experiment(
    file: Annotated[Path, typer.Argument(help="Experiment to run: a TOML file.")],
    treebanks: Annotated[
        list[Path] | None,
        typer.Option(help="Treebank folder, replacing the file's; may be repeated."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Run only this treebank; may be repeated.")
    ] = None,
    scored_on: Annotated[
        str | None, typer.Option("--on", help="Split to score: dev or test [default: as in FILE].")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of parallel runs.")] = 1,
    results: Annotated[
        Path | None,
        typer.Option(help="Folder of stored results, replacing the file's."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Folder for tables and plots [default: tables, beside FILE]."
        ),
    ] = None,
    run: Annotated[
        bool,
        typer.Option("--run/--no-run", help="Do missing runs, or only tabulate finished ones."),
    ] = True,
    as_json: Json = False,
) -> None:
    """Do the runs of an experiment and write its table (Markdown, JSON, CSV) and plot.

    Finished runs are stored and not repeated, so an interrupted experiment continues where it
    stopped. Treebanks that are not found are skipped with a note.

    Example: `headwise experiment experiments/search.toml --jobs 2`
    """
    from headwise.experiments.formats import to_json, write_plot, write_table
    from headwise.experiments.table import table_of
    from headwise.experiments.work import Work

    if scored_on not in (None, "dev", "test"):
        raise UsageError(f"--on must be dev or test, not {scored_on!r}")
    split = cast(Literal["dev", "test"] | None, scored_on)
    work = Work.of_file(
        file,
        folders=treebanks or (),
        results=results,
        only=only or (),
        scored_on=split,
        look=run,
    )
    if run:
        for reason in (*work.absent, *work.too_large()):
            complain(f"skipped: {reason}", kind="note")
        work = done(work, jobs)
    table = table_of(work)
    if not table.rows:
        complain("there are no results yet: leave out --no-run to train the systems", kind="note")
    folder = output or file.parent / "tables"
    written = write_table(folder, file.stem, table, work.experiment.about)
    try:
        written += write_plot(folder, file.stem, table, work.experiment.plot)
    except UsageError as error:  # without matplotlib there is still the table
        complain(str(error), kind="note")
    if as_json:
        print_json(to_json(table))
        return
    print_tables(shown(table))
    typer.echo(safe_text(f"wrote {', '.join(map(str, written))}"))


def done(work: "Work", jobs: int) -> "Work":
    """Do the missing runs and return the work with their results."""
    from headwise.cli.trainingprogress import run_progress
    from headwise.experiments.work import run_tasks

    tasks = work.tasks()
    start = time.monotonic()
    with run_progress(len(tasks)) as progress:
        for number, (task, result) in enumerate(run_tasks(tasks, jobs, progress), 1):
            progress.done(number, line_of(task, result, number, len(tasks)))
    if tasks:
        typer.echo(f"{len(tasks)} runs, {time.monotonic() - start:.0f} s", err=True)
    return work.reread()


def line_of(task: "Task", result: "Result", number: int, total: int) -> str:
    """A finished run as a line of progress."""
    scores: dict[str, Any] = result.data["scores"]
    settings = ", ".join(f"{name} = {value}" for name, value in task.run.given().items())
    extras = ", ".join(f"{name} = {value}" for name, value in task.run.extras().items())
    what = "; ".join(text for text in (settings, extras) if text) or "defaults"
    seconds = result.data.get("seconds")
    took = f", {seconds:.0f} s" if seconds is not None else ""
    name = task.run.treebank
    return safe_text(f"{number} of {total}: {name} ({what}): UAS {scores['uas']:.2f}{took}")


def shown(table: "ResultTable") -> "Table":
    """The result table for the terminal."""
    from headwise.draw.tables import new_table
    from headwise.draw.tables import shown as safe
    from headwise.experiments.formats import headings, texts

    drawn = new_table(table.title, "", headings(table))
    for row in table.rows:
        drawn.add_row(safe(f"{row.treebank}: {row.system}"), *map(safe, texts(table, row)))
    return drawn
