"""Parquet files of words, and with texts."""

import pytest

parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (headwise[data])")

import pyarrow

import headwise
from headwise.corpus.sample import read_sample
from headwise.errors import FormatError, LimitError, UsageError
from headwise.integrations.parquet import (
    column_names,
    read_rows,
    read_tables,
    regrouped,
    write_parquet,
    write_tables,
)


def test_words_are_written_in_groups_of_rows(tmp_path):
    sentences = list(read_sample()) * 5
    path = tmp_path / "words.parquet"
    write_parquet(path, iter(sentences), rows=50)
    file = parquet.ParquetFile(path)
    assert parquet.read_table(path).equals(headwise.to_arrow(sentences))
    groups = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
    assert groups[:-1] == [50] * (len(groups) - 1)
    assert len(groups) > 4
    assert sum(table.num_rows for table in read_tables(path)) == sum(map(len, sentences))


def test_where_parts_are_cut_does_not_change_a_file(tmp_path):
    sentences = list(read_sample()) * 3
    write_parquet(tmp_path / "whole", sentences, rows=20)
    for number, part in enumerate((sentences[:1], sentences[1:7], sentences[7:])):
        write_parquet(tmp_path / f"{number}", part, rows=20)
    parts = [table for number in range(3) for table in read_tables(tmp_path / f"{number}")]
    write_tables(tmp_path / "joined", parts, rows=20)
    tables = [
        parquet.read_table(tmp_path / name).drop_columns("sentence") for name in ("whole", "joined")
    ]
    assert tables[0].equals(tables[1])
    assert (tmp_path / "whole").stat().st_size == (tmp_path / "joined").stat().st_size


def test_rows_are_regrouped_exactly():
    table = pyarrow.table({"n": list(range(17))})
    for cut in (0, 1, 5, 16, 17):
        groups = list(regrouped([table.slice(0, cut), table.slice(cut)], 5))
        assert [group.num_rows for group in groups] == [5, 5, 5, 2]
        assert pyarrow.concat_tables(groups).equals(table)
    assert list(regrouped([], 5)) == []


def test_a_file_without_words_is_a_table_without_rows(tmp_path):
    write_parquet(tmp_path / "none.parquet", [])
    assert parquet.read_table(tmp_path / "none.parquet").equals(headwise.to_arrow([]))


def test_an_error_leaves_no_file(tmp_path):
    def failing():
        yield next(iter(read_sample()))
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write_parquet(tmp_path / "words.parquet", failing())
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="name one"):
        write_parquet("-", [])


def test_polars_reads_what_is_written(tmp_path):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    sentences = list(read_sample())
    write_parquet(tmp_path / "words.parquet", sentences)
    frame = polars.read_parquet(tmp_path / "words.parquet")
    assert frame.height == sum(map(len, sentences))
    assert frame["form"].to_list() == [form for one in sentences for form in one.forms]
    heads = frame.filter(polars.col("head") == 0).group_by("sentence").len()
    assert set(heads["len"]) == {1}


def rows_of(tmp_path, table, column="text", id_column=None):
    path = tmp_path / "texts.parquet"
    parquet.write_table(pyarrow.table(table), path)
    return list(read_rows(path, column, id_column))


def test_texts_are_read_with_ids_and_nulls(tmp_path):
    table = {"text": ["a", None, "c"], "id": [7, 8, None]}
    assert rows_of(tmp_path, table, id_column="id") == [(1, 7, "a"), (2, 8, None), (3, None, "c")]
    assert rows_of(tmp_path, table) == [(1, None, "a"), (2, None, None), (3, None, "c")]
    assert rows_of(tmp_path, table, id_column="text")[0] == (1, "a", "a")
    assert column_names(tmp_path / "texts.parquet") == ["text", "id"]
    assert rows_of(tmp_path, {"text": [None, None]}) == [(1, None, None), (2, None, None)]


@pytest.mark.parametrize(
    "kind", [pyarrow.large_string(), pyarrow.dictionary(pyarrow.int32(), pyarrow.string())]
)
def test_every_kind_of_text_is_read(tmp_path, kind):
    table = {"text": pyarrow.array(["a", "b", "a"]).cast(kind)}
    assert [text for _, _, text in rows_of(tmp_path, table)] == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("table", "id_column", "message"),
    [
        ({"body": ["a"]}, None, "there is no column 'text'; there are body"),
        ({"text": ["a"]}, "id", "there is no column 'id'; there are text"),
        ({"text": [1, 2]}, None, "column 'text' holds int64, not text"),
        ({"text": [["a"]]}, None, "column 'text' holds list<.*>, not text"),
        ({"text": [{"a": "b"}]}, None, "column 'text' holds struct<.*>, not text"),
        ({"text": ["a"], "id": [["x"]]}, "id", "which cannot be an id"),
    ],
)
def test_columns_that_do_not_fit_are_refused(tmp_path, table, id_column, message):
    with pytest.raises(FormatError, match=f"texts.parquet: .*{message}"):
        rows_of(tmp_path, table, id_column=id_column)


def test_damaged_files_are_named(tmp_path):
    path = tmp_path / "texts.parquet"
    parquet.write_table(pyarrow.table({"text": ["word " * 50] * 1000}), path, compression="none")
    data = path.read_bytes()
    for damaged in (b"", b"no parquet at all", data[: len(data) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(
            FormatError, match="texts.parquet: this is not Parquet, or it is damaged"
        ):
            list(read_rows(path, "text", None))
        with pytest.raises(FormatError, match="this is not Parquet"):
            column_names(path)


def test_a_text_of_many_rows_is_in_memory_once(tmp_path):
    path = tmp_path / "texts.parquet"
    text = "word " * 200_000
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 200), [text])
    parquet.write_table(pyarrow.table({"text": column}), path)
    before, count = pyarrow.total_allocated_bytes(), 0
    for number, _, found in read_rows(path, "text", None):
        assert found == text
        assert pyarrow.total_allocated_bytes() - before < 20 * len(text)
        count = number
    assert count == 200


def test_files_that_grow_too_much_are_refused(tmp_path):
    path = tmp_path / "texts.parquet"
    texts = pyarrow.array(["a" * (1 << 24) + str(number) for number in range(5)])
    parquet.write_table(pyarrow.table({"text": texts}), path, compression="zstd")
    with pytest.raises(LimitError, match="more than 200 times its size"):
        list(read_rows(path, "text", None))
