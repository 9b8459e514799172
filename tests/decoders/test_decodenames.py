import pytest

from headwise.decoders.decodenames import DECODE_NAMES, decode_name
from headwise.errors import UsageError


def test_names_of_decodings():
    assert [decode_name(name) for name in DECODE_NAMES] == ["map", "mbr", "mbr-rerank"]
    for old in ("predict", "rerank", ""):
        with pytest.raises(UsageError, match=f"no decoding '{old}'; there are map, mbr, mbr-"):
            decode_name(old)
