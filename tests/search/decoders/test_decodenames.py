import pytest

from headwise.errors import UsageError
from headwise.search.decoders.decodenames import DECODE_NAMES, decode_name


def test_names_of_decodings():
    assert [decode_name(name) for name in DECODE_NAMES] == ["map", "mbr", "mbr-rerank"]
    for old in ("predict", "rerank", ""):
        with pytest.raises(
            UsageError, match=f"unknown decoding '{old}'; choose from map, mbr, mbr-"
        ):
            decode_name(old)
