"""Sentences of tokens, and the counts of the official scorer of raw text."""

import io
from dataclasses import replace

from udtools import udeval

from headwise.corpus.conllu import format_conllu
from headwise.corpus.sentence import MISSING, Multiword, Sentence
from headwise.evaluate import evaluate_raw

NAMES = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas")
TREE_NAMES = ("UAS", "LAS", "CLAS", "MLAS", "BLEX")
OFFICIAL = {name.lower(): name for name in (*NAMES, *TREE_NAMES)}


def words(*tokens: str, **columns) -> Sentence:
    """A sentence of tokens, `form` or `form=word+word`, each word on the one before it."""
    forms, extras = [], []
    for token in tokens:
        surface, _, inside = token.partition("=")
        parts = inside.split("+") if inside else [surface]
        if inside:
            row = (surface, *[MISSING] * 8)
            extras.append(Multiword(len(forms) + 1, len(forms) + len(parts), row, len(forms)))
        forms += parts
    columns.setdefault("heads", range(len(forms)))
    columns.setdefault("relations", ["root"] + ["dep"] * (len(forms) - 1))
    return replace(Sentence.from_words(forms, **columns), extras=tuple(extras))


def official(gold: list[Sentence], system: list[Sentence]) -> dict[str, tuple[int, int, int]]:
    loaded = [
        udeval.load_conllu(io.StringIO("".join(format_conllu(side))), "x", {})
        for side in (gold, system)
    ]
    found = udeval.evaluate(*loaded)
    return {
        ours: (found[name].correct, found[name].gold_total, found[name].system_total)
        for ours, name in OFFICIAL.items()
    }


def as_official(gold: list[Sentence], system: list[Sentence]) -> bool:
    """Whether all measures that are available have the counts of the official scorer."""
    theirs = official(gold, system)
    return all(own == theirs[name] or not any(own) for name, own in counts(gold, system).items())


def counts(gold: list[Sentence], system: list[Sentence]) -> dict[str, tuple[int, int, int]]:
    scores = evaluate_raw(gold, system).scores
    return {name: (score.correct, score.gold, score.system) for name, score in scores.items()}
