"""All stages in one model folder, as a pipeline keeps them."""

from copy import deepcopy

import numpy as np
import pytest
from texttreebank import treebank

from headwise.errors import ModelError
from headwise.storage.modelfile import ModelFile, load_model, save_model
from headwise.text.lemmas import Lemmatiser
from headwise.text.rawtext import running_text
from headwise.text.tagger import Tagger, TaggerTraining
from headwise.text.tokeniser import Tokeniser, TokeniserTraining


@pytest.fixture(scope="module")
def stages():
    made = treebank(100)
    return {
        "tokeniser": Tokeniser.fit(made, TokeniserTraining(bits=14)),
        "tagger": Tagger.fit(made, TaggerTraining(bits=16, epochs=4)),
        "lemmas": Lemmatiser.fit(made),
    }


def run(stages, text):
    tagged = stages["tagger"].tag(stages["tokeniser"].split(text))
    return stages["lemmas"].lemmatise(tagged)


def test_stages_share_a_folder(stages, tmp_path):
    settings, arrays = {}, {}
    for name, stage in stages.items():
        settings[name], own = stage.to_model()
        arrays |= {f"{name}/{key}": array for key, array in own.items()}
    save_model(tmp_path / "model", ModelFile("pipeline", settings, arrays, ""))
    loaded = load_model(tmp_path / "model", "pipeline")
    again = {
        name: type(stage).from_model(
            loaded.settings[name],
            {
                key.removeprefix(f"{name}/"): array
                for key, array in loaded.arrays.items()
                if key.startswith(f"{name}/")
            },
        )
        for name, stage in stages.items()
    }
    text = running_text(treebank(20, seed=1)).text
    found = run(again, text)
    assert found == run(stages, text)
    assert found[0].lemmas[0] == "the"


def with_text(settings, place, text):
    """Settings with a text in some place."""
    changed = deepcopy(settings)
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = text
    return changed


@pytest.mark.parametrize("text", ["a\tb", "a\n1\tforged", "\r", "\ud800"])
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("tagger", ("tags", 0, 1)),
        ("tagger", ("tags", -1, 2)),
        ("lemmas", ("rules", 0, 2)),
        ("lemmas", ("rules", -1, 4)),
        ("tokeniser", ("multiwords", "tokens", "don't", 0)),
    ],
)
def test_texts_that_would_break_rows_are_refused(stages, name, place, text):
    settings, arrays = stages[name].to_model()
    if name == "tokeniser":
        settings["multiwords"]["tokens"]["don't"] = ["do", "n't"]
    type(stages[name]).from_model(settings, arrays)
    with pytest.raises(ModelError, match="cannot be written into a CoNLL-U column"):
        type(stages[name]).from_model(with_text(settings, place, text), arrays)


def test_exceptions_of_lemmas_are_refused_too(stages):
    settings, arrays = stages["lemmas"].to_model()
    row = np.frombuffer(b"went\tVERB\tgo\r", np.uint8)
    with pytest.raises(ModelError, match=r"exceptions: 'go\\r' cannot be written"):
        Lemmatiser.from_model(settings, arrays | {"exceptions": row})


@pytest.mark.parametrize("name", ["tokeniser", "tagger"])
def test_tables_of_zeros_are_not_longer_than_any_that_is_trained(stages, name):
    settings, arrays = stages[name].to_model()
    long = {**arrays, "table.shape": np.array([1 << 29])}
    with pytest.raises(ModelError, match="array 'table' has \\d+ rows, more than"):
        type(stages[name]).from_model(settings, long)
