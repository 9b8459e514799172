"""Paper 003, tables 6.1 to 6.4: large margins of links, local and global.

    python experiments/paper_003_margins.py [--treebanks FOLDER] [--text FILE] [--similarity FOLDER]

Models learn from training sentences of up to ten words and parse development sentences of up to
ten; then three of them learn from up to forty, which the thesis could not. β is chosen by 5-fold
cross-validation for the short ones. English words are compared by the raw text and the words of
the training data, Chinese ones by the words of the training data alone. A model that is in the
results already is not learnt again.
"""

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from paper_003_lexical import TEXT, similar_words, text_of
from runs import Kept, arguments_of, by_length, figure, sentences_of, table

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.linkmargin.parser import LinkMarginParser
from headwise.parsers.linkmargin.settings import FeatureName, MarginName
from headwise.text.similarity.words import WordSimilarity

NAMES = ("en_ewt", "zh_gsd")
SHORT, LONG = 10, 40
LENGTHS = (10, 15, 20, 40)
BETAS = (0.1, 1.0, 10.0)
EPOCHS = 200

FEATURES: dict[str, tuple[float, tuple[FeatureName, ...]]] = {
    "Pairs": (0.0, ("pairs",)),
    "+ Lap": (1.0, ("pairs",)),
    "+ Dist": (0.0, ("pairs", "distance")),
    "+ Lap + Dist": (1.0, ("pairs", "distance")),
    "+ MI + Dist": (0.0, ("pairs", "pmi", "distance")),
    "+ Lap + MI + Dist": (1.0, ("pairs", "pmi", "distance")),
}
"""The rows of tables 6.1 to 6.3: ρ and features of each."""

PRINTED = {
    "local": {
        "dev": (61.30, 63.90, 63.64, 64.94, 63.12, 65.71),
        "test": (64.26, 65.06, 65.46, 65.86, 67.07, 68.27),
        "train": (98.02, 97.77, 97.55, 97.47, 97.68, 97.38),
    },
    "global": {
        "dev": (56.88, 49.35, 61.30, 52.99, 61.82, 56.62),
        "test": (61.84, 56.22, 64.66, 55.42, 65.46, 57.43),
        "train": (83.93, 72.16, 83.76, 72.16, 79.85, 70.62),
    },
}
"""Undirected accuracy on CTB4-10: tables 6.1, 6.2 and 6.3, in the order of rows."""

PRINTED_4 = {"local": (65.7, 68.3), "global": (56.6, 57.4), "chapter 5": (61.0, 76.3)}
"""Table 6.4: development and test."""

UNSMOOTHED = "+ MI + Dist, unseen links 0"
ROWS = (*FEATURES, UNSMOOTHED)
LOSSES: tuple[MarginName, ...] = ("local", "global")
LONG_MODELS: dict[str, tuple[MarginName, str]] = {
    "local, + MI + Dist": ("local", "+ MI + Dist"),
    "local, + Lap + MI + Dist": ("local", "+ Lap + MI + Dist"),
    "global, + MI + Dist": ("global", "+ MI + Dist"),
}


KEPT = Kept("margins", NAMES)
file_of, names = KEPT.file_of, KEPT.names


def similarity_of(
    name: str, train: Sequence[Sentence], text: Path, kept: Path | None
) -> WordSimilarity:
    """Similar words, taken from a folder if they are there, and put there if they are not."""
    folder = None if kept is None else kept / f"similar-{name}"
    if folder is not None and folder.exists():
        return WordSimilarity.load(folder)
    found = similar_words(name, train, text)
    if folder is not None:
        found.save(folder)
    return found


def margin_parser(
    loss: MarginName, row: str, *, smooth: bool = True, **more: Any
) -> LinkMarginParser:
    """The parser of a row of the tables."""
    laplacian, features = FEATURES[row]
    return LinkMarginParser(
        loss=loss, laplacian=laplacian, features=features, neighbours=50 if smooth else 0,
        tolerance=0.005, **more,
    )  # fmt: skip


def learnt(
    parser: LinkMarginParser,
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    similarity: WordSimilarity,
    text: Iterator[Sequence[str]],
) -> dict[str, Any]:
    """What comes out of a parser."""
    start = time.perf_counter()
    needed = similarity if parser.needs_similarity else None
    parser.fit(train, similarity=needed, text=text)
    seconds = round(time.perf_counter() - start, 1)
    last = parser.report_["history"][-1]
    report = {key: parser.report_[key] for key in ("beta", "pairs", "margins", "ties", "sentences")}
    return {
        **report,
        "validation": parser.report_.get("validation"),
        "seconds": seconds,
        "passes": last["epoch"],
        "gap": last["gap"],
        "kkt": last["kkt"],
        "train": 100 * parser.scores(train)["undirected"],
        **by_length(parser, dev, LENGTHS),
    }


def short_models() -> dict[str, LinkMarginParser]:
    """The parsers of tables 6.1 to 6.3, and one that is not smoothed."""
    found = {
        f"{loss}, {row}": margin_parser(loss, row, betas=BETAS, epochs=EPOCHS)
        for loss in LOSSES
        for row in FEATURES
    }
    for loss in LOSSES:
        found[f"{loss}, {UNSMOOTHED}"] = margin_parser(
            loss, "+ MI + Dist", smooth=False, betas=BETAS, epochs=EPOCHS
        )
    return found


def perform(name: str, treebanks: Path, text: Path, kept: Path | None) -> None:
    """Train every model on a treebank, and keep what came out."""
    train, dev = (sentences_of(treebanks, name, split) for split in ("train", "dev"))
    result = KEPT.read(name) or {"treebank": name, "models": {}}
    models = result["models"]
    similarity = similarity_of(name, train, text, kept)
    warnings.simplefilter("ignore", HeadwiseWarning)  # gaps and coverage are in the results

    def keep(label: str, own: dict[str, Any]) -> None:
        models[label] = own
        KEPT.write(result, name)
        print(name, label, own["10"], own.get("40"), flush=True)

    short_train = [one for one in train if len(one) <= SHORT]
    short_dev = [one for one in dev if len(one) <= SHORT]
    for label, parser in short_models().items():
        if label not in models:
            words = text_of(name, [one for one in train if len(one) > SHORT], text)
            keep(label, learnt(parser, short_train, short_dev, similarity, words))
    if "chapter 5" not in models:
        lexical = LexicalParser().fit(short_train, similarity=similarity)
        keep("chapter 5", by_length(lexical, short_dev, LENGTHS))
    for label, (loss, row) in LONG_MODELS.items():
        if f"≤ {LONG}: {label}" not in models:
            beta = models[f"{loss}, {row}"]["beta"]
            parser = margin_parser(loss, row, beta=beta, epochs=EPOCHS, longest=LONG)
            long_dev = [one for one in dev if len(one) <= LONG]
            words = text_of(name, [one for one in train if len(one) > LONG], text)
            long_train = [one for one in train if len(one) <= LONG]
            keep(f"≤ {LONG}: {label}", learnt(parser, long_train, long_dev, similarity, words))


def result_of(name: str, label: str) -> dict[str, Any]:
    """What came out of one model; nothing if it was not run."""
    found: dict[str, Any] = KEPT.read(name).get("models", {}).get(label, {})
    return found


def by_loss(sources: Sequence[str]) -> list[str]:
    """The titles of a column for each loss."""
    return [f"{source}: {loss}" for source in sources for loss in LOSSES]


def results_of(row: str) -> list[dict[str, Any]]:
    """What came out of a row on every treebank by each loss."""
    return [result_of(name, f"{loss}, {row}") for name in names() for loss in LOSSES]


def feature_table() -> str:
    """Tables 6.1 and 6.2: undirected accuracy on sentences of up to ten words."""
    rows = [[row, *(figure(own, "10", "undirected") for own in results_of(row))] for row in ROWS]
    return table(("≤ 10 words", *by_loss(names())), rows)


def printed_feature_table() -> str:
    """The same in the thesis."""
    rows = [
        [row, *(PRINTED[loss][split][place] for split in ("dev", "test") for loss in LOSSES)]
        for place, row in enumerate(FEATURES)
    ]
    return table(("≤ 10 words", *by_loss(("thesis, dev", "thesis, test"))), rows)


def training_table() -> str:
    """Table 6.3: the same on the training data."""
    rows: list[list[object]] = []
    for place, row in enumerate(ROWS):
        ours = [figure(own, "train") for own in results_of(row)]
        printed = [PRINTED[loss]["train"][place] if row in FEATURES else "" for loss in LOSSES]
        rows.append([row, *ours, *printed])
    return table(("≤ 10 words", *by_loss((*names(), "thesis"))), rows)


def left_out_table() -> str:
    """Accuracy in cross-validation on the training data, at the chosen β."""
    rows = [[row, *map(held_out, results_of(row))] for row in ROWS]
    return table(("≤ 10 words", *by_loss(names())), rows)


def held_out(own: dict[str, Any], beta: float | None = None) -> str:
    """The mean accuracy on folds that were left out, at the chosen β or another, or a dash."""
    if not own:
        return "–"
    folds = own["validation"][str(beta or own["beta"])]
    return f"{100 * sum(folds) / len(folds):.2f}"


def beta_table() -> str:
    """The same at every β, so that rows can be compared at equal ones."""
    rows = [
        [name, row, *(held_out(result_of(name, f"{loss}, {row}"), beta)
                      for loss in LOSSES for beta in BETAS)]
        for name in names()
        for row in ROWS
    ]  # fmt: skip
    betas = [f"{loss}, {beta:g}" for loss in LOSSES for beta in BETAS]
    return table(("treebank", "features", *betas), rows)


def comparison_table() -> str:
    """Table 6.4: the richest models of chapter 6, and that of chapter 5."""
    labels = {
        "local": "local, + Lap + MI + Dist",
        "global": "global, + Lap + MI + Dist",
        "chapter 5": "chapter 5",
    }
    rows = [
        [
            f"chapter 6, {key} loss" if key != "chapter 5" else key,
            *(figure(result_of(name, label), "10", "undirected") for name in names()),
            *PRINTED_4[key],
        ]
        for key, label in labels.items()
    ]
    return table(("≤ 10 words", *names(), "thesis: dev", "thesis: test"), rows)


def long_table(titles: Sequence[str], cells: Callable[[dict[str, Any]], list[str]]) -> str:
    """What came out of models that learnt from sentences of up to forty words."""
    rows = []
    for name in names():
        for label in LONG_MODELS:
            own = result_of(name, f"≤ {LONG}: {label}")
            rows.append([f"{name}: {label}", *(cells(own) if own else ["–"] * len(titles))])
    return table((f"trained on ≤ {LONG} words", *titles), rows)


def long_scores(own: dict[str, Any]) -> list[str]:
    """Accuracy by length."""
    lengths = [figure(own, str(length), "undirected") for length in LENGTHS]
    return [*lengths, figure(own, str(LONG), "uas")]


def long_costs(own: dict[str, Any]) -> list[str]:
    """What the training took, and what it left unsolved."""
    gap, kkt = f"{100 * own['gap']:.2f}", f"{own['kkt']:.2f}"
    return [f"{own['seconds']:.0f}", f"{own['passes']}", gap, kkt]


def violations() -> str:
    """How far conditions of the optimum are violated at most, in all runs of short sentences."""
    runs = [pair for name in names() for pair in KEPT.read(name)["models"].items()]
    own = [run["kkt"] for label, run in runs if label[0] != "≤" and "kkt" in run]
    return (
        "Programmes are solved until their objective is at most 0.5 % too high. In the "
        f"{len(own)} runs of up to ten words, the largest violation of a condition of the optimum "
        f"that is left (`kkt`, where margins are 1) is {min(own):.2f} to {max(own):.2f}.\n"
    )


TABLES: dict[str, Callable[[], str]] = {
    "margin-features": feature_table,
    "margin-features-thesis": printed_feature_table,
    "margin-violations": violations,
    "margin-training": training_table,
    "margin-left-out": left_out_table,
    "margin-betas": beta_table,
    "margin-counts": comparison_table,
    "margin-long": partial(
        long_table, (*(f"≤ {n}" for n in LENGTHS), f"UAS, ≤ {LONG}"), long_scores
    ),
    "margin-long-cost": partial(long_table, ("seconds", "passes", "gap, %", "KKT"), long_costs),
}
"""Tables of the pages, by name."""


def main() -> None:
    """Perform what is missing."""
    parser = arguments_of("Tables 6.1 to 6.4 of Wang (2008).", NAMES)
    parser.add_argument("--text", type=Path, default=TEXT)
    parser.add_argument("--similarity", type=Path, help="a folder to keep similar words in")
    options = parser.parse_args()
    for name in options.on:
        perform(name, options.treebanks, options.text, options.similarity)


if __name__ == "__main__":
    main()
