"""A hundred plain English sentences: `python benchmarks/plain_english.py [--model M]`.

Parses the raw texts of tests/data/plain-english.conllu, each by itself, and prints how many come
out whole and right (tokens, UPOS, heads and relations), and a Markdown table of the words of the
others that differ.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from headwise.corpus.conllu import read_conllu
from headwise.corpus.sentence import Sentence
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from headwise.safe import safe_text
from pages import row

SENTENCES = Path(__file__).parents[1] / "tests" / "data" / "plain-english.conllu"

Difference = tuple[str, str, str]
"""A word, what is right, and what was found."""


def plain_sentences() -> list[Sentence]:
    """The sentences with their trees."""
    return list(read_conllu(SENTENCES))


def differences(gold: Sentence, found: Sequence[Sentence]) -> list[Difference]:
    """Words of a parsed text that are not as they should be; none if all of it is right."""
    if len(found) != 1 or found[0].forms != gold.forms or surface(found[0]) != surface(gold):
        return [("(tokens)", spaced([gold]), spaced(found))]
    pairs = zip(gold.forms, described(gold), described(found[0]), strict=True)
    return [(word, right, wrong) for word, right, wrong in pairs if right != wrong]


def spaced(sentences: Sequence[Sentence]) -> str:
    """Words with spaces between them, and bars between sentences."""
    return " | ".join(" ".join(one.forms) for one in sentences)


def surface(sentence: Sentence) -> list[str]:
    """The forms of tokens, multiword tokens being whole."""
    return [token.form for token in sentence.tokens()]


def described(sentence: Sentence) -> list[str]:
    """Tag, relation and head of every word, as people read them."""
    names = ("ROOT", *sentence.forms)
    return [
        f"{tag} {relation} ← {'?' if head is None else f'{names[head]} ({head})'}"
        for tag, relation, head in zip(
            sentence.upos, sentence.relations, sentence.heads, strict=True
        )
    ]


def wrong_sentences(
    pipeline: Pipeline, sentences: Sequence[Sentence]
) -> list[tuple[Sentence, list[Difference]]]:
    """Those that are not parsed whole and right, with the words that differ."""
    answers = pipeline.pipe([one.text for one in sentences])
    compared = [
        (gold, differences(gold, list(found.sentences)))
        for gold, found in zip(sentences, answers, strict=True)
    ]
    return [(gold, differing) for gold, differing in compared if differing]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--model", help="a name or a folder [default: the package's]")
    chosen = options.parse_args()
    sentences = plain_sentences()
    wrong = wrong_sentences(as_pipeline(chosen.model), sentences)
    print(f"{len(sentences) - len(wrong)} of {len(sentences)} sentences are whole and right.")
    if wrong:
        print("\n| sentence | word | right | found |\n|---|---|---|---|")
    for gold, differing in wrong:
        text = gold.text
        for words in differing:
            print(row(*(safe_text(cell).replace("|", "\\|") for cell in (text, *words))))
            text = ""


if __name__ == "__main__":
    main()
