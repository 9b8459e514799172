import json
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from scoring_data import scored_files, sentence, some, spoilt, with_another_tree
from udtools import udeval

from headwise.corpus.conllu import read_conllu
from headwise.corpus.extras import Multiword
from headwise.corpus.formats import write_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, UsageError
from headwise.evaluate import compare, evaluate, evaluate_raw
from headwise.evaluate.breakdown import KINDS
from headwise.evaluate.measures import NAMES
from headwise.pipeline.document import Document
from toytreebank import toy_treebank

EWT_DEV = Path(__file__).parents[2] / "../shared/treebanks/en_ewt/en_ewt-ud-dev.conllu.gz"


def official_scores(folder: Path, gold: list[Sentence], system: list[Sentence]) -> dict[str, float]:
    """UAS and LAS by the official UD scorer, in per cent."""
    loaded = []
    for name, sentences in (("gold.conllu", gold), ("system.conllu", system)):
        write_sentences(folder / name, sentences)
        with (folder / name).open(encoding="utf-8") as file:
            loaded.append(udeval.load_conllu(file, name, {}))
    found = udeval.evaluate(*loaded)
    return {name: 100 * found[name].f1 for name in ("UAS", "LAS")}


def trees_with_errors(seed: int, gold: list[Sentence], rate: float) -> list[Sentence]:
    random = np.random.default_rng(seed)
    return [with_another_tree(random, one, rate) for one in gold]


@given(scored_files())
def test_identical_files_score_100(files: tuple[list[Sentence], list[Sentence]]) -> None:
    gold, _ = files
    found = evaluate(gold, gold, confidence=None)
    assert set(found.all_tokens.values.values()) == {100.0}
    without = found.without_punctuation.values.values()
    assert {value for value in without if not np.isnan(value)} == {100.0}


def test_json_has_the_promised_keys() -> None:
    gold = some(1, 10)
    data = evaluate(gold, spoilt(2, gold, 0.3), breakdowns=tuple(KINDS)).to_json()
    without = data["without_punctuation"]
    for scores in (data, without):
        assert set(scores) >= {*NAMES, "words", "sentences", "intervals", "breakdowns"}
        assert set(scores["intervals"]) == set(NAMES)
        assert set(scores["breakdowns"]) == set(KINDS)
    assert data["punctuation"] == "upos"
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_json_of_nothing_but_punctuation_is_still_json() -> None:
    only = Sentence.from_words(
        [".", "."], heads=[0, 1], relations=["root", "p"], upos=["PUNCT"] * 2
    )
    data = evaluate([only], [only]).to_json()
    json.dumps(data, allow_nan=False)
    assert data["without_punctuation"]["uas"] is None


def test_the_same_answer_always(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = some(1, 50)
    system = spoilt(2, gold, 0.3)
    first = evaluate(gold, system).to_json()
    assert evaluate(iter(gold), iter(system)).to_json() == first
    assert evaluate(gold, system, seed=1).to_json() != first
    monkeypatch.setattr("headwise.evaluate.words.BATCH_SENTENCES", 7)
    assert evaluate(gold, system).to_json() == first


def test_scores_show_themselves_in_a_short_line() -> None:
    shown = repr(evaluate([sentence("a b", [0, 1])], [sentence("a b", [0, 1])]))
    assert "all_tokens=<AttachmentScores: UAS 100.00, LAS 100.00>" in shown
    assert len(shown) < 300


def test_intervals_can_be_left_out() -> None:
    gold = some(1, 5)
    assert "intervals" not in evaluate(gold, gold, confidence=None).to_json()


@pytest.mark.parametrize(
    ("seed", "count", "longest", "rate"),
    [(1, 1, 1, 0.5), (2, 20, 12, 0.0), (3, 60, 30, 0.3), (4, 30, 8, 0.9)],
)
def test_against_the_official_scorer(
    tmp_path: Path, seed: int, count: int, longest: int, rate: float
) -> None:
    gold = some(seed, count, longest)
    system = trees_with_errors(seed + 100, gold, rate)
    official = official_scores(tmp_path, gold, system)
    found = evaluate(gold, system, subtypes=False, confidence=None).all_tokens
    assert found.uas == pytest.approx(official["UAS"], abs=1e-9)
    assert found.las == pytest.approx(official["LAS"], abs=1e-9)


def test_against_the_official_scorer_with_multiword_tokens(tmp_path: Path) -> None:
    gold = [
        Sentence(
            **{name: getattr(one, name) for name in COLUMNS},
            extras=(Multiword(1, 2, ("w0w1", *"________"), 0),),
        )
        for one in some(9, 25)
        if len(one) > 1
    ]
    system = trees_with_errors(10, gold, 0.4)
    official = official_scores(tmp_path, gold, system)
    found = evaluate(gold, system, subtypes=False, confidence=None).all_tokens
    assert found.uas == pytest.approx(official["UAS"], abs=1e-9)
    assert found.las == pytest.approx(official["LAS"], abs=1e-9)


COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "heads", "relations", "deps", "misc")


def test_200_000_words_take_about_a_second() -> None:
    # Measured 0.2 s without and 0.4 s with intervals; the limit leaves room for slow machines.
    gold = some(1, 100, longest=40) * 100
    system = spoilt(2, gold[:100], 0.2) * 100
    start = time.perf_counter()
    found = evaluate(gold, system, confidence=None)
    assert found.all_tokens.words > 180_000
    assert time.perf_counter() - start < 2


@pytest.mark.shared
@pytest.mark.skipif(not EWT_DEV.exists(), reason="needs the treebanks kept beside the repository")
def test_against_the_official_scorer_on_a_treebank(tmp_path: Path) -> None:
    gold = list(read_conllu(EWT_DEV))
    for seed, rate in ((1, 0.1), (2, 0.4)):
        system = trees_with_errors(seed, gold, rate)
        official = official_scores(tmp_path, gold, system)
        with warnings.catch_warnings(action="error"):
            found = evaluate(gold, system, subtypes=False, breakdowns=tuple(KINDS)).all_tokens
        assert found.uas == pytest.approx(official["UAS"], abs=1e-9)
        assert found.las == pytest.approx(official["LAS"], abs=1e-9)
        assert 40 < found.las < found.uas < 99


def test_labelled_scores_without_gold_relations_are_not_available():
    bare = sentence("a b .", [2, 0, 2], "_ _ _")
    with pytest.warns(HeadwiseWarning, match="gold data has a relation: .* not available"):
        found = evaluate([bare], [bare], breakdowns=["relation", "direction"]).to_json()
    for view in (found, found["without_punctuation"]):
        assert {name for name in NAMES if view[name] is None} == {"las", "label_accuracy", "lcm"}
        assert view["uas"] == view["ucm"] == 100.0
        assert view["intervals"]["las"] == view["intervals"]["lcm"] == [None, None]
        assert view["breakdowns"]["relation"]["_"]["f1"] is None
        assert view["breakdowns"]["direction"]["left"]["las"] is None
        assert view["breakdowns"]["direction"]["left"]["f1"] == 100.0


def test_relations_that_only_the_system_lacks_are_wrong():
    gold, bare = sentence("a b", [2, 0]), sentence("a b", [2, 0], "_ _")
    with pytest.warns(HeadwiseWarning, match="all its labels are wrong"):
        found = evaluate([gold], [bare])
    assert (found.all_tokens.uas, found.all_tokens.las) == (100.0, 0.0)


def test_files_and_documents_are_read(tmp_path):
    gold = toy_treebank(5)
    path = tmp_path / "gold.conllu"
    write_sentences(path, gold)
    document = Document("", tuple(gold))
    for one in (path, str(path), document, iter(gold)):
        assert evaluate(one, path).all_tokens.uas == 100
    assert compare(path, document, gold, rounds=10).sentences == 5
    assert evaluate_raw(path, document).scores["uas"].f1 == 100
    with pytest.raises(UsageError, match="there is no file"):
        evaluate(tmp_path / "nothing.conllu", path)
