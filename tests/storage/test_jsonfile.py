"""JSON files that anyone may have altered."""

import pytest

from headwise.errors import FormatError, LimitError, UsageError
from headwise.storage import jsonfile
from headwise.storage.jsonfile import read_json_file


def test_json_is_read(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": [1, "ü", Infinity]}')
    assert read_json_file(path) == {"a": [1, "ü", float("inf")]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "Expecting property name"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5000, "a number is too long"),
    ],
)
def test_what_is_no_json_is_an_error_that_names_the_file(tmp_path, data, message):
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=rf"a\.json: is not JSON: .*{message}"):
        read_json_file(path)


def test_a_file_has_a_longest_length(tmp_path, monkeypatch):
    monkeypatch.setattr(jsonfile, "MAX_BYTES", 5)
    path = tmp_path / "a.json"
    path.write_text("[1,2]")
    assert read_json_file(path) == [1, 2]
    path.write_text("[1,22]")
    with pytest.raises(LimitError, match=r"is too long \(limit: 5 bytes\)"):
        read_json_file(path)


def test_files_that_cannot_be_read_are_errors(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        read_json_file(tmp_path / "a.json")
    with pytest.raises(UsageError, match="cannot read"):
        read_json_file(tmp_path)
