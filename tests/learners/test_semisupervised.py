"""Semi-supervised training: its gap closes, to what SciPy finds; input and files."""

import json
import math
import os
import signal
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from headwise import DependencyParser, Sentence, write_sentences
from headwise.cli.app import run
from headwise.corpus.tree import is_projective, is_single_rooted, problems
from headwise.errors import HeadwiseWarning, InputError, ModelError, UsageError
from headwise.kernels.arcs.entries import ArcList
from headwise.learners import loop, semisupervised
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.checkpoint import can_resume
from headwise.learners.semisupervised import SemiSupervised, nearest_target
from headwise.learners.training import warn_of_trouble
from headwise.scoring.linear.tables import TableSizes
from toytreebank import toy_treebank

pytestmark = pytest.mark.filterwarnings("ignore:the programme is not solved")

SIZES = TableSizes(wide=10, narrow=14, filters=12, labels=8)
TRAIN, DEV, UNLABELLED = toy_treebank(15, 1), toy_treebank(20, 2), toy_treebank(20, 3)


def fitted(unlabelled=UNLABELLED, **settings) -> DependencyParser:
    given = {"epochs": 4, "features": "pairs", "labels": "none", "bits": 32, **settings}
    files = {
        name: given.pop(name) for name in ("checkpoint", "resume", "callback") if name in given
    }
    parser = DependencyParser(learner="semisupervised", tables=SIZES, **given)
    return parser.fit(TRAIN, DEV, unlabelled=unlabelled, **files)


def objectives(parser: DependencyParser) -> list[float]:
    return [record["objective"] for record in parser.report_["history"]]


def gaps(parser: DependencyParser) -> list[float]:
    return [record["gap"] for record in parser.report_["history"]]


@pytest.mark.parametrize("features", ["pairs", "paper-000"])
@pytest.mark.parametrize("targets", ["heads", "trees"])
def test_the_dual_rises_in_every_pass_and_stays_below_the_objective(features, targets):
    parser = fitted(features=features, targets=targets, lam=0.01, alpha=10.0, epochs=6)
    found, shares = np.array(objectives(parser)), np.array(gaps(parser))
    duals = found * (1.0 - shares)
    assert (np.diff(duals) > -1e-4 * duals[-1]).all()
    assert (shares > -1e-5).all()


def test_it_is_solved_in_tens_of_passes():
    """As the page says, where λ is not large beside α."""
    assert gaps(fitted(lam=0.01, alpha=10.0, epochs=20))[-1] < 0.01
    assert gaps(fitted(lam=0.001, alpha=1.0, epochs=30))[-1] < 0.01
    assert gaps(fitted(None, lam=0.0, alpha=1.0, epochs=30))[-1] < 0.01
    assert gaps(fitted(lam=0.1, alpha=1.0, epochs=30))[-1] > 0.5


def test_what_is_not_solved_is_a_warning():
    with pytest.warns(HeadwiseWarning, match=r"not solved after 2 epochs: its objective may be"):
        fitted(lam=0.1, epochs=2)


def features_of(scorer, tokens) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heads and modifiers of all arcs, and their features over all slots that are used."""
    size = len(tokens.tags)
    head, modifier = np.nonzero(~np.eye(size, dtype=bool))
    head, modifier = head[modifier > 0], modifier[modifier > 0]
    arcs = ArcList(np.arange(len(head)), head, modifier, np.ones(len(head)))
    return head, modifier, scorer.rows(tokens, arcs, len(head))


def tiny_programme(learner, data, scorer):
    """(8.6) as a quadratic programme over weights, slacks and Y, for SciPy."""
    labelled = [features_of(scorer, data.encoded.sentence(i)) for i in range(len(data))]
    others = [features_of(scorer, data.unlabelled.sentence(i)) for i in range(len(data.unlabelled))]
    slots = {
        s: i for i, s in enumerate(sorted({s for one in labelled + others for s in one[2].slots}))
    }

    def dense(rows):
        matrix = np.zeros((len(rows.start) - 1, len(slots)))
        for row in range(len(matrix)):
            for k in range(rows.start[row], rows.start[row + 1]):
                matrix[row, slots[rows.slots[rows.column[k]]]] += rows.value[k]
        return matrix

    width, count = len(slots), len(labelled)
    total = width + count + sum(len(one[0]) for one in others)
    above, least, equal, one_each = [], [], [], []
    for i, (head, modifier, rows) in enumerate(labelled):
        gold, own = data.golds[i], dense(rows)
        for heads in all_trees(len(gold), data.single_root):
            sign = (heads[modifier] == head).astype(float) - (gold[modifier] == head)
            row = np.zeros(total)
            row[:width], row[width + i] = -sign @ own, 1.0
            above.append(row)
            least.append((heads[1:] != gold[1:]).sum())
    start, pieces = width + count, []
    for head, modifier, rows in others:
        at = {(h, m): start + k for k, (h, m) in enumerate(zip(head, modifier, strict=True))}
        for m in set(modifier):
            row = np.zeros(total)
            row[[place for arc, place in at.items() if arc[1] == m]] = 1.0
            equal.append(row)
            one_each.append(1.0)
        for (h, m), place in at.items():
            if (m, h) in at:
                row = np.zeros(total)
                row[[place, at[m, h]]] = -1.0
                above.append(row)
                least.append(-1.0)
        pieces.append((slice(start, start + len(head)), dense(rows)))
        start += len(head)

    def value(x):
        theta, gradient = x[:width], np.zeros(total)
        gradient[:width], gradient[width : width + count] = learner.strength * theta, 1.0
        found = 0.5 * learner.strength * theta @ theta + x[width : width + count].sum()
        for place, own in pieces:
            missed = own @ theta - x[place]
            found += 0.5 * learner.lam * missed @ missed
            gradient[:width] += learner.lam * missed @ own
            gradient[place] -= learner.lam * missed
        return found, gradient

    above, least, equal = np.array(above), np.array(least), np.array(equal)
    limits = [
        {"type": "ineq", "fun": lambda x: above @ x - least, "jac": lambda _: above},
        {"type": "eq", "fun": lambda x: equal @ x - 1.0, "jac": lambda _: equal},
    ]
    bounds = [(None, None)] * width + [(0, None)] * (total - width)
    first = np.concatenate(
        [np.zeros(width), np.full(count, 9.0), np.full(total - width - count, 0.3)]
    )
    return minimize(
        value, first, jac=True, bounds=bounds, constraints=limits, options={"maxiter": 500}
    ).fun


def all_trees(size: int, single_root: bool):
    """The heads of all projective trees."""
    for heads in product(range(size), repeat=size - 1):
        found = [-1, *heads]
        if problems(found) or not is_projective(found):
            continue
        if not single_root or is_single_rooted(found):
            yield np.array(found)


def short(sentences):
    """Chains and forks of three words."""
    return [
        Sentence.from_words(
            one.forms[:3],
            upos=one.upos[:3],
            xpos=one.xpos[:3],
            heads=heads,
            relations=["root" if h == 0 else "dep" for h in heads],
        )
        for one, heads in zip(sentences, ([2, 0, 2], [0, 1, 2], [3, 3, 0]), strict=False)
    ]


@pytest.mark.parametrize(("alpha", "lam"), [(1.0, 0.1), (3.0, 1.0), (0.3, 0.03)])
def test_it_finds_what_scipy_finds(alpha, lam, monkeypatch):
    """On three labelled and three unlabelled sentences of three words, every tree enumerated."""
    kept = {}

    def noting(self, data, spec, weights, before=SemiSupervised.solution):
        kept.update(learner=self, data=data, scorer=spec.scorer(weights.tables))
        return before(self, data, spec, weights)

    monkeypatch.setattr(SemiSupervised, "solution", noting)
    parser = DependencyParser(
        learner="semisupervised", tables=SIZES, features="pairs", labels="none", bits=32,
        alpha=alpha, lam=lam, epochs=100,
    )  # fmt: skip
    parser.fit(short(TRAIN[:3]), unlabelled=short(UNLABELLED[:3]))
    lowest = tiny_programme(**kept)
    assert gaps(parser)[-1] < 0.001
    assert objectives(parser)[-1] == pytest.approx(lowest, rel=0.001)


def test_it_learns():
    assert fitted().score(DEV) > 0.95


def test_the_same_seed_gives_the_same_weights():
    one, other = fitted(seed=3), fitted(seed=3)
    assert np.array_equal(one.tables_.weights, other.tables_.weights)
    assert not np.array_equal(one.tables_.weights, fitted(seed=4).tables_.weights)


def test_the_trees_of_unlabelled_sentences_do_not_count():
    bare = [Sentence.from_words(one.forms, upos=one.upos, xpos=one.xpos) for one in UNLABELLED]
    assert np.array_equal(fitted(bare).tables_.weights, fitted().tables_.weights)


def test_without_unlabelled_sentences_it_is_a_structured_hinge():
    parser = fitted(None, lam=0.0, epochs=30)
    assert gaps(parser)[-1] < 0.5 * gaps(parser)[0]
    assert parser.score(DEV) > 0.9


class Interrupting(TrainingCallback):
    """Presses Ctrl-C at a report."""

    def __init__(self, at: int) -> None:
        self.left = at

    def progress(self, report) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("at", [2, 6, 9])
def test_interrupted_and_resumed_is_as_if_nothing_had_happened(at, tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 6)
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        fitted(checkpoint=path, callback=Interrupting(at))
    assert can_resume(path)
    resumed = fitted(checkpoint=path, resume=True)
    whole = fitted()
    assert np.array_equal(resumed.tables_.weights, whole.tables_.weights)
    assert objectives(resumed) == objectives(whole)


def test_trees_of_a_forged_checkpoint_are_refused():
    learner, head = SemiSupervised(), np.zeros((1, 5), np.int32)
    learner.words = np.array([0, 3, 5])
    for word, wrong in ((0, -2), (1, 3), (4, 2)):
        head[0, word] = wrong
        with pytest.raises(ModelError, match="heads beyond their sentences"):
            learner.restore({"trees": head})
        head[0, word] = 0


def test_more_trees_than_are_remembered_are_mixed(monkeypatch):
    monkeypatch.setattr(semisupervised, "TREES", 1)
    few = fitted(lam=0.01, alpha=10.0, epochs=20)
    duals = np.array(objectives(few)) * (1.0 - np.array(gaps(few)))
    assert (np.diff(duals) > -1e-4 * duals[-1]).all()
    assert 0.0 < gaps(few)[-1] < 0.05


def test_other_unlabelled_sentences_are_not_resumed_with(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 6)
    with pytest.raises(KeyboardInterrupt):
        fitted(checkpoint=tmp_path / "c", callback=Interrupting(2))
    with pytest.raises(InputError, match="other training sentences"):
        fitted(UNLABELLED[1:], checkpoint=tmp_path / "c", resume=True)


def test_heads_that_were_not_found_exactly_are_a_warning(monkeypatch):
    monkeypatch.setattr(semisupervised, "PASSES", 0)
    scores = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [0.0, 9.0, 0.0]])
    with pytest.warns(HeadwiseWarning, match="of 2 words were not found exactly"):
        nearest_target(scores)


def test_an_objective_that_rises_is_a_warning():
    with pytest.warns(HeadwiseWarning, match=r"rose from 10 to 11 in epoch 2: a smaller rate"):
        warn_of_trouble([{"objective": 10.0}], {"epoch": 2, "objective": 11.0}, is_last=False)


@pytest.mark.parametrize(
    ("unlabelled", "settings", "message"),
    [
        (None, {}, "needs unlabelled sentences"),
        (UNLABELLED, {"order": 2}, "arcs only"),
        (UNLABELLED, {"loss": "complete"}, "cost for each head"),
        (UNLABELLED, {"targets": "forests"}, "expected one of 'heads', 'trees', not 'forests'"),
        (UNLABELLED, {"alpha": 0.0}, "alpha must be above 0"),
        (UNLABELLED, {"rate": 0.1}, "semisupervised has no rate"),
        (UNLABELLED, {"lam": -1.0}, "lam must be 0 or more"),
        (UNLABELLED, {"alpha": math.nan}, "alpha: expected a finite number, not nan"),
    ],
)
def test_what_cannot_be_is_refused(unlabelled, settings, message):
    with pytest.raises(UsageError, match=message):
        fitted(unlabelled, **settings)


def test_the_command_line_trains_from_text_and_parses(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_sentences("train.conllu", TRAIN)
    write_sentences("dev.conllu", DEV)
    lines = [" ".join(one.forms) for one in UNLABELLED]
    Path("more.txt").write_text("\n".join([lines[0], "", "Yes", *lines[1:]]) + "\n")
    options = ["--learner", "semisupervised", "--unlabelled", "more.txt", "--epochs", "2"]
    options += [
        "--set",
        "features=pairs",
        "--set",
        "tables.narrow=12",
        "--set",
        "tables.wide=8",
        "--set",
        "lam=0.05",
    ]
    options += ["--without", "lemmas", "--set", "labels=none"]
    assert run(["train", "train.conllu", "--dev", "dev.conllu", "-o", "m", *options]) == 0
    assert "objective" in capsys.readouterr().out
    records = [json.loads(line) for line in Path("m.log.jsonl").read_text().splitlines()]
    assert records[2]["objective"] < records[1]["objective"]
    assert run(["parse", "dev.conllu", "-m", "m", "-o", "own.conllu"]) == 0
    assert run(["evaluate", "dev.conllu", "own.conllu"]) == 0
    Path("empty.txt").write_text("\n\n")
    options[3] = "empty.txt"
    assert run(["train", "train.conllu", "-o", "n", *options]) == 1
    assert "empty.txt: there is no sentence" in capsys.readouterr().err
