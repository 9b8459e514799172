"""`headwise constituency`: train, parse, choose among candidates, score."""

import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from headwise.cli.options import (
    Decode,
    Force,
    From,
    Gold,
    Json,
    Model,
    NewModel,
    Output,
    Rounds,
    Seed,
    SystemA,
    SystemB,
    Tune,
    check_tuning,
    refuse_two_standard_inputs,
)
from headwise.cli.output import print_json, print_tables
from headwise.cli.progressbar import progress
from headwise.corpus.brackets import write_brackets
from headwise.corpus.formats import CONLLU, CONLLX, JSONL, format_of
from headwise.corpus.output import write_text
from headwise.errors import FormatError, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from headwise.constituency.parseval import TreeEvaluation
    from headwise.evaluate.significance import Difference

Item = TypeVar("Item")

ConventionSet = Annotated[
    str, typer.Option(help="Scoring conventions: collins, plain, or a file (ours or EVALB's).")
]
ListFormat = Annotated[
    str | None,
    typer.Option("--format", help="Format of k-best lists: headwise or bllip."),
]


def train(
    trees: Annotated[list[Path], typer.Argument(help="Bracketed trees to train on.")],
    output: NewModel,
    vertical: Annotated[
        int, typer.Option(min=1, help="Vertical Markovisation: 1 labels only, 2 with parents …")
    ] = 2,
    horizontal: Annotated[
        int, typer.Option(min=0, help="Horizontal Markovisation: number of preceding siblings.")
    ] = 2,
    force: Force = False,
) -> None:
    """Train a constituency parser (PCFG) on bracketed trees.

    Example: `headwise constituency train train.mrg -o wsj-model`
    """
    from headwise.constituency.annotation import Annotation
    from headwise.constituency.files import read_trees
    from headwise.constituency.parser import ConstituencyParser
    from headwise.storage.modelfile import check_model_path

    check_model_path(output, force=force)
    parser = ConstituencyParser(annotation=Annotation(vertical=vertical), horizontal=horizontal)
    with progress("reading trees", *trees) as bar:
        parser.fit(bar.items(read_trees(*trees), "trees"))
    parser.save(output, force=force)
    typer.echo(parser.size_line())


def parse(
    text: Annotated[
        Path,
        typer.Argument(
            help="Sentences to parse (.txt with one tokenised sentence per line, .conllu, .mrg), "
            "or - for CoNLL-U on standard input; --from names another format."
        ),
    ],
    model: Model,
    output: Output = Path("-"),
    kbest: Annotated[
        int | None, typer.Option(min=1, help="Write the k best trees per sentence.")
    ] = None,
    tags: Annotated[
        str | None, typer.Option(help="Use the tags of the input: xpos or upos.")
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Search without pruning; several times slower.")
    ] = False,
    longest: Annotated[
        int | None, typer.Option(min=1, help="Longest sentence to parse, in words [default: 400].")
    ] = None,
    list_format: ListFormat = None,
    format_name: From = None,
) -> None:
    """Parse sentences into bracketed trees, one per line, or into k-best lists.

    Example: `headwise constituency parse news.txt --model wsj-model --kbest 50`
    """
    from headwise.constituency.files import LONGEST, parse_file
    from headwise.constituency.nbest import check_format, write_nbest
    from headwise.constituency.parser import ConstituencyParser

    check_format(list_format)
    refuse_text(text)
    with suggesting_tokens(text, format_name), progress("loading the model", text) as bar:
        parser = ConstituencyParser.load(model)
        if exact:
            parser.margin = float("inf")
        limit = longest or LONGEST
        bar.doing("parsing")
        found = bar.items(
            parse_file(parser, text, kbest or 1, tags=tags, format_name=format_name, longest=limit),
            "sentences",
            output,
        )
        if kbest is None:
            write_text(output, write_brackets(candidates.trees[0] for candidates in found))
        else:
            write_nbest(output, found, list_format or "headwise")


def refuse_text(argument: Path) -> None:
    """Raise for an argument that is a text rather than the name of a file, and say how to pass it.

    Words of a text are separated by spaces, which the names of files seldom have.
    """
    from headwise.pipeline.inputs import path_exists

    text = str(argument)
    if len(text.split()) > 1 and not path_exists(argument):
        raise UsageError(
            f"there is no file {text}; to parse it as text, tokens separated by spaces: "
            f"echo {shlex.quote(text)} | headwise constituency parse - --from tokens"
        )


@contextmanager
def suggesting_tokens(path: Path, format_name: str | None) -> Iterator[None]:
    """Add to format errors how to read plain text, if the call does not name a format."""
    try:
        yield
    except FormatError as error:
        columns = () if str(path) == "-" else (CONLLU, CONLLX, JSONL)
        if format_name is not None or format_of(path) in columns:
            raise
        message = "; for text with one tokenised sentence per line, use --from tokens"
        raise FormatError(f"{error.message}{message}", error.location) from error


def mbr(
    lists: Annotated[Path, typer.Argument(help="k-best lists (- for standard input).")],
    output: Output = Path("-"),
    decode: Decode = "mbr",
    scale: Annotated[
        float | None, typer.Option(min=0.0, help="Factor for the scores [default: 1].")
    ] = None,
    tune: Tune = None,
    list_format: ListFormat = None,
) -> None:
    """Predict trees of minimum Bayes risk under 1 − F1 from k-best lists.

    Example: `headwise constituency mbr news.nbest -o news.mrg`
    """
    from headwise.constituency.files import decide_file, read_trees, tune_decoder
    from headwise.constituency.nbest import read_nbest
    from headwise.search.decoders.decodenames import decode_name

    name = decode_name(decode)
    if tune is not None:
        check_tuning(scale, lists)
        tuned = tune_decoder(read_nbest(lists, list_format), read_trees(tune), name)
        scale = tuned.scale
        typer.echo(f"scale {scale:.4g}: F1 {100 * tuned.gain:.2f}", err=True)
    trees = decide_file(lists, name, 1.0 if scale is None else scale, list_format)
    with progress("choosing trees", lists) as bar:
        write_text(output, write_brackets(bar.items(trees, "sentences", output)))


def evaluate(
    gold: Gold,
    system: Annotated[Path, typer.Argument(help="Trees to score.")],
    conventions: ConventionSet = "collins",
    as_json: Json = False,
) -> None:
    """PARSEVAL scores: precision, recall and F1 of brackets, crossing brackets, tag accuracy.

    Example: `headwise constituency evaluate gold.mrg parsed.mrg`
    """
    from headwise.constituency.conventions import Conventions
    from headwise.constituency.files import read_trees
    from headwise.constituency.parseval import TreeEvaluation, score_trees

    refuse_two_standard_inputs(gold, system)
    chosen = Conventions.load(conventions)
    with progress("scoring", gold, system):
        counts = score_trees(read_trees(gold), read_trees(system), chosen)
    views = {"all": TreeEvaluation.of(counts)}
    if chosen.cut_off is not None:
        views[f"up_to_{chosen.cut_off}"] = TreeEvaluation.of(counts.up_to(chosen.cut_off))
    if as_json:
        print_json({name: found.to_json() for name, found in views.items()})
    else:
        print_tables(_score_table(views))


def compare(
    gold: Gold,
    a: SystemA,
    b: SystemB,
    conventions: ConventionSet = "collins",
    rounds: Rounds = 10_000,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Score two systems and test whether their differences are significant.

    Example: `headwise constituency compare gold.mrg best.mrg mbr.mrg`
    """
    from headwise.constituency.conventions import Conventions
    from headwise.constituency.files import read_trees
    from headwise.constituency.parseval import compare_trees, score_trees

    refuse_two_standard_inputs(gold, a, b)
    chosen = Conventions.load(conventions)
    with progress("comparing", gold, a, b):
        right = list(read_trees(gold))
        counts = [score_trees(right, read_trees(path), chosen) for path in (a, b)]
        found = compare_trees(*counts, rounds=rounds, seed=seed)
    if as_json:
        print_json({difference.measure: difference.to_json() for difference in found})
    else:
        print_tables(_difference_table(found))


COMMANDS = (train, parse, mbr, evaluate, compare)


def _score_table(views: "dict[str, TreeEvaluation]") -> "Table":
    from headwise.constituency.parseval import MEASURES
    from headwise.draw.tables import new_table
    from headwise.evaluate.report import interval_text, percent_text

    titles = [name.replace("_", " ").capitalize() for name in views]
    headings = [heading for title in titles for heading in (title, "95 % interval")]
    table = new_table("Brackets", "", headings)
    for name, title in MEASURES.items():
        cells = [
            cell
            for found in views.values()
            for cell in (percent_text(found.values[name]), interval_text(found.intervals.get(name)))
        ]
        table.add_row(title, *cells)
    table.add_section()
    counts = [cell for found in views.values() for cell in (f"{found.sentences:,}", "")]
    table.add_row("Sentences", *counts)
    return table


def _difference_table(found: "Iterable[Difference]") -> "Table":
    from headwise.constituency.parseval import MEASURES
    from headwise.draw.tables import new_table
    from headwise.evaluate.report import difference_cells

    headings = ("A", "B", "B − A", "95 % interval", "p boot.", "p rand.")
    table = new_table("Brackets", "", headings)
    for row in found:
        table.add_row(MEASURES[row.measure], *difference_cells(row))
    return table
