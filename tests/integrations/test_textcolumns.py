"""Texts in columns of tables."""

import gzip
import json

import pytest

from headwise.errors import FormatError, HeadwiseWarning, UsageError
from headwise.integrations.textcolumns import TextColumn, read_texts, refuse_without_column


def texts_of(tmp_path, rows, id_column=None):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in rows))
    return list(read_texts(path, "text", id_column))


def test_rows_of_json_have_ids(tmp_path):
    rows = [{"text": "a", "id": "x"}, "", {"text": "b", "id": 5}, {"text": "c", "id": None}]
    assert texts_of(tmp_path, rows) == [("x", "a"), ("5", "b"), ("4", "c")]
    rows = [{"text": "a", "key": "x"}, {"text": "b", "key": 1.5}]
    assert texts_of(tmp_path, rows) == [("1", "a"), ("2", "b")]
    assert texts_of(tmp_path, rows, "key") == [("x", "a"), ("1.5", "b")]


def test_compressed_rows_are_read(tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"text": "a"}\n'))
    assert list(TextColumn("text")(path)) == [("1", "a")]
    assert repr(TextColumn("text", "id")) == "TextColumn(column='text', id_column='id')"


def test_nulls_are_left_out_and_counted(tmp_path):
    with pytest.warns(HeadwiseWarning, match=r"rows.jsonl: 2 rows without text \(null\) in 'text'"):
        assert texts_of(tmp_path, [{"text": None}, {"text": "b"}, {"text": None}]) == [("2", "b")]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "rows.jsonl:2: this is not JSON"),
        ("[" * 100_000, "rows.jsonl:2: this is not JSON"),
        ("[1]", "rows.jsonl:2: a row is an object"),
        ({"body": "b"}, "rows.jsonl:2: there is no column 'text'; there are body"),
        ({"text": 5}, "rows.jsonl:2: 'text' holds 5, not text"),
        ({"text": ["a"]}, "rows.jsonl:2: 'text' holds .*, not text"),
        ({"text": "a", "id": {"b": 1}}, "rows.jsonl:2: 'id' holds .*, not an id"),
        ('{"text": "\\ud800"}', "rows.jsonl:2: 'text' holds a lone surrogate"),
    ],
)
def test_rows_that_do_not_fit_are_refused(tmp_path, row, message):
    with pytest.raises(FormatError, match=message):
        texts_of(tmp_path, [{"text": "good"}, row])


def test_parquet_takes_a_column_of_ids_if_it_is_there(tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="headwise[data]")
    import pyarrow.parquet

    path = tmp_path / "texts.parquet"
    pyarrow.parquet.write_table(arrow.table({"id": ["x", "y"], "text": ["a", "b"]}), path)
    assert list(read_texts(path, "text", None)) == [("x", "a"), ("y", "b")]
    assert list(read_texts(path, "text", "text")) == [("a", "a"), ("b", "b")]
    with pytest.raises(UsageError, match=r"say --column NAME \(there are id, text\)"):
        refuse_without_column(path)
