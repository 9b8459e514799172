from dataclasses import replace

from headwise.corpus.sentence import Sentence
from headwise.text.wordkinds import LEVELS, MOST_KINDS, MOST_TAGS, OTHER_TAG, TAGS, word_kinds


def tagged(*words: str) -> Sentence:
    forms, tags = zip(*(word.split("/") for word in words), strict=True)
    return replace(Sentence.from_words(forms), upos=tags)


def unpacked(kind: int) -> tuple[int, int, int, int]:
    pair, written = divmod(kind, LEVELS * LEVELS)
    return (*divmod(pair, TAGS), *divmod(written, LEVELS))


def test_a_kind_says_tags_capitals_and_starts():
    treebank = [tagged("We/PRON", "see/VERB", "Paris/PROPN")] * 3 + [
        tagged("See/VERB", "the/DET", "see/NOUN")
    ]
    kinds, counts = word_kinds(treebank)
    det, noun, pron, propn, verb = range(1, 6)
    assert counts == {"we": 3, "see": 5, "paris": 3, "the": 1}
    assert unpacked(kinds["we"]) == (pron, 0, 0, 3)  # always first
    assert unpacked(kinds["paris"]) == (propn, 0, 3, 1)  # with a capital, never first
    assert unpacked(kinds["see"]) == (verb, 0, 1, 2)  # too rarely a noun
    assert unpacked(kinds["the"]) == (det, 0, 1, 0)  # too rare to say where it stands
    assert unpacked(word_kinds(treebank[2:])[0]["see"])[:2] == (verb, noun)


def test_many_tags_are_few_kinds():
    names = [f"w{k}/T{k}" for k in range(2 * MOST_TAGS)]
    kinds, _ = word_kinds([tagged(*names, *names[:MOST_TAGS])])
    assert max(kinds.values()) < MOST_KINDS
    assert unpacked(kinds["w59"])[0] == OTHER_TAG
    assert unpacked(kinds["w3"])[0] < OTHER_TAG
