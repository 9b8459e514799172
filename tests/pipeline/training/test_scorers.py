"""Which parser `headwise train` trains: what is chosen, or what is best here."""

import pytest

from headwise.errors import UsageError
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.neural.parser import NeuralParser
from headwise.pipeline.training.config import read_trainings
from headwise.scoring.neural import jaxdevice


@pytest.fixture(params=[True, False])
def has_jax(request, monkeypatch):
    monkeypatch.setattr(jaxdevice, "has_jax", lambda: request.param)
    return request.param


def test_without_options_it_is_the_best_that_can_be_trained(has_jax):
    ((name, (parser, recipe)),) = read_trainings().items()
    if has_jax:
        assert name == "neural"
        assert isinstance(parser, NeuralParser)
        assert "tagger" not in recipe.fitting(parser).stages
    else:
        assert name == "linear"
        assert isinstance(parser, DependencyParser)
        assert (parser.order, recipe.tags) == (3, "both")


@pytest.mark.usefixtures("has_jax")
def test_a_learner_or_an_order_is_linear_with_its_own_defaults():
    for changes, order in (
        ({"learner": "perceptron"}, 1),
        ({"order": 2}, 2),
        ({"words": {"lowercase": True}, "epochs": 3}, 1),
    ):
        ((parser, recipe),) = read_trainings(None, changes).values()
        assert isinstance(parser, DependencyParser)
        assert (parser.order, recipe.tags) == (order, "gold")


def test_auto_is_both():
    found = read_trainings(None, {"scorer": "auto"})
    assert list(found) == ["neural", "linear"]
    assert isinstance(found["neural"][0], NeuralParser)
    assert found["linear"][0].order == 3


def test_a_file_chooses(tmp_path):
    (tmp_path / "t.toml").write_text('scorer = "neural"\nepochs = 3\n[sizes]\nunits = 50\n')
    ((parser, _),) = read_trainings(tmp_path / "t.toml").values()
    assert (parser.epochs, parser.sizes.units) == (3, 50)
    (tmp_path / "l.toml").write_text('scorer = "linear"\norder = 2\n[pipeline]\ntags = "gold"\n')
    ((parser, recipe),) = read_trainings(tmp_path / "l.toml").values()
    assert (parser.order, recipe.tags) == (2, "gold")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scorer": "quantum"}, "there is no scorer 'quantum'"),
        ({"scorer": "neural", "learner": "mira"}, "does not go with the scorer neural"),
        ({"scorer": "neural", "order": 3}, "order is a setting of --scorer linear"),
        ({"scorer": "neural", "words": {"lowercase": True}}, "setting of another learner"),
    ],
)
def test_what_does_not_go_together_is_refused(changes, message):
    with pytest.raises(UsageError, match=message):
        read_trainings(None, changes)


def test_a_neural_parser_learns_tags_itself():
    ((parser, recipe),) = read_trainings(
        None, {"scorer": "neural", "pipeline": {"tags": "jackknife"}}
    ).values()
    with pytest.raises(UsageError, match="learns tags itself"):
        recipe.fitting(parser)


def test_settings_of_one_scorer_are_for_that_one_of_both(tmp_path):
    (tmp_path / "t.toml").write_text(
        'scorer = "auto"\nk = 2\n[sizes]\nunits = 50\n[pipeline]\ntags = "jackknife"\n'
        '[pipeline.reuse]\ntagger = "en"\n'
    )
    changes = {"order": 2, "words": {"lowercase": True}, "dropout": {"tags": 0.2}, "epochs": 3}
    (neural, own), (linear, other) = read_trainings(tmp_path / "t.toml", changes).values()
    assert (neural.sizes.units, neural.dropout.tags, neural.epochs) == (50, 0.2, 3)
    assert (linear.order, linear.k, linear.words.lowercase, linear.epochs) == (2, 2, True, 3)
    own.fitting(neural).check()  # the network is its own tagger
    assert (other.tags, other.reuse) == ("jackknife", {"tagger": "en"})
    with pytest.raises(UsageError, match="unknown key"):
        read_trainings(None, {"scorer": "auto", "ordre": 2})
