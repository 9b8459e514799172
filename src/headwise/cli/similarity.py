"""`headwise similarity`: which words stand in the same contexts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from headwise.cli.options import Force, Json, NewModel
from headwise.cli.pace import progress
from headwise.errors import UsageError, quoted


class WordsByDefault(TyperGroup):
    """A group of commands in which what is no command is a word to look up."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in the command that was left out."""
        if args and args[0] not in {*self.commands, "--help", "-h"}:
            args = ["of", *args]
        return super().parse_args(ctx, args)


def build(
    text: Annotated[
        Path,
        typer.Argument(
            help="Text: one sentence a line, its tokens set off by spaces; or a treebank "
            "(.conllu …), of which the words are read; - is text on standard input."
        ),
    ],
    output: NewModel,
    stop_words: Annotated[
        int, typer.Option(min=0, help="So many of the most frequent words end no window.")
    ] = 100,
    vocabulary: Annotated[int, typer.Option(min=2, help="Words to know, at most.")] = 100_000,
    least: Annotated[int, typer.Option(min=1, help="Times that a word must occur.")] = 5,
    sides: Annotated[
        bool, typer.Option("--sides", help="Tell contexts on the left and on the right apart.")
    ] = False,
    neighbours: Annotated[int, typer.Option(min=1, help="Similar words of each word.")] = 50,
    lowercase: Annotated[
        bool, typer.Option("--lowercase/--keep-case", help="Make words small.")
    ] = True,
    force: Force = False,
) -> None:
    """Learn from text which words are similar: those that stand beside the same words.

    Example: `headwise similarity build text.txt -o similar`
    """
    from headwise.safe import safe_text
    from headwise.storage.modelfile import check_model_path
    from headwise.text.similarity.words import WordSimilarity

    check_model_path(output, force=force)
    similarity = WordSimilarity(
        stop_words=stop_words,
        vocabulary=vocabulary,
        least=least,
        sides=sides,
        neighbours=neighbours,
        lowercase=lowercase,
    )
    with progress("reading", text) as pace:
        similarity.fit(token_lists(text), pace.progress)
    similarity.save(output, about={"text": text.name}, force=force)
    typer.echo(
        safe_text(
            f"wrote {output}: {len(similarity.words_):,} words from {similarity.tokens_:,} tokens"
        )
    )


def token_lists(path: Path) -> Iterator[Sequence[str]]:
    """The tokens of each sentence of a text, or of a treebank if the name of the file says so."""
    from headwise.corpus.files import read_lines
    from headwise.corpus.formats import read_sentences
    from headwise.corpus.plaintext import tokens_of
    from headwise.pipeline.inputs import PLAIN, RAW, input_of

    kind = RAW if path == Path("-") else input_of(str(path), None).kind
    if kind in PLAIN:
        return map(tokens_of, read_lines(path))
    return (sentence.forms for sentence in read_sentences(path, kind))


def of(
    words: Annotated[list[str], typer.Argument(help="The words to look up.")],
    model: Annotated[
        Path, typer.Option("--model", "-m", help="A model made by `build`: a folder.")
    ],
    most: Annotated[int, typer.Option("--most", "-n", min=1, help="Similar words to show.")] = 10,
    as_json: Json = False,
) -> None:
    """Show the words most similar to a word, with their cosines.

    Example: `headwise similarity letter --model similar`
    """
    from headwise.cli.output import print_json
    from headwise.safe import safe_text
    from headwise.text.similarity.words import WordSimilarity

    known = WordSimilarity.load(model)
    found = {word: known.similar(word, most) for word in words}
    for word in words:
        if known.number_of(word) is None:
            raise UsageError(f"{model} does not know the word {quoted(word)}")
    if as_json:
        print_json({word: dict(similar) for word, similar in found.items()})
        return
    for word, similar in found.items():
        listed = ", ".join(f"{other} {cosine:.2f}" for other, cosine in similar)
        typer.echo(safe_text(f"{word}: {listed}"))


COMMANDS = (build, of)
