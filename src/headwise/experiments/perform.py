"""One run of an experiment: train, parse, score, store the result.

A PCFG can be a dependency parser, too: head rules convert its trees into dependencies. It takes the
role of Collins's parser in McDonald et al. (2005), table 3, alone and as a guide.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from headwise.constituency.files import read_trees
from headwise.constituency.parser import ConstituencyParser
from headwise.corpus.constituents import Tree, remove_traces
from headwise.corpus.folds import folds_of
from headwise.corpus.formats import DEFAULT_HEAD_RULES
from headwise.corpus.headrules import HeadRules, to_sentence
from headwise.corpus.sentence import Sentence
from headwise.errors import ModelError, warn
from headwise.evaluate import evaluate
from headwise.evaluate.comparison import head_verdicts
from headwise.experiments.results import Result, Results, Views
from headwise.experiments.runs import ExperimentRun
from headwise.experiments.treebanks import Treebank, sample
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.checkpoint import can_resume, remove_checkpoint
from headwise.parsers.graph.parser import DependencyParser
from headwise.progress import Progress
from headwise.text.tagger import Tagger, jackknife

Guides = tuple[list[Sentence], list[Sentence], list[Sentence]]
"""Another parser's trees of train, dev and the scored split."""


@dataclass(frozen=True, slots=True)
class Task:
    """A run, its treebank, and the folder of results."""

    run: ExperimentRun
    treebank: Treebank
    folder: Path


def perform(task: Task, callback: TrainingCallback | None = None) -> Result:
    """Do a run and keep what came out; interrupted, it resumes when called again."""
    callback = callback or TrainingCallback()
    run, treebank = task.run, task.treebank
    gold = treebank.sentences(run.scored_on)
    if run.parser == "grammar":
        parsed, data = grammar_run(task, callback.stage)
    else:
        parsed, data = parser_run(task, gold, callback)
    found = evaluate(gold, parsed)
    used = dict.fromkeys(("train", "dev", run.scored_on))
    data |= {
        "treebank": run.treebank,
        "settings": run.given(),
        **run.extras(),
        "data": {split: treebank.checksums[split] for split in used},
        "scores": found.to_json(),
    }
    views: Views = (found.all_tokens.counts, found.without_punctuation.counts)
    results = Results(task.folder)
    kept = results.keep(run, data, views, head_verdicts(gold, parsed))
    remove_checkpoint(results.checkpoint(run))
    return kept


def grammar_run(task: Task, progress: Progress) -> tuple[list[Sentence], dict[str, Any]]:
    """What a grammar makes of the sentences, and how long it took."""
    start = time.process_time()
    grammar = trained_grammar(task.treebank, progress)
    trained = time.process_time()
    parsed = grammar_trees(grammar, task.treebank, task.run.scored_on, progress)
    times = {
        "processor_seconds": round(trained - start, 3),
        "parse_seconds": round(time.process_time() - trained, 3),
    }
    return parsed, times


def parser_run(
    task: Task, gold: Sequence[Sentence], callback: TrainingCallback
) -> tuple[list[Sentence], dict[str, Any]]:
    """The trees of a dependency parser, and the figures of its training."""
    run, treebank = task.run, task.treebank
    parser = DependencyParser(**run.settings)
    train: Sequence[Sentence] = sample(treebank.sentences("train"), run.sentences, parser.seed)
    dev = treebank.sentences("dev")
    if run.tagging != "gold":
        train, dev, gold = retagged(run, [train, dev, gold], callback.stage)
    guides = guides_of(run, treebank, callback.stage)
    checkpoint = Results(task.folder).checkpoint(run)
    task.folder.mkdir(parents=True, exist_ok=True)
    is_resumed = can_resume(checkpoint)
    start, processor_start = time.perf_counter(), time.process_time()
    fit = partial(
        parser.fit,
        train,
        dev,
        guides=guides[0] if guides else None,
        dev_guides=guides[1] if guides else None,
        checkpoint=checkpoint,
        callback=callback,
    )
    try:
        fit(resume=True)
    except ModelError as error:  # of another version, or of other files
        message = f"restarted, as the checkpoint cannot be used: {error}"
        warn(message)
        is_resumed = False
        remove_checkpoint(checkpoint)
        fit()
    seconds, processor = time.perf_counter() - start, time.process_time() - processor_start
    start = time.process_time()
    parsed = parser.predict(gold, guides[2] if guides else None)
    data: dict[str, Any] = {"parse_seconds": round(time.process_time() - start, 3)}
    if not is_resumed:  # otherwise only the last part was timed
        data |= {"seconds": round(seconds, 3), "processor_seconds": round(processor, 3)}
    report = parser.report_
    data |= {name: report[name] for name in ("epoch", "features", "pruner") if name in report}
    data["members"] = [member["dev_uas"] for member in report["members"]]
    return parsed, data


def retagged(
    run: ExperimentRun, splits: Sequence[Sequence[Sentence]], progress: Progress
) -> list[list[Sentence]]:
    """Training data and what is parsed, under tags that no one has corrected."""
    train, *others = splits
    progress("training a tagger", 0, 1)
    tagger = Tagger.fit(train)
    own = list(train) if run.tagging == "predicted" else jackknife(train, progress=progress)
    return [own, *map(tagger.tag, others)]


def guides_of(run: ExperimentRun, treebank: Treebank, progress: Progress) -> Guides | None:
    """The trees that a guided parser is shown."""
    if run.guide == "none":
        return None
    grammar = trained_grammar(treebank, progress)
    dev = grammar_trees(grammar, treebank, "dev", progress)
    scored = dev
    if run.scored_on != "dev":
        scored = grammar_trees(grammar, treebank, run.scored_on, progress)
    return jackknifed_trees(treebank, progress), dev, scored


FOLDS = 5
"""Folds of the training data, each parsed by a grammar of the others, for guided training."""


def trained_grammar(treebank: Treebank, progress: Progress) -> ConstituencyParser:
    """A grammar of the training data."""
    progress("training a grammar", 0, 1)
    return ConstituencyParser().fit(read_trees(*treebank.bracket_paths("train")))


def grammar_trees(
    parser: ConstituencyParser, treebank: Treebank, split: str, progress: Progress
) -> list[Sentence]:
    """A part of the treebank as a grammar parses it."""
    return parsed(parser, list(read_trees(*treebank.bracket_paths(split))), treebank, progress)


def jackknifed_trees(treebank: Treebank, progress: Progress) -> list[Sentence]:
    """The training data, each part of it as a grammar of the others parses it."""
    trees = list(read_trees(*treebank.bracket_paths("train")))
    found: list[Sentence] = []
    for number, (others, own) in enumerate(folds_of(trees, FOLDS), 1):
        progress("training a grammar", number, FOLDS)
        found += parsed(ConstituencyParser().fit(others), own, treebank, progress)
    return found


def parsed(
    parser: ConstituencyParser, trees: Sequence[Tree], treebank: Treebank, progress: Progress
) -> list[Sentence]:
    """The trees of a grammar for the words and gold tags of trees, as dependencies."""
    rules = HeadRules.load(treebank.files.head_rules or DEFAULT_HEAD_RULES)
    found = []
    for number, tree in enumerate(trees):
        if number % 50 == 0:
            progress("parsing with the grammar", number, len(trees))
        leaves = list((remove_traces(tree) or tree).leaves())
        best = parser.parse([leaf.form for leaf in leaves], [leaf.tag for leaf in leaves])
        found.append(to_sentence(best, rules))
    return found
