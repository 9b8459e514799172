import re
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texttreebank import treebank

from headwise.corpus.conllu import format_conllu, read_conllu
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, ModelError
from headwise.evaluate import evaluate_raw
from headwise.text.rawtext import running_text
from headwise.text.tokeniser import Tokeniser, TokeniserTraining

TRAINING = TokeniserTraining(bits=14)


@pytest.fixture(scope="module")
def tokeniser() -> Tokeniser:
    return Tokeniser.fit(treebank(200), TRAINING)


def test_the_text_it_was_made_for_is_split_rightly(tokeniser):
    gold = treebank(50, seed=1)
    text = running_text(gold).text
    assert "\n\n" in text
    scores = evaluate_raw(gold, tokeniser.split(text))
    assert [scores[name].f1 for name in ("tokens", "sentences", "words")] == [100.0] * 3


def restored(sentences: list[Sentence]) -> str:
    """The text, from nothing but forms and MISC."""
    pieces = []
    for sentence in sentences:
        misc = {row.first: row.misc for row in sentence.multiwords}
        for token in sentence.tokens():
            notes = misc.get(token.first, sentence.misc[token.first - 1]).split("|")
            fields = dict(note.split("=", 1) for note in notes if "=" in note)
            after = fields.get("SpacesAfter", "" if "SpaceAfter" in fields else "\\s")
            pieces += [fields.get("SpacesBefore", ""), "\0", token.form, "\0", after]
    escapes = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|", "\\": "\\"}
    for k in [i for i in range(len(pieces)) if i % 5 in (0, 4)]:
        pieces[k] = re.sub(r"\\(.)", lambda found: escapes[found[1]], pieces[k])
    return "".join(piece for k, piece in enumerate(pieces) if k % 5 in (0, 2, 4))


TEXTS = st.text(st.one_of(st.characters(), st.sampled_from(" \n\t.a'n|\\\u3000\u0301\u200f\0")))


@given(TEXTS)
def test_nothing_of_any_text_is_lost(tokeniser, text):
    found = tokeniser.tokenise(text)
    at = 0
    for a, b in zip(found.starts, found.ends, strict=True):
        assert not text[at:a].strip(), "only spaces lie between tokens"
        assert a < b
        at = b
    assert not text[at:].strip()
    sentences = tokeniser.split(text)
    assert len(sentences) == len(found)
    if sentences:
        assert restored(sentences) == text
    for sentence in sentences:
        assert not any(set(form) & set("\n\r\t") for form in sentence.forms)


@pytest.mark.parametrize("text", ["", " ", "\n\n \t", "\u3000"])
def test_no_text_has_no_sentences(tokeniser, text):
    assert tokeniser.split(text) == []
    assert len(tokeniser.tokenise_sentence(text)) == 0


def test_blank_lines_end_sentences_and_nothing_is_seen_across_them(tokeniser):
    one, two = "The dog sees a cat\n\n", "\n\nThe cat hears. The dog"
    apart = [s.forms for s in tokeniser.split(one)] + [s.forms for s in tokeniser.split(two)]
    assert [s.forms for s in tokeniser.split(one + two)] == apart


@given(TEXTS, TEXTS)
def test_texts_apart_and_together_give_the_same(tokeniser, one, two):
    bounds = [
        [(s.start, s.forms) for s in tokeniser.sentences(tokeniser.tokenise(text), offset=offset)]
        for text, offset in ((one, 0), (two, len(one) + 2), (f"{one}\n\n{two}", 0))
    ]
    assert bounds[0] + bounds[1] == bounds[2]


@pytest.mark.parametrize(
    "text",
    ["The dog sees.\r\n\r\nA cat", "🙂🙂🙂", "?!" * 9, "שלום. עולם", "\u202eThe dog\u202c sees"],
)
def test_unusual_text_is_split_whole(tokeniser, text):
    sentences = tokeniser.split(text)
    assert restored(sentences) == text
    assert len(sentences) == (2 if "\r" in text else len(sentences))


def test_a_piece_is_split_alike_wherever_it_stands(tokeniser):
    pieces = ["doesn't", "cat.The", "a", "DOESN'T", "doesn't", "cat.The", "“cat.”"]
    found = tokeniser.tokenise(" ".join(pieces))
    starts = set(found.starts.tolist())
    at, inner = 0, {}
    for piece in pieces:
        own = {i for i in range(1, len(piece)) if at + i in starts}
        assert inner.setdefault(piece, own) == own
        assert own == {int(i) for i in tokeniser.tokenise(piece).starts[1:]}
        at += len(piece) + 1


def unpunctuated(count: int) -> list[Sentence]:
    """`kato sees` and `kato sees timo`, without capitals or punctuation; few nouns occur twice."""
    random = np.random.default_rng(1)
    made = []
    for _ in range(count):
        nouns = ["".join(random.choice(list("bdklmt"), 3)) + "o" for _ in range(2)]
        forms = (nouns[0], str(random.choice(["sees", "hears"])), *nouns[1 : random.integers(1, 3)])
        tags = ("NOUN", "VERB", "NOUN")[: len(forms)]
        made.append(replace(Sentence.from_words(forms), upos=tags))
    return made


def test_sentences_without_punctuation_end_where_the_words_around_say_so():
    made = unpunctuated(500)
    train, gold = made[:400], made[400:]
    text = running_text(gold).text
    before, now = (
        Tokeniser.fit(train, TokeniserTraining(bits=14, words=words)).split(text)
        for words in (False, True)
    )
    assert evaluate_raw(gold, before)["sentences"].f1 < 80
    assert evaluate_raw(gold, now)["sentences"].f1 > 95


def test_a_million_characters_in_a_line_take_a_bounded_time(tokeniser):
    for text in ("x" * 1_000_000, "a " * 500_000, "." * 1_000_000):
        found = tokeniser.tokenise(text)
        assert found.ends[-1] == len(text.rstrip())


def test_a_long_block_becomes_sentences_one_by_one(tokeniser):
    text = running_text(treebank(2000, seed=2)).text
    found = tokeniser.tokenise(text)
    tracemalloc.start()
    words = sum(map(len, tokeniser.sentences(found)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert words > 10_000
    assert peak < 6 * len(text)  # all its tokens at once took thirty times as much


def test_what_is_split_can_be_written_and_read(tokeniser, tmp_path):
    made = tokeniser.split(" The dog doesn't see a cat.\tThe  cat sees.\n")
    path = tmp_path / "made.conllu"
    path.write_text("".join(format_conllu(made)), encoding="utf-8")
    read = list(read_conllu(path))
    assert read == made
    assert made[0].multiwords[0].form == "doesn't"
    assert made[0].offsets()[0] == (0, 3)


def test_a_presegmented_line_is_one_sentence(tokeniser):
    found = tokeniser.tokenise_sentence("The dog sees a cat. The cat sees a dog.")
    (sentence,) = tokeniser.sentences(found)
    assert sentence.forms.count(".") == 2


def test_numbers_with_spaces_are_learnt():
    made = [
        Sentence.from_words([f"{k} 000", "men"]) for k in range(1, 40)
    ] + [Sentence.from_words(["men", "run"])] * 10  # fmt: skip
    tokeniser = Tokeniser.fit(made, TRAINING)
    assert tokeniser.split("55 000 men")[0].forms == ("55 000", "men")
    assert tokeniser.split("55\n000 men")[0].forms[0] == "55"


def test_it_is_stored_and_loaded(tokeniser):
    settings, arrays = tokeniser.to_model()
    again = Tokeniser.from_model(settings, arrays)
    text = running_text(treebank(20, seed=2)).text
    assert again.split(text) == tokeniser.split(text)
    assert again.to_model()[0] == settings
    with pytest.raises(ModelError):
        Tokeniser.from_model({}, arrays)
    for kinds in (arrays["kinds"][1:], arrays["kinds"] - 1000, arrays["kinds"].astype(np.int64)):
        with pytest.raises(ModelError, match="kinds"):
            Tokeniser.from_model(settings, arrays | {"kinds": kinds})
    with pytest.raises(ModelError):
        Tokeniser.from_model(settings, arrays | {"table.shape": np.array([12])})


def test_models_of_before_words_were_seen_are_read():
    older = Tokeniser.fit(treebank(100), TokeniserTraining(bits=14, words=False))
    settings, arrays = older.to_model()
    assert "kinds" not in arrays
    again = Tokeniser.from_model(settings, arrays)
    text = running_text(treebank(20, seed=2)).text
    assert again.split(text) == older.split(text)
    assert not again.sees_words


def test_the_same_training_gives_the_same_tokeniser():
    first, second = (Tokeniser.fit(treebank(30), TRAINING) for _ in range(2))
    assert np.array_equal(first.table, second.table)


def test_nothing_cannot_be_learnt_from():
    with pytest.raises(InputError):
        Tokeniser.fit([])


@pytest.mark.shared
def test_a_real_treebank(treebanks):
    name = "hu_szeged"
    train = list(read_conllu(treebanks / name / f"{name}-ud-train.conllu.gz"))[:300]
    tokeniser = Tokeniser.fit(train, TRAINING)
    scores = evaluate_raw(train, tokeniser.split(running_text(train).text))
    assert scores["tokens"].f1 > 99.5
    assert scores["sentences"].f1 > 97
