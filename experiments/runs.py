"""What experiments share: training runs that are done once, and tables of them.

    python experiments/paper_000.py [--treebanks FOLDER] [--jobs N]

A run is a treebank and settings. What came out of it is kept in `experiments/results`; a run that
is there already is not done again. Accuracy is measured on development data.
"""

import argparse
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.evaluate import evaluate
from headwise.parser import DependencyParser
from headwise.settings import to_mapping

HERE = Path(__file__).parent
RESULTS = HERE / "results"
TREEBANKS = HERE / "../../shared/treebanks"

FILES = {
    "en_ewt": "en_ewt/en_ewt-ud-{}.conllu.gz",
    "zh_gsd": "zh_gsd/zh_gsd-ud-{}.conllu.gz",
    "cs_mix": "cs_mix/cs_mix-ud-{}.conllu.gz",
    "ar_padt": "ar_padt/ar_padt-ud-{}.conllu.gz",
    "hu_szeged": "hu_szeged/hu_szeged-ud-{}.conllu.gz",
    "la_udante": "la_udante/la_udante-ud-{}.conllu.gz",
    "ptb-sample": "ptb-sample/ptb-sample-{}.mrg.gz",
}


@dataclass(frozen=True)
class Run:
    """One training: a treebank, and settings other than the defaults."""

    treebank: str
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """Where its result is kept: named by everything that it depends on."""
        changed = {name: to_mapping(self.parser())[name] for name in self.settings}
        text = json.dumps([self.treebank, changed], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        return RESULTS / f"{self.treebank}-{digest}.json"

    def parser(self) -> DependencyParser:
        """The parser before training."""
        return DependencyParser(**self.settings)

    def result(self) -> dict[str, Any] | None:
        """What came out, if it was run."""
        return json.loads(self.file.read_text()) if self.file.exists() else None


def sentences_of(treebanks: Path, name: str, split: str) -> list[Sentence]:
    """The sentences of one split of a treebank."""
    return list(read_sentences(treebanks / FILES[name].format(split)))


def perform(run: Run, treebanks: Path, jobs: int) -> dict[str, Any]:
    """Train, score on dev, and keep what came out; or take it from the last time."""
    known = run.result()
    if known is not None:
        return known
    train, dev = (sentences_of(treebanks, run.treebank, split) for split in ("train", "dev"))
    parser = run.parser()
    start, processor_start = time.perf_counter(), time.process_time()
    parser.fit(train, dev, jobs=jobs)
    seconds, processor = time.perf_counter() - start, time.process_time() - processor_start
    found = evaluate(dev, parser.predict(dev)).to_json()
    members = [member["dev_uas"] for member in parser.report_["members"]]
    result = {
        "treebank": run.treebank,
        "settings": {name: to_mapping(parser)[name] for name in run.settings},
        "seconds": round(seconds, 1),
        "processor_seconds": round(processor, 1),  # of this process: not of a machine's members
        "epoch": parser.report_["epoch"],
        "features": parser.report_["features"],
        "members": members,
        "scores": found,
    }
    if "pruner" in parser.report_:
        result["pruner"] = parser.report_["pruner"]
    RESULTS.mkdir(exist_ok=True)
    run.file.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n")
    return result


def perform_all(runs: Sequence[Run]) -> None:
    """The command line of an experiment: perform its runs one after the other."""
    parser = argparse.ArgumentParser(description="Perform the runs of an experiment.")
    parser.add_argument("--treebanks", type=Path, default=TREEBANKS)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    for number, run in enumerate(runs, 1):
        result = perform(run, options.treebanks, options.jobs)
        uas = result["scores"]["uas"]
        print(f"{number}/{len(runs)} {run.treebank} {run.settings}: {uas:.2f}", flush=True)
