"""Texts by name: those of the package, and files."""

import pytest

from headwise.corpus.headrules import RULE_SETS
from headwise.corpus.named import named_lines
from headwise.errors import UsageError


def lines_of(name) -> tuple[list[str], str]:
    lines, title = named_lines(name, list(RULE_SETS), "headrules", "head rules")
    return list(lines), title


@pytest.mark.parametrize("name", RULE_SETS)
def test_texts_of_the_package_are_found_by_name(name):
    lines, title = lines_of(name)
    assert any(line.startswith("@default") for line in lines)
    assert title == f"{name}.txt"


def test_a_file_goes_by_its_path(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("one\ntwo\n")
    assert lines_of(path) == lines_of(str(path))
    lines, title = lines_of(path)
    assert [line.rstrip("\n") for line in lines] == ["one", "two"]
    assert title == str(path)


def test_what_there_is_is_said(tmp_path):
    with pytest.raises(UsageError, match="no head rules 'colins': neither a file nor one of .*col"):
        lines_of("colins")
    with pytest.raises(UsageError, match="neither a file"):
        lines_of(tmp_path)
