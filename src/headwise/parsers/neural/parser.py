"""NeuralParser: a network that tags, finds heads and names relations, trained on a treebank.

Training needs JAX (`pip install 'headwise[neural]'`); parsing needs nothing but Headwise.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from headwise.corpus.documents import all_sentences
from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import is_projective, one_root
from headwise.errors import InputError, UsageError, warn
from headwise.inference.neuralsearch import NeuralSearch
from headwise.inference.temperatures import UNFITTED, ModelTemperatures
from headwise.learners.neural.settings import NeuralSettings
from headwise.learners.partial import can_complete, known_heads, says_roots
from headwise.parameters import flag
from headwise.parsers.arcparser import ArcParser
from headwise.parsers.base import NOT_FITTED, check_device
from headwise.scoring.neural.jaxdevice import accelerator
from headwise.scoring.neural.layers import MAX_INPUTS
from headwise.scoring.neural.network import Network
from headwise.scoring.neural.vectors import WordVectors, read_vectors
from headwise.scoring.neural.vocabulary import Vocabulary
from headwise.scoring.neural.wordfeatures import HASHED, WordFeatures

if TYPE_CHECKING:
    from headwise.learners.callbacks import TrainingCallback
    from headwise.learners.neural.batches import NumberedSentences
    from headwise.learners.neural.training import NeuralTraining

LONGEST_TRAINED = 400
"""Words of the longest sentence that is learnt from: all rows of a batch are as long."""

MANY_CROSSING = 0.1
"""The share of sentences with crossing arcs from which on search is non-projective by default."""

DEV_TOKENS = 8000
"""Of a batch of development data."""


@dataclass(kw_only=True, eq=False)
class NeuralParser(NeuralSettings, ArcParser):
    """A dependency parser with a neural scorer, which finds tags as well."""

    kind = "neural"
    uses = frozenset({"log", "vectors", "text"})
    may_change = ("device",)

    _network: tuple[Any, Network | None] = field(init=False, repr=False, default=(None, None))
    vocabulary_: Vocabulary = field(init=False, repr=False)
    arrays_: Mapping[str, Any] = field(init=False, repr=False)
    steps_: dict[str, float] = field(init=False, repr=False)
    projective_: bool = field(init=False, repr=False)
    single_root_: bool = field(init=False, repr=False)
    temperatures_: ModelTemperatures = field(init=False, repr=False)

    def fit(
        self,
        sentences: Iterable[Sentence],
        dev: Iterable[Sentence] | None = None,
        *,
        vectors: str | Path | None = None,
        text: Iterable[Sentence] | None = None,
        gold_weight: int = 3,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        callback: "TrainingCallback | None" = None,
    ) -> "NeuralParser":
        """Learn from gold trees and tags; with `dev`, the epoch is kept that is best there.

        `vectors` is a file of pretrained word vectors. `text` are sentences that other models have
        parsed, which are read several times; heads and tags that are missing are not learnt from.
        An epoch has them once, and the gold trees `gold_weight` times. `checkpoint` is a folder to
        go on from with `resume`, should training be cut short; it is left there.
        """
        from headwise.scoring.neural.jaxdevice import on_device

        self.check()
        resume = flag("resume", resume)
        gold = list(all_sentences(sentences))
        others = None if dev is None else list(all_sentences(dev))
        kept = learnt_from(gold, partial=self.partial)
        known = [np.array(known_heads(one), np.int64) for one in kept]
        trees = (heads.tolist() for heads in known if says_roots(heads))
        self.single_root_ = one_root(self.single_root, trees)
        self.projective_ = self.is_projective([one for one in kept if one.has_tree])
        kept = self.with_reachable(kept)
        found = self.vectors_for(kept, vectors)
        more = None if text is None else self.learnable(text)
        counts = None if more is None else word_counts(more)
        self.vocabulary_ = Vocabulary.of(
            kept, found.words, self.min_count, counts, characters=self.sizes.characters > 0
        )
        self.check_inputs(found.dimensions)
        near = None if checkpoint is None else Path(checkpoint).resolve().parent
        with on_device(self.device):
            training, numbered, numbered_dev = self.prepared(
                kept, others, found, more, gold_weight, near
            )
            training.left_out = len(gold) - len(kept)
            training.checkpoint = None if checkpoint is None else Path(checkpoint)
            training.callback = callback or training.callback
            best, run = training.run(resume=resume)
        self.finish(best, run, found, numbered, numbered_dev)
        self.report_ |= {
            "sentences": len(kept),
            "words": sum(map(len, kept)),
            "left_out": len(gold) - len(kept),
            "epochs": training.epochs,
            "vectors": len(found.words),
        }
        if more is not None:
            sentences_of_text = len(numbered) - len(kept)
            words = int(numbered.starts[-1]) - len(numbered) - self.report_["words"]
            self.report_["text"] = {
                "sentences": sentences_of_text, "words": words, "gold_weight": gold_weight
            }  # fmt: skip
        if others is not None:
            self.calibrate(others)
        return self

    def is_projective(self, sentences: Sequence[Sentence]) -> bool:
        """Whether search is projective: as chosen, or unless many trees have crossing arcs."""
        if self.decoder != "auto":
            return self.decoder == "projective"
        crossing = sum(not is_projective([-1, *one.heads]) for one in sentences)  # type: ignore[list-item]
        return not crossing or crossing < MANY_CROSSING * len(sentences)

    def with_reachable(self, sentences: list[Sentence]) -> list[Sentence]:
        """The sentences less those that lack heads and whose other heads no searched tree has."""
        if self.loss == "local":
            return sentences
        root, projective = self.single_root_, self.projective_
        kept = [
            one
            for one in sentences
            if one.has_tree or can_complete(one, single_root=root, projective=projective)
        ]
        if not kept:
            raise InputError("no sentence has heads that search can find", sentences[0].location)
        return kept

    @property
    def learns_partial(self) -> bool | None:
        return self.partial

    def learnable(self, text: Iterable[Sentence]) -> "Stream":
        """Parsed text as it is learnt from: whole trees, where the loss is one of trees."""
        from headwise.learners.data import lifted

        if self.loss == "local":
            return Stream(text, lambda one: one if len(one) <= LONGEST_TRAINED else None)

        def whole(one: Sentence) -> Sentence | None:
            if len(one) > LONGEST_TRAINED or not one.has_tree:
                return None
            return lifted(one, "none") if self.projective_ else one

        return Stream(text, whole)

    def check_inputs(self, dimensions: int) -> None:
        """Raise if there are more inputs than can be added exactly."""
        sizes = self.sizes
        inputs = sizes.words + len(HASHED) * sizes.hashed + sizes.characters + dimensions
        if inputs > MAX_INPUTS:
            raise UsageError(
                f"a word has {inputs} inputs, {dimensions} of them by its vector, but at most "
                f"{MAX_INPUTS} can be added exactly: lower sizes.words, sizes.hashed or "
                "sizes.characters"
            )
        inputs = 2 * sizes.units + sizes.tags * len(self.vocabulary_.columns)
        if inputs > MAX_INPUTS:
            raise UsageError(
                f"a layer has {inputs} inputs, but at most {MAX_INPUTS} can be added exactly: "
                "lower sizes.units or sizes.tags"
            )

    def vectors_for(self, sentences: Sequence[Sentence], path: str | Path | None) -> WordVectors:
        """The first vectors of a file, and those of words of the treebank."""
        if path is None:
            return WordVectors.none()
        forms = {form for one in sentences for form in one.forms}
        found = read_vectors(path, forms | {form.lower() for form in forms}, self.max_vectors)
        known = set(found.words)
        if not any(form in known or form.lower() in known for form in forms):
            message = f"{path}: no word of the treebank has a vector: is it of another language?"
            warn(message)
        return found

    def prepared(
        self,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        vectors: WordVectors,
        text: "Stream | None" = None,
        gold_weight: int = 1,
        near: Path | None = None,
    ) -> "tuple[NeuralTraining, NumberedSentences, NumberedSentences | None]":
        """What is learnt from and compared with, as numbers; those of text are on disk, `near`."""
        from headwise.learners.data import check_tree, lifted
        from headwise.learners.neural.batches import NumberedSentences, stored_numbers
        from headwise.learners.neural.development import NeuralDevelopment
        from headwise.learners.neural.initialising import new_parameters
        from headwise.learners.neural.training import NeuralTraining
        from headwise.search.decoders.choice import decoder_of

        words = WordFeatures(self.vocabulary_)
        if self.projective_ and self.loss != "local":  # trees that search can find
            sentences = [lifted(one, "none") if one.has_tree else one for one in sentences]
        if text is None:
            data, times = NumberedSentences.of(sentences, self.vocabulary_, words), None
        else:
            data = stored_numbers(chain(sentences, text), self.vocabulary_, near)
            times = np.ones(len(data), np.int64)
            times[: len(sentences)] = gold_weight
        decoder = decoder_of(
            projective=self.projective_, higher=False, single_root=self.single_root_
        )
        initial = new_parameters(self.sizes, self.vocabulary_, vectors.dimensions, self.seed)
        identity = {"settings": self.identity(guided=False)}
        floats = vectors.as_floats()
        training = NeuralTraining(self, data, floats, decoder, initial, identity, times=times)
        if dev is None:
            return training, data, None
        if not dev:
            raise InputError("there is no sentence in the development data")
        for sentence in dev:
            check_tree(sentence)
        compared = NumberedSentences.of(dev, self.vocabulary_, words)
        training.development = NeuralDevelopment.of(
            compared, floats, self.vocabulary_, DEV_TOKENS, self.projective_, self.single_root_
        )
        return training, data, compared

    def finish(
        self,
        best: Mapping[str, Any],
        run: Any,
        vectors: WordVectors,
        data: "NumberedSentences",
        dev: "NumberedSentences | None",
    ) -> None:
        """Make the weights whole numbers."""
        from headwise.learners.callbacks import without_times
        from headwise.learners.neural.development import dev_scores
        from headwise.learners.neural.quantising import quantised

        self.arrays_, self.steps_ = quantised(best, vectors, data)
        self.temperatures_ = UNFITTED
        self.report_ = {
            "epoch": run.best_epoch or run.epoch,
            "history": without_times(run.history),
            "weights": int(sum(one.size for one in self.arrays_.values())),
        }
        if dev is None:
            return
        self.report_ |= dev_scores(self.search(), dev)
        if run.best_epoch:
            floats = run.history[run.best_epoch - 1]
            self.report_ |= {f"{name}_floats": floats[name] for name in ("dev_uas", "dev_las")}

    @property
    def network(self) -> Network:
        """The network, made once of the arrays that were learnt."""
        if not hasattr(self, "arrays_"):
            raise UsageError(NOT_FITTED)
        arrays, network = self._network
        if arrays is not self.arrays_:
            network = Network.of(self.arrays_, self.steps_)
            self._network = self.arrays_, network
        assert network is not None
        return network

    def use_device(self, name: str) -> None:
        """Compute scores on `cpu`, on `cuda`, or (`auto`) on an accelerator if there is one.

        What it finds is the same. After `fit` it is the CPU again.
        """
        device = None if check_device(name) == "cpu" else accelerator(name)
        if self.network.on_accelerator:
            self._network = (None, None)
        if device is not None:
            from headwise.scoring.neural.accelerated import AcceleratedNetwork

            self._network = self.arrays_, AcceleratedNetwork.at(self.network, device)

    @property
    def found_tags(self) -> tuple[str, ...]:
        return self.vocabulary_.columns if hasattr(self, "vocabulary_") else ()

    def tag_names(self, column: str) -> Iterable[str]:
        return self.vocabulary_.tags(column) if column in self.found_tags else ()

    @classmethod
    def finds_tags(cls) -> bool:
        return True

    def skipped_for_gaps(self) -> dict[str, str]:
        """Words without a value of a column do not teach it; all others do."""
        return {"upos": "words", "relations": "words"}

    def missing_columns(self, lacks: Mapping[str, bool]) -> list[str]:
        found = []
        if lacks["relations"]:
            found.append("no word has a relation, so that the parser will find heads only")
        if lacks["upos"] and lacks["xpos"]:
            found.append("no word has a tag, so that the parser will find none")
        return found

    def search(self) -> NeuralSearch:
        return NeuralSearch(
            self.network,
            self.vocabulary_,
            self.projective_,
            self.single_root_,
            self.temperatures_,
        )

    def summary(self) -> str:
        report = self.report_
        parts = [f"epoch {report['epoch']}"]
        if "dev_uas" in report:
            parts.append(f"dev UAS {report['dev_uas']:.2f}, LAS {report['dev_las']:.2f} (own tags)")
        parts.append(f"{report['weights']:,} weights")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Sentences that can be read again and again, each changed, or left out."""

    source: Iterable[Sentence]
    change: Callable[[Sentence], Sentence | None]

    def __iter__(self) -> Iterator[Sentence]:
        """The sentences, from the first on."""
        return (one for one in map(self.change, self.source) if one is not None)


def word_counts(sentences: Iterable[Sentence]) -> Counter[str]:
    """How often each lowercased word occurs."""
    return Counter(form.lower() for one in sentences for form in one.forms)


def learnt_from(sentences: Sequence[Sentence], *, partial: bool = False) -> list[Sentence]:
    """The sentences that are learnt from; all must have trees, and not be too long.

    partial: whether heads may be missing.
    """
    from headwise.learners.data import learnable

    kept = learnable(sentences, LONGEST_TRAINED, partial=partial)
    if len(kept) < len(sentences):
        message = (
            f"{len(sentences) - len(kept)} sentences of more than {LONGEST_TRAINED} words are not "
            "learnt from"
        )
        warn(message)
    return kept
