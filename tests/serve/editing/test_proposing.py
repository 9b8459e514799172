import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import LimitError
from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline.pipeline import Pipeline
from headwise.serve.editing import acts
from headwise.serve.editing.proposing import (
    KINDS,
    Clash,
    Proposal,
    Task,
    complete_many,
    measure_many,
    propose_many,
)
from toynetworks import random_parser
from toypipelines import toy_pipeline, toy_trees
from toytreebank import SMALL


def propose(pipeline, sentence, kind="all"):
    (found,) = propose_many(pipeline, [Task(sentence, kind)])
    return found


WORDS = ["The", "river", "sees", "a", "bird", "."]
BARE = Sentence.from_words(WORDS)


def test_nothing_is_open_any_more_and_what_is_fixed_is_kept():
    given = acts.set_relation(acts.set_head(BARE, 4, 1), 5, "obj")
    found = propose(toy_pipeline(), given)
    assert found.sentence.has_tree
    assert found.sentence.heads[3] == 1
    assert found.sentence.relations[4] == "obj"
    assert found.sentence.heads[4] != 0
    assert "_" not in (*found.sentence.upos, *found.sentence.lemmas, *found.sentence.relations)
    assert found.heads[3] == [(1, 1.0)]
    assert found.head_probs[3] == 1.0


def test_the_rest_is_the_best_under_what_is_fixed():
    pipeline = toy_pipeline()
    free = propose(pipeline, BARE).sentence
    search = pipeline.search()
    fixed = acts.forbid_arc(BARE, 2, free.heads[1])
    found = propose(pipeline, fixed).sentence
    assert found.heads[1] != free.heads[1]
    tokens = search.encode([found]).sentence(0)
    others = [
        tree.score
        for tree in search.kbest(search.scores_of(tokens), 200)
        if tree.heads[2] != free.heads[1]
    ]
    own = search.tree_score(search.scores_of(tokens), np.array([-1, *found.heads]))
    assert own == pytest.approx(max(others))


def test_brackets_are_kept():
    found = propose(toy_pipeline(), acts.bracket(BARE, 2, 4)).sentence
    entering = [head for head in found.heads[1:4] if not 2 <= head <= 4]
    leaving = [head for n, head in enumerate(found.heads, 1) if not 2 <= n <= 4 and 2 <= head <= 4]
    assert (len(entering), leaving) == (1, [])


def test_heads_that_cross_are_kept_by_a_model_of_projective_trees():
    given = acts.set_head(acts.set_head(BARE, 3, 1), 2, 4)
    found = propose(toy_pipeline(), given).sentence
    assert (found.heads[2], found.heads[1]) == (1, 4)
    assert found.has_tree


def test_no_probabilities_are_shown_where_the_pruner_finds_heads_that_cross():
    parser = DependencyParser(order=2, features="paper-000", epochs=1, tables=SMALL)
    pipeline = Pipeline(tagger=toy_pipeline().tagger, parser=parser.fit(toy_trees(30)))
    straight = propose(pipeline, acts.set_head(BARE, 3, 1))
    assert (straight.is_uncalibrated, straight.head_probs[2]) == (False, 1.0)
    found = propose(pipeline, acts.set_head(acts.set_head(BARE, 3, 1), 2, 4))
    assert (found.sentence.heads[2], found.sentence.heads[1]) == (1, 4)
    assert found.is_uncalibrated
    assert (set(found.head_probs), found.tree_prob) == ({None}, None)
    assert found.heads[2] == [(1, None)]
    assert all(0 <= share <= 1 for share in found.relation_probs)


def test_a_clash_is_named_and_spoils_nothing_else():
    clash = acts.set_head(acts.set_head(BARE, 1, 2), 2, 1)
    wrong, right = propose_many(toy_pipeline(), [Task(clash), Task(BARE)])
    assert isinstance(wrong, Clash)
    assert isinstance(right, Proposal)
    assert set(wrong.constraints) == {("head", 1, 2), ("head", 2, 1)}
    assert "“The” (1) is “river” (2)" in wrong.message


def test_only_what_is_asked_for_is_proposed():
    tags = propose(toy_pipeline(), BARE, "tags").sentence
    assert (tags.heads, tags.upos[0]) == ((None,) * 6, "DET")
    trees = propose(toy_pipeline(), BARE, "trees").sentence
    assert trees.has_tree
    assert set(trees.upos) == {"_"}
    assert propose(toy_pipeline(), BARE, "none").sentence == BARE


def test_tags_that_are_fixed_stay_and_others_fit_them():
    given = acts.set_column(BARE, BARE, 2, "upos", "PROPN")
    found = propose(toy_pipeline(), given).sentence
    assert (found.upos[1], found.feats[1]) == ("PROPN", "_")
    assert "_" not in found.upos


def test_certainty_is_a_share():
    ((share, empty),) = measure_many(toy_pipeline(), [[BARE, Sentence.from_words([])]])
    assert 0 < share <= 1
    assert empty == 1


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_are_completed_and_measured_together_as_alone(kind):
    fixed = acts.forbid_arc(acts.set_head(BARE, 4, 1), 2, 3)
    clash = acts.set_head(acts.set_head(BARE, 1, 2), 2, 1)
    crossing = acts.set_head(acts.set_head(BARE, 3, 1), 2, 4)
    for pipeline in (toy_pipeline(), Pipeline(parser=random_parser())):
        given = [BARE, fixed, clash, crossing, *toy_trees(3)]
        alone = propose_many(pipeline, [Task(one, kind) for one in given])
        expected = [
            one.sentence if isinstance(one, Proposal) else own
            for one, own in zip(alone, given, strict=True)
        ]
        assert complete_many(pipeline, [[Task(one, kind) for one in given]]) == [expected]
        (together,) = measure_many(pipeline, [given])
        assert together == [measure_many(pipeline, [[one]])[0][0] for one in given]


def test_a_sentence_that_is_refused_spoils_nothing_else():
    long = Sentence.from_words(["a"] * 3000)
    refused, good = propose_many(toy_pipeline(), [Task(long), Task(BARE)])
    assert isinstance(refused, LimitError)
    assert good == propose(toy_pipeline(), BARE)
    assert complete_many(toy_pipeline(), [[Task(long)]]) == [[long]]
