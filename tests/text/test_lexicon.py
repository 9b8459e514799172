"""The tags that words may have, learnt, stored and checked."""

import numpy as np
import pytest

from headwise.errors import FormatError, ModelError
from headwise.kernels.primitives.hashmap import look_up_all
from headwise.kernels.text.wordhash import hash_words
from headwise.text.characters import encode_forms
from headwise.text.lexicon import (
    LexiconRules,
    has_forms,
    learn_lexicon,
    lexicon_arrays,
    lexicon_from,
)

FORMS = ["run"] * 6 + ["the"] * 5 + ["The", "dogs", "cats", "runs"]
TAGS = [0, 0, 0, 0, 1, 1] + [2] * 5 + [3, 0, 0, 1]
UPOS = np.array([11, 22, 33, 33], np.uint64)
RULES = LexiconRules(closed=5, share=0.3, rare=2, suffix=2)


def learnt(rules=RULES):
    return learn_lexicon(hash_words(encode_forms(FORMS)), np.array(TAGS, np.int32), UPOS, rules)


def found_for(lexicon, form: str) -> tuple[list[int], bool] | None:
    """The tags of a form, and whether these are all it has."""
    key = hash_words(encode_forms([form])).form
    (number,) = look_up_all(lexicon.form_keys, lexicon.form_values, key).tolist()
    if number < 0:
        return None
    a, b = lexicon.list_starts[number // 2 : number // 2 + 2]
    return lexicon.list_tags[a:b].tolist(), bool(number % 2)


def test_tags_come_by_their_number_and_frequent_words_have_no_others():
    lexicon = learnt()
    assert found_for(lexicon, "run") == ([0, 1], True)
    assert found_for(lexicon, "The") == ([3], False)
    assert found_for(lexicon, "cats") == ([0], False)
    assert found_for(lexicon, "zebra") is None


@pytest.mark.parametrize("size", [1, 3, 100, 5000])
def test_forms_are_found_as_the_kernel_finds_them(size):
    forms = [f"word-{number}" for number in range(size)]
    tags = np.zeros(size, np.int32)
    lexicon = learn_lexicon(hash_words(encode_forms(forms)), tags, UPOS, RULES)
    asked = hash_words(encode_forms([f"word-{number}" for number in range(0, 2 * size, 3)])).form
    expected = look_up_all(lexicon.form_keys, lexicon.form_values, asked) >= 0
    assert has_forms(lexicon, asked).tolist() == expected.tolist()


def test_a_share_that_is_too_small_does_not_count_where_a_word_is_closed():
    assert found_for(learnt(LexiconRules(closed=5, share=0.4)), "run") == ([0], True)
    assert found_for(learnt(LexiconRules(closed=7, share=0.4)), "run") == ([0, 1], False)


def test_words_in_small_letters_are_known_by_all_their_forms():
    assert found_for(learnt(), "the") == ([2], True)


def test_the_first_list_is_that_of_rare_words():
    lexicon = learnt()
    assert lexicon.list_tags[: lexicon.list_starts[1]].tolist() == [0, 1, 3]


def test_lists_of_the_same_upos_have_one_class():
    lexicon = learnt()
    lists = [
        tuple(dict.fromkeys(UPOS[lexicon.list_tags[a:b]].tolist()))
        for a, b in zip(lexicon.list_starts[:-1], lexicon.list_starts[1:], strict=True)
    ]
    pairs = set(zip(lists, lexicon.list_classes.tolist(), strict=True))
    assert len(pairs) == len(set(lists)) == len({one for _, one in pairs})


def test_what_is_stored_comes_back():
    lexicon = learnt()
    again = lexicon_from(lexicon_arrays(lexicon), len(UPOS))
    for form in ("run", "The", "the", "cats", "zebra"):
        assert found_for(again, form) == found_for(lexicon, form)
    assert lexicon_arrays(again).keys() == lexicon_arrays(lexicon).keys()


DAMAGED = {
    "a tag that is none": ("list_tags", lambda array: array + 10),
    "starts that run backwards": ("list_starts", lambda array: array[::-1].copy()),
    "a list too many": ("forms.values", lambda array: array + 1000),
    "keys of another type": ("suffixes.keys", lambda array: array.astype(np.int64)),
    "a class too few": ("list_classes", lambda array: array[:-1]),
    "values too few": ("forms.values", lambda array: array[:-1]),
}


@pytest.mark.parametrize(("name", "change"), DAMAGED.values(), ids=DAMAGED.keys())
def test_damaged_arrays_are_refused(name, change):
    arrays = lexicon_arrays(learnt())
    with pytest.raises((FormatError, ModelError), match=name.split(".")[0]):
        lexicon_from(arrays | {name: change(arrays[name])}, len(UPOS))
