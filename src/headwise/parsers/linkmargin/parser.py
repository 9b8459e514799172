"""LinkMarginParser: learns links by large margins, parses by links seen or like them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from headwise.corpus.documents import all_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError, warn
from headwise.inference.temperatures import UNFITTED, ModelTemperatures
from headwise.learners.callbacks import TrainingCallback, without_times
from headwise.learners.checkpoint import fingerprint
from headwise.parameters import flag
from headwise.parsers.base import NOT_FITTED, TrainingInputs
from headwise.parsers.calibrated import CalibratedParser
from headwise.parsers.lexical.lexicon import checked_coverage
from headwise.parsers.linkmargin.data import MarginData, margin_data, words_of
from headwise.parsers.linkmargin.links import Association, count_association
from headwise.parsers.linkmargin.search import LinkModel, LinkSearch
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.parsers.linkmargin.solving import Saved, link_model, solve, validated
from headwise.parsers.unlabelled import UnlabelledParser, learnt_from
from headwise.text.similarity.words import WordSimilarity


@dataclass(kw_only=True, eq=False)
class LinkMarginParser(LinkMarginSettings, UnlabelledParser, CalibratedParser):
    """A parser of links between words, without tags."""

    kind = "link-margin"
    uses = frozenset({"similarity", "unlabelled", "log"})
    streams_unlabelled = True
    may_change = ("epochs", "tolerance")
    without_similarity = "neighbours=0 and laplacian=0"

    model_: LinkModel = field(init=False, repr=False)
    temperatures_: ModelTemperatures = field(init=False, repr=False)

    def fit(
        self,
        sentences: Iterable[Sentence],
        dev: Iterable[Sentence] | None = None,
        *,
        similarity: WordSimilarity | None = None,
        text: Iterable[Sequence[str]] = (),
        checkpoint: str | Path | None = None,
        resume: bool = False,
        callback: TrainingCallback | None = None,
    ) -> "LinkMarginParser":
        """Learn from gold trees, crossing arcs lifted; `dev` decides on the temperatures alone.

        `similarity` is needed unless nothing is smoothed. `text` are sentences of words, whose PMI
        is counted besides that of the treebank. `checkpoint` is a folder to go on from with
        `resume`, should training be cut short; it is left there.
        """
        self.check()
        resume = flag("resume", resume)
        self.check_similarity(similarity)
        given = list(all_sentences(sentences))
        dev = None if dev is None else list(all_sentences(dev))
        kept = learnt_from(given, self.longest)
        association = self.associated(kept, text)
        data = margin_data(kept, self, similarity, association)
        self.report_ = {"sentences": len(kept), "left_out": len(given) - len(kept)}
        if similarity is not None:
            words = (word for one in kept for word in words_of(one, self.lowercase))
            self.report_ |= checked_coverage(similarity, words)
        folder = Path(checkpoint) if checkpoint is not None else None
        saved = Saved.at(folder, self.training_identity(data), resume=resume)
        beta = self.chosen_beta(kept, similarity, association, saved)
        at = solve(data, data.programme(self, beta), self, saved, callback)
        warn_if_unsolved(self, saved.history[-1])
        self.model_ = link_model(data, at, self, association)
        self.temperatures_ = UNFITTED
        self.report_ |= {
            "words": data.words,
            "vocabulary": len(data.lexicon.known),
            "pairs": len(data.table.keys),
            "ties": len(data.ties),
            "margins": self.margins_of(data),
            "beta": beta,
            "history": without_times(saved.history),
        }
        if saved.validation:
            self.report_["validation"] = {
                value: list(folds) for value, folds in saved.validation.items()
            }
        if dev is not None:
            self.calibrate(dev)
            self.report_ |= {f"dev_{key}": 100 * one for key, one in self.scores(dev).items()}
        return self

    def fit_from(self, inputs: TrainingInputs) -> "LinkMarginParser":
        """Train on sentences, similar words, and the words of unlabelled sentences."""
        return self.fit(
            inputs.sentences,
            inputs.dev,
            similarity=inputs.similarity,
            text=(sentence.forms for sentence in inputs.unlabelled or ()),
            checkpoint=inputs.checkpoint,
            resume=inputs.resume,
            callback=inputs.callback,
        )

    def summary(self) -> str:
        report, last = self.report_, self.report_["history"][-1]
        solved = (
            f"epoch {last['epoch']}, beta {report['beta']:g}, gap {last['gap']:.2%}, "
            f"{report['pairs']:,} pairs of words, {report['margins']:,} margins"
        )
        return ", ".join([solved, *self.dev_summary()])

    def associated(
        self, sentences: Sequence[Sentence], text: Iterable[Sequence[str]]
    ) -> Association | None:
        """PMI of words in the treebank and in text, if it is looked at."""
        if "pmi" not in self.features:
            return None
        own = (words_of(one, self.lowercase) for one in sentences)
        more = ([word.lower() for word in one] if self.lowercase else one for one in text)
        return count_association(chain(own, more))

    def chosen_beta(
        self,
        sentences: Sequence[Sentence],
        similarity: WordSimilarity | None,
        association: Association | None,
        saved: Saved,
    ) -> float:
        """β, by cross-validation if there is a choice; of equals, the largest."""
        if not self.betas:
            return self.beta
        found = validated(sentences, self, similarity, association, saved)
        return max(self.betas, key=lambda beta: (np.mean(found[str(beta)]), beta))

    def margins_of(self, data: MarginData) -> int:
        """How many margins there are; of trees, one is counted for each sentence."""
        if self.loss == "global":
            return len(data)
        return 2 * (len(data.links.pair) - data.words)

    def training_identity(self, data: MarginData) -> dict[str, Any]:
        """What must be the same for training to resume from a checkpoint."""
        arrays = (*data.links, data.table.keys, data.ties.first, data.ties.similarity)
        return {
            "settings": self.identity(guided=False),
            "training sentences": fingerprint(arrays),
        }

    def search(self) -> LinkSearch:
        if not hasattr(self, "model_"):
            raise UsageError(NOT_FITTED)
        return LinkSearch(self.model_, self.temperatures_)


def warn_if_unsolved(settings: LinkMarginSettings, last: dict[str, Any]) -> None:
    """Warn if the last pass is not near enough to the solution."""
    if last["gap"] > settings.tolerance:
        warn(
            f"the programme is not solved after {last['epoch']} epochs: its objective may be "
            f"{last['gap']:.1%} too high (asked for: {settings.tolerance:.2%}); what was reached "
            "is kept; more epochs, or a larger beta, bring it nearer"
        )
