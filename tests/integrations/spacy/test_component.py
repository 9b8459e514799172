"""Headwise as a component of spaCy, against spaCy itself."""

import multiprocessing
import warnings

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")

from spacy import displacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example

import headwise
from headwise.corpus.conllu import read_conllu
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError, UsageError
from headwise.inference.answers import ParseOptions
from headwise.integrations.spacy.component import HeadwiseComponent
from headwise.integrations.spacy.documents import from_spacy
from headwise.pipeline.pipeline import Pipeline
from toypipelines import toy_pipeline, toy_trees

TEXT = "The dogs see a cat. The dog doesn't see a tree.\n\nThe kings like a stone."


def columns(sentence: Sentence) -> tuple:
    return (
        sentence.forms, sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats,
        sentence.heads, sentence.relations,
    )  # fmt: skip


def parsed_alone(words: list[str]) -> Sentence:
    return next(toy_pipeline().annotate([Sentence.from_words(words)]))


def test_a_doc_has_what_headwise_finds(nlp):
    doc = nlp(TEXT)
    assert [sentence.text.strip() for sentence in doc.sents] == [
        "The dogs see a cat.", "The dog doesn't see a tree.", "The kings like a stone.",
    ]  # fmt: skip
    for sentence in from_spacy(doc).sentences:
        assert columns(sentence) == columns(parsed_alone(list(sentence.forms)))
    for name in ("TAG", "POS", "MORPH", "LEMMA", "DEP", "HEAD", "SENT_START"):
        assert doc.has_annotation(name, require_complete=True), name
    assert [token.dep_ for token in doc].count("ROOT") == 3
    assert doc[1].morph.get("Number") == ["Plur"]


def test_the_factory_is_found_without_an_import():
    assert "headwise" in spacy.blank("en").factory_names
    assert spacy.blank("en").get_factory_meta("headwise").default_config["confidence"] is False


def test_texts_in_a_stream_have_the_same_trees(nlp):
    texts = [TEXT, "", "   ", "The dogs see a cat.", *["The boy likes a bird. The king."] * 20]
    alone = [nlp(text).to_bytes() for text in texts]
    for size in (1, 7, 1000):
        assert [doc.to_bytes() for doc in nlp.pipe(texts, batch_size=size)] == alone


def test_processes_give_the_same_trees(nlp, monkeypatch):
    texts = [TEXT, "The king finds a dog."] * 6
    alone = [doc.to_json() for doc in nlp.pipe(texts)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python, that JAX of other tests runs threads
        assert [doc.to_json() for doc in nlp.pipe(texts, n_process=2, batch_size=3)] == alone
    assert not multiprocessing.active_children()


def test_a_component_can_be_sent_to_a_process(nlp):
    import pickle

    component = pickle.loads(pickle.dumps(nlp.get_pipe("headwise")))
    assert isinstance(component, HeadwiseComponent)
    doc = nlp.make_doc(TEXT)
    assert component(doc).to_json() == nlp(TEXT).to_json()


def test_probabilities_are_those_of_headwise(toy_model):
    nlp = spacy.blank("en")
    nlp.add_pipe("headwise", config={"model": str(toy_model), "confidence": True})
    doc = nlp("The dogs see a cat. The king finds a stone.")
    alone = toy_pipeline()(doc.text, headwise.pipeline.pipeline.ParseOptions(marginals=True))
    assert [token._.head_probability for token in doc] == [w.head_probability for w in alone]
    assert [token._.dep_probability for token in doc] == [w.relation_probability for w in alone]
    assert [sentence._.tree_probability for sentence in doc.sents] == [
        float(one.comment("tree_prob")) for one in alone.sentences
    ]


def test_without_confidence_there_are_no_probabilities(nlp):
    doc = nlp(TEXT)
    assert {token._.head_probability for token in doc} == {None}
    assert {sentence._.tree_probability for sentence in doc.sents} == {None}


def test_given_sentences_are_kept_or_replaced(toy_model):
    doc_text = "The dogs see a cat . The king"
    for own in (False, True):
        nlp = spacy.blank("en")
        nlp.add_pipe("headwise", config={"model": str(toy_model), "own_sentences": own})
        words = doc_text.split()
        starts = [True, False, False, True, False, False, False, False]
        doc = nlp.get_pipe("headwise")(Doc(nlp.vocab, words=words, sent_starts=starts))
        found = [sentence.text for sentence in doc.sents]
        assert found == (
            ["The dogs see a cat .", "The king"] if own else ["The dogs see", "a cat . The king"]
        )


def test_bounds_of_other_components_are_kept(toy_model):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", config={"punct_chars": ["see"]})
    nlp.add_pipe("headwise", config={"model": str(toy_model)})
    assert [one.text for one in nlp("The dogs see a cat. The king.").sents] == [
        "The dogs see", "a cat. The king.",
    ]  # fmt: skip


def test_given_tags_are_kept_or_replaced(toy_model):
    for own in (True, False):
        nlp = spacy.blank("en")
        nlp.add_pipe("headwise", config={"model": str(toy_model), "own_tags": own})
        words = ["The", "dogs", "see", "."]
        doc = Doc(nlp.vocab, words=words, pos=["X"] * 4, tags=["Q"] * 4, lemmas=["l"] * 4)
        doc = nlp.get_pipe("headwise")(doc)
        assert ([token.tag_ for token in doc] == ["Q"] * 4) is not own
        assert ([token.lemma_ for token in doc] == ["l"] * 4) is not own


def test_a_tree_of_another_parser_is_replaced(nlp):
    doc = Doc(
        nlp.vocab,
        words=["The", "dogs", "see", "a", "cat", "."],
        heads=[5] * 6,
        deps=["dep"] * 5 + ["ROOT"],
    )
    doc = nlp.get_pipe("headwise")(doc)
    assert columns(from_spacy(doc).sentences[0]) == columns(
        parsed_alone(["The", "dogs", "see", "a", "cat", "."])
    )


def test_models_without_a_tokeniser_need_sentences(tmp_path):
    Pipeline(parser=toy_pipeline().parser, tagger=toy_pipeline().tagger).save(tmp_path / "m")
    nlp = spacy.blank("en")
    nlp.add_pipe("headwise", config={"model": str(tmp_path / "m")})
    with pytest.raises(UsageError, match="add_pipe\\('sentencizer', before='headwise'\\)"):
        nlp("The dogs see a cat.")
    nlp.add_pipe("sentencizer", first=True)
    assert nlp("The dogs see a cat.").has_annotation("DEP")


def test_models_without_a_parser_tag(tmp_path):
    Pipeline(tokeniser=toy_pipeline().tokeniser, tagger=toy_pipeline().tagger).save(tmp_path / "m")
    nlp = spacy.blank("en")
    nlp.add_pipe("headwise", config={"model": str(tmp_path / "m")})
    doc = nlp(TEXT)
    assert doc[1].tag_ == "NNS"
    assert len(list(doc.sents)) == 3
    assert not doc.has_annotation("DEP")


def test_a_wrong_model_is_an_error_when_it_is_used():
    nlp = spacy.blank("en")
    nlp.add_pipe("headwise", config={"model": "no-such-model"})
    with pytest.raises(HeadwiseError, match="there is no model 'no-such-model'"):
        nlp("Dogs bark.")


def test_docs_that_cannot_be_parsed_are_left_to_the_error_handler(nlp):
    component = nlp.get_pipe("headwise")
    good, bad = nlp.make_doc("The dogs see a cat."), nlp.make_doc("dog " * 2600)
    for index in range(1, len(bad)):
        bad[index].is_sent_start = False
    with pytest.raises(HeadwiseError, match="dog dog"):
        list(component.pipe([good.copy(), bad.copy()]))
    seen = []
    nlp.set_error_handler(lambda name, proc, docs, error: seen.append((name, len(docs))))
    assert [len(doc) for doc in component.pipe([good, bad, good.copy()])] == [6, 6]
    assert seen == [("headwise", 1)]
    component(bad)
    assert len(seen) == 2
    assert component.get_error_handler() is not None


def test_docbin_displacy_and_other_components_work(nlp):
    @Language.component("count_roots")
    def count_roots(doc):
        doc.user_data["roots"] = sum(token.dep_ == "ROOT" for token in doc)
        return doc

    ruler = nlp.add_pipe("entity_ruler", before="headwise")
    ruler.add_patterns([{"label": "ANIMAL", "pattern": "dogs"}])
    nlp.add_pipe("count_roots", last=True)
    doc = nlp(TEXT)
    assert doc.user_data["roots"] == 3
    assert [entity.label_ for entity in doc.ents] == ["ANIMAL"]
    assert not nlp.analyze_pipes()["problems"]["headwise"]
    stored = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (again,) = DocBin().from_bytes(stored).get_docs(nlp.vocab)
    assert again.to_json() == doc.to_json()
    page = displacy.render(doc, style="dep", page=False, jupyter=False)
    assert page.count("<svg") == 1
    assert page.count("displacy-arrow") >= len(doc) - 5


def test_spacy_scores_it(nlp):
    examples = []
    for gold in toy_trees(12, seed=5):
        reference = headwise.integrations.spacy.to_spacy(gold, nlp.vocab)
        examples.append(Example(nlp.make_doc(reference.text), reference))
    scores = nlp.evaluate(examples)
    assert scores["dep_uas"] > 0.9
    assert scores["tag_acc"] > 0.9
    assert scores["lemma_acc"] > 0.9
    assert set(scores["dep_las_per_type"]) == {"root", "dep"}


def test_a_vocabulary_of_another_pipeline_is_taken_as_it_is(nlp):
    other = spacy.blank("en")
    doc = nlp.get_pipe("headwise")(other.make_doc(TEXT))
    assert doc.to_json() == nlp(TEXT).to_json()


@pytest.mark.shared
@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_given_tags_and_probabilities_are_used_as_headwise_uses_them(treebanks, model):
    gold = list(read_conllu(treebanks / "en_ewt" / "en_ewt-ud-dev.conllu.gz"))[:60]
    columns = [(one.forms, one.lemmas, one.upos, one.xpos, one.feats) for one in gold]
    tagged = [
        Sentence.from_words(forms, lemmas=lemmas, upos=upos, xpos=xpos, feats=feats)
        for forms, lemmas, upos, xpos, feats in columns
    ]
    alone = list(headwise.load(model).annotate(tagged, ParseOptions(marginals=True)))
    nlp = spacy.blank("en")
    component = nlp.add_pipe(
        "headwise", config={"model": model, "confidence": True, "own_tags": False}
    )
    docs = [
        Doc(
            nlp.vocab, words=forms, lemmas=lemmas, pos=upos, tags=xpos,
            morphs=["" if one == "_" else one for one in feats],
            sent_starts=[True] + [False] * (len(forms) - 1),
        )
        for forms, lemmas, upos, xpos, feats in columns
    ]  # fmt: skip
    for doc, answer in zip(component.pipe(docs, batch_size=20), alone, strict=True):
        found = [0 if token.head.i == token.i else token.head.i + 1 for token in doc]
        assert tuple(found) == answer.heads
        assert [token._.head_probability for token in doc] == [
            word.head_probability for word in answer.words
        ]
        assert [token.tag_ for token in doc] == list(answer.xpos)


@pytest.mark.shared
def test_heads_are_those_of_headwise_on_ewt(treebanks):
    gold = list(read_conllu(treebanks / "en_ewt" / "en_ewt-ud-dev.conllu.gz"))
    bare = [Sentence.from_words(one.forms) for one in gold]
    alone = list(headwise.load().annotate(bare))
    nlp = spacy.blank("en")
    component = nlp.add_pipe("headwise")
    docs = [
        Doc(nlp.vocab, words=one.forms, sent_starts=[True] + [False] * (len(one) - 1))
        for one in gold
    ]
    for doc, sentence in zip(component.pipe(docs, batch_size=200), alone, strict=True):
        found = [0 if token.head.i == token.i else token.head.i + 1 for token in doc]
        assert tuple(found) == sentence.heads
        assert tuple(token.tag_ or "_" for token in doc) == sentence.xpos
