"""What a pipeline is made of: stages to train, stages of other models, tags to learn from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import UsageError
from headwise.parsers.base import Parser
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.storage import STAGES, TEXT_STAGES
from headwise.pipeline.training.parsedtext import TaughtText
from headwise.progress import Progress
from headwise.text.tagger import ONE_MEMBER, Tagger, jackknife

TrainTags = Literal["gold", "jackknife", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a pipeline is made.

    stages: stages of the pipeline.
    reuse: stages to take from trained models instead, each with its model.
    tags: tags the parser is trained on: the treebank's (`gold`), those of taggers that have not
        seen the sentence (`jackknife`), or `both`, every sentence under either.
    folds: number of folds of the jackknife; a treebank of fewer sentences has one for each.
    """

    stages: tuple[str, ...] = STAGES
    reuse: dict[str, str] = field(default_factory=dict)
    tags: TrainTags = "gold"
    folds: int = 10

    def check(self) -> None:
        """Raise if this cannot be made."""
        for name in (*self.stages, *self.reuse):
            if name not in STAGES:
                raise UsageError(f"there is no stage {name!r}; there are {', '.join(STAGES)}")
        if not self.stages:
            raise UsageError("no stage is left: there is nothing to train")
        if self.tags not in get_args(TrainTags):
            known = ", ".join(get_args(TrainTags))
            raise UsageError(f"train tags: {self.tags!r} is none of {known}")
        if self.folds < 2:
            raise UsageError(f"a jackknife has 2 folds or more, not {self.folds}")
        if self.learns_own_tags and "tagger" not in self.stages:
            raise UsageError("only a pipeline with a tagger can learn from its tags")
        if set(self.stages) <= set(self.reuse):
            raise UsageError("all stages are given: there is nothing to train")

    def fitting(self, parser: Parser) -> "Recipe":
        """The recipe without a tagger, if the parser finds tags by itself."""
        if not (self.trains("parser") and parser.finds_tags()):
            return self
        if self.tags != "gold":
            raise UsageError(
                f"--train-tags {self.tags} is for linear parsers: a neural one learns tags itself"
            )
        if "tagger" in self.reuse:
            raise UsageError("a neural parser tags by itself: leave out pipeline.reuse.tagger")
        return replace(self, stages=tuple(one for one in self.stages if one != "tagger"))

    @property
    def learns_own_tags(self) -> bool:
        """Whether the parser learns from tags other than the treebank's."""
        return self.tags != "gold" and self.trains("parser")

    def trains(self, stage: str) -> bool:
        """Whether a stage is trained."""
        return stage in self.stages and stage not in self.reuse

    def reused_stages(self) -> dict[str, Any]:
        """The stages that come from other models; worth loading before long work."""
        found = {name: getattr(as_pipeline(path), name) for name, path in self.reuse.items()}
        for name, stage in found.items():
            if stage is None:
                raise UsageError(f"{self.reuse[name]} has no stage {name!r}")
        return found


def train_text_stages(
    sentences: Sequence[Sentence],
    recipe: Recipe,
    given: Mapping[str, Any],
    progress: Progress,
    taught: TaughtText | None = None,
) -> Pipeline:
    """All stages but a parser that is to be trained; of parsed text, only the tagger learns."""
    stages = {name: stage for name, stage in given.items() if name in recipe.stages}
    for name, kind in TEXT_STAGES.items():
        if not recipe.trains(name):
            continue
        if name == "tagger" and taught is not None:
            weight = taught.teaching.gold_weight
            text = list(taught)
            stages[name] = Tagger.fit(sentences, progress=progress, text=text, gold_weight=weight)
        else:
            stages[name] = kind.fit(sentences, progress=progress)
    return Pipeline(**stages)


def parser_sentences(
    sentences: Sequence[Sentence], pipeline: Pipeline, recipe: Recipe, progress: Progress
) -> list[Sentence]:
    """What the parser learns from: sentences under the tags that the recipe says."""
    if not recipe.learns_own_tags:
        return list(sentences)
    tagged = jackknife(sentences, min(recipe.folds, len(sentences)), progress=progress)
    if pipeline.lemmas is not None:
        tagged = pipeline.lemmas.lemmatise(tagged)
    return tagged if recipe.tags == "jackknife" else [*sentences, *tagged]


def text_for_parser(
    taught: TaughtText,
    sentences: Sequence[Sentence],
    pipeline: Pipeline,
    recipe: Recipe,
    progress: Progress,
) -> list[Sentence]:
    """Parsed text as a parser learns from it that has all sentences in memory: whole trees only.

    Tags are the teacher's, or those of a tagger that has learnt from the treebank alone: its
    mistakes are those of a tagger on new text. With `both`, every other sentence has these.
    """
    text = list(taught.whole)
    if recipe.learns_own_tags:
        tagger = Tagger.fit(sentences, ONE_MEMBER)
        own = text if recipe.tags == "jackknife" else text[1::2]
        tagged = tagger.tag(own)
        text = tagged if recipe.tags == "jackknife" else [*text[::2], *tagged]
        progress("tagging text", 1, 1)
    else:
        text = [one for one in text if not (taught.names.upos and MISSING in one.upos)]
    return text if pipeline.lemmas is None else pipeline.lemmas.lemmatise(text)
