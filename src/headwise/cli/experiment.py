"""`headwise experiment`: train and score what a file says, beside the figures of a paper."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from headwise.cli.options import Json
from headwise.errors import UsageError
from headwise.safe import safe_text

if TYPE_CHECKING:
    from rich.table import Table

    from headwise.experiments.perform import Task
    from headwise.experiments.results import Result
    from headwise.experiments.table import ResultTable
    from headwise.experiments.work import Work


def experiment(
    file: Annotated[Path, typer.Argument(help="What to train and what to show, in TOML.")],
    treebanks: Annotated[
        list[Path] | None,
        typer.Option(help="A folder of treebanks, instead of the file's; may be repeated."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="This treebank of the file; may be repeated.")
    ] = None,
    scored_on: Annotated[
        str | None, typer.Option("--on", help="What is scored: dev or test. As in the file.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Runs at a time.")] = 1,
    results: Annotated[
        Path | None,
        typer.Option(help="The folder of results, instead of the file's."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The folder for tables and plots: FILE's, tables."),
    ] = None,
    run: Annotated[
        bool, typer.Option("--run/--no-run", help="Whether runs that are missing are done.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Do the runs of an experiment, and write its table (Markdown, JSON, CSV) and plot.

    What was done is kept, run by run, and not done again. Cut short at any moment, the same call
    goes on. Treebanks that are not in the folder are left out, with a note.

    Example: `headwise experiment experiments/search.toml --jobs 2`
    """
    from headwise.cli.output import complain, print_json, print_tables
    from headwise.experiments.formats import to_json
    from headwise.experiments.output import write_plot, write_table
    from headwise.experiments.table import table_of
    from headwise.experiments.work import Work

    if scored_on not in (None, "dev", "test"):
        raise UsageError(f"--on is dev or test, not {scored_on!r}")
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
            complain(f"left out: {reason}", kind="note")
        work = done(work, jobs)
    table = table_of(work)
    folder = output or file.parent / "tables"
    written = write_table(folder, file.stem, table, work.experiment.about)
    try:
        written += write_plot(folder, file.stem, table, work.experiment.plot)
    except UsageError as error:  # the table is what matters
        complain(str(error), kind="note")
    if as_json:
        print_json(to_json(table))
        return
    print_tables(shown(table))
    typer.echo(safe_text(f"wrote {', '.join(map(str, written))}"))


def done(work: "Work", jobs: int) -> "Work":
    """The work, with all runs done that were missing."""
    from headwise.cli.runprogress import run_progress
    from headwise.experiments.work import do

    tasks = work.tasks()
    start = time.monotonic()
    with run_progress(len(tasks)) as progress:
        for number, (task, result) in enumerate(do(tasks, jobs, progress), 1):
            progress.done(number, line_of(task, result, number, len(tasks)))
    if tasks:
        typer.echo(f"{len(tasks)} runs, {time.monotonic() - start:.0f} s", err=True)
    return work.reread()


def line_of(task: "Task", result: "Result", number: int, total: int) -> str:
    """A finished run, in a line."""
    scores: dict[str, Any] = result.data["scores"]
    settings = ", ".join(f"{name} = {value}" for name, value in task.run.given().items())
    extras = ", ".join(f"{name} = {value}" for name, value in task.run.extras().items())
    what = "; ".join(text for text in (settings, extras) if text) or "defaults"
    seconds = result.data.get("seconds")
    took = f", {seconds:.0f} s" if seconds is not None else ""
    name = task.run.treebank
    return safe_text(f"{number} of {total}: {name} ({what}): UAS {scores['uas']:.2f}{took}")


def shown(table: "ResultTable") -> "Table":
    """The table for the terminal."""
    from headwise.draw.tables import new_table
    from headwise.draw.tables import shown as safe
    from headwise.experiments.formats import our_texts, paper_texts

    titles = [column.title for column in table.columns]
    paper = [f"paper: {title}" for title, own in zip(titles, table.printed, strict=True) if own]
    sizes = ["sentences"] if table.has_sizes else []
    drawn = new_table(table.title, "", [*sizes, *titles, *paper])
    for row in table.rows:
        size = [f"{row.size:,}"] if row.size is not None else []
        cells = [*size, *our_texts(table, row), *paper_texts(table, row)]
        drawn.add_row(safe(f"{row.treebank}: {row.system}"), *map(safe, cells))
    return drawn
