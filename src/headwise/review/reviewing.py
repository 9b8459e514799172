"""Review a treebank: each fold is judged by models trained on all others."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from headwise.corpus.folds import folds_of
from headwise.corpus.output import write_text
from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import is_projective
from headwise.errors import HeadwiseError, InputError, UsageError
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.checkpoint import checksum
from headwise.learners.data import check_tree
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.neural.parser import MANY_CROSSING, NeuralParser
from headwise.processes.pools import in_processes
from headwise.progress import Progress, silent
from headwise.review.frequencies import Frequencies
from headwise.review.judges import TAGS, TREES, Judges, fitted_tag_temperature
from headwise.review.opinions import ATTRIBUTES, COLUMNS
from headwise.review.ranking import Ranking, Suspicion, ranked, suspicions
from headwise.storage.jsonfile import read_json_file
from headwise.storage.settings import check_types, from_mapping
from headwise.text.annotating import has_tags
from headwise.text.tagger import ONE_MEMBER, Tagger

KILLED = "a process that reviewed a fold was killed, perhaps for lack of memory: use fewer --jobs"


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """The settings of a review.

    folds: the number of folds; each is judged by models trained on all others.
    scorer: the scorer of the parsers: linear (with a tagger of its own) or neural (which tags).
    fast: use first-order linear parsers.
    columns: the columns to judge: head, deprel, upos, xpos, feats.
    seed: random seed for training.
    """

    folds: int = 5
    scorer: Literal["linear", "neural"] = "linear"
    fast: bool = False
    columns: tuple[str, ...] = ("head", "deprel", "upos", "xpos")
    seed: int = 0

    def check(self) -> None:
        """Raise if a setting is invalid."""
        check_types(self)
        if self.fast and self.scorer == "neural":
            raise UsageError("--fast is the first order of --scorer linear: leave one of them out")
        for name in self.columns:
            if name not in COLUMNS:
                raise UsageError(f"no column {name!r} is judged: choose from {', '.join(COLUMNS)}")
        if not self.columns:
            raise UsageError(f"there is nothing to judge: choose from {', '.join(COLUMNS)}")

    def parser(self, sentences: Sequence[Sentence]) -> DependencyParser | NeuralParser:
        """An untrained parser; non-projective if the treebank has many crossing arcs."""
        if self.scorer == "neural":
            return NeuralParser(seed=self.seed)
        crossing = sum(not is_projective([-1, *one.heads]) for one in sentences)  # type: ignore[list-item]
        if crossing >= MANY_CROSSING * len(sentences):
            return DependencyParser(order=1, decoder="non-projective", seed=self.seed)
        return DependencyParser(order=1 if self.fast else 3, seed=self.seed)


@dataclass(frozen=True, slots=True)
class Fold:
    """Sentences to judge, sentences to train on, and the index of the first one in the file."""

    number: int
    others: Sequence[Sentence]
    own: Sequence[Sentence]
    start: int


def review(
    sentences: Sequence[Sentence],
    settings: ReviewSettings | None = None,
    *,
    more: Sequence[Sentence] = (),
    file: str = "",
    jobs: int = 1,
    cache: Path | None = None,
    progress: Progress = silent,
    callback: TrainingCallback | None = None,
) -> Ranking:
    """Rank the values of a treebank by how likely they are wrong.

    more: additional training sentences for all models; they are not judged.
    file: the name of the treebank, for the ranking.
    jobs: the number of folds judged in parallel, each in its own process.
    cache: a folder for finished folds, from which an interrupted review resumes.
    progress: reports finished folds; callback: reports training, with one job.
    """
    settings = settings or ReviewSettings()
    callback = callback or TrainingCallback()
    settings.check()
    judged = values_judged(sentences, settings.columns)
    for sentence in (*sentences, *more):
        check_tree(sentence)
    found: list[Suspicion] = []
    folds = judged_folds(sentences, settings, more, jobs, cache, callback)
    for done, own in enumerate(folds, 1):
        found += own
        progress("fold", done, settings.folds)
    return Ranking(file, judged, tuple(ranked(found)))


def values_judged(sentences: Sequence[Sentence], columns: Sequence[str]) -> dict[str, int]:
    """The number of values to judge in each column; raises if there are none."""
    if not sentences:
        raise InputError("there is no sentence to review")
    given = {"head": sum(map(len, sentences))} | {
        name: sum(len(one) - one.count_missing(attribute) for one in sentences)
        for name, attribute in ATTRIBUTES.items()
    }
    judged = {name: given[name] for name in columns if given[name]}
    if not judged:
        raise InputError(f"no word has any of {', '.join(columns)}", sentences[0].location)
    return judged


def judged_folds(
    sentences: Sequence[Sentence],
    settings: ReviewSettings,
    more: Sequence[Sentence],
    jobs: int,
    cache: Path | None,
    callback: TrainingCallback,
) -> Iterator[list[Suspicion]]:
    """The suspicious values of each fold as it finishes; cached folds come first."""
    identity = identity_of(sentences, settings, more)
    todo, start = [], 0
    for number, (others, own) in enumerate(folds_of(sentences, settings.folds), 1):
        fold = Fold(number, [*others, *more], own, start)
        start += len(own)
        kept = None if cache is None else read_fold(cache, number, identity)
        if kept is None:
            todo.append(fold)
        else:
            yield kept
    work = partial(judge_fold, settings, callback=callback if jobs == 1 else TrainingCallback())
    for place, found in in_processes(work, todo, jobs, killed=KILLED):
        if cache is not None:
            keep_fold(cache, todo[place].number, identity, found)
        yield found


def judge_fold(
    settings: ReviewSettings, fold: Fold, *, callback: TrainingCallback
) -> list[Suspicion]:
    """The suspicious values of a fold."""
    judges = train_judges(settings, fold, callback)
    opinions = list(judges.opinions(fold.own, settings.columns))
    found = suspicions(opinions, fold.own)
    return [replace(one, number=one.number + fold.start) for one in found]


def train_judges(settings: ReviewSettings, fold: Fold, callback: TrainingCallback) -> Judges:
    """Models trained on all other folds, calibrated on this one."""
    parser, search = settings.parser(fold.others), None
    frequencies = {name: Frequencies.of(name, fold.others) for name in ATTRIBUTES}
    tags = [one for one in TAGS if one in settings.columns]
    if parser.finds_tags() or not set(settings.columns).isdisjoint(TREES):
        parser.fit(fold.others, callback=callback)
        search = parser.calibrate(fold.own).search()
    if parser.finds_tags() or not tags or not any(map(has_tags, fold.others)):
        return Judges(search, frequencies)
    training = replace(ONE_MEMBER, feats="feats" in tags, seed=settings.seed + 1)
    tagger = Tagger.fit(fold.others, training, callback.stage)
    temperature = fitted_tag_temperature(tagger, fold.own, tags)
    return Judges(search, frequencies, tagger, temperature)


def identity_of(
    sentences: Sequence[Sentence], settings: ReviewSettings, more: Sequence[Sentence]
) -> str:
    """A hash of the settings and the sentences, which identifies a review."""
    rows = [repr(settings)]
    for one in (*sentences, *more):
        rows.append(repr((one.forms, one.lemmas, one.upos, one.xpos, one.feats, one.heads)))
        rows.append(repr(one.relations))
    return checksum(rows)


def keep_fold(cache: Path, number: int, identity: str, found: Sequence[Suspicion]) -> None:
    """Cache the suspicions of a fold."""
    cache.mkdir(parents=True, exist_ok=True)
    data = {"review": identity, "suspicions": [asdict(one) for one in found]}
    write_text(cache / f"fold-{number}.json", iter([json.dumps(data)]))


def read_fold(cache: Path, number: int, identity: str) -> list[Suspicion] | None:
    """The cached suspicions of a fold of the same review, if there are any."""
    try:
        data = read_json_file(cache / f"fold-{number}.json")
        if data["review"] != identity:
            return None
        return [from_mapping(Suspicion, row) for row in data["suspicions"]]
    except (HeadwiseError, LookupError, TypeError, AttributeError):
        return None
