import shutil
from pathlib import Path

import pytest

from headwise.errors import UsageError
from headwise.pipeline.models import embedded_names
from headwise.serve.models import chosen_model, model_folders, model_page, model_row
from headwise.serve.requesterrors import RequestError
from servers import toy_model
from toyparsers import toy_parser


def test_models_of_the_package_are_served_by_default_english_first():
    folders = model_folders(())
    assert set(folders) == set(embedded_names())
    assert next(iter(folders)) == "en"


def test_models_are_called_as_their_folders(tmp_path):
    other = tmp_path / "other"
    shutil.copytree(toy_model(), other)
    assert model_folders((str(other), toy_model())) == {"other": other, "toy": Path(toy_model())}
    with pytest.raises(UsageError, match="two models are called toy"):
        model_folders((toy_model(), toy_model()))
    with pytest.raises(UsageError, match="there is no model"):
        model_folders((str(tmp_path / "gone"),))


def test_the_first_model_answers_where_none_is_named():
    folders = {"a": Path("a"), "b": Path("b")}
    assert (chosen_model(folders, None), chosen_model(folders, "b")) == ("a", "b")
    with pytest.raises(RequestError, match="there are a, b") as caught:
        chosen_model(folders, "c")
    assert caught.value.status == 404


def test_a_parser_alone_is_a_model_too(tmp_path):
    toy_parser().save(tmp_path / "alone")
    found = model_page("alone", tmp_path / "alone")
    assert found["stages"] == ["parser"]
    assert found["scores"] == {}
    assert found["card"]


def test_the_english_model_has_scores_and_reliability_curves():
    found = model_page("en", model_folders(("en",))["en"])
    assert found["scores"]["raw text"]["uas"] > 50
    for curve in found["calibration"].values():
        assert 0 <= curve["error"] <= 1
        assert all(len(row) == 3 for row in curve["curve"])
    assert {key: found[key] for key in model_row("en", model_folders(("en",))["en"])} == model_row(
        "en", model_folders(("en",))["en"]
    )
