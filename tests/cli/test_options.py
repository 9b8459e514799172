"""What several options share."""

from pathlib import Path

import pytest

from headwise.cli import options
from headwise.cli.options import (
    check_tuning,
    numbers_in,
    refuse_two_standard_inputs,
    split_at_commas,
)
from headwise.corpus.formats import FORMATS
from headwise.errors import UsageError


def test_standard_input_can_be_read_once():
    refuse_two_standard_inputs(Path("-"), Path("a"))
    refuse_two_standard_inputs(Path("a"), Path("a"))
    with pytest.raises(UsageError, match="only one file can be -"):
        refuse_two_standard_inputs(Path("-"), Path("a"), Path("-"))


def test_names_are_split_at_commas():
    assert split_at_commas(" tagger, lemmas,,parser ") == ["tagger", "lemmas", "parser"]
    assert split_at_commas(" , ") == []


def test_numbers_are_split_at_commas():
    assert numbers_in("1,2.5, -3", "--weights") == [1.0, 2.5, -3.0]
    for wrong in ("1,x", "", "1,,2"):
        with pytest.raises(UsageError, match="--weights takes comma-separated numbers"):
            numbers_in(wrong, "--weights")


def test_tuning_reads_files_twice_and_chooses_the_scale():
    check_tuning(None, Path("a"), Path("b"))
    with pytest.raises(UsageError, match="remove --scale"):
        check_tuning(1.0, Path("a"))
    with pytest.raises(UsageError, match="not standard input"):
        check_tuning(None, Path("a"), Path("-"))


def test_the_help_names_every_format():
    assert options.FORMAT_NAMES.split(", ") == [*FORMATS]
