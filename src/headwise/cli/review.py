"""`headwise review`: what is probably wrong in a treebank."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headwise.cli.options import From, Json, split_at_commas
from headwise.cli.output import print_json, print_tables
from headwise.errors import UsageError
from headwise.safe import safe_text

if TYPE_CHECKING:
    from rich.table import Table

    from headwise.corpus.sentence import Sentence
    from headwise.review.ranking import Ranking

IN_TABLES, IN_FILES = 50, 1000
"""How many values are listed by default."""


def review(
    file: Annotated[Path, typer.Argument(help="Treebank to review.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Ranking to write, as JSON, for `headwise serve --ranking`."
        ),
    ] = None,
    train: Annotated[
        Path | None,
        typer.Option(help="Further treebank that all parsers learn from; it is not reviewed."),
    ] = None,
    columns: Annotated[
        str,
        typer.Option(help="What to judge, with commas: head, deprel, upos, xpos, feats."),
    ] = "head,deprel,upos,xpos",
    top: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default=False,
            help="Number of values to list [default: 50 in a table, 1,000 in JSON].",
        ),
    ] = None,
    folds: Annotated[
        int, typer.Option(min=2, help="Number of folds, each judged by parsers of the others.")
    ] = 5,
    scorer: Annotated[
        str, typer.Option(help="Kind of parsers: linear, or neural (slow without a GPU).")
    ] = "linear",
    fast: Annotated[
        bool, typer.Option("--fast", help="Use linear parsers of the first order, not the third.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Random seed of training.")] = 0,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Number of folds to work on at a time.")
    ] = 1,
    format_name: From = None,
    as_json: Json = False,
) -> None:
    """List what is probably wrong in a treebank: the least likely heads, relations and tags first.

    Each fold of the file is judged by a parser and a tagger that have learnt from the others.
    With --output, an interrupted review goes on when the same command is run again.

    Example: `headwise review dev.conllu --train train.conllu -o suspicious.json`
    """
    from headwise.corpus.files import source_name
    from headwise.corpus.formats import read_sentences
    from headwise.review.reviewing import ReviewSettings

    if output is not None and str(output) == "-":
        raise UsageError("--output names a file: --json prints JSON on standard output")
    if scorer not in ("linear", "neural"):
        raise UsageError(f"--scorer must be linear or neural, not {scorer!r}")
    judged = tuple(split_at_commas(columns.lower()))
    settings = ReviewSettings(folds, scorer, fast, judged, seed)  # type: ignore[arg-type]
    settings.check()
    sentences = list(read_sentences(file, format_name))
    more = [] if train is None else list(read_sentences(train, format_name))
    ranking = ranked(sentences, settings, output, more=more, file=source_name(file), jobs=jobs)
    if output is not None:
        write_ranking(output, ranking.top(top or IN_FILES))
    if as_json:
        print_json(ranking.top(top or IN_FILES).to_json())
        return
    print_tables(table_of(ranking, sentences, top or IN_TABLES))
    if output is not None:
        typer.echo(safe_text(f"wrote {output}"))


def ranked(
    sentences: Sequence["Sentence"], settings: Any, output: Path | None, **inputs: Any
) -> "Ranking":
    """Review sentences, with a bar; finished folds are kept beside the output until it is there."""
    from headwise.cli.trainingprogress import run_progress
    from headwise.review.reviewing import review as review_sentences

    cache = None if output is None else output.with_name(output.name + ".folds")
    try:
        with run_progress(settings.folds) as bar:
            return review_sentences(
                sentences,
                settings,
                cache=cache,
                callback=bar,
                progress=lambda name, done, total: bar.done(done, f"{name} {done} of {total}"),
                **inputs,
            )
    except (KeyboardInterrupt, SystemExit):
        if cache is not None and cache.exists():
            typer.echo("finished folds are kept; to go on, run the same command again", err=True)
        raise


def write_ranking(path: Path, ranking: "Ranking") -> None:
    """Write a ranking; the folds that were kept for it are not needed any more."""
    from headwise.corpus.output import write_text

    write_text(path, iter([json.dumps(ranking.to_json(), indent=1, allow_nan=False) + "\n"]))
    shutil.rmtree(path.with_name(path.name + ".folds"), ignore_errors=True)


def table_of(ranking: "Ranking", sentences: Sequence["Sentence"], top: int) -> "Table":
    """The first values of a ranking, for people."""
    from rich.table import Table

    from headwise.draw.tables import new_table, shown

    count = len(ranking.suspicions)
    title = f"Suspicious values ({min(top, count):,} of {count:,})"
    table: Table = new_table(title, "sentence", ["word", "column", "value", "%", "expected", "%"])
    for one in ranking.suspicions[:top]:
        sentence = sentences[one.number - 1]
        table.add_row(
            shown(one.sentence or str(one.number)),
            shown(f"{one.word} {one.form}"),
            one.column,
            shown(named(one.column, one.value, sentence)),
            percent(one.probability),
            shown(named(one.column, one.expected, sentence)),
            percent(one.expected_probability),
        )
    return table


def named(column: str, value: str, sentence: "Sentence") -> str:
    """A value for people: heads with their words."""
    if column != "head":
        return value
    return f"{value} {sentence.forms[int(value) - 1]}" if value != "0" else "0 root"


def percent(probability: float) -> str:
    """A probability in per cent, small ones with the digits that count."""
    return f"{100 * probability:.3g}"
