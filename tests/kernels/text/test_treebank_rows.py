"""Rows that kernels read and write, against reading them one by one."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.corpus.conllu import format_conllu, format_sentence, read_conllu
from headwise.corpus.relations import Relations
from headwise.corpus.scanned import ScannedSentence, read_scanned, under_trees
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError, HeadwiseWarning


def row(identifier: object, form: str = "w", head: object = 0, deps: str = "_") -> str:
    relation = "root" if head == 0 else "dep"
    return f"{identifier}\t{form}\tl\tX\tY\tA=1\t{head}\t{relation}\t{deps}\tM=1\n"


def extra(identifier: str) -> str:
    return f"{identifier}\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"


SHORTEST = "1\ta" + "\t_" * 8 + "\n"
"""There is room for so many words as there could be rows of this length."""
PLAIN = {
    "the shortest row": SHORTEST,
    "two words": row(1) + row(2, "v", 1),
    "comments": "# a\n#\n" + row(1),
    "a multiword token": extra("1-2") + row(1) + row(2, "v", 1),
    "a range of one word": row(1) + extra("2-2") + row(2, "v", 1),
    "not of ASCII": row(1, "ä🙂") + row(2, "\u2028", 1),
    "no heads": row(1, "a", "_") + row(2, "b", "_"),
    "twelve words": "".join(row(i, f"w{i}", i - 1) for i in range(1, 13)),
    "an enhanced graph": row(1, deps="0:root") + row(2, "v", 1, "1:dep"),
}
UNUSUAL = {
    "an empty node": row(1) + extra("1.1"),
    "a multiword token that ends too late": extra("1-2") + row(1),
    "one within another": extra("1-2") + row(1) + extra("2-2") + row(2, "v", 1),
    "an ID left out": row(1) + row(3, "v", 1),
    "an ID with a zero before it": row("01"),
    "a head that is no word": row(1, "a", 2),
    "a head with a zero before it": row(1, "a", "00"),
    "a head that is no number": row(1, "a", "x"),
    "a head that is too long": row(1, "a", "1234567890"),
    "an empty field": row(1, ""),
    "a field too few": row(1).replace("\tM=1", ""),
    "a field too many": row(1).replace("\tM=1", "\tM=1\tx"),
    "no words": "# a\n",
    "the shortest row before another that is none": SHORTEST + "2\n",
    "a comment below a word": row(1) + "# a\n",
}


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "f.conllu"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def is_decoded(sentence: Sentence) -> bool:
    """Whether the columns of a sentence are there."""
    return not isinstance(sentence, ScannedSentence) or sentence._decoded is not None


def outcome(read, path: Path) -> tuple[str, object]:
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always", HeadwiseWarning)
        try:
            found = list(read(path))
        except HeadwiseError as error:
            return "error", str(error)
    return "sentences", (found, [(one.line, format_sentence(one)) for one in found])


soup = st.lists(
    st.sampled_from(
        [
            *PLAIN.values(),
            *UNUSUAL.values(),
            row(1),
            row(2, "v", 1),
            extra("1-2"),
            *"\n\n120-_#\t\rwÿ",
        ]
    ),
    max_size=12,
).map("".join)


@settings(max_examples=400)
@given(soup.map(lambda text: text.encode("latin-1", "replace")) | soup.map(str.encode))
def test_whatever_is_read_comes_to_the_same(tmp_path_factory, data):
    path = written(tmp_path_factory.mktemp("soup"), data)
    assert outcome(read_scanned, path) == outcome(read_conllu, path)


def trees_of(sentences, seed: int) -> tuple[list[int], np.ndarray, list[str]]:
    """Random heads and relations, or those that are there, of all tokens."""
    rng = np.random.default_rng(seed)
    starts, heads, relations = [0], [], []
    for one in sentences:
        same = rng.random() < 0.5 and None not in one.heads
        own = one.heads if same else rng.integers(0, len(one) + 1, len(one)).tolist()
        names = one.relations if same else rng.choice(["dep", "root", "ä:b", "x"], len(one))
        heads += [-1, *own]
        relations += ["dep", *map(str, names)]
        starts.append(len(heads))
    return starts, np.array(heads, np.int64), relations


@pytest.mark.parametrize("seed", range(5))
def test_trees_are_written_into_the_text_as_into_columns(seed, tmp_path):
    text = "".join(f"{one}\n" for one in (*PLAIN.values(), UNUSUAL["an empty node"]) for _ in "ab")
    path = written(tmp_path, text)
    usual = list(read_conllu(path))
    starts, heads, relations = trees_of(usual, seed)
    names = Relations.of(relations)
    expected = under_trees(usual, starts, heads, names)
    found = under_trees(list(read_scanned(path)), starts, heads, names)
    assert list(format_conllu(found)) == list(format_conllu(expected))
    assert not any(map(is_decoded, found[:-2]))
    assert [len(one) for one in found] == [len(one) for one in expected]
    assert found == expected
