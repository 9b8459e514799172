"""Hashes of texts, the same on every machine."""

import hashlib
from collections.abc import Callable


def hash_text(text: str) -> int:
    """A 64-bit hash, the same everywhere and always."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


Hash = Callable[[str], int]


def hash_of(name: str, value: Callable[[str], str] = str) -> Hash:
    """A hash of what texts stand for, told apart from other columns by a name."""
    return lambda text: hash_text(f"{name}\0{value(text)}")
