"""Sentences to score, and a slow scorer that goes word by word, for the tests of this room."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import strategies as st

from headwise.corpus.sentence import Sentence

RELATIONS = ("nsubj", "nsubj:pass", "obj", "obl", "obl:agent", "punct", "root")


def sentence(
    forms: str, heads: Sequence[int | None], relations: str | None = None, upos: str | None = None
) -> Sentence:
    """A sentence from columns written with spaces."""
    words = forms.split()
    return Sentence.from_words(
        words,
        heads=heads,
        relations=relations.split() if relations else ["dep"] * len(words),
        upos=upos.split() if upos else ["PUNCT" if word in ".,!" else "X" for word in words],
    )


def random_tree(random: np.random.Generator, n: int) -> list[int]:
    """The heads of a tree with one root."""
    order = random.permutation(n) + 1
    heads = [0] * n
    for i in range(1, n):
        heads[order[i] - 1] = int(order[random.integers(0, i)])
    return heads


def random_sentence(random: np.random.Generator, n: int) -> Sentence:
    """A sentence with a random tree; a quarter of its words are punctuation."""
    tags = random.choice(["NOUN", "VERB", "ADJ", "PUNCT"], n)
    return Sentence.from_words(
        [f"w{i}" for i in range(n)],
        upos=tags.tolist(),
        heads=random_tree(random, n),
        relations=random.choice(RELATIONS, n).tolist(),
    )


def with_errors(random: np.random.Generator, gold: Sentence, rate: float) -> Sentence:
    """The sentence with some words given another head or label, perhaps no tree any more."""
    n = len(gold)
    heads, relations = list(gold.heads), list(gold.relations)
    for i in range(n):
        if random.random() < rate:
            heads[i] = int(random.integers(0, n + 1))
        if random.random() < rate:
            relations[i] = str(random.choice(RELATIONS))
    return gold.with_tree(heads, relations)


def with_another_tree(random: np.random.Generator, gold: Sentence, rate: float) -> Sentence:
    """The sentence with some words reattached so that it stays a tree with one root."""
    heads, relations = list(gold.heads), list(gold.relations)
    for i in range(len(gold)):
        if heads[i] != 0 and random.random() < rate:
            head = int(random.integers(1, len(gold) + 1))
            if i + 1 not in path_to_root(heads, head):
                heads[i] = head
        if random.random() < rate:
            relations[i] = str(random.choice(RELATIONS))
    return gold.with_tree(heads, relations)


def path_to_root(heads: Sequence[int | None], word: int) -> list[int]:
    path = []
    while word:
        path.append(word)
        word = heads[word - 1] or 0
    return path


def some(seed: int, count: int, longest: int = 25) -> list[Sentence]:
    """Random sentences."""
    random = np.random.default_rng(seed)
    return [random_sentence(random, int(random.integers(1, longest + 1))) for _ in range(count)]


def spoilt(seed: int, gold: Sequence[Sentence], rate: float) -> list[Sentence]:
    """Random sentences with errors."""
    random = np.random.default_rng(seed)
    return [with_errors(random, one, rate) for one in gold]


@st.composite
def scored_files(draw: Callable[..., object]) -> tuple[list[Sentence], list[Sentence]]:
    """A gold file and a system file."""
    seed = draw(st.integers(0, 2**32))
    gold = some(seed, draw(st.integers(1, 8)), longest=6)
    return gold, spoilt(seed + 1, gold, draw(st.sampled_from([0.0, 0.2, 0.7])))


def slow_scores(
    gold: Sequence[Sentence],
    system: Sequence[Sentence],
    *,
    punctuation: bool,
    subtypes: bool = True,
) -> dict[str, float]:
    """All measures, from their definitions, one word at a time."""
    count: Counter[str] = Counter()
    for one, other in zip(gold, system, strict=True):
        words = [m for m in range(1, len(one) + 1) if punctuation or one.upos[m - 1] != "PUNCT"]
        g, s = [None, *one.heads], [None, *other.heads]
        same_head = {m for m in words if g[m] == s[m]}
        same_label = {
            m
            for m in words
            if plain(one.relations[m - 1], subtypes) == plain(other.relations[m - 1], subtypes)
        }
        links = {frozenset((m, s[m])) for m in range(1, len(one) + 1)}
        gold_roots = {m for m in words if g[m] == 0}
        system_roots = {m for m in words if s[m] == 0}
        count["words"] += len(words)
        count["heads"] += len(same_head)
        count["las"] += len(same_head & same_label)
        count["labels"] += len(same_label)
        count["links"] += sum(frozenset((m, g[m])) in links for m in words)
        count["ucm"] += same_head == set(words)
        count["lcm"] += same_head & same_label == set(words)
        count["root"] += gold_roots == system_roots
        count["shared"] += len(gold_roots & system_roots)
        count["roots"] += len(gold_roots) + len(system_roots)
    return {
        "uas": share(count["heads"], count["words"]),
        "las": share(count["las"], count["words"]),
        "label_accuracy": share(count["labels"], count["words"]),
        "undirected": share(count["links"], count["words"]),
        "ucm": share(count["ucm"], len(gold)),
        "lcm": share(count["lcm"], len(gold)),
        "root": share(count["root"], len(gold)),
        "root_f1": share(2 * count["shared"], count["roots"]),
    }


def plain(relation: str, subtypes: bool) -> str:
    return relation if subtypes else relation.split(":")[0]


def share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else float("nan")
