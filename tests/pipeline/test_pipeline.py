"""From raw text to trees, whatever the text is."""

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import headwise
from headwise.corpus.conllu import read_conllu
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import HeadwiseWarning, LimitError, UsageError
from headwise.inference.answers import ParseOptions
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.lexical.parser import LexicalParser
from headwise.pipeline import parsing
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.pipelinescores import pipeline_scores
from headwise.text.cutting import LONGEST_SENTENCE
from headwise.text.rawtext import running_text
from headwise.text.tagger import Tagger
from toynetworks import random_parser
from toypipelines import toy_pipeline, toy_trees
from toytreebank import SMALL, toy_treebank

TEXT = "  The dogs see a cat. The dog\ndoesn't see a tree.\n\nThe kings like a stone."


def test_a_text_becomes_a_document():
    document = toy_pipeline()(TEXT)
    assert document.text == TEXT
    assert [sentence.id for sentence in document.sentences] == ["1", "2", "3"]
    second = document.sentences[1]
    assert second.text == "The dog doesn't see a tree."
    assert second.lemmas == ("the", "dog", "do", "not", "see", "a", "tree", ".")
    assert second.upos[2:4] == ("AUX", "PART")
    assert second.heads == tuple(range(8))
    assert second.multiwords[0].form == "doesn't"


def test_words_know_their_place_and_their_neighbours():
    document = toy_pipeline()(TEXT)
    assert [TEXT[word.start : word.end] for word in document.sentences[0].words] == [
        "The", "dogs", "see", "a", "cat", ".",
    ]  # fmt: skip
    does, negation = document.sentences[1].words[2:4]
    assert TEXT[does.start : does.end] == TEXT[negation.start : negation.end] == "doesn't"
    assert negation.parent.form == "does"
    assert [word.form for word in negation.children] == ["see"]
    assert [word.form for word in negation.subtree] == ["n't", "see", "a", "tree", "."]
    assert document.sentences[1].words[0].parent is None
    assert (negation.tag, negation.lemma, str(negation)) == ("PART", "not", "n't")
    assert negation.sentence is document.sentences[1]
    assert len(document.words) == len(document) == sum(map(len, document.sentences))


def test_what_is_shown_of_a_pipeline_fits_a_line():
    pipeline = replace(toy_pipeline(), name="toy")
    assert repr(pipeline) == "<Pipeline toy: tokeniser, tagger, lemmas, parser>"
    assert repr(replace(pipeline, tagger=None, lemmas=None)) == "<Pipeline toy: tokeniser, parser>"
    assert repr(Pipeline()) == "<Pipeline without a name: no stages>"
    for stage in (pipeline.tokeniser, pipeline.tagger, pipeline.lemmas):
        assert len(repr(stage)) < 80


def test_a_notebook_shows_trees():
    document = toy_pipeline()(TEXT)
    assert document.sentences[0].svg().startswith("<svg")
    assert document.sentences[0]._repr_svg_() == document.sentences[0].svg()
    assert document.sentences[0].svg() in document.sentences[0]._repr_html_()
    assert document.svg() in document._repr_html_()
    assert replace(toy_pipeline(), parser=None)(TEXT)._repr_html_() is None


def test_many_texts_are_a_stream_in_their_order():
    nlp = toy_pipeline()
    texts = ["", TEXT, " ", "The cat.", *[TEXT] * 3, ""]
    found = list(nlp.pipe(iter(texts), jobs=2))
    assert [one.text for one in found] == texts
    assert found == [nlp(text) for text in texts]
    endless = (TEXT for _ in iter(int, 1))
    assert next(nlp.pipe(endless)) == found[1]


def test_what_goes_with_a_text_comes_back_with_its_document():
    nlp = toy_pipeline()
    pairs = [("The cat.", {"id": 1}), ("", None), (TEXT, 3)]
    found = list(nlp.pipe(iter(pairs), as_tuples=True))
    assert [(one.text, context) for one, context in found] == pairs
    with pytest.raises(UsageError, match=r"pairs \(text, anything\), not 'The cat.'"):
        list(nlp.pipe(["The cat."], as_tuples=True))


def test_batches_change_nothing_but_when_documents_come():
    nlp, seen = toy_pipeline(), []

    def texts():
        for number in range(5):
            seen.append(number)
            yield TEXT

    found = nlp.pipe(texts(), batch_size=2)
    assert next(found) == nlp(TEXT)
    assert seen == [0, 1]
    assert len(list(found)) == 4


def test_texts_are_read_until_there_are_words_for_a_batch(monkeypatch):
    nlp, seen = toy_pipeline(), []
    words = len(nlp(TEXT))
    monkeypatch.setattr(parsing, "WORDS_AT_A_TIME", 3 * words)

    def texts():
        for number in range(9):
            seen.append(number)
            yield TEXT

    assert len(next(nlp.pipe(texts()))) == words
    assert seen == [0, 1, 2]


def test_processes_change_nothing():
    nlp = toy_pipeline()
    pairs = [(TEXT if number % 3 else "", number) for number in range(12)]
    asked = ParseOptions(marginals=True)
    found = list(nlp.pipe(pairs, asked, as_tuples=True, batch_size=5, processes=2))
    assert found == list(nlp.pipe(pairs, asked, as_tuples=True))
    with pytest.raises(UsageError, match="reads text"):
        list(nlp.pipe(["The cat.", 5], processes=2))


def test_documents_are_annotated_like_their_sentences():
    nlp = toy_pipeline()
    document = nlp(TEXT)
    assert tuple(nlp.annotate(document)) == document.sentences
    assert tuple(nlp.annotate([document])) == document.sentences
    assert tuple(nlp.annotate(document.sentences[0])) == document.sentences[:1]


def test_a_script_that_starts_itself_again_is_told_so(tmp_path):
    toy_pipeline().save(tmp_path / "model")
    script = tmp_path / "script.py"
    script.write_text(
        f"import headwise\nnlp = headwise.load({str(tmp_path / 'model')!r})\n"
        "list(nlp.pipe(['The cat.', 'The dog.'], processes=2, batch_size=1))\n"
    )
    call = [sys.executable, str(script)]
    done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert 'under `if __name__ == "__main__":`' in done.stderr


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: Pipeline("en"), r"headwise.load\(…\) loads a model"),
        (lambda _: Pipeline(lang="en"), "is made of stages"),
        (lambda nlp: nlp.pipe(None), "takes many texts, as a list, not NoneType"),
        (lambda nlp: nlp.pipe("One text."), "takes many texts"),
        (lambda nlp: nlp.pipe([], jobs="2"), "jobs must be an integer of 1 or more, not '2'"),
        (lambda nlp: nlp.pipe([], jobs=0), "jobs must be"),
        (lambda nlp: nlp.pipe([], processes=True), "processes must be"),
        (lambda nlp: nlp.pipe([], batch_size=1.5), "batch_size must be"),
        (lambda nlp: nlp.annotate([], jobs="2"), "jobs must be"),
        (
            lambda nlp: nlp("A cat.", {"marginals": True}),
            r"not a dictionary: headwise.ParseOptions\(marginals=True\)",
        ),
        (lambda nlp: nlp.annotate([], {"kbest": 3}), "not a dictionary"),
        (lambda nlp: nlp.stream("ab"), "takes many texts"),
        (lambda nlp: nlp.annotate([], own_tags="no"), "own_tags must be True or False, not 'no'"),
        (lambda nlp: nlp.tag([], own_tags=1), "own_tags must be True or False, not 1"),
        (lambda nlp: nlp.annotate([], at_once="no"), "at_once must be"),
        (lambda nlp: nlp.pipe([], as_tuples="no"), "as_tuples must be"),
        (lambda nlp: list(nlp.tag(["A cat."])), "expected sentences or documents, not str"),
        (lambda nlp: nlp.pipe(["A cat."], True), "not bool"),
        (lambda nlp: nlp("A cat.", ParseOptions(kbest=0)), "kbest must be from 1"),
        (lambda nlp: list(nlp.annotate(["A cat."])), "expected sentences or documents, not str"),
        (
            lambda nlp: list(nlp.annotate([["A", 5]])),
            "not list; a sentence may also be a list of its",
        ),
    ],
)
def test_wrong_calls_are_told_at_once(call, message):
    with pytest.raises(UsageError, match=message):
        call(toy_pipeline())


def test_a_sentence_may_be_given_by_its_words():
    nlp = toy_pipeline()
    words = [["A", "cat", "sleeps"], ("A", "cat")]
    assert list(nlp.annotate(words)) == list(nlp.annotate(map(Sentence.from_words, words)))
    assert [one.upos for one in nlp.tag(words)] == [one.upos for one in nlp.annotate(words)]


def test_the_parser_at_work_is_kept_until_it_is_fitted_again():
    parser = DependencyParser(epochs=1, tables=SMALL).fit(toy_trees(20, seed=1))
    nlp = replace(toy_pipeline(), parser=parser)
    assert nlp.search() is nlp.search()
    before = nlp.search()
    parser.fit(toy_trees(20, seed=2))
    assert nlp.search() is not before
    assert nlp.search().scorer.tables is parser.tables_
    assert replace(nlp, name="other").search() is not nlp.search()
    with pytest.raises(UsageError, match="has no parser"):
        Pipeline().search()


def test_what_the_input_has_is_kept_by_default():
    gold = toy_trees(3, seed=1)
    changed = [replace(one, upos=("X",) * len(one), lemmas=("x",) * len(one)) for one in gold]
    bare = [replace(one, upos=(MISSING,) * len(one), xpos=(MISSING,) * len(one)) for one in gold]
    nlp = toy_pipeline()
    kept = list(nlp.annotate([changed[0], bare[1], changed[2]]))
    assert [one.upos for one in kept] == [changed[0].upos, gold[1].upos, changed[2].upos]
    assert kept[0].lemmas == changed[0].lemmas
    own = list(nlp.annotate(changed, own_tags=True))
    assert [(one.upos, one.lemmas) for one in own] == [(one.upos, one.lemmas) for one in gold]


def test_a_column_of_tags_that_is_missing_is_filled():
    gold = [replace(one, xpos=one.upos) for one in toy_trees(40, seed=1)]
    nlp = replace(toy_pipeline(), tagger=Tagger.fit(gold))
    none = (MISSING,) * len(gold[0])
    upos, xpos, both = nlp.annotate(
        [
            replace(gold[0], upos=none, xpos=("X",) * len(none)),
            replace(gold[0], upos=("X",) * len(none), xpos=none),
            replace(gold[0], upos=("X",) * len(none), xpos=("Y",) * len(none)),
        ]
    )
    assert (upos.upos, set(upos.xpos)) == (gold[0].upos, {"X"})
    assert (set(xpos.upos), xpos.xpos) == ({"X"}, gold[0].upos)
    assert (set(both.upos), set(both.xpos)) == ({"X"}, {"Y"})


def test_stages_may_be_missing(tmp_path):
    nlp = toy_pipeline()
    tokens = Pipeline(tokeniser=nlp.tokeniser)(TEXT)
    assert tokens.sentences[0].upos[0] == tokens.sentences[0].lemmas[0] == MISSING
    assert not tokens.sentences[0].has_tree
    parser = Pipeline(parser=nlp.parser)
    with pytest.warns(HeadwiseWarning, match="no UPOS or XPOS tags"):
        (parsed,) = parser.annotate([tokens.sentences[0]])
    assert parsed.has_tree
    with pytest.raises(UsageError, match="has no tokeniser"):
        parser(TEXT)
    with pytest.raises(UsageError, match="has no parser"):
        Pipeline(tokeniser=nlp.tokeniser)(TEXT, ParseOptions(marginals=True))
    with pytest.raises(UsageError, match="has no tagger"):
        parser.annotate([tokens.sentences[0]], own_tags=True)
    with pytest.warns(HeadwiseWarning, match="no UPOS or XPOS tags"):  # raw text has none
        scores = pipeline_scores(replace(nlp, tagger=None), toy_trees(3, seed=1))
    assert scores["own tags"]["uas"] > 0
    with pytest.warns(HeadwiseWarning, match="no UPOS or XPOS tags"):
        scores = pipeline_scores(parser, [tokens.sentences[0].with_tree(parsed.heads)])
    assert "las" in scores["own tags"]
    for several in (ParseOptions(kbest=2), ParseOptions(samples=2)):
        with pytest.raises(UsageError, match="one tree per sentence"):
            nlp(TEXT, several)


@pytest.mark.parametrize("one", [None, 3, b"The cat.", ["The cat."]])
def test_what_is_no_text_is_a_wrong_call(one):
    with pytest.raises(UsageError, match=rf"text \(str\), not {type(one).__name__}; many texts"):
        toy_pipeline()(one)
    documents = toy_pipeline().pipe(["The cat.", one])
    with pytest.raises(UsageError, match=r"reads text \(str\)"):
        list(documents)


def test_probabilities_are_notes_of_words():
    word = toy_pipeline()(TEXT, ParseOptions(marginals=True)).words[0]
    assert float(word.note("HeadProb")) == word.head_probability
    assert 0 < word.head_probability <= 1
    assert word.note("SpaceAfter") is None
    assert toy_pipeline()(TEXT).words[0].head_probability is None


ODD = [
    "", " ", "\n \n\t", "a", ".", "dogseeatree" * 20, "_", "_ _|_", "\ud800 lone", "a\tb\r\nc",
    "\U0001f600\U0001f469\u200d\U0001f467 \U0001f3f3\ufe0f\u200d\U0001f308", "\ufeffThe dog",
    "e\u0301\u0327 \u202eabc\u202c \u05e9\u05dc\u05d5\u05dd", "\x00\x01\x7f a\x00b", "\x1b[31mred",
    "\u2028a\u2029b\x85c\x0bd\x0ce\x1cf", "# no comment = here\n1\tx",
    "\u0130\u0130 \xdf\u1e9e \u0149",
]  # fmt: skip


def check_document(text: str, tmp_path) -> None:
    document = toy_pipeline()(text)
    tokens = [token.form for sentence in document.sentences for token in sentence.tokens()]
    assert "".join(text.split()) == "".join("".join(tokens).split())
    for word in document.words:
        assert word.start is not None
        assert document.text[word.start : word.end].split() == word_form(word).split()
    path = tmp_path / "out.conllu"
    if document.sentences and not any("\ud800" <= letter <= "\udfff" for letter in text):
        path.write_text(document.conllu(), encoding="utf-8", newline="")
        assert list(read_conllu(path)) == list(document.sentences)


def word_form(word) -> str:
    for row in word.sentence.multiwords:
        if row.first <= word.id <= row.last:
            return row.form
    return word.form


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_odd_texts_get_an_answer(text, tmp_path):
    check_document(text, tmp_path)


@given(text=st.text())
@settings(max_examples=50)
def test_any_text_gets_an_answer(text, tmp_path_factory):
    check_document(text, tmp_path_factory.getbasetemp())


def test_a_line_of_a_million_characters():
    document = toy_pipeline()("x" * 1_000_000)
    assert len(document.words) == 1
    assert document.words[0].end == 1_000_000
    with pytest.warns(HeadwiseWarning, match="text 1:1, character .* the text is cut"):
        assert len(toy_pipeline()("The cat " * 20_000).words) == 40_000


def test_what_cannot_be_a_sentence_is_cut_but_given_sentences_are_not():
    text = "dog " * (3 * LONGEST_SENTENCE)
    nlp = toy_pipeline()
    with pytest.warns(HeadwiseWarning, match="text 2:1, character 2,001: ") as caught:
        _, document, _ = nlp.pipe(["A dog.", text, text])
    assert len(caught) == 1  # once is enough
    assert len(document.sentences) >= 3
    assert max(map(len, document.sentences)) <= LONGEST_SENTENCE
    long = headwise.Sentence.from_words(["dog"] * 10_000)
    with pytest.raises(LimitError, match="a sentence of 10000 words"):
        list(nlp.annotate([long]))


def test_it_does_not_matter_how_a_text_comes():
    text = running_text(toy_trees(40, seed=3)).text
    nlp = toy_pipeline()
    paragraphs = [piece + "\n\n" for piece in text.split("\n\n")]
    together = [(one.forms, one.heads) for one in nlp(text).sentences]
    apart = [one for part in nlp.pipe(paragraphs) for one in part.sentences]
    assert [(one.forms, one.heads) for one in apart] == together


def test_one_text_is_not_many():
    with pytest.raises(UsageError, match="takes many texts"):
        toy_pipeline().pipe(TEXT)


@pytest.mark.parametrize(
    ("unlabelled", "treebank_has_some"),
    [
        (DependencyParser(labels="none", epochs=1, tables=SMALL), True),
        (DependencyParser(epochs=1, tables=SMALL), False),
        (LexicalParser(neighbours=0), True),
    ],
)
def test_relations_that_nobody_chose_are_not_scored(unlabelled, treebank_has_some):
    gold = toy_trees(20, seed=1)
    without = [one.with_tree(one.heads, [MISSING] * len(one)) for one in gold]
    parser = unlabelled.fit(gold if treebank_has_some else without)
    scores = pipeline_scores(replace(toy_pipeline(), parser=parser), gold)
    assert {"gold tags", "own tags"} <= set(scores)
    for own in scores.values():
        assert "uas" in own
        assert not {"las", "clas", "mlas", "blex"} & set(own)


def test_a_neural_parser_is_the_tagger():
    sentences = [Sentence.from_words(one.forms) for one in toy_treebank(5, 2)]
    parser = random_parser()
    pipeline = Pipeline(parser=parser)
    wanted = [one.upos for one in parser.predict(sentences)]
    assert pipeline.found_tags == parser.found_tags
    assert [one.upos for one in pipeline.tag(sentences)] == wanted
    assert [one.upos for one in pipeline.annotate(sentences)] == wanted
    tagged = [replace(one, upos=("X",) * len(one), feats=("A=B",) * len(one)) for one in sentences]
    assert {tag for one in pipeline.annotate(tagged) for tag in one.upos} == {"X"}
    assert [one.upos for one in pipeline.tag(tagged, own_tags=True)] == wanted
    own = list(pipeline.annotate(tagged, own_tags=True))
    assert [one.upos for one in own] == wanted
    assert [one.heads for one in own] == [one.heads for one in pipeline.annotate(sentences)]
