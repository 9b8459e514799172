"""`headwise similarity`: learn and look up distributionally similar words."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from headwise.cli.options import Force, Json, Lowercase, MinCount, NewModel, StopWords, Vocabulary
from headwise.cli.output import print_json
from headwise.cli.progressbar import progress
from headwise.corpus.files import read_lines
from headwise.corpus.formats import read_sentences
from headwise.corpus.plaintext import tokens_of
from headwise.errors import UsageError, quoted
from headwise.safe import safe_text


class WordsByDefault(TyperGroup):
    """A command group that takes an argument that is not a command for a word to look up."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the default command."""
        if args and args[0] not in {*self.commands, "--help", "-h"}:
            args = ["of", *args]
        return super().parse_args(ctx, args)


def build(
    text: Annotated[
        Path,
        typer.Argument(
            help="Text with one tokenised sentence per line, or a treebank (.conllu …) whose words "
            "are used; - reads text from standard input."
        ),
    ],
    output: NewModel,
    stop_words: StopWords = 100,
    vocabulary: Vocabulary = 100_000,
    min_count: MinCount = 5,
    sides: Annotated[
        bool, typer.Option("--sides", help="Distinguish left from right contexts.")
    ] = False,
    neighbours: Annotated[int, typer.Option(min=1, help="Similar words stored per word.")] = 50,
    lowercase: Lowercase = True,
    force: Force = False,
) -> None:
    """Learn similar words from text: words that occur in the same contexts.

    Example: `headwise similarity build text.txt -o similar`
    """
    from headwise.storage.modelfile import check_model_path
    from headwise.text.similarity.words import WordSimilarity

    check_model_path(output, force=force)
    similarity = WordSimilarity(
        stop_words=stop_words,
        vocabulary=vocabulary,
        least=min_count,
        sides=sides,
        neighbours=neighbours,
        lowercase=lowercase,
    )
    with progress("reading", text) as bar:
        similarity.fit(token_lists(text), bar.progress)
    similarity.save(output, about={"text": text.name}, force=force)
    typer.echo(
        safe_text(
            f"wrote {output}: {len(similarity.words_):,} words from {similarity.tokens_:,} tokens"
        )
    )


def token_lists(path: Path) -> Iterator[Sequence[str]]:
    """The tokens of each sentence of a text or, by its file extension, of a treebank."""
    from headwise.pipeline.inputs import PLAIN, RAW, input_of

    kind = RAW if path == Path("-") else input_of(str(path), None).kind
    if kind in PLAIN:
        return map(tokens_of, read_lines(path))
    return (sentence.forms for sentence in read_sentences(path, kind))


def of(
    words: Annotated[list[str], typer.Argument(help="Words to look up.")],
    model: Annotated[Path, typer.Option("--model", "-m", help="Model folder, written by `build`.")],
    count: Annotated[
        int, typer.Option("--count", "--most", "-n", min=1, help="Number of similar words to show.")
    ] = 10,
    as_json: Json = False,
) -> None:
    """Show the words most similar to a word, with their cosine similarity.

    Example: `headwise similarity letter --model similar`
    """
    from headwise.text.similarity.words import WordSimilarity

    known = WordSimilarity.load(model)
    found = {word: known.similar(word, count) for word in words}
    for word in words:
        if known.number_of(word) is None:
            raise UsageError(f"{quoted(word)} is not in the vocabulary of {model}")
    if as_json:
        print_json({word: dict(similar) for word, similar in found.items()})
        return
    for word, similar in found.items():
        listed = ", ".join(f"{other} {cosine:.2f}" for other, cosine in similar)
        typer.echo(safe_text(f"{word}: {listed}"))


COMMANDS = (build, of)

COMMAND_CLASS = WordsByDefault
