"""Raw-text scores of Universal Dependencies, where tokenisation may differ between the files.

The measures are those of the CoNLL 2018 shared task; docs/evaluation.md describes them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from headwise.corpus.documents import Sentences
from headwise.corpus.formats import sentences_of
from headwise.corpus.sentence import MISSING, Sentence
from headwise.evaluate.align import check_heads
from headwise.evaluate.breakdown import number, percent
from headwise.evaluate.rawwords import RawWords, align_words, check_same_text
from headwise.evaluate.words import Bools, Codes, Ints

# fmt: off
CONTENT_RELATIONS = (
    "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated",
    "advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed",
    "flat", "compound", "list", "parataxis", "orphan", "goeswith", "reparandum", "root", "dep",
)
FUNCTION_RELATIONS = ("aux", "cop", "mark", "det", "clf", "case", "cc")
UNIVERSAL_FEATURES = frozenset({
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number",
    "Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident",
    "Polarity", "Person", "Polite",
})
# fmt: on
NO_RELATION = len(CONTENT_RELATIONS) + len(FUNCTION_RELATIONS)
"""The code of a missing relation."""

CONTENT_MEASURES = ("clas", "mlas", "blex")
COLUMNS = {
    "upos": {"upos"},
    "xpos": {"xpos"},
    "ufeats": {"feats"},
    "alltags": {"upos", "xpos", "feats"},
    "lemmas": {"lemmas"},
    "uas": {"heads"},
    "las": {"heads", "relations"},
    "clas": {"heads", "relations"},
    "mlas": {"heads", "relations", "upos", "feats"},
    "blex": {"heads", "relations", "lemmas"},
}
"""The columns that each measure compares; it requires all of them in the gold data."""

COLUMN_TITLES = {"upos": "UPOS", "relations": "DEPREL"}
"""Columns that UD has for every word. Words without them are not scored on them; in the other
columns, `_` is a valid value."""

ROOT, NOT_ALIGNED, NO_HEAD = -1, -2, -3
"""Codes of heads that are the root, a word without a counterpart, or missing."""


@dataclass(frozen=True, slots=True)
class RawScore:
    """One measure: correct, gold and system counts.

    `aligned` counts the units that both files have; None where the measure is alignment itself.
    """

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """Precision in per cent."""
        return percent(self.correct, self.system)

    @property
    def recall(self) -> float:
        """Recall in per cent."""
        return percent(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, in per cent."""
        return percent(2 * self.correct, self.gold + self.system)

    @property
    def aligned_accuracy(self) -> float:
        """Accuracy on aligned words in per cent."""
        return float("nan") if self.aligned is None else percent(self.correct, self.aligned)


NOT_AVAILABLE = RawScore(0, 0, 0, 0)
"""The score of a measure whose columns the gold data does not have."""


@dataclass(frozen=True, slots=True, repr=False)
class RawScores:
    """All measures by name; NaN for those whose columns the gold data lacks."""

    scores: Mapping[str, RawScore]
    gaps: Mapping[str, int] = field(default_factory=dict)
    """How many words of the gold data lack a column of `COLUMN_TITLES` that others have."""

    def __repr__(self) -> str:
        """One short line."""
        return (
            f"<RawScores: {', '.join(f'{name} {one.f1:.2f}' for name, one in self.scores.items())}>"
        )

    def __getitem__(self, name: str) -> RawScore:
        return self.scores[name]

    def to_json(self) -> dict[str, object]:
        """The scores as JSON data: F1 by measure in per cent, and its counts under `details`."""
        data: dict[str, object] = {name: number(score.f1) for name, score in self.scores.items()}
        data["details"] = {
            name: {
                "precision": number(score.precision),
                "recall": number(score.recall),
                "aligned_accuracy": number(score.aligned_accuracy),
                "correct": score.correct,
                "gold": score.gold,
                "system": score.system,
            }
            for name, score in self.scores.items()
        }
        return data


def evaluate_raw(gold: Sentences | str | Path, system: Sentences | str | Path) -> RawScores:
    """Score a system's output against gold data with possibly different tokens and sentences.

    Both are sentences, documents, or the path of a file, and must contain the same text, spaces
    aside. A column that is empty throughout the gold data (`_` for every word) cannot be scored:
    its measures are NaN. Gold words without a UPOS or a relation, where others have one, are not
    scored on them. What only the system output lacks is wrong. Heads must be given for all words of
    a file or for none.
    """
    ours, theirs = RawWords.of(sentences_of(gold)), RawWords.of(sentences_of(system))
    check_same_text(ours, theirs)
    given = given_columns(ours.sentences)
    check_all_heads(ours.sentences, "gold")
    check_all_heads(theirs.sentences, "system")
    scores = {
        "tokens": _span_score(ours.token_ends, theirs.token_ends),
        "sentences": _span_score(ours.sentence_ends, theirs.sentence_ends),
    }
    scores |= _word_scores(ours, theirs)
    absent = [name for name, columns in COLUMNS.items() if not columns <= given]
    return RawScores(scores | dict.fromkeys(absent, NOT_AVAILABLE), gaps(ours.sentences, given))


def gaps(sentences: Sequence[Sentence], given: set[str]) -> dict[str, int]:
    """How many words lack each required column, of those `given` for others."""
    counts = {
        name: sum(one.count_missing(name) for one in sentences)
        for name in COLUMN_TITLES
        if name in given
    }
    return {name: count for name, count in counts.items() if count}


def given_columns(sentences: Sequence[Sentence]) -> set[str]:
    """The columns that at least one word of a file has."""
    names = set().union(*COLUMNS.values()) - {"heads"}
    found = {name for name in names if not all(one.lacks(name) for one in sentences)}
    return found | {"heads"} if any(map(has_heads, sentences)) else found


def has_heads(sentence: Sentence) -> bool:
    """Whether any word of a sentence has a head."""
    return any(head is not None for head in sentence.heads)


def check_all_heads(sentences: Sequence[Sentence], role: str) -> None:
    """Raise if only some words of a file have heads, or heads are invalid."""
    if any(map(has_heads, sentences)):
        for number, sentence in enumerate(sentences, start=1):
            check_heads(sentence, number, role)


def _span_score(gold: Ints, system: Ints) -> RawScore:
    """The number of equal spans; spans are adjacent, so that their ends suffice."""
    starts = [np.concatenate([[0], ends[:-1]]) for ends in (gold, system)]
    size = max(gold.max(initial=0), system.max(initial=0)) + 1
    same = np.intersect1d(starts[0] * size + gold, starts[1] * size + system)
    return RawScore(len(same), len(gold), len(system))


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """The columns of a file's words as integer codes shared by both files."""

    upos: Ints
    xpos: Ints
    features: Ints
    lemmas: Ints
    relations: Ints
    heads: Ints  # the head's index among all words of the file


def _encoded(*files: RawWords) -> Iterator[_Columns]:
    """The columns of files, with the same codes for all."""
    codes, feature_codes = Codes([MISSING]), Codes([""])
    relations = Codes([*CONTENT_RELATIONS, *FUNCTION_RELATIONS, MISSING], subtypes=False)
    for words in files:
        sentences = words.sentences
        yield _Columns(
            upos=codes.encode(one.upos for one in sentences),
            xpos=codes.encode(one.xpos for one in sentences),
            features=feature_codes.encode(
                [universal_features(value) for value in one.feats] for one in sentences
            ),
            lemmas=codes.encode(one.lemmas for one in sentences),
            relations=relations.encode(one.relations for one in sentences),
            heads=np.fromiter(_heads(sentences), np.int64, len(words)),
        )


def universal_features(feats: str) -> str:
    """The universal features of a FEATS value, sorted."""
    if feats == MISSING:
        return ""
    kept = [one for one in feats.split("|") if one.partition("=")[0] in UNIVERSAL_FEATURES]
    return "|".join(sorted(kept))


def _heads(sentences: Iterable[Sentence]) -> Iterator[int]:
    start = 0
    for sentence in sentences:
        for head in sentence.heads:
            yield NO_HEAD if head is None else ROOT if head == 0 else start + head - 1
        start += len(sentence)


def _word_scores(ours: RawWords, theirs: RawWords) -> dict[str, RawScore]:
    g, s = align_words(ours, theirs)
    gold, system = _encoded(ours, theirs)
    lemmas = (gold.lemmas[g] == system.lemmas[s]) | (gold.lemmas[g] == 0)  # 0: the gold has none
    upos = gold.upos[g] == system.upos[s]
    xpos = gold.xpos[g] == system.xpos[s]
    features = gold.features[g] == system.features[s]
    heads = gold.heads[g] == _in_gold(system.heads[s], g, s)
    arcs = heads & (gold.relations[g] == system.relations[s])
    tagged = arcs & upos & features
    functional = tagged & _functional_children(gold, system, g, s, tagged)
    right = {
        "upos": upos,
        "xpos": xpos,
        "ufeats": features,
        "alltags": upos & xpos & features,
        "lemmas": lemmas,
        "uas": heads,
        "las": arcs,
        "clas": arcs,
        "mlas": functional,
        "blex": arcs & lemmas,
    }
    everything = np.ones(len(ours), np.bool_), np.ones(len(theirs), np.bool_)
    content = gold.relations < len(CONTENT_RELATIONS), system.relations < len(CONTENT_RELATIONS)
    scores = {"words": RawScore(len(g), len(ours), len(theirs))}
    for name, verdict in right.items():
        counted = content if name in CONTENT_MEASURES else everything
        scores[name] = _score(verdict, _without_gaps(counted, name, gold, g, s), g)
    return scores


def _without_gaps(
    counted: tuple[Bools, Bools], measure: str, gold: _Columns, g: Ints, s: Ints
) -> tuple[Bools, Bools]:
    """The counted words of both files, without those whose gold columns are missing."""
    missing = {"upos": gold.upos == 0, "relations": gold.relations == NO_RELATION}
    lacking = np.zeros(len(gold.upos), np.bool_)
    for column in COLUMNS[measure] & missing.keys():
        lacking |= missing[column]
    if not lacking.any():
        return counted
    of_system = counted[1].copy()
    of_system[s[lacking[g]]] = False
    return counted[0] & ~lacking, of_system


def _score(right: Bools, counted: tuple[Bools, Bools], g: Ints) -> RawScore:
    aligned = counted[0][g]
    return RawScore(
        int((right & aligned).sum()),
        int(counted[0].sum()),
        int(counted[1].sum()),
        int(aligned.sum()),
    )


def _in_gold(heads: Ints, g: Ints, s: Ints) -> Ints:
    """Heads in the system output as the gold words that they are aligned with."""
    size = int(max(heads.max(initial=0), s.max(initial=0))) + 1
    gold_word = np.full(size, NOT_ALIGNED, np.int64)
    gold_word[s] = g
    words = gold_word[np.maximum(heads, 0)]  # the root and missing heads are masked below
    return np.where(heads >= 0, words, np.where(heads == ROOT, ROOT, NOT_ALIGNED))


def _functional_children(gold: _Columns, system: _Columns, g: Ints, s: Ints, right: Bools) -> Bools:
    """Whether aligned words have the same function words as children, correctly tagged.

    Alignments never cross, so the order is the same and counting them is enough.
    """

    def counts(columns: _Columns, words: Ints) -> Ints:
        first = len(CONTENT_RELATIONS)
        relations, heads = columns.relations[words], columns.heads[words]
        functional = (relations >= first) & (relations < first + len(FUNCTION_RELATIONS))
        return np.bincount(heads[functional & (heads >= 0)], minlength=len(columns.heads))

    wanted = counts(gold, np.arange(len(gold.heads)))[g]
    given = counts(system, np.arange(len(system.heads)))[s]
    shared = counts(gold, g[right])[g]
    same: Bools = (wanted == given) & (wanted == shared)
    return same
