from dataclasses import replace

import numpy as np
import pytest
from texttreebank import treebank

from headwise.corpus.conllu import read_conllu
from headwise.corpus.sentence import MISSING, Sentence, with_columns
from headwise.errors import InputError, ModelError, UsageError
from headwise.text.tagger import BATCH_TOKENS, Tagger, TaggerTraining, batches, jackknife

TRAINING = TaggerTraining(bits=16, epochs=4)


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger.fit(treebank(200), TRAINING)


def bare(sentences: list[Sentence]) -> list[Sentence]:
    return [Sentence.from_words(one.forms) for one in sentences]


def right(gold: list[Sentence], tagged: list[Sentence], column: str) -> float:
    pairs = [
        (a, b)
        for one, other in zip(gold, tagged, strict=True)
        for a, b in zip(getattr(one, column), getattr(other, column), strict=True)
    ]
    return sum(a == b for a, b in pairs) / len(pairs)


def test_what_can_be_learnt_is_learnt(tagger):
    gold = treebank(60, seed=1)
    tagged = tagger.tag(bare(gold))
    for column in ("upos", "xpos", "feats"):
        assert right(gold, tagged, column) == 1.0


def test_unknown_words_get_tags_of_words_that_look_like_them(tagger):
    (found,) = tagger.tag([Sentence.from_words(["The", "wugels", "see", "a", "blickel", "."])])
    assert found.xpos == ("DT", "NNS", "VBP", "DT", "NN", ".")


def test_nothing_else_of_a_sentence_changes(tagger):
    gold = treebank(3, seed=2)[1]
    (found,) = tagger.tag([gold])
    assert replace(found, upos=gold.upos, xpos=gold.xpos, feats=gold.feats) == gold


def test_feats_are_left_alone_by_choice():
    tagger = Tagger.fit(treebank(50), replace(TRAINING, feats=False))
    (found,) = tagger.tag([Sentence.from_words(["The", "dog"], feats=["A=B", "_"])])
    assert found.feats == ("A=B", "_")
    assert found.xpos == ("DT", "NN")


def without(sentence, upos=(), xpos=()):
    """The sentence without these tags, and without FEATS."""
    words = range(len(sentence))
    columns = [
        tuple(MISSING if word in gone else column[word] for word in words)
        for gone, column in ((upos, sentence.upos), (xpos, sentence.xpos))
    ]
    return with_columns(sentence, sentence.lemmas, *columns, (MISSING,) * len(sentence))


def test_tags_that_are_missing_fit_those_that_are_there(tagger):
    everywhere = range(99)
    pairs = {(tag.upos, tag.xpos) for tag in tagger.tags}
    for gold in treebank(20):
        for missing in ({"upos": everywhere}, {"xpos": everywhere}, {"upos": [0], "xpos": [0]}):
            given = without(gold, **missing)
            assert tagger.could_fill(given)
            (found,) = tagger.fill([given])
            assert set(zip(found.upos, found.xpos, strict=True)) <= pairs
            kept = zip(given.upos + given.xpos, found.upos + found.xpos, strict=True)
            assert all(before in (MISSING, after) for before, after in kept)
            assert MISSING not in found.upos
        assert not tagger.could_fill(without(gold, xpos=[0]))


def test_a_tag_that_nobody_knows_is_kept(tagger):
    (found,) = tagger.fill([Sentence.from_words(["dogs", "bark"], xpos=["??", "!!"])])
    assert found.xpos == ("??", "!!")
    assert MISSING not in found.upos


def test_tags_do_not_depend_on_the_batch(tagger):
    sentences = bare(treebank(40, seed=3))
    together = tagger.tag(sentences)
    assert [tagger.tag([one])[0] for one in sentences] == together
    assert tagger.tag([]) == []
    assert tagger.tag([Sentence.from_words([]), sentences[0]])[1] == together[0]


def test_batches_hold_all_sentences_in_order():
    long = Sentence.from_words(["a"] * (BATCH_TOKENS - 1))
    short = Sentence.from_words(["b"])
    parts = list(batches([short, long, short, long, long]))
    assert [len(part) for part in parts] == [2, 2, 1]


def test_any_form_gets_a_tag(tagger):
    forms = ["", " ", "\0", "\ud800", "e\u0301", "\u200f", "x" * 100_000, "😀", "İ", "1,000.5"]
    (found,) = tagger.tag([Sentence.from_words(forms)])
    assert set(found.upos) <= {tag.upos for tag in tagger.tags}
    assert len(found.upos) == len(forms)


def test_a_sentence_of_10000_words(tagger):
    (found,) = tagger.tag([Sentence.from_words(["blick"] * 10_000)])
    assert len(found) == 10_000


def test_it_is_stored_and_loaded(tagger):
    settings, arrays = tagger.to_model()
    again = Tagger.from_model(settings, arrays)
    sentences = bare(treebank(30, seed=4))
    assert again.tag(sentences) == tagger.tag(sentences)
    second_settings, second = again.to_model()
    assert second_settings == settings
    assert all(np.array_equal(arrays[name], second[name]) for name in arrays)


@pytest.mark.parametrize(
    "change",
    [
        {"list_tags": lambda array: array + 1000},
        {"forms.values": lambda array: array + 100_000},
        {"suffixes.values": lambda array: array - 5},
        {"list_starts": lambda array: array[::-1]},
        {"table.shape": lambda array: array - 1},
        {"suffixes.keys": lambda array: array[1:]},
        {"list_classes": lambda array: array[1:]},
        {"list_classes": lambda array: array[None]},
        {"list_tags": lambda array: array[None]},
        {"list_starts": lambda array: array[None]},
        {"list_starts": lambda array: array[0]},
        {"list_starts": lambda array: np.array([0, 2**31 - 1, -(2**31), array[-1]], np.int32)},
        {"forms.keys": lambda array: array[None]},
        {"forms.values": lambda array: array[:, None]},
    ],
)
def test_a_damaged_model_is_found_out(tagger, change):
    settings, arrays = tagger.to_model()
    ((name, spoil),) = change.items()
    with pytest.raises(ModelError):
        Tagger.from_model(settings, arrays | {name: spoil(arrays[name])})
    del arrays[name]
    with pytest.raises(ModelError):
        Tagger.from_model(settings, arrays)


def test_the_same_training_gives_the_same_tagger():
    first, second = (Tagger.fit(treebank(30), TRAINING) for _ in range(2))
    assert np.array_equal(first.weights.table, second.weights.table)


def test_jackknifing_tags_every_sentence_by_others():
    # A word that only one sentence has cannot be known to the tagger of its fold.
    odd = Sentence.from_words(["Zork"] * 3, upos=["X"] * 3, xpos=["ZZ"] * 3)
    sentences = [*treebank(40), odd]
    told: list[tuple[str, int, int]] = []
    tagged = jackknife(sentences, 4, TRAINING, lambda *report: told.append(report))
    assert [one.forms for one in tagged] == [one.forms for one in sentences]
    assert "X" not in tagged[-1].upos
    assert right(sentences[:-1], tagged[:-1], "upos") > 0.9
    assert told == [("jackknife", k, 4) for k in range(1, 5)]
    with pytest.raises(UsageError, match="cannot be cut"):
        jackknife(sentences, 100, TRAINING)


def test_nothing_cannot_be_learnt_from():
    with pytest.raises(InputError):
        Tagger.fit([])


def test_a_missing_tag_is_not_learnt():
    full = treebank(60)
    empty = [with_columns(one, one.lemmas, *[("_",) * len(one)] * 3) for one in full[:10]]
    first = [replace(one, upos=("_", *one.upos[1:])) for one in full[10:20]]
    learnt = Tagger.fit([*empty, *first, *full[20:]], TRAINING)
    assert "_" not in {tag.upos for tag in learnt.tags}
    assert (learnt.table == Tagger.fit(full[20:], TRAINING).table).all()
    with pytest.raises(InputError, match="in every sentence a word has no tag"):
        Tagger.fit(first, TRAINING)
    unknown = [replace(one, upos=("_",) * len(one)) for one in full]
    assert {tag.upos for tag in Tagger.fit(unknown, TRAINING).tags} == {"_"}


@pytest.mark.parametrize("folds", [0, 1])
def test_one_fold_is_no_fold(folds):
    with pytest.raises(UsageError, match="2 folds or more"):
        Tagger.fit(treebank(10), replace(TRAINING, folds=folds))


@pytest.mark.shared
@pytest.mark.parametrize("name", ["hu_szeged", "te_mtg"])
def test_real_treebanks(name, treebanks):
    train, dev = (
        list(read_conllu(treebanks / name / f"{name}-ud-{part}.conllu.gz"))[:400]
        for part in ("train", "dev")
    )
    tagged = Tagger.fit(train, TRAINING).tag(dev)
    assert right(dev, tagged, "upos") > 0.85


def test_taggers_of_older_versions_are_refused(tagger):
    settings, arrays = tagger.to_model()
    with pytest.raises(ModelError, match="older Headwise: train it again"):
        Tagger.from_model({"tags": settings["tags"], "feats": True}, arrays)
    without = {name: array for name, array in arrays.items() if name != "list_classes"}
    with pytest.raises(ModelError, match="older Headwise: train it again"):
        Tagger.from_model(settings, without)
    with pytest.raises(ModelError, match="damaged"):
        Tagger.from_model({**settings, "gap": -1}, arrays)


def test_text_that_others_have_tagged_is_learnt_from():
    gold = treebank(20)
    text, dev = (verbs_as_nouns(treebank(150, seed)) for seed in (5, 1))
    taught, alone = Tagger.fit(gold, TRAINING, text=text, gold_weight=3), Tagger.fit(gold, TRAINING)
    better, worse = (right(dev, one.tag(bare(dev)), "upos") for one in (taught, alone))
    assert better > worse


def verbs_as_nouns(sentences):
    """Sentences whose nouns are verbs."""
    verb = {"upos": "VERB", "xpos": "VBZ", "feats": "VerbForm=Fin"}
    return [
        replace(one, **{
            name: tuple(value if tag == "NOUN" else old
                        for old, tag in zip(getattr(one, name), one.upos, strict=True))
            for name, value in verb.items()
        })
        for one in sentences
    ]  # fmt: skip


def test_only_tags_of_the_treebank_count():
    gold, text = treebank(20), treebank(5, seed=5)
    odd = [replace(one, upos=("ODD",) * len(one)) for one in text]
    taught = Tagger.fit(gold, TRAINING, text=odd)
    alone = Tagger.fit(gold, TRAINING)
    assert taught.tags == alone.tags
    assert (taught.table == alone.table).all()


def test_a_weight_is_not_a_copy():
    """Copies would be in several parts, and known words in all of them."""
    gold = treebank(40)
    heavy = Tagger.fit(gold, TRAINING, gold_weight=3)
    copied = Tagger.fit([*gold, *gold, *gold], TRAINING)
    assert (heavy.table != copied.table).any()
    once = Tagger.fit(gold, TRAINING).lexicon
    assert (heavy.lexicon.form_keys == once.form_keys).all()
    assert (heavy.lexicon.form_values == once.form_values).all()
