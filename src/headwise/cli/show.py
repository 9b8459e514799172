"""`headwise show`: draw trees."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.options import From, HeadRules, refuse_two_standard_inputs
from headwise.cli.output import shows_colours, speaks_unicode
from headwise.corpus.formats import read_sentences
from headwise.corpus.output import write_text
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, MismatchError, UsageError

Pair = tuple[Sentence, Sentence | None]

OTHER_PICTURES = {".gif", ".jpeg", ".jpg", ".pdf", ".png", ".webp"}


def show(
    file: Annotated[
        Path | None,
        typer.Argument(help="Treebank (- for standard input) [default: the bundled sample]."),
    ] = None,
    diff: Annotated[
        Path | None,
        typer.Option(help="Second treebank with the same sentences, drawn over the first."),
    ] = None,
    only_different: Annotated[
        bool, typer.Option("--only-different", help="With --diff: draw only trees that differ.")
    ] = False,
    sentence: Annotated[
        str | None, typer.Option(help="Sentence to draw: its number in the file, or its sent_id.")
    ] = None,
    count: Annotated[
        int, typer.Option("--count", "-n", min=1, help="Largest number of trees to draw.")
    ] = 3,
    svg: Annotated[
        Path | None, typer.Option(help="Write an SVG image to this file (- for standard output).")
    ] = None,
    width: Annotated[
        int | None, typer.Option(min=20, help="Width in columns [default: the terminal's].")
    ] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw in ASCII only.")] = False,
    format_name: From = None,
    head_rules: HeadRules = None,
) -> None:
    """Draw trees in the terminal or as SVG.

    Example: `headwise show dev.conllu --sentence 12 --svg tree.svg`
    """
    refuse_two_standard_inputs(*(path for path in (file, diff) if path))
    if svg is not None and svg.suffix.lower() in OTHER_PICTURES:
        raise UsageError(f"{svg}: pictures are written as SVG: choose a name that ends in .svg")
    if only_different and diff is None:
        raise UsageError("--only-different requires a second file: add --diff FILE")
    pairs = _pairs(file, diff, format_name, head_rules)
    if sentence is not None:
        pairs = iter([_chosen(pairs, sentence)])
    if only_different:
        pairs = ((a, b) for a, b in pairs if b and (a.heads, a.relations) != (b.heads, b.relations))
    chosen = itertools.islice(pairs, count)
    drawn = _write_svg(svg, list(chosen)) if svg else _draw(chosen, width, ascii_only)
    if not drawn and only_different:
        which = "no trees differ" if sentence is None else f"the trees of {sentence} do not differ"
        typer.echo(which)
    elif not drawn:
        raise InputError("there are no trees to draw")


def _pairs(
    file: Path | None, diff: Path | None, format_name: str | None, head_rules: str | None
) -> Iterator[Pair]:
    from headwise.corpus.sample import read_sample

    first = (
        read_sample() if file is None else read_sentences(file, format_name, head_rules=head_rules)
    )
    if diff is None:
        yield from ((sentence, None) for sentence in first)
        return
    second = read_sentences(diff, format_name, head_rules=head_rules)
    for a, b in itertools.zip_longest(first, second):
        if a is None or b is None:
            shorter = diff if b is None else file or "the sample"
            raise MismatchError(
                f"{shorter} has fewer sentences than the other file", (a or b).location
            )
        yield a, b


def _chosen(pairs: Iterator[Pair], wanted: str) -> Pair:
    """The sentence with that number, or else with that sent_id."""
    named, number = None, 0
    for number, pair in enumerate(pairs, 1):
        if wanted == str(number):
            return pair
        if named is None and pair[0].id == wanted:
            named = pair
            if not wanted.isdecimal():
                break
    if named is not None:
        return named
    raise UsageError(f"no sentence {wanted}: give a number from 1 to {number}, or a sent_id")


def _write_svg(path: Path, pairs: list[Pair]) -> int:
    from headwise.draw.svg import svg_page, svg_tree

    if not pairs:
        return 0
    if len(pairs) == 1:
        picture = svg_tree(pairs[0][0], other=pairs[0][1])
    else:
        others = None if pairs[0][1] is None else [b for _, b in pairs if b is not None]
        picture = svg_page([a for a, _ in pairs], others=others)
    write_text(path, iter([picture]))
    return len(pairs)


def _draw(pairs: Iterator[Pair], width: int | None, ascii_only: bool) -> int:
    from headwise.draw.terminal import titled_tree

    colour = shows_colours()
    ascii_only = ascii_only or not speaks_unicode()
    drawn = 0
    for first, second in pairs:
        text = titled_tree(first, width=width, other=second, colour=colour, ascii_only=ascii_only)
        typer.echo(text, nl=False)
        drawn += 1
    return drawn
