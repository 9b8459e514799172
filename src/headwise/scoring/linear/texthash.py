"""Hashes of strings, the same on every machine."""

import hashlib
from collections.abc import Callable


def hash_text(text: str) -> int:
    """A 64-bit hash of a string."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


Hash = Callable[[str], int]


def hash_of(name: str, value: Callable[[str], str] = str) -> Hash:
    """A hash function of values of strings, distinct for each column name."""
    return lambda text: hash_text(f"{name}\0{value(text)}")
