"""Treebanks: files in, `Sentence` out, and back."""

from headwise.corpus.extras import EmptyNode, Multiword
from headwise.corpus.formats import read_sentences, write_sentences
from headwise.corpus.sentence import Sentence

__all__ = ["EmptyNode", "Multiword", "Sentence", "read_sentences", "write_sentences"]
