"""A tiny model of every kind, trained in moments, and a function that uses it."""

import shutil
import signal
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from headwise.constituency import rerank as constituency_rerank
from headwise.constituency.candidates import CandidateList
from headwise.constituency.features import BRACKET_FEATURES
from headwise.constituency.parser import ConstituencyParser
from headwise.constituency.voted import VotedTreePerceptron
from headwise.corpus.brackets import read_brackets
from headwise.corpus.conllu import format_conllu
from headwise.corpus.constituents import Tree
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.inference.answers import ParseOptions
from headwise.inference.temperatures import UNFITTED
from headwise.learners.callbacks import Report, TrainingCallback
from headwise.learners.checkpoint import labels_path, member_path
from headwise.learners.labelling import train_labeller
from headwise.learners.labelsettings import LabellerSettings
from headwise.learners.neural.batches import NumberedSentences
from headwise.learners.neural.development import NeuralDevelopment
from headwise.learners.neural.initialising import new_parameters
from headwise.learners.neural.quantising import quantised
from headwise.learners.neural.settings import NetworkSizes
from headwise.learners.neural.training import NeuralTraining
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.linkmargin.parser import LinkMarginParser
from headwise.parsers.linkmargin.settings import MarginName
from headwise.parsers.neural.parser import NeuralParser
from headwise.parsers.neuralparts.parser import NeuralPartsParser
from headwise.pipeline.ensembles import ensemble_of
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from headwise.progress import Progress, silent
from headwise.reranking import LinearReranker
from headwise.reranking import rerank as dependency_rerank
from headwise.reranking.features import TREE_FEATURES
from headwise.reranking.lists import TreeList
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.pruner import PrunerSettings
from headwise.scoring.linear.tables import TableSizes
from headwise.scoring.neural.vectors import WordVectors
from headwise.scoring.neural.vectors import quantised as quantised_vectors
from headwise.scoring.neural.vocabulary import Vocabulary
from headwise.scoring.neural.wordfeatures import WordFeatures
from headwise.text.lemmas import Lemmatiser
from headwise.text.similarity.words import WordSimilarity
from headwise.text.tagger import Tagger, TaggerTraining
from headwise.text.tokeniser import Tokeniser, TokeniserTraining

TABLES = TableSizes(wide=6, narrow=6, filters=6, parts=6, labels=8)
BRACKETS = """\
(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))
(ROOT (S (NP (PRP she)) (VP (VBZ sees) (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN dog)))) (. .)))
(ROOT (S (NP (PRP she)) (VP (VBZ sees) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN cat))))) (. .)))
(ROOT (S (NP (NNS dogs)) (VP (VBP bark)) (. .)))
(ROOT (NP (NNS cats) (CC and) (NNS dogs)))
(ROOT (S (S (VP (VBG running))) (VP (VBZ helps)) (. .)))
""".splitlines()  # noqa: E501
TEXT = "Anna doesn't like trees. Nobody expected 10 letters yesterday, and Ben likes tea."
WORDS = ["she", "sees", "the", "man", "with", "a", "zebra", "."]
ASKED = (ParseOptions(), ParseOptions(kbest=3, marginals=True), ParseOptions(samples=2))


@dataclass(frozen=True, slots=True)
class Kind:
    """Functions that make a tiny model of a kind in a folder, and use it."""

    make: Callable[[Path], None]
    use: Callable[[Path], None]


def saved(made: Callable[[], Any]) -> Callable[[Path], None]:
    """A function that saves what is made."""
    return lambda folder: made().save(folder)


@cache
def trees() -> tuple[Sentence, ...]:
    """A dependency treebank."""
    return tuple(read_sample()) * 3


@cache
def brackets() -> tuple[Tree, ...]:
    """A constituency treebank."""
    return tuple(read_brackets(BRACKETS))


@cache
def similarity() -> WordSimilarity:
    """Similar words learned from the treebank."""
    words = [one.forms for one in trees()]
    return WordSimilarity(least=1, stop_words=2, neighbours=4).fit(words)


# ------------------------------------------------------------------------------- parsers


def parser(**settings: Any) -> Kind:
    """A dependency parser."""
    pruner = PrunerSettings(epochs=1, tables=TABLES)
    chosen = {"epochs": 1, "features": "paper-000", "tables": TABLES, "pruner": pruner, **settings}
    return Kind(saved(lambda: DependencyParser(**chosen).fit(trees())), use_parser)


def make_pipeline(folder: Path) -> None:
    """Train a pipeline with all stages."""
    made = trees()
    Pipeline(
        tokeniser=Tokeniser.fit(made, TokeniserTraining(bits=8, epochs=2)),
        tagger=Tagger.fit(made, TaggerTraining(bits=8, epochs=1, members=1, folds=2)),
        lemmas=Lemmatiser.fit(made),
        parser=DependencyParser(features="paper-000", epochs=1, tables=TABLES).fit(made),
    ).save(folder)


def tiny_network(characters: int = 4) -> NeuralParser:
    """A neural parser that has learnt nothing."""
    sizes = NetworkSizes(words=8, hashed=4, characters=characters, tags=4, layers=1, units=8,
                         arcs=8, relations=4, tagging=8)  # fmt: skip
    return NeuralParser(sizes=sizes, epochs=3)


def random_network(*, words_alone: bool = False) -> NeuralParser:
    """A neural parser of random weights: training would need JAX.

    words_alone: it has neither characters nor pretrained vectors.
    """
    made = tiny_network(0 if words_alone else 4)
    vectors = quantised_vectors(("tea",), np.ones((1, 4), np.float32))
    if words_alone:
        vectors = WordVectors.none()
    made.vocabulary_ = Vocabulary.of(trees(), vectors.words, characters=not words_alone)
    numbers = NumberedSentences.of(trees(), made.vocabulary_, WordFeatures(made.vocabulary_))
    weights = new_parameters(made.sizes, made.vocabulary_, vectors.dimensions, 0)
    made.arrays_, made.steps_ = quantised(weights, vectors, numbers)
    made.projective_ = made.single_root_ = True
    made.temperatures_ = UNFITTED
    made.report_ = {"epoch": 1, "epochs": 1, "history": [], "weights": 1, "vectors": 1,
                    "sentences": 1, "words": 1, "left_out": 0}  # fmt: skip
    return made


def make_ensemble(folder: Path) -> None:
    """Train a pipeline and make a committee of it and a network, with all their stages."""
    make_pipeline(folder)
    network = Pipeline(lemmas=Lemmatiser.fit(trees()), parser=random_network(words_alone=True))
    ensemble_of([network, as_pipeline(folder)]).save(folder, force=True)


# ---------------------------------------------------------------------------- checkpoints


class Stop(TrainingCallback):
    """Interrupts a training, which leaves a checkpoint, in its second epoch."""

    def progress(self, report: Report) -> None:
        """Ctrl-C, if it is time."""
        if report.epoch == 2:
            signal.raise_signal(signal.SIGINT)


class StopEpoch(TrainingCallback):
    """Interrupts a training after an epoch, or after the first with something in its record."""

    def __init__(self, key: str | None = None) -> None:
        self.key = key

    def epoch(self, record: dict[str, Any]) -> None:
        """Ctrl-C, if it is time."""
        if self.key is None or self.key in record:
            signal.raise_signal(signal.SIGINT)


def checkpoint_of(train: Callable[..., None], stop: TrainingCallback) -> Kind:
    """The checkpoint of a training that is interrupted, and goes on from it."""

    def make(folder: Path) -> None:
        with suppress(KeyboardInterrupt):
            train(folder, stop, resume=False)

    return Kind(make, lambda folder: train(folder, TrainingCallback(), resume=True))


def training_of(*, unlabelled: Sequence[Sentence] | None = None, **settings: Any) -> Kind:
    """The checkpoint of a dependency parser, without labels: their checkpoint is another kind."""
    given = {"epochs": 3, "features": "paper-000", "tables": TABLES, "labels": "none", **settings}

    def fit(folder: Path, callback: TrainingCallback, *, resume: bool) -> None:
        parser = DependencyParser(**given)
        parser.fit(trees(), trees(), unlabelled=unlabelled, checkpoint=folder,
                   resume=resume, callback=callback)  # fmt: skip

    return checkpoint_of(fit, Stop())


def label(checkpoint: Path, progress: Progress = silent) -> None:
    """Train a labeller, from its checkpoint if there is one."""
    chosen = LabellerSettings(epochs=2, members=2)
    train_labeller(trees(), AtomEncoder(), chosen, size=8, seed=0, bits=8,
                   progress=progress, checkpoint=checkpoint)  # fmt: skip


def make_label_checkpoint(folder: Path) -> None:
    """Interrupt the training of a labeller."""
    with suppress(KeyboardInterrupt):
        label(folder, lambda *_: signal.raise_signal(signal.SIGINT))
    labels_path(folder).rename(folder)


def resume_labels(folder: Path) -> None:
    """Go on from the checkpoint of a labeller."""
    beside = folder.with_name("of-labels")
    shutil.copytree(folder, labels_path(beside), dirs_exist_ok=True)
    label(beside)


def train_machine(checkpoint: Path, callback: TrainingCallback, *, resume: bool) -> None:
    """Train a Bayes point machine, with what there is of its members if it resumes."""
    parser = DependencyParser(learner="bayes-point", members=2, epochs=1, labels="none",
                              features="paper-000", tables=TABLES)  # fmt: skip
    parser.fit(trees(), trees(), checkpoint=checkpoint, resume=resume, callback=callback)


def make_member(folder: Path) -> None:
    """Interrupt the training of a Bayes point machine after its first member."""
    with suppress(KeyboardInterrupt):
        train_machine(folder, StopEpoch("member"), resume=False)
    member_path(folder, 1).rename(folder)


def use_member(folder: Path) -> None:
    """Train the other member, and average."""
    beside = folder.with_name("of-members")
    shutil.copytree(folder, member_path(beside, 1), dirs_exist_ok=True)
    shutil.rmtree(member_path(beside, 2), ignore_errors=True)
    train_machine(beside, TrainingCallback(), resume=True)


def boost(folder: Path, *, resume: bool = True) -> None:
    """Train a boosted parser, which leaves its last checkpoint, or go on from it."""
    parser = BoostedParser(rounds=2, cutoff=1)
    parser.fit(trees(), trees(), checkpoint=folder, resume=resume)


def solve_margins(
    loss: MarginName, folder: Path, callback: TrainingCallback, *, resume: bool
) -> None:
    """Train a link-margin parser, from its checkpoint with `resume`."""
    parser = LinkMarginParser(neighbours=4, epochs=3, tolerance=1e-9, loss=loss)
    parser.fit(trees(), similarity=similarity(), checkpoint=folder, resume=resume,
               callback=callback)  # fmt: skip


@cache
def neural_training() -> NeuralTraining:
    """The training of a network; its steps do nothing, since compiling them takes seconds."""
    parser = tiny_network()
    vectors = quantised_vectors(("tea",), np.ones((1, 4), np.float32))
    parser.vocabulary_ = Vocabulary.of(trees(), vectors.words, characters=True)
    parser.projective_ = parser.single_root_ = True
    training, _, _ = parser.prepared(trees(), trees(), vectors)
    return training


def train_network(folder: Path, callback: TrainingCallback, *, resume: bool) -> None:
    """Train a network, from its checkpoint with `resume`."""
    training = replace(neural_training(), checkpoint=folder, callback=callback)
    steps: defaultdict[Any, Any] = defaultdict(lambda: unchanged)
    idle = mock.patch.object(NeuralTraining, "compiled_steps", return_value=steps)
    with idle, mock.patch.object(NeuralDevelopment, "scores", return_value={"dev_las": 50.0}):
        training.run(resume=resume)


def unchanged(weights: Any, *_: Any) -> tuple[Any, float]:
    """The weights after a step, and its loss."""
    return weights, 1.0


def use_parser(folder: Path) -> None:
    """Parse, from raw text if there is a tokeniser, and format the result."""
    pipeline = as_pipeline(folder)
    sentences: Sequence[Sentence] = trees()[:4]
    if pipeline.tokeniser is not None:
        sentences = pipeline.tokeniser.split(TEXT)
    for options in ASKED if pipeline.parser is not None else ASKED[:1]:
        "".join(format_conllu(pipeline.annotate(sentences, options)))


# ------------------------------------------------------------------------------ rerankers


def dependency_lists() -> list[TreeList]:
    """Two trees per sentence: the gold tree, and a chain."""
    found = []
    for one in trees()[:4]:
        chain = one.with_tree(range(len(one)), one.relations)
        found.append(TreeList.of(one.id or "", [chain, one], [-1.0, -2.0]))
    return found


def constituency_lists() -> list[CandidateList]:
    """Two trees per sentence: the gold tree, and a flat one."""
    found = []
    for number, one in enumerate(brackets()):
        flat = " ".join(f"({leaf.tag} {leaf.form})" for leaf in one.leaves())
        (other,) = read_brackets([f"(ROOT (S {flat}))"])
        found.append(CandidateList.of(str(number), [other, one], [-1.0, -2.0]))
    return found


def reranker_of_dependencies(learner: str) -> Kind:
    """A reranker of dependency trees."""

    def make(folder: Path) -> None:
        made = LinearReranker(TREE_FEATURES, learner=learner, epochs=2, least=1)
        gold = [one.trees[1] for one in dependency_lists()]
        dependency_rerank.save(
            folder, dependency_rerank.fit_reranker(made, dependency_lists(), gold)
        )

    return Kind(make, rerank_dependencies)


def reranker_of_constituents(made: Callable[[], constituency_rerank.Reranker]) -> Kind:
    """A reranker of constituency trees."""

    def make(folder: Path) -> None:
        fitted = constituency_rerank.fit_reranker(made(), constituency_lists(), brackets())
        constituency_rerank.save(folder, fitted)

    return Kind(make, rerank_constituents)


def rerank_dependencies(folder: Path) -> None:
    """Rerank lists."""
    reranker = dependency_rerank.load(folder)
    for one in dependency_lists():
        dependency_rerank.reranked_list(reranker, one)


def rerank_constituents(folder: Path) -> None:
    """Rerank lists."""
    reranker = constituency_rerank.load(folder)
    for one in constituency_lists():
        constituency_rerank.reranked_list(reranker, one)


def parse_constituents(folder: Path) -> None:
    """Parse words, with tags and without, also where no tree covers them."""
    loaded = ConstituencyParser.load(folder)
    for forms in (WORDS, [".", "the", ".", "dogs"]):
        str(loaded.kbest(forms, 3).trees)
    str(loaded.parse(["dogs", "bark", "."], ["NNS", "XX", "."]))


def look_up(folder: Path) -> None:
    """Look up similar words."""
    loaded = WordSimilarity.load(folder)
    for word in ("tea", "a", "nowhere"):
        np.array([cosine for _, cosine in loaded.similar(word)])


KINDS = {
    "pipeline": Kind(make_pipeline, use_parser),
    "parser": parser(),
    "parser-joint": parser(labels="joint"),
    "parser-32-bits": parser(bits=32),
    "parser-2": parser(order=2),
    "parser-3": parser(order=3),
    "parser-4": parser(order=4),
    "neural": Kind(saved(random_network), use_parser),
    "neural-parts": Kind(
        saved(lambda: NeuralPartsParser(epochs=1, size=6).fit(trees(), base=random_network())),
        use_parser,
    ),
    "neural-words-alone": Kind(saved(partial(random_network, words_alone=True)), use_parser),
    "ensemble": Kind(make_ensemble, use_parser),
    "lexical": Kind(
        saved(lambda: LexicalParser(neighbours=4).fit(trees(), similarity=similarity())), use_parser
    ),
    "lexical-joint": Kind(
        saved(lambda: LexicalParser(variant="joint-tags").fit(trees())), use_parser
    ),
    "link-margin": Kind(
        saved(
            lambda: LinkMarginParser(neighbours=4, epochs=2, tolerance=0.5).fit(
                trees(), similarity=similarity()
            )
        ),
        use_parser,
    ),
    "boosting": Kind(saved(lambda: BoostedParser(rounds=1, cutoff=1).fit(trees())), use_parser),
    "checkpoint": training_of(),
    "checkpoint-3": training_of(order=3, pruner=PrunerSettings(epochs=1, tables=TABLES)),
    "checkpoint-perceptron": training_of(learner="perceptron"),
    "checkpoint-log-linear": training_of(learner="log-linear"),
    "checkpoint-arc-margin": training_of(learner="arc-margin"),
    "checkpoint-semisupervised": training_of(learner="semisupervised", unlabelled=trees()[:6]),
    "checkpoint-tree-targets": training_of(
        learner="semisupervised", targets="trees", unlabelled=trees()[:6]
    ),
    "checkpoint-joint": training_of(labels="joint"),
    "checkpoint-member": Kind(make_member, use_member),
    "checkpoint-labels": Kind(make_label_checkpoint, resume_labels),
    "checkpoint-boosting": Kind(lambda folder: boost(folder, resume=False), boost),
    "checkpoint-link-margin": checkpoint_of(partial(solve_margins, "local"), StopEpoch()),
    "checkpoint-tree-margin": checkpoint_of(partial(solve_margins, "global"), StopEpoch()),
    "checkpoint-neural": checkpoint_of(train_network, Stop()),
    "similarity": Kind(saved(similarity), look_up),
    "constituency-parser": Kind(
        saved(lambda: ConstituencyParser().fit(brackets())), parse_constituents
    ),
    "reranker": reranker_of_dependencies("log-linear"),
    "reranker-voted": reranker_of_dependencies("voted"),
    "reranker-constituents": reranker_of_constituents(
        lambda: LinearReranker(BRACKET_FEATURES, epochs=2, least=1)
    ),
    "tree-kernel-reranker": reranker_of_constituents(lambda: VotedTreePerceptron(epochs=2)),
}
"""All kinds of models, some more than once where different code loads them."""
