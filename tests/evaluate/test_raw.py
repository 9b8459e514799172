import json
from dataclasses import replace

import numpy as np
import pytest
from rawscoring import OFFICIAL, as_official, counts, words
from scoring_data import random_tree

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError
from headwise.evaluate import evaluate_raw
from headwise.evaluate.raw import universal_features


def test_measures_worked_by_hand():
    columns = {
        "heads": [2, 0, 4, 2],
        "relations": ["nsubj", "root", "case", "obl:tmod"],
        "upos": ["PRON", "VERB", "ADP", "NOUN"],
        "feats": ["Case=Nom", "_", "_", "Number=Sing|Foo=Bar"],
        "lemmas": ["she", "come", "on", "_"],
    }
    gold = Sentence.from_words(["She", "came", "on", "Monday"], **columns)
    spoilt = replace(
        gold,
        upos=("PRON", "VERB", "SCONJ", "NOUN"),  # a function word of "Monday"
        feats=("Case=Nom", "_", "_", "Number=Sing"),  # Foo is no universal feature
        lemmas=("she", "came", "on", "monday"),  # the gold has no lemma to compare with
        relations=("nsubj", "root", "case", "obl"),  # subtypes do not count
    )
    found = counts([gold], [spoilt])
    assert repr(evaluate_raw([gold], [spoilt])).startswith("<RawScores: tokens 100.00, ")
    assert found["upos"] == (3, 4, 4)
    assert found["ufeats"] == (4, 4, 4)
    assert found["lemmas"] == (3, 4, 4)
    assert found["las"] == (4, 4, 4)
    assert found["clas"] == (3, 3, 3)
    assert found["mlas"] == (2, 3, 3)
    assert found["blex"] == (2, 3, 3)
    assert as_official([gold], [spoilt])


def test_json_has_f1_under_lower_case_names():
    gold = [words("a", "b"), words("c")]
    data = evaluate_raw(gold, [words("a", "b", "c")]).to_json()
    assert list(data) == [*OFFICIAL, "details"]
    assert data["tokens"] == 100.0
    assert data["sentences"] == 0.0
    assert data["uas"] == pytest.approx(100 * 2 * 2 / 6)
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_output_without_trees_has_wrong_ones():
    gold = words("a", "b", upos=["X", "X"])
    system = Sentence.from_words(["a", "b"], upos=["X", "_"])
    assert evaluate_raw([gold], [system])["uas"].f1 == 0.0
    assert evaluate_raw([gold], [system])["las"].f1 == 0.0
    assert counts([gold], [system])["upos"] == (1, 2, 2)
    half = replace(gold, heads=(0, None))
    with pytest.raises(InputError, match="word 2 of the system sentence has no head"):
        evaluate_raw([gold], [half])
    with pytest.raises(InputError, match="word 2 of the gold sentence has no head"):
        evaluate_raw([half], [gold])


FULL = {
    "upos": ("NOUN", "VERB"),
    "xpos": ("NN", "VB"),
    "feats": ("Number=Sing", "_"),
    "lemmas": ("a", "b"),
    "heads": (2, 0),
    "relations": ("nsubj", "root"),
}


@pytest.mark.parametrize(
    ("column", "measures"),
    [
        ("upos", {"upos", "alltags", "mlas"}),
        ("xpos", {"xpos", "alltags"}),
        ("feats", {"ufeats", "alltags", "mlas"}),
        ("lemmas", {"lemmas", "blex"}),
        ("relations", {"las", "clas", "mlas", "blex"}),
        ("heads", {"uas", "las", "clas", "mlas", "blex"}),
    ],
)
def test_measures_of_a_column_that_the_gold_data_lacks_are_not_available(column, measures):
    nothing = (None, None) if column == "heads" else ("_", "_")
    full = Sentence.from_words(["a", "b"], **FULL)
    bare = replace(full, **{column: nothing})
    for system in (full, bare):
        found = evaluate_raw([bare], [system]).to_json()
        assert {name for name, value in found.items() if value is None} == measures
        assert {found[name] for name in OFFICIAL if name not in measures} == {100.0}
    lost = evaluate_raw([full], [bare]).to_json()
    assert None not in lost.values()
    assert all(lost[name] < 100.0 for name in measures)


def test_a_column_is_there_if_one_word_of_the_file_has_something_in_it():
    full = Sentence.from_words(["a", "b"], **FULL)
    bare = replace(full, feats=("_", "_"))
    assert evaluate_raw([bare, full], [bare, full])["ufeats"].f1 == 100.0
    assert evaluate_raw([bare, full], [bare, bare])["ufeats"].f1 == 75.0


def test_words_that_lack_upos_or_a_relation_are_not_counted_in_measures_of_them():
    full = words(
        "a", "b", "c", upos=["X", "Y", "Z"], lemmas=["a", "b", "c"], feats=["_", "_", "C=D"]
    )
    full = replace(full, xpos=("x", "y", "z"), relations=("root", "obj", "amod"))
    gaps = replace(full, upos=("X", "_", "Z"), relations=("root", "obj", "_"))
    found = evaluate_raw([gaps], [full])
    assert found.gaps == {"upos": 1, "relations": 1}
    assert {name: score.f1 for name, score in found.scores.items()} == dict.fromkeys(OFFICIAL, 100)
    sizes = {name: (score.gold, score.system) for name, score in found.scores.items()}
    assert sizes["upos"] == sizes["alltags"] == sizes["las"] == sizes["clas"] == (2, 2)
    assert sizes["mlas"] == (1, 1)
    assert sizes["uas"] == sizes["xpos"] == (3, 3)
    assert evaluate_raw([full], [full]).gaps == {}


def test_nothing_at_all_has_no_score():
    assert evaluate_raw([], []).to_json()["words"] is None


def test_universal_features_are_sorted():
    assert universal_features("X=1|Number=Sing|Case=Nom") == "Case=Nom|Number=Sing"


TEXT = "abaabcbaacbbacabbcabacab"


def random_file(random: np.random.Generator, text: str) -> list[Sentence]:
    """Sentences over a text cut at random into sentences, tokens and words."""

    def pieces(text: str, most: int) -> list[str]:
        cut = []
        while text:
            size = int(random.integers(1, most + 1))
            cut, text = [*cut, text[:size]], text[size:]
        return cut

    sentences = []
    for part in pieces(text, 12):
        tokens = []
        for token in pieces(part, 4):
            is_multiword = random.random() < 0.3
            inside = "+".join(random.choice(list("abcA"), random.integers(1, 4)))
            tokens.append(f"{token}={inside}" if is_multiword else token)
        plain = words(*tokens)
        n = len(plain)
        relations = random.choice(["nsubj", "obl:tmod", "case", "det", "punct"], n)
        columns = {
            "upos": random.choice(["X", "Y"], n),
            "xpos": random.choice(["x", "y", "_"], n),
            "feats": random.choice(["_", "Case=Nom", "Case=Nom|Foo=Bar"], n),
            "lemmas": random.choice(["_", "a", "b"], n),
            "relations": relations,
        }
        given = {name: tuple(map(str, values)) for name, values in columns.items()}
        sentences.append(replace(plain, heads=tuple(random_tree(random, n)), **given))
    return sentences


@pytest.mark.parametrize("seed", range(60))
def test_all_counts_are_the_official_ones(seed):
    random = np.random.default_rng(seed)
    gold, system = random_file(random, TEXT), random_file(random, TEXT)
    assert as_official(gold, system)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["en_ewt", "la_udante", "cs_mix"])
def test_spoilt_treebanks_score_as_officially(name, treebanks):
    gold = list(read_sentences(treebanks / name / f"{name}-ud-dev.conllu.gz"))[:150]
    random = np.random.default_rng(1)
    system = [
        one.with_tree(random_tree(random, len(one)) if random.random() < 0.3 else one.heads)
        for one in gold
    ]
    system = [replace(one, lemmas=one.forms[:1] + one.lemmas[1:]) for one in system]
    assert as_official(gold, system)
    assert 60 < evaluate_raw(gold, system)["mlas"].f1 < 90
