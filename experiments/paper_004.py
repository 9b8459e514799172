"""Paper 004 for dependencies: MAP, MBR reranking and MBR prediction, by list size, and exact.

    python experiments/paper_004.py [--treebanks FOLDER] [--on NAME …] [--work FOLDER]

A first-order parser of the default settings learns from the whole training data; a log-linear
reranker learns from 20-best lists of held-out parts of it, made by parsers of the rest (five
epochs). Figures are of development data. The scale of the scores for one half of its sentences is
tuned on the other half; out of domain, on the development data of the training treebank. Trained
parsers are kept in the work folder.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from runs import CATALOGUE, Kept, arguments_of, crossed, sentences_of

from headwise.corpus.folds import folds_of
from headwise.corpus.sentence import Sentence
from headwise.evaluate import compare, evaluate
from headwise.parsers.graph.parser import DependencyParser
from headwise.reranking import LinearReranker
from headwise.reranking.features import TREE_FEATURES
from headwise.reranking.jackknife import candidates_of
from headwise.reranking.lists import TreeList
from headwise.reranking.rerank import fit_reranker
from headwise.search.decoders.mbr import exact_mbr, mbr_predict, mbr_rerank
from headwise.search.probabilities import candidate_probabilities

SIZES = (10, 50, 200)
SCALES = tuple(2.0**exponent for exponent in range(-3, 6))
FOLDS, LEARNED_K = 4, 20
PARTS = {"la_udante": 4, "en_ewt": 2, "gum": 2}
"""How many of the folds the reranker learns from."""
DOMAINS = (("la_udante", "la_udante"), ("en_ewt", "en_ewt"), ("gum", "gum"), ("en_ewt", "gum"))

Heads = np.ndarray


@dataclass(frozen=True)
class Row:
    """A way to decide, and the trees it decides for at every scale."""

    system: str
    probabilities: str
    size: int | None
    heads: dict[float, list[Heads]]


KEPT = Kept("mbr", ())
file_of = KEPT.file_of


def parser_of(name: str, sentences: Sequence[Sentence], folder: Path, **settings: Any) -> Any:
    """A parser from the work folder, or trained and kept there."""
    path = folder / name
    if not path.exists():
        DependencyParser(**settings).fit(sentences).save(path)
    return DependencyParser.load(path)


def reranker_of(name: str, train: Sequence[Sentence], work: Path) -> LinearReranker[Sentence]:
    """A reranker of lists that jackknifing made."""
    lists: list[TreeList] = []
    gold: list[Sentence] = []
    for number, (others, own) in enumerate(folds_of(train, FOLDS)):
        if number < PARTS.get(name, 2):
            parser = parser_of(f"{name}-{number}of{FOLDS}", others, work, epochs=5)
            lists += [candidates_of(parser, sentence, LEARNED_K, "1") for sentence in own]
            gold += own
    reranker = LinearReranker(TREE_FEATURES, learner="log-linear")
    fit_reranker(reranker, lists, gold, labelled=False)
    print(
        f"{name}: reranker of {len(lists)} lists, {len(reranker.vocabulary_)} features", flush=True
    )
    return reranker


def decided(heads: Heads, scores: Heads, decoder: Any, how: str, scale: float) -> Heads:
    """The tree of a list."""
    weights = candidate_probabilities(scores, scale)
    if how == "rerank":
        chosen: Heads = heads[mbr_rerank(heads, weights)[0]]
        return chosen
    return mbr_predict(decoder, heads, weights).heads


def rows_of(lists: Sequence[tuple[Heads, Heads]], decoder: Any, name: str, size: int) -> list[Row]:
    """All ways to decide over lists of a size."""
    short = [(heads[:size], scores[:size]) for heads, scores in lists]
    best = [heads[int(np.argmax(scores))] for heads, scores in short]
    rows = [Row("map", name, size, dict.fromkeys(SCALES, best))]
    for how in ("rerank", "predict"):
        found = {
            scale: [decided(heads, scores, decoder, how, scale) for heads, scores in short]
            for scale in SCALES
        }
        rows.append(Row(how, name, size, found))
    return rows


def all_rows(
    parser: Any, reranker: LinearReranker[Sentence], dev: Sequence[Sentence], name: str
) -> list[Row]:
    """Every way to decide over some sentences."""
    search = parser.search()
    decoder = search.decoder
    lists, reranked = [], []
    for sentence in dev:
        found = candidates_of(parser, sentence, max(SIZES), "1")
        lists.append((found.heads, found.scores))
        reranked.append((found.heads, reranker.scores(found)))
    print(f"{name}: lists are made", flush=True)
    rows = []
    for size in SIZES:
        rows += rows_of(lists, decoder, "base", size)
        rows += rows_of(reranked, decoder, "reranker", size)
        print(f"{name}: lists of {size} are decided", flush=True)
    scored = [search.scores(sentence) for sentence in dev]
    exact = {
        scale: [exact_mbr(decoder, scores, scale).heads for scores in scored] for scale in SCALES
    }
    return [*rows, Row("predict", "base", None, exact)]


def right_heads(row: Row, scale: float, dev: Sequence[Sentence]) -> np.ndarray:
    """How many heads of each sentence are right."""
    pairs = zip(row.heads[scale], dev, strict=True)
    return np.array([int((heads[1:] == np.array(one.heads)).sum()) for heads, one in pairs])


def tuned(row: Row, dev: Sequence[Sentence]) -> tuple[list[Heads], list[float]]:
    """The trees of each half of the sentences, with the scale that is best on the other half."""
    right = {scale: right_heads(row, scale, dev) for scale in SCALES}
    return crossed(row.heads, lambda scale, half: float(right[scale][half::2].sum()))


def best_scale(row: Row, dev: Sequence[Sentence]) -> float:
    """The scale that is best on some sentences."""
    return max(SCALES, key=lambda scale: right_heads(row, scale, dev).sum())


def report(rows: Sequence[Row], dev: Sequence[Sentence], scales: dict[Any, float]) -> list[Any]:
    """Scores of all rows, each compared with the best tree of its probabilities' list."""
    found, against = [], {}
    for row in rows:
        key = (row.system, row.probabilities, row.size)
        if scales:  # tuned elsewhere
            trees, used = row.heads[scales[key]], [scales[key]]
        else:
            trees, used = tuned(row, dev)
        parsed = [one.with_tree(heads[1:].tolist()) for one, heads in zip(dev, trees, strict=True)]
        if row.system == "map":
            against[row.probabilities, row.size] = parsed
        base = against[row.probabilities, row.size or max(SIZES)]
        scores = evaluate(dev, parsed).to_json()
        compared = compare(dev, base, parsed, rounds=2000).all_tokens["uas"]
        found.append(
            {
                "system": row.system,
                "probabilities": row.probabilities,
                "size": row.size,
                "scales": used,
                "uas": scores["uas"],
                "ucm": scores["ucm"],
                "against_map": compared.difference,
                "p": compared.randomisation_p,
            }
        )
    return found


def domains(names: Iterable[str] = ()) -> tuple[tuple[str, str], ...]:
    """What is learnt from and what is parsed: ours, those of other names, those with results."""
    own = {name for name, _ in DOMAINS}
    others = [
        one for one in CATALOGUE if one not in own and (one in names or file_of(one, one).exists())
    ]
    return (*DOMAINS, *((name, name) for name in others))


def perform(train_name: str, treebanks: Path, work: Path) -> None:
    """One treebank, and all others to try it on."""
    train = sentences_of(treebanks, train_name, "train")
    parser = parser_of(f"{train_name}-all", train, work)
    reranker = reranker_of(train_name, train, work)
    dev = sentences_of(treebanks, train_name, "dev")
    targets = [name for trained, name in domains([train_name]) if trained == train_name]
    home = all_rows(parser, reranker, dev, train_name)
    for name in targets:
        scales: dict[Any, float] = {}
        rows, sentences = home, dev
        if name != train_name:
            scales = {
                (row.system, row.probabilities, row.size): best_scale(row, dev) for row in home
            }
            sentences = sentences_of(treebanks, name, "dev")
            rows = all_rows(parser, reranker, sentences, name)
        result = {"train": train_name, "dev": name, "rows": report(rows, sentences, scales)}
        KEPT.write(result, train_name, name)
        print(f"{train_name} on {name}: done", flush=True)


def main() -> None:
    """The command line."""
    names = dict.fromkeys(train for train, _ in DOMAINS)
    options = arguments_of("Minimum Bayes risk over dependency trees.", list(names))
    options.add_argument("--work", type=Path, default=Path("paper-004-models"))
    chosen = options.parse_args()
    for name in chosen.on:
        if not all(file_of(a, b).exists() for a, b in domains(chosen.on) if a == name):
            perform(name, chosen.treebanks, chosen.work)


if __name__ == "__main__":
    main()
