"""Features of tokens against a slow hash that follows the rows of the table."""

from hashlib import sha256
from itertools import chain

import numpy as np
import pytest

from headwise.kernels.text.tag_features import OUTSIDE, UNKNOWN, TagTokens, see_tokens
from headwise.kernels.text.wordhash import MULTIPLIER, WordHashes, hash_words
from headwise.text.characters import encode_forms
from headwise.text.lexicon import LexiconRules, learn_lexicon
from headwise.text.tagtemplates import TEMPLATES, tag_templates

WORD = (1 << 64) - 1
SENTENCES = [
    ["The", "old", "dog", "sees", "well-known", "cats", "."],
    ["Dogs"],
    ["I", "SEE", "dogging", "3.5", "un-dog"],
]
KNOWN = ["the", "old", "dog", "sees", "cats", ".", "known", "see", "i"]


def mixed(x: int, value: int) -> int:
    x = ((x ^ value) * int(MULTIPLIER)) & WORD
    return x ^ (x >> 32)


def feature(number: int, *values: int) -> int:
    """What a template of this number makes of the values of its atoms."""
    value = values[0]
    for other in values[1:]:
        value = mixed(value, other)
    return mixed(((number + 1) * int(MULTIPLIER)) & WORD, value) | 1


@pytest.fixture(scope="module")
def seen() -> tuple[WordHashes, TagTokens]:
    known = hash_words(encode_forms(KNOWN))
    tags = np.arange(len(KNOWN), dtype=np.int32)
    upos = np.arange(len(KNOWN), dtype=np.uint64) % np.uint64(4)
    lexicon = learn_lexicon(known, tags, upos, LexiconRules())
    characters = encode_forms(list(chain.from_iterable(SENTENCES)))
    starts, words = np.cumsum([0, *map(len, SENTENCES)]), hash_words(characters)
    return words, see_tokens(tag_templates(), characters, words, lexicon, starts)


def slot(row: str) -> int:
    """The column of features that a row of the table fills."""
    rows = [" ".join(one.split()) for one in TEMPLATES.strip().splitlines()]
    return rows.index(row)


def test_words_and_classes_of_neighbours_are_conjoined(seen):
    words, tokens = seen
    found = tokens.features.tolist()
    known, classes = tokens.words.tolist(), tokens.classes.tolist()
    assert known[0] == int(words.lower[0])
    assert known[4] == int(UNKNOWN)  # well-known
    for i in range(1, 6):
        assert found[i][slot("26 always -1.word +1.word")] == feature(
            26, known[i - 1], known[i + 1]
        )
        around = classes[i], classes[i - 1], classes[i + 1]
        assert found[i][slot("29 always class -1.class +1.class")] == feature(29, *around)


def test_beyond_the_ends_of_a_sentence_all_atoms_are_the_same(seen):
    words, tokens = seen
    found, outside = tokens.features.tolist(), int(OUTSIDE)
    alone = found[7]  # Dogs
    assert alone[slot("26 always -1.word +1.word")] == feature(26, outside, outside)
    assert alone[slot("22 always -2.word")] == feature(22, outside)
    assert alone[slot("23 always +2.word")] == feature(23, outside)
    assert alone[slot("16 within -1.suffix3")] == alone[slot("18 within +1.suffix3")] == 0
    assert alone[slot("17 within shape -1.shape")] == 0
    assert found[5][slot("23 always +2.word")] == feature(23, outside)
    before = int(words.suffix[2, 2])
    assert found[3][slot("16 within -1.suffix3")] == feature(16, before)


def test_what_a_word_lacks_makes_no_feature(seen):
    words, tokens = seen
    found = tokens.features.tolist()
    assert found[0][slot("2 given suffix3")] == feature(2, int(words.suffix[0, 2]))
    assert found[0][slot("2 given suffix4")] == 0  # The
    assert found[0][slot("1 given form")] == feature(1, int(words.form[0]))
    assert found[4][slot("1 given form")] == 0
    assert found[4][slot("35 given compound")] != 0  # well-known
    assert found[10][slot("34 given stem")] != 0  # dogging
    assert found[2][slot("34 given stem")] == found[2][slot("35 given compound")] == 0
    # A neighbour too short for a suffix has the suffix 0, which is a feature.
    assert found[9][slot("16 within -1.suffix3")] == feature(16, 0)  # after I


def test_hashes_are_those_that_trained_models_know(seen):
    """The weights of trained taggers are found by these: none of them may change."""
    features = seen[1].features[:, :40]
    assert sha256(features.astype("<u8").tobytes()).hexdigest()[:16] == "eb4e50a6a10340d9"
