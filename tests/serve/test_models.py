import shutil
from pathlib import Path

import pytest

from headwise.errors import UsageError
from headwise.pipeline.models import embedded_names
from headwise.serve.models import chosen_model, model_page, model_row, served_models
from headwise.serve.requesterrors import RequestError
from servers import toy_model
from toyparsers import toy_parser


def test_models_of_the_package_are_served_by_default_english_first():
    models = served_models(())
    assert set(models) == set(embedded_names())
    assert next(iter(models)) == "en"


def test_models_are_called_as_their_folders(tmp_path):
    other = tmp_path / "other"
    shutil.copytree(toy_model(), other)
    found = served_models((str(other), toy_model()))
    folders = {"other": other, "toy": Path(toy_model())}
    assert {name: one.folder for name, one in found.items()} == folders
    with pytest.raises(UsageError, match="two models are called toy"):
        served_models((toy_model(), toy_model()))
    with pytest.raises(UsageError, match="there is no model"):
        served_models((str(tmp_path / "gone"),))


def test_the_first_model_answers_where_none_is_named():
    folders = {"a": Path("a"), "b": Path("b")}
    assert (chosen_model(folders, None), chosen_model(folders, "b")) == ("a", "b")
    with pytest.raises(RequestError, match="there are a, b") as caught:
        chosen_model(folders, "c")
    assert caught.value.status == 404


def test_a_parser_alone_is_a_model_too(tmp_path):
    toy_parser().save(tmp_path / "alone")
    found = model_page("alone", served_models((str(tmp_path / "alone"),))["alone"])
    assert found["stages"] == ["parser"]
    assert found["scores"] == {}
    assert found["card"]


def test_the_english_model_has_scores_and_reliability_curves():
    model = served_models(("en",))["en"]
    found = model_page("en", model)
    assert found["scores"]["raw text"]["uas"] > 50
    for curve in found["calibration"].values():
        assert 0 <= curve["error"] <= 1
        assert all(len(row) == 3 for row in curve["curve"])
    row = model_row("en", model.info)
    assert {key: found[key] for key in row} == row


def test_what_is_known_of_a_model_stays_while_it_is_served(tmp_path):
    shutil.copytree(toy_model(), tmp_path / "toy")
    (model,) = served_models((str(tmp_path / "toy"),)).values()
    before = model_page("toy", model)
    shutil.rmtree(tmp_path / "toy")
    assert model_page("toy", model) == before
    assert before["card"]
