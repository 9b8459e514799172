import itertools
import tracemalloc
import warnings
from contextlib import ExitStack

import numpy as np
import pytest

from headwise.corpus.conllu import read_conllu
from headwise.corpus.sample import read_sample
from headwise.corpus.scanned import read_scanned
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, InputError, LimitError, MismatchError, UsageError
from headwise.inference.answers import ParseOptions
from headwise.inference.lengths import LONGEST
from headwise.inference.temperatures import reported
from headwise.pipeline import parsing
from headwise.pipeline.parsing import parse_stream
from headwise.search.decoders.decoding import Decoding
from toyparsers import toy_parser, toy_search, toy_sentence, toy_sentences, without_heads

GIVEN = "HeadProb=1.0000|LabelProb=1.0000"
RAW = [without_heads(sentence) for sentence in toy_sentences()]
QUESTIONS = [
    ParseOptions(kbest, marginals, constraints)
    for kbest, marginals, constraints in itertools.product((None, 3), (False, True), (False, True))
]


def some_heads(sentence: Sentence) -> Sentence:
    """The sentence with every other head."""
    heads = [head if word % 2 else None for word, head in enumerate(sentence.heads, 1)]
    return sentence.with_tree(heads)


@pytest.mark.parametrize("decoder", ["projective", "non-projective"])
@pytest.mark.parametrize("options", QUESTIONS, ids=str)
def test_batches_and_threads_do_not_matter(decoder, options, monkeypatch):
    search = toy_search(decoder)
    if search.projective:
        sentences = [some_heads(one) for one in toy_sentences() if (one.id or "")[:3] == "toy"]
    else:
        sentences = [some_heads(one) for one in toy_sentences()]
    expected = list(parse_stream(search, sentences, options))
    for words, jobs in ((1, 1), (1, 3), (40, 2), (10**6, 2)):
        monkeypatch.setattr(parsing, "WORDS_AT_A_TIME", words)
        assert list(parse_stream(search, iter(sentences), options, jobs=jobs)) == expected


def test_the_best_tree_is_the_same_whatever_else_is_asked():
    plain = list(parse_stream(toy_search(), RAW))
    assert [one.heads for one in plain] == [one.heads for one in toy_parser().predict(RAW)]
    for options in QUESTIONS[1:]:
        answers = list(parse_stream(toy_search(), RAW, options))
        best = answers if options.kbest is None else [a for a in answers if a.id.endswith("/1")]
        assert [one.heads for one in best] == [one.heads for one in plain]


@pytest.mark.filterwarnings("ignore:.*have no UPOS")
def test_several_trees_are_told_apart():
    nameless = Sentence.from_words(["the", "dog", "sees"])
    answers = list(parse_stream(toy_search(), [RAW[0], nameless, nameless], ParseOptions(kbest=3)))
    assert [answer.id for answer in answers] == [
        f"{name}/{rank}" for name in ("sample-1", "2", "3") for rank in (1, 2, 3)
    ]
    assert len({answer.heads for answer in answers[3:6]}) == 3
    scores = [float(answer.comment("score") or "") for answer in answers]
    assert scores[:3] == sorted(scores[:3], reverse=True)
    search = toy_search()
    expected = search.decoder.kbest(search.scores(nameless), 3)
    logarithms = [tree.score / search.temperatures.heads for tree in expected]
    assert scores[3:6] == pytest.approx(logarithms, rel=1e-5)
    heads = [tuple(tree.heads[1:].tolist()) for tree in expected]
    assert [answer.heads for answer in answers[3:6]] == heads


def test_there_may_be_fewer_trees_than_asked_for():
    one = Sentence.from_words(["a"], upos=["DET"])
    assert len(list(parse_stream(toy_search(), [one], ParseOptions(kbest=5)))) == 1


def test_probabilities_are_in_misc():
    (answer,) = parse_stream(toy_search(), RAW[:1], ParseOptions(marginals=True))
    arc = reported(toy_parser().marginals(RAW[0]).arc, toy_parser().temperatures_.head_curve)
    assert answer.misc[3].startswith("SpaceAfter=No|HeadProb=")
    for word, (misc, head) in enumerate(zip(answer.misc, answer.heads, strict=True), 1):
        given = misc.rpartition("HeadProb=")[2].partition("|")[0]
        assert float(given) == pytest.approx(arc[head, word], abs=6e-5)


def test_the_probabilities_of_all_trees_sum_to_one():
    short = Sentence.from_words(["dog", "sees", "tree"], upos=["NOUN", "VERB", "NOUN"])
    answers = list(parse_stream(toy_search(), [short], ParseOptions(kbest=100, marginals=True)))
    trees = [float(answer.comment("tree_prob") or "") for answer in answers]
    assert sum(trees) == pytest.approx(1, abs=1e-3)
    assert trees == sorted(trees, reverse=True)


def test_given_heads_and_their_relations_are_kept():
    gold = toy_sentences()[-1]
    wrong = [None, 5, None, *[None] * (len(gold) - 3)]
    asked = gold.with_tree(wrong, ["_", "odd", *["_"] * (len(gold) - 2)])
    (free,) = parse_stream(toy_search(), [asked])
    (bound,) = parse_stream(toy_search(), [asked], ParseOptions(constraints=True, marginals=True))
    assert (free.heads[1], free.relations[1]) == (3, "arc")
    assert (bound.heads[1], bound.relations[1], bound.misc[1]) == (5, "odd", GIVEN)
    assert bound.relations.count("root") == bound.heads.count(0) == 1
    (whole,) = parse_stream(toy_search(), [gold], ParseOptions(constraints=True))
    assert whole == gold


def test_given_relations_say_which_word_is_the_root():
    gold = toy_sentences()[-1]
    blank = [None] * len(gold)
    for word in range(len(gold)):
        relations = ["_"] * len(gold)
        relations[word] = "root"
        asked = gold.with_tree(blank, relations)
        (bound,) = parse_stream(toy_search(), [asked], ParseOptions(constraints=True))
        assert bound.heads[word] == 0
    (free,) = parse_stream(toy_search(), [gold.with_tree(blank, ["_"] * len(gold))])
    relations[free.heads.index(0)], relations[-1] = "odd", "_"
    (bound,) = parse_stream(
        toy_search(), [gold.with_tree(blank, relations)], ParseOptions(constraints=True)
    )
    assert bound.heads.index(0) != free.heads.index(0)
    assert bound.relations.count("root") == bound.heads.count(0) == 1
    none_left = gold.with_tree(blank, ["odd"] * len(gold))
    with pytest.raises(InputError, match="word 1 is not the root; word 2 is not the root"):
        list(parse_stream(toy_search(), [none_left], ParseOptions(constraints=True)))


@pytest.mark.filterwarnings("ignore:.*have no UPOS")
def test_heads_that_no_tree_has_are_an_error_with_its_place():
    cycle = Sentence.from_words(["a", "b"], heads=[2, 1], comments=["# sent_id = s9"])
    for jobs in (1, 2):
        answers = parse_stream(
            toy_search(), [*RAW, cycle], ParseOptions(constraints=True), jobs=jobs
        )
        with pytest.raises(InputError, match=r"sentence s9\): no .*tree .* word 1 is 2"):
            list(answers)


def test_a_sentence_that_is_too_long_is_an_error_with_its_place():
    size = LONGEST + 1
    endless = Sentence.from_words(["w"] * size, upos=["X"] * size, comments=["# sent_id = s9"])
    for options in (ParseOptions(), ParseOptions(marginals=True)):
        with pytest.raises(LimitError, match="sentence s9"):
            list(parse_stream(toy_search(), [endless], options))


def test_everything_else_is_kept():
    for before, after in zip(read_sample(), parse_stream(toy_search(), read_sample()), strict=True):
        assert after.comments == before.comments
        assert after.multiwords == before.multiwords
        assert [node.id for node in after.empty_nodes] == [node.id for node in before.empty_nodes]
        for column in ("forms", "lemmas", "upos", "xpos", "feats", "misc"):
            assert getattr(after, column) == getattr(before, column)
        assert [name == "root" for name in after.relations] == [head == 0 for head in after.heads]
        same = (after.heads, after.relations) == (before.heads, before.relations)
        assert after.deps == (before.deps if same else ("_",) * len(after))


def test_no_sentence_gives_no_answer():
    for jobs, options in itertools.product((1, 2), QUESTIONS):
        assert list(parse_stream(toy_search(), [], options, jobs=jobs)) == []


def test_wrong_questions_are_refused_at_once():
    with pytest.raises(UsageError, match="kbest"):
        parse_stream(toy_search(), RAW, ParseOptions(kbest=0))
    with pytest.raises(UsageError, match="jobs"):
        parse_stream(toy_search(), RAW, jobs=0)
    with pytest.raises(UsageError, match="not trained with a guide"):
        parse_stream(toy_search(), RAW, guides=RAW)


def test_a_guided_parser_follows_its_guide():
    search = toy_search(guided=True)
    rng = np.random.default_rng(1)
    gold = [toy_sentence(rng, number) for number in range(50)]
    raw = [without_heads(sentence) for sentence in gold]
    guided = list(parse_stream(search, raw, guides=gold, jobs=2))
    with pytest.warns(HeadwiseWarning, match="none is given"):
        alone = list(parse_stream(search, raw))

    def right(answers: list[Sentence]) -> int:
        pairs = zip(answers, gold, strict=True)
        return sum(a == b for one, two in pairs for a, b in zip(one.heads, two.heads, strict=True))

    assert right(guided) > right(alone)
    with_questions = list(parse_stream(search, raw, ParseOptions(marginals=True), guides=gold))
    assert [one.heads for one in with_questions] == [one.heads for one in guided]


def test_guides_must_match():
    search = toy_search(guided=True)
    with pytest.raises(MismatchError, match=r"sample-2\): there is no guiding tree"):
        list(parse_stream(search, RAW, guides=RAW[:1]))
    with pytest.raises(MismatchError, match=r"sample-2\): there are more guiding trees"):
        list(parse_stream(search, RAW[:1], guides=RAW))
    with pytest.raises(MismatchError, match=r"sample-1\): the guide has different words"):
        list(parse_stream(search, RAW[:1], guides=RAW[1:2]))


def test_answers_come_before_the_stream_ends():
    for jobs in (1, 2):
        answers = parse_stream(toy_search(), itertools.cycle(RAW), jobs=jobs)
        assert len(list(itertools.islice(answers, 1000))) == 1000
        answers.close()


@pytest.mark.parametrize("jobs", [1, 2])
def test_memory_does_not_grow_with_the_stream(jobs, monkeypatch):
    monkeypatch.setattr(parsing, "WORDS_AT_A_TIME", 400)
    rng, search = np.random.default_rng(2), toy_search()
    with ExitStack() as threads:  # each will want a memory of tags of its own, sooner or later
        for _ in range(jobs):
            threads.enter_context(search.scorer._memory_for(search.encode(RAW)))
    answers = parse_stream(
        search, (toy_sentence(rng, number) for number in itertools.count()), jobs=jobs
    )
    next(itertools.islice(answers, 1000, None))
    tracemalloc.start()
    next(itertools.islice(answers, 500, None))
    early = tracemalloc.get_traced_memory()[1]
    next(itertools.islice(answers, 4000, None))
    late = tracemalloc.get_traced_memory()[1]
    answers.close()  # first: Python may crash if tracing stops while other threads allocate
    tracemalloc.stop()
    assert late < early + 1_000_000  # what 4,000 sentences take is more than ten times that


def test_warnings_are_for_models_that_ask_for_a_guide_only():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(parse_stream(toy_search(), RAW[:1]))


@pytest.mark.parametrize("decoder", ["projective", "non-projective"])
@pytest.mark.parametrize(
    "decoding",
    [Decoding("mbr"), Decoding("mbr", 5), Decoding("mbr-rerank"), Decoding("mbr", samples=30)],
)
def test_trees_of_minimum_risk_are_as_the_decoder_makes_them(decoder, decoding):
    search = toy_search(decoder)
    sentences = toy_sentences()[:8]
    found = list(parse_stream(search, sentences, ParseOptions(decoding=decoding)))
    assert len(found) == len(sentences)
    for sentence, answer in zip(sentences, found, strict=True):
        scores = search.scores(sentence)
        heads = decoding.best(search.decoder, scores, 1 / search.temperatures.heads)
        assert list(answer.heads) == heads[1:].tolist()
    assert found == list(parse_stream(search, sentences, ParseOptions(decoding=decoding), jobs=2))


@pytest.mark.parametrize("decoder", ["projective", "non-projective"])
def test_samples_are_drawn_by_probability(decoder):
    search, sentence = toy_search(decoder), toy_sentences()[-1]
    found = list(parse_stream(search, [sentence], ParseOptions(samples=400)))
    assert len(found) == 400
    assert found == list(parse_stream(search, [sentence], ParseOptions(samples=400), jobs=2))
    assert [one.id for one in found[:2]] == [f"{sentence.id}/1", f"{sentence.id}/2"]
    shares = np.zeros((len(sentence) + 1,) * 2)
    for one in found:
        shares[list(one.heads), np.arange(1, len(sentence) + 1)] += 1 / len(found)
    assert np.abs(shares - search.marginals(search.scores(sentence)).arc).max() < 0.12
    drawn = toy_parser(decoder).sample(sentence, 3)
    assert [tree.heads for tree, _ in drawn] == [one.heads for one in found[:3]]
    assert search.temperatures.heads != 1.0
    given = [float(one.comment("score") or "") for one in found[:3]]
    assert [score for _, score in drawn] == pytest.approx(given, rel=1e-6)


def test_scores_of_a_parser_are_those_of_a_stream():
    assert toy_parser().temperatures_.heads != 1.0
    answers = parse_stream(toy_search(), RAW[:1], ParseOptions(kbest=4))
    given = [float(answer.comment("score") or "") for answer in answers]
    assert [score for _, score in toy_parser().kbest(RAW[0], 4)] == pytest.approx(given, rel=1e-6)


def test_minimum_risk_makes_one_tree():
    with pytest.raises(UsageError, match="one tree"):
        parse_stream(toy_search(), [], ParseOptions(kbest=2, decoding=Decoding("mbr")))


def test_relations_that_were_given_are_sure():
    options = ParseOptions(marginals=True, constraints=True)
    gold = next(one for one in toy_sentences() if (one.id or "").startswith("toy"))
    odd = gold.with_tree(gold.heads, ["foo:bar", *gold.relations[1:]])
    for sentence in (gold, odd):
        (answer,) = parse_stream(toy_search(), [sentence], options)
        assert answer.relations == sentence.relations
        assert {word.relation_probability for word in answer} == {1.0}
        assert answer.comment("labelled_tree_prob") == answer.comment("tree_prob") == "1"
    partly = gold.with_tree(gold.heads, ["_", *gold.relations[1:]])
    (answer,) = parse_stream(toy_search(), [partly], options)
    assert [word.relation_probability for word in answer][1:] == [1.0] * (len(gold) - 1)
    assert 0 < answer[0].relation_probability <= 1
    assert answer.comment("labelled_tree_prob") is None  # not known, so not told


@pytest.mark.parametrize("where", ["form", "comment"])
@pytest.mark.parametrize("scanned", [True, False])
def test_words_and_comments_of_megabytes_make_small_batches(where, scanned, tmp_path):
    # A batch of 8,000 words is of 8 MB in their place: of each of these, it would be of 8 GB.
    form, comment = ("a" * 1_000_000, "") if where == "form" else ("a", "# " + "b" * 1_000_000)
    path = tmp_path / "long.conllu"
    row = "\t".join(["1", form, *"_____", "_", "_", "_"])
    path.write_text("".join(f"{comment}\n{row}\n\n".lstrip("\n") for _ in range(12)))
    read = []

    def stream():
        for sentence in (read_scanned if scanned else read_conllu)(path):
            read.append(sentence)
            yield sentence

    answers = parse_stream(toy_search(), stream())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadwiseWarning)  # about tags
        next(answers)
    assert len(read) <= 9
    assert len(list(answers)) == 11
