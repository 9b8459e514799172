"""Scanned sentences are those that are read, and parsed as those are."""

import pickle
import warnings
from copy import copy
from dataclasses import FrozenInstanceError, asdict, replace
from pathlib import Path

import numpy as np
import pytest

from headwise.corpus.conllu import format_conllu, format_sentence, read_conllu
from headwise.corpus.formats import write_sentences
from headwise.corpus.scanned import ScannedSentence, read_scanned
from headwise.corpus.sentence import CONTENT, Sentence
from headwise.errors import HeadwiseError, HeadwiseWarning
from headwise.pipeline.pipeline import Pipeline
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.words import WordRules
from toyparsers import toy_parser, toy_sentences, without_heads


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


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_plain_sentences_are_not_taken_apart_until_looked_at(text, tmp_path):
    path = written(tmp_path, f"{text}\n" * 2)
    (usual, _), (scanned, _) = list(read_conllu(path)), list(read_scanned(path))
    assert type(scanned) is ScannedSentence
    assert len(scanned) == len(usual)
    assert format_sentence(scanned) == text + "\n"
    assert not is_decoded(scanned)
    assert scanned.misc == usual.misc
    assert is_decoded(scanned)
    assert scanned == usual
    assert scanned.location == usual.location


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_missing_values_are_counted_without_decoding(text, tmp_path):
    mixed = text.replace("\tX\t", "\t_\t", 1).replace("\tl\t", "\t__\t", 1)
    path = written(tmp_path, f"{text}\n{mixed}\n")
    for scanned, usual in zip(read_scanned(path), read_conllu(path), strict=True):
        for column in ("forms", "lemmas", "upos", "xpos", "feats"):
            expected = getattr(usual, column).count("_")
            assert scanned.count_missing(column) == usual.count_missing(column) == expected
        assert not is_decoded(scanned)
        assert scanned.count_missing("deps") == usual.deps.count("_")


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_others_are_read_as_ever(text, tmp_path):
    path = written(tmp_path, f"{text}\n")
    assert outcome(read_scanned, path) == outcome(read_conllu, path)
    if outcome(read_conllu, path)[0] == "sentences":
        assert [type(one) for one in read_scanned(path)] == [Sentence]


def outcome(read, path: Path) -> tuple[str, object]:
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always", HeadwiseWarning)
        try:
            found = list(read(path))
        except HeadwiseError as error:
            return "error", str(error)
    return "sentences", (found, [(one.line, format_sentence(one)) for one in found])


@pytest.mark.parametrize("rules", [WordRules(), WordRules(backoff="lemma")])
@pytest.mark.parametrize("tags", ["both", "upos", "none"])
def test_atoms_are_the_same(rules, tags, tmp_path):
    text = "".join(f"{one}\n" for one in (*PLAIN.values(), UNUSUAL["an empty node"]))
    path = written(tmp_path, text)
    scanned, usual = list(read_scanned(path)), list(read_conllu(path))
    encoder = AtomEncoder(rules, tags)
    for given_sentences in (scanned, scanned[::-1], [*scanned, *usual]):
        as_usual = [replace(one) for one in given_sentences]
        found = encoder.encode(given_sentences)
        expected = AtomEncoder(rules, tags).encode(as_usual)
        assert np.array_equal(found.starts, expected.starts)
        for ours, theirs in zip(found.tokens, expected.tokens, strict=True):
            assert np.array_equal(ours, theirs)


def test_texts_are_forgotten_with_what_was_scanned(tmp_path, monkeypatch):
    monkeypatch.setattr("headwise.scoring.linear.texttable.MOST_KEPT", 3)
    path = written(tmp_path, PLAIN["twelve words"] + "\n")
    encoder = AtomEncoder()
    first, again = (encoder.encode(list(read_scanned(path))) for _ in range(2))
    assert np.array_equal(first.tokens.atoms, again.tokens.atoms)


@pytest.mark.parametrize("bare", [True, False])
def test_a_parser_says_the_same_of_both(bare, tmp_path):
    sentences = toy_sentences()
    path = tmp_path / "toys.conllu"
    write_sentences(path, map(without_heads, sentences) if bare else sentences)
    pipeline = Pipeline(parser=toy_parser())
    expected = "".join(format_conllu(pipeline.annotate(read_conllu(path))))
    for jobs in (1, 2):
        found = pipeline.annotate(read_scanned(path), jobs=jobs)
        assert "".join(format_conllu(found)) == expected


def test_a_scanned_sentence_can_be_changed_and_sent(tmp_path):
    path = written(tmp_path, PLAIN["a multiword token"] + "\n")
    (scanned,), (usual,) = read_scanned(path), read_conllu(path)
    sent = pickle.loads(pickle.dumps(scanned))
    assert sent == usual
    assert type(sent) is Sentence
    assert format_sentence(sent) == format_sentence(usual)
    (scanned,) = read_scanned(path)
    changed = replace(scanned, comments=("# new",))
    assert type(changed) is Sentence
    assert changed.source is None
    assert format_sentence(changed).startswith("# new\n")
    assert scanned.with_tree([2, 0]) == usual.with_tree([2, 0])


def test_a_scanned_sentence_equals_the_one_that_is_read(tmp_path):
    path = written(tmp_path, PLAIN["two words"] + "\n")
    (scanned,), (usual,) = read_scanned(path), read_conllu(path)
    assert scanned == usual
    assert usual == scanned
    assert hash(scanned) == hash(usual)
    assert scanned != usual.with_tree([2, 0])
    assert copy(scanned) == usual
    assert asdict(scanned) == asdict(usual)


def test_a_scanned_sentence_is_read_only_and_has_no_other_attributes(tmp_path):
    path = written(tmp_path, PLAIN["two words"] + "\n")
    (scanned,) = read_scanned(path)
    with pytest.raises(AttributeError, match="nothing"):
        scanned.nothing  # noqa: B018
    with pytest.raises(FrozenInstanceError):
        scanned.heads = (2, 0)
    assert all(getattr(scanned, name) is not None for name in CONTENT)


@pytest.mark.shared
def test_every_shared_treebank_is_read_the_same(treebank_file):
    assert outcome(read_scanned, treebank_file) == outcome(read_conllu, treebank_file)
