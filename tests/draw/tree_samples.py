"""Sentences to draw, strategies for any others, and the comparison with kept drawings."""

import os
from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st

from headwise.corpus.sentence import Sentence

GOLDEN = Path(__file__).parent / "golden"
PICTURE = Path(__file__).parents[2] / "docs" / "images" / "tree.svg"


def drawable(forms, heads, relations=None, **columns) -> Sentence:
    """A sentence with any heads, also some that no reader would let through."""
    words = Sentence.from_words(forms, relations=relations, **columns)
    return replace(words, heads=tuple(heads))


def sentence_of(table: str) -> Sentence:
    """A sentence from lines of FORM, UPOS, HEAD and DEPREL."""
    rows = [line.split() for line in table.strip().splitlines()]
    forms, upos, heads, relations = zip(*rows, strict=True)
    numbers = [None if head == "_" else int(head) for head in heads]
    return drawable(forms, numbers, relations, upos=upos)


def arriving_parser() -> Sentence:
    """An extraposed relative clause: the arc to `finds` crosses those of `arrived`."""
    return sentence_of("""
        A        DET    2   det
        parser   NOUN   4   nsubj
        has      AUX    4   aux
        arrived  VERB   0   root
        that     PRON   6   nsubj
        finds    VERB   2   acl:relcl
        the      DET    8   det
        head     NOUN   6   obj
        of       ADP    11  case
        every    DET    11  det
        word     NOUN   8   nmod
        .        PUNCT  4   punct
    """)


def second_opinion() -> Sentence:
    """The same words with two other heads and one other relation."""
    first = arriving_parser()
    heads, relations = list(first.heads), list(first.relations)
    relations[4] = "mark"
    heads[5], relations[5] = 4, "ccomp"
    heads[10], relations[10] = 6, "obl"
    return first.with_tree(heads, relations)


def wide_words() -> Sentence:
    """`I read three books`: characters two cells wide."""
    return sentence_of("""
        我  PRON   2  nsubj
        读  VERB   0  root
        了  AUX    2  aux
        三  NUM    5  nummod
        本  NOUN   6  clf
        书  NOUN   2  obj
        。  PUNCT  2  punct
    """)


def right_to_left_words() -> Sentence:
    """`The girl wrote a long letter`, in Arabic."""
    return sentence_of("""
        كتبت   VERB   0  root
        البنت  NOUN   1  nsubj
        رسالة  NOUN   1  obj
        طويلة  ADJ    3  amod
        .      PUNCT  1  punct
    """)


def no_tree() -> Sentence:
    """A cycle, a missing head, a head that is no word, two roots, one without relation."""
    return sentence_of("""
        one    NUM  2  a
        two    NUM  1  b
        three  NUM  _  c
        four   NUM  9  d
        five   NUM  0  _
        six    NUM  0  root
    """)


def agrees_with_golden(path: Path, text: str) -> bool:
    """Whether a drawing is the kept one; with WRITE_GOLDEN=1 in the environment, keep it."""
    if os.environ.get("WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8") == text


# Letters of many scripts, wide ones, marks, emoji with joiners, and what a terminal would obey.
awkward_text = st.one_of(
    st.text(max_size=12),
    st.text(
        st.sampled_from("ab中한e\u0301\u200d👩❤\ufe0f\x1b\x9b\u202e\ud800\n\t<&\x00"), max_size=12
    ),
    st.sampled_from(["", "_", " ", "word", "Donaudampfschifffahrtsgesellschaft", "中文字符" * 10]),
)


@st.composite
def any_heads(draw: st.DrawFn, n: int) -> list[int | None]:
    """Heads of any kind: trees, cycles, several roots, missing, out of range."""
    return draw(st.lists(st.none() | st.integers(0, n + 1), min_size=n, max_size=n))


@st.composite
def tree_heads(draw: st.DrawFn, n: int) -> list[int]:
    """A tree over n words, most often not projective: words are attached in a random order."""
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * (n + 1)
    for k, word in enumerate(order[1:], start=1):
        heads[word] = order[draw(st.integers(0, k - 1))]
    return heads[1:]


@st.composite
def projective_heads(draw: st.DrawFn, n: int) -> list[int]:
    """A projective tree over n words: each stretch of words is split at its head."""
    heads = [0] * (n + 1)
    stretches = [(1, n, 0)]
    while stretches:
        first, last, above = stretches.pop()
        if first > last:
            continue
        word = draw(st.integers(first, last))
        heads[word] = above
        stretches += [(first, word - 1, word), (word + 1, last, word)]
    return heads[1:]


@st.composite
def any_sentence(draw: st.DrawFn) -> Sentence:
    """Any words under any heads."""
    n = draw(st.integers(0, 9))
    texts = st.lists(awkward_text, min_size=n, max_size=n)
    return drawable(draw(texts), draw(any_heads(n)), draw(texts), upos=draw(texts))


@st.composite
def two_trees(draw: st.DrawFn) -> tuple[Sentence, Sentence | None]:
    """A sentence, and perhaps another tree over it."""
    sentence = draw(any_sentence())
    n = len(sentence)
    if draw(st.booleans()):
        return sentence, None
    relations = draw(st.lists(awkward_text, min_size=n, max_size=n))
    return sentence, replace(sentence, heads=tuple(draw(any_heads(n))), relations=tuple(relations))


def plain_sentence(heads: list[int]) -> Sentence:
    """Words of one width, wide enough for the legs of every arc, under given heads."""
    n = len(heads)
    return drawable([f"wo{word:03}rd" for word in range(1, n + 1)], heads, ["rel"] * n)
