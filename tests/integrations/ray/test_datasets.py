"""Ray Data: rows with texts become rows of words."""

import os
import sys

import pytest

ray = pytest.importorskip("ray", reason="Ray is not installed (headwise[ray])")
pytest.importorskip("pyarrow", reason="pyarrow is not installed (headwise[data])")

import pyarrow
import pyarrow.parquet

import headwise
from headwise.errors import FormatError
from headwise.inference.answers import ParseOptions
from headwise.integrations.frames import TYPES
from headwise.integrations.ray import parse_dataset
from headwise.integrations.ray.datasets import parsed_rows
from toypipelines import toy_pipeline

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray, about files and processes of its own

TEXTS = ["The dogs see a cat. The king.", None, "", "The boy likes a bird."]
OPTIONS = ParseOptions(marginals=True)


def table() -> pyarrow.Table:
    return pyarrow.table({"id": ["a", "b", "c", "d"], "text": TEXTS})


def test_rows_are_words():
    found = parsed_rows(toy_pipeline(), table(), "text", "id", OPTIONS)
    expected = headwise.to_arrow(
        list(toy_pipeline().pipe([text for text in TEXTS if text is not None], OPTIONS))
    )
    assert found.schema == expected.schema
    assert found.drop_columns("document") == expected.drop_columns("document")
    assert set(found.column("document").to_pylist()) == {"a", "d"}
    assert parsed_rows(toy_pipeline(), table(), "text", None, OPTIONS) == found
    bare = parsed_rows(toy_pipeline(), table().drop_columns("id"), "text", None, None)
    assert bare.column("document").null_count == bare.num_rows
    with pytest.raises(FormatError, match="the dataset: there is no column 'body'"):
        parsed_rows(toy_pipeline(), table(), "body", None, None)


def test_parquet_in_and_out(tmp_path, toy_model, monkeypatch):
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    pyarrow.parquet.write_table(table(), tmp_path / "texts.parquet")
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init("local", num_cpus=2, **quiet)  # not the cluster of tests beside this one
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        dataset = ray.data.read_parquet(str(tmp_path / "texts.parquet"))
        words = parse_dataset(
            dataset, id_column="id", model=str(toy_model), options=OPTIONS, batch_size=2
        )
        words.write_parquet(str(tmp_path / "words"))
    finally:
        ray.shutdown()
    found = pyarrow.parquet.read_table(tmp_path / "words")
    assert found.column_names == list(TYPES)
    expected = parsed_rows(toy_pipeline(), table(), "text", "id", OPTIONS)
    order = [("document", "ascending"), ("sentence", "ascending"), ("word", "ascending")]
    assert found.sort_by(order).equals(expected.sort_by(order).cast(found.schema))
