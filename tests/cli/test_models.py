"""`headwise models` as a person uses it."""

import json

from commandcalls import call
from headwise.storage.modelfile import ModelFile, save_model


def test_models_of_the_package_are_listed(capsys):
    code, out, _ = call("models", capsys=capsys)
    assert code == 0
    assert "English" in out
    assert "CC BY-SA 4.0" in out
    row = json.loads(call("models", "--json", capsys=capsys)[1])[0]
    assert row["model"] == "en"
    assert row["kind"] == "pipeline"
    assert row["las"]["raw text"] > 80
    assert 1 < row["megabytes"] < 20


def test_any_model_is_a_row_whatever_it_says_of_itself(tmp_path, capsys):
    about = {"language": "\x1b[31mX", "licence": "MIT, of course", "words per second": 12000}
    settings = {"about": about, "report": {"dev": {"own tags": {"las": 71.5, "uas": "?"}}}}
    save_model(tmp_path / "good", ModelFile("parser", settings, {}, ""))
    odd = {"about": "none", "report": {"dev": {"own tags": [], "raw text": {"las": True}}}}
    save_model(tmp_path / "odd", ModelFile("parser", odd, {}, ""))
    code, out, _ = call("models", tmp_path / "good", tmp_path / "odd", "--json", capsys=capsys)
    assert code == 0
    good, bad = json.loads(out)
    assert (good["las"]["own tags"], good["words_per_second"]) == (71.5, 12000)
    assert set(bad["las"].values()) == {None}
    out = call("models", tmp_path / "good", tmp_path / "odd", capsys=capsys)[1]
    assert "\x1b[31m" not in out
    assert "71.50" in out
    assert "words/s" in out
    assert "raw text" not in out  # nobody has it


def test_a_model_that_is_not_there(capsys):
    code, _, err = call("models", "en_core_web_sm", capsys=capsys)
    assert code == 2
    assert "there is no model 'en_core_web_sm'" in err
