"""`headwise vectors`: vectors of words from text, for languages without published ones."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.options import Force, Lowercase, MinCount, StopWords, Vocabulary
from headwise.cli.progressbar import progress
from headwise.safe import safe_text


def build(
    text: Annotated[
        list[Path],
        typer.Argument(help="Text: raw (.txt), tokenised (.tok) or treebanks (.conllu); also .gz."),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="File to write: .npz, .txt or .vec, also .txt.gz."),
    ],
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", help="Model whose tokeniser splits raw text [default: none]."
        ),
    ] = None,
    dimensions: Annotated[int, typer.Option(min=1, max=512, help="Numbers in a vector.")] = 100,
    vocabulary: Vocabulary = 50_000,
    min_count: MinCount = 5,
    stop_words: StopWords = 100,
    sides: Annotated[
        bool, typer.Option("--sides/--no-sides", help="Distinguish left from right contexts.")
    ] = True,
    lowercase: Lowercase = True,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the decomposition.")] = 0,
    force: Force = False,
) -> None:
    """Make vectors of words from text, for `headwise train --vectors`.

    Words that stand in the same contexts get similar vectors: positive PMI, truncated SVD.

    Example: `headwise vectors build text.txt -o vectors.npz --model my-model`
    """
    from headwise.pipeline.wordlists import word_lists
    from headwise.text.similarity.vectorfiles import check_vector_path, write_vectors
    from headwise.text.similarity.vectors import VectorTraining, build_vectors

    check_vector_path(output, force=force)
    training = VectorTraining(
        dimensions=dimensions,
        vocabulary=vocabulary,
        least=min_count,
        stop_words=stop_words,
        sides=sides,
        lowercase=lowercase,
        seed=seed,
    )
    read = word_lists(text, model)
    with progress("reading", *text, *text) as bar:
        words, vectors = build_vectors(read, training, bar.progress)
    write_vectors(output, words, vectors)
    typer.echo(safe_text(f"wrote {output}: {len(words):,} words, {dimensions} dimensions"))


COMMANDS = (build,)
