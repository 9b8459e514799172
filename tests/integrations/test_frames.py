"""Words as rows of data frames and of tables of Arrow."""

import pytest

import headwise
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.errors import FormatError, UsageError
from headwise.inference.answers import ParseOptions
from headwise.integrations.frames import TYPES, columns_of, in_documents, to_arrow, to_pandas
from toypipelines import toy_pipeline

TEXT = "The dogs see a cat. The dog doesn't see a tree."


def documents():
    return list(toy_pipeline().pipe([TEXT, "", "The king."], ParseOptions(marginals=True)))


def test_columns_are_those_of_the_dictionaries():
    for document in documents():
        columns = columns_of(in_documents(document))
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        expected = document.to_dicts()
        assert [
            {key: row[key] for key in old} for row, old in zip(rows, expected, strict=True)
        ] == expected
        assert {row["document"] for row in rows} <= {"1"}
        likely = {float(one.comment("tree_prob")) for one in document.sentences}
        assert {row["tree_probability"] for row in rows} == likely


def test_documents_and_sentences_have_ids():
    named = Sentence.from_words(["a"], comments=["# newdoc id = x", "# sent_id = s"])
    bare = Sentence.from_words(["b"])
    assert [row[:2] for row in in_documents(documents())] == [("1", "1"), ("1", "2"), ("3", "1")]
    assert [row[:2] for row in in_documents([bare, named, bare])] == [
        (None, "1"), ("x", "s"), ("x", "3"),
    ]  # fmt: skip
    assert [row[:2] for row in in_documents(bare, "d")] == [("d", "1")]


def test_what_is_not_a_number_is_none():
    odd = Sentence.from_words(["a"], misc=["HeadProb=x"], comments=["# score = high"])
    columns = columns_of(in_documents(odd))
    assert columns["head_probability"] == columns["score"] == [None]


def test_a_table_of_arrow_has_types():
    arrow = pytest.importorskip("pyarrow", reason="headwise[data]")
    table = headwise.to_arrow(documents())
    assert table.schema == arrow.schema(list(TYPES.items()))
    assert table.column("form").to_pylist() == [word.form for one in documents() for word in one]
    assert headwise.to_arrow([]).num_rows == 0
    assert headwise.to_arrow(read_sample()).num_rows == sum(map(len, read_sample()))
    with pytest.raises(UsageError, match="expected sentences or documents"):
        headwise.to_arrow("text")


def test_a_data_frame_has_the_same_types_whatever_is_missing():
    pandas = pytest.importorskip("pandas", reason="headwise[data]")
    (document, empty, _) = documents()
    frame = document.to_pandas()
    assert list(frame.columns) == list(TYPES)
    assert list(frame["head"]) == [word.head_id for word in document]
    assert frame["head_probability"].tolist() == [word.head_probability for word in document]
    verbs = frame[frame["upos"] == "VERB"]
    assert verbs["lemma"].tolist() == ["see", "see"]
    bare = Sentence.from_words(["a", "b"]).to_pandas()
    for column in ("head", "start", "end"):
        assert frame[column].dtype == bare[column].dtype == "Int64", column
    assert bare["head"].isna().all()
    assert bare["head_probability"].dtype == frame["head_probability"].dtype == "float64"
    assert len(empty.to_pandas()) == 0
    assert pandas.concat([frame, bare]).shape == (len(frame) + 2, len(TYPES))


@pytest.mark.parametrize("convert", [to_arrow, to_pandas])
def test_what_utf8_cannot_hold_is_refused(convert):
    with pytest.raises(FormatError, match=r"U\+D800, a lone surrogate"):
        convert(Sentence.from_words(["a\ud800"]))
