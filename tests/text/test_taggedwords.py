from itertools import chain

import numpy as np
from texttreebank import treebank

from headwise.corpus.sentence import Sentence
from headwise.kernels.primitives.hashmap import ABSENT
from headwise.kernels.text.wordhash import hash_words
from headwise.text.characters import encode_forms
from headwise.text.lexicon import LexiconRules
from headwise.text.taggedwords import STRETCH, TaggedWords, joined, seen_through

UPOS = np.array([7, 7, 8], np.uint64)
RULES = LexiconRules()


def words_of(*sentences):
    """Sentences of words and numbers of tags."""
    forms = [[form for form, _ in one] for one in sentences]
    gold = [np.array([tag for _, tag in one], np.int32) for one in sentences]
    return TaggedWords(forms, gold, UPOS, np.arange(1, len(forms) + 1))


def is_known(lexicon, word):
    (key,) = hash_words(encode_forms([word])).lower
    return key in lexicon.form_keys[lexicon.form_values != ABSENT]


def test_sentences_without_words_are_left_out():
    full = treebank(2)
    gold = np.arange(sum(map(len, full)), dtype=np.int32)
    taken = TaggedWords.of([full[0], Sentence.from_words([]), full[1]], gold, UPOS, [1, 1, 1])
    assert list(taken.forms) == [one.forms for one in full]
    assert np.concatenate(taken.gold).tolist() == gold.tolist()
    assert [len(tags) for tags in taken.gold] == [len(one) for one in full]


def test_every_sentence_is_in_one_part_and_all_others_are_its_others():
    taken = words_of(*([(str(number), 0)] for number in range(100)))
    parts = list(taken.parts(5, np.random.default_rng(1)))
    everything = sorted(chain.from_iterable(taken.forms))
    assert len(parts) == 5
    assert (
        sorted(chain.from_iterable(chain.from_iterable(own.forms for own, _ in parts)))
        == everything
    )
    for own, others in parts:
        assert sorted(chain.from_iterable([*own.forms, *others.forms])) == everything


def test_neighbours_are_in_the_same_part_where_there_are_enough_sentences():
    taken = words_of(*([(str(number), 0)] for number in range(STRETCH * 10)))
    for own, _ in taken.parts(10, np.random.default_rng(1)):
        numbers = [int(form) for (form,) in own.forms]
        assert numbers == list(range(numbers[0], numbers[0] + STRETCH))


def test_a_word_that_is_in_one_part_only_is_unknown_there():
    taken = words_of([("once", 0), ("often", 1)], *([("often", 1)] for _ in range(9)))
    for own, others in taken.parts(10, np.random.default_rng(1)):
        lexicon = others.lexicon(RULES)
        assert is_known(lexicon, "often")
        assert is_known(lexicon, "once") == (own.forms[0][0] != "once")
    assert is_known(taken.lexicon(RULES), "once")


def test_one_sentence_is_seen_through_its_own_lexicon():
    taken = words_of([("a", 0), ("b", 2)])
    tokens, gold, times = taken.seen_as_new(RULES, 10, np.random.default_rng(1))
    assert gold.tolist() == [0, 2]
    assert tokens.starts.tolist() == [0, 2]
    assert times.tolist() == [1]


def test_what_is_seen_and_its_tags_are_in_the_same_order():
    taken = words_of(*([(f"w{number}", number % 3), ("x", 0)] for number in range(40)))
    tokens, gold, times = taken.seen_as_new(RULES, 4, np.random.default_rng(1))
    parts = list(taken.parts(4, np.random.default_rng(1)))
    assert gold.tolist() == [tag for own, _ in parts for tags in own.gold for tag in tags]
    assert tokens.starts.tolist() == list(range(0, 81, 2))
    assert times.tolist() == [time for own, _ in parts for time in own.times]
    assert sorted(times) == list(range(1, 41))
    assert tokens.tag_starts[-1] == len(tokens.tags)


def test_joined_tokens_are_those_of_the_parts():
    taken = words_of([("a", 0), ("b", 1)], [("c", 2)], [("a", 1)])
    lexicon = taken.lexicon(RULES)
    whole = seen_through(lexicon, taken.forms)
    halves = [seen_through(lexicon, taken.part(part).forms) for part in ([0], [1, 2])]
    for wanted, found in zip(whole, joined(halves), strict=True):
        np.testing.assert_array_equal(wanted, found)


def test_the_class_of_a_word_is_that_of_its_upos():
    # Tags 0 and 1 have the same UPOS; words met with one or both of them are of one class.
    taken = words_of([("a", 0), ("b", 1), ("c", 2)], [("b", 0)])
    classes = seen_through(taken.lexicon(RULES), taken.forms).classes
    assert classes[0] == classes[1] == classes[3] != classes[2]
