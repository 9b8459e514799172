import numpy as np
import pytest
from votinglists import lists

from headwise.constituency.rerank import load, save
from headwise.constituency.voted import VotedTreePerceptron
from headwise.constituency.votedfile import load_voted, save_voted
from headwise.errors import ModelError, UsageError
from headwise.storage.modelfile import ModelFile, load_model, save_model
from headwise.storage.packednames import pack_names


def trained(epochs=3):
    training = lists()[:3]
    return VotedTreePerceptron(epochs=epochs).fit(training, [one.trees[1] for one in training])


def test_what_was_learned_comes_back(tmp_path):
    model = trained()
    assert model.support_
    save(tmp_path / "model", model, about={"learned from": "a | b"})
    again = load(tmp_path / "model")
    for candidates in lists():
        found = again.probabilities(candidates)
        assert found.tolist() == model.probabilities(candidates).tolist()
    # Only the trees that count are kept.
    assert len(again.space_.forest.tree_starts) - 1 <= 2 * len(model.support_)


def test_without_a_change_there_are_no_trees(tmp_path):
    training = lists()
    model = VotedTreePerceptron().fit(training, [one.trees[0] for one in training])
    save_voted(tmp_path / "model", model)
    assert load_voted(tmp_path / "model").probabilities(training[0]).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("forest.children", lambda array: array + 1000),
        ("forest.production", lambda array: array - 5),
        ("forest.order", lambda array: array[:-1]),
        ("forest.tree_starts", lambda array: array[::-1].copy()),
        ("support", lambda array: array + 99),
        ("forest.order", lambda array: array[::-1].copy()),
        ("forest.child_starts", lambda array: np.array([0, *array[:-2], array[-1]], np.int32)),
        ("support", lambda array: array[:, :1]),
        ("gaps", lambda array: array * np.nan),
        ("votes", lambda array: array[:-1]),
        ("votes", lambda array: array * 0),
        ("votes", lambda array: array - 2**62),
        ("productions", lambda array: array[: len(array) // 2]),
    ],
)
def test_a_model_that_does_not_hold_together_is_refused(tmp_path, name, change):
    save_voted(tmp_path / "model", trained())
    file = load_model(tmp_path / "model")
    arrays = {key: np.array(array) for key, array in file.arrays.items()}
    arrays[name] = change(arrays[name])
    save_model(tmp_path / "bad", ModelFile(file.kind, file.settings, arrays, ""))
    with pytest.raises(ModelError, match="bad: "):
        load_voted(tmp_path / "bad")


@pytest.mark.parametrize(
    "change",
    [{"decay": 0.0}, {"decay": "x"}, {"score_weight": 1e200}, {"labels": 7}, {"epochs": None}],
)
def test_settings_of_another_kind_are_refused(tmp_path, change):
    save_voted(tmp_path / "model", trained())
    file = load_model(tmp_path / "model")
    settings = {**file.settings, **change}
    save_model(tmp_path / "bad", ModelFile(file.kind, settings, file.arrays, ""))
    with pytest.raises(ModelError, match=f"settings of this reranker .*{next(iter(change))}"):
        load_voted(tmp_path / "bad")


def test_nothing_learnt():
    with pytest.raises(UsageError, match="not fitted"):
        save_voted("nowhere", VotedTreePerceptron())


def test_a_tree_that_would_fill_the_memory_is_refused(tmp_path):
    """Trees are compared in a table of all pairs of their nodes."""
    save_voted(tmp_path / "model", trained())
    file, nodes = load_model(tmp_path / "model"), 20_000
    chain = np.arange(nodes, dtype=np.int32)
    arrays = file.arrays | {
        "productions": pack_names(["DT\t\tthe", "X\tX"]),
        "forest.tree_starts": np.array([0, nodes], np.int32),
        "forest.production": np.minimum(chain, 1),
        "forest.child_starts": np.array([0, 0, *chain[1:]], np.int32),
        "forest.children": chain[:-1],
        "forest.order": chain,
        "support": np.zeros_like(file.array("support")),
    }
    save_model(tmp_path / "bad", ModelFile(file.kind, file.settings, arrays, ""))
    with pytest.raises(ModelError, match="has a tree of more than 4,096 nodes"):
        load_voted(tmp_path / "bad")
