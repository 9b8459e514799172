"""All stages in one model folder, as a pipeline keeps them."""

import pytest
from texttreebank import treebank

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
