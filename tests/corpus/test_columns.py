from dataclasses import fields, replace

from headwise.corpus.columns import with_columns
from headwise.corpus.sample import read_sample


def test_it_is_what_replace_gives():
    for sentence in read_sample():
        new = {name: tuple("abcdefgh"[i % 8] for i in range(len(sentence))) for name in COLUMNS}
        ours = with_columns(sentence, **new)
        theirs = replace(sentence, **new)
        for field in fields(sentence):
            assert getattr(ours, field.name) == getattr(theirs, field.name), field.name


COLUMNS = ("lemmas", "upos", "xpos", "feats")
