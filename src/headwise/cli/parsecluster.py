"""`headwise parse --engine ray`: many files on a cluster."""

from pathlib import Path
from typing import TYPE_CHECKING

from headwise.cli.formatters import STANDARD_STREAM
from headwise.cli.output import complain
from headwise.cli.progressbar import progress
from headwise.errors import InputError, UsageError, counted
from headwise.integrations.libraries import library

if TYPE_CHECKING:
    from headwise.integrations.ray.driver import Summary
    from headwise.integrations.ray.job import Recipe

LOCAL, RAY = "local", "ray"
MAX_WARNINGS = 20
"""How many warnings of workers are printed."""


def is_for_cluster(engine: str, address: str | None) -> bool:
    """Whether a cluster is to do the work."""
    if engine not in (LOCAL, RAY):
        raise UsageError(f"--engine must be {LOCAL} or {RAY}, not {engine!r}")
    if address is not None and engine != RAY:
        raise UsageError("--address is that of a Ray cluster: add --engine ray")
    return engine == RAY


def refuse_on_cluster(*, flush: bool, generator: bool, guide: bool, device: bool) -> None:
    """Raise for options that only one process can serve."""
    options = {
        "--flush": flush, "--generator": generator, "--guide": guide, "--device": device
    }  # fmt: skip
    for name, given in options.items():
        if given:
            raise UsageError(f"{name} does not go with --engine ray: leave out one of them")


def parse_on_cluster(
    arguments: list[str] | None,
    output: Path,
    recipe: "Recipe",
    *,
    model: str | None,
    address: str | None,
    workers: int | None,
) -> None:
    """Parse files on a cluster, with a bar over all of them and a summary."""
    library("ray")
    if output == STANDARD_STREAM:
        raise UsageError("--engine ray writes a file for each input: name a folder (-o out/)")
    recipe.check()
    from headwise.integrations.ray.cluster import parse_files
    from headwise.integrations.ray.job import found_files

    files = [str(path) for path in found_files(arguments or [])]
    words = 0
    with progress("parsing", *map(Path, files)) as bar:

        def show(done: int, more: int) -> None:
            nonlocal words
            words += more
            bar.read(done)
            bar.show(f"{words:,} words")

        summary = parse_files(
            files, output, recipe, model=model, address=address, workers=workers, progress=show
        )
    report(summary)


def report(summary: "Summary") -> None:
    """Print what came of a job; raises if files have failed."""
    for message in summary.warnings[:MAX_WARNINGS]:
        complain(message, "warning")
    more = len(summary.warnings) - MAX_WARNINGS
    if more > 0:
        complain(f"and {counted(more, 'more warning')}", "warning")
    complain(str(summary), "note")
    for path, message in summary.failures.items():
        complain(message if str(path) in message else f"{path}: {message}")
    if summary.failures:
        raise InputError(
            f"{counted(len(summary.failures), 'file')} of {summary.files:,} could not be parsed; "
            "all others are in the output folder"
        )
