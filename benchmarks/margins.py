"""Local margins of links (paper 003, (6.5)) by our dual ascent, and by HiGHS, on growing treebanks.

    python benchmarks/margins.py [TREEBANK] [--words 10] [--sentences 10 20 40]

HiGHS comes with SciPy, which uses its solver of linear programmes only; its solver of quadratic
ones is reached by names that SciPy keeps for itself, so this is a benchmark and no test. Both solve
the programme over weights and slacks of the first sentences of a treebank that have at most so many
words, with word pairs, PMI and distances. Given are seconds, and the objectives.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from scipy.optimize._highspy import _core as highs
from scipy.sparse import csc_array

from headwise.corpus.formats import read_sentences
from headwise.kernels.arcmargin import path_ends
from headwise.margins.association import count_association
from headwise.margins.data import margin_data, words_of
from headwise.margins.programme import Programme
from headwise.margins.settings import MarginSettings

TREEBANK = Path(__file__).parent / "../../shared/treebanks/en_ewt/en_ewt-ud-train.conllu.gz"
BETA = 1.0
NEAR = 1e-6
"""The gap that our solver goes on to."""


def margin_rows(programme: Programme) -> csc_array:
    """Every local margin as a row: features of the link of the tree less those of the other."""
    links, rows = programme.links, []
    for sentence in range(len(links.start) - 1):
        first, last = links.token[sentence : sentence + 2]
        gold, start = links.gold[first:last], links.start[sentence]
        near = path_ends(gold)
        for j in range(1, last - first):
            for i in range(j):
                if gold[j] != i and gold[i] != j:
                    for own in (near[i, j], near[j, i]):
                        low, high = sorted((int(own), int(gold[own])))
                        better = features(programme, start, low, high)
                        rows.append((better, features(programme, start, i, j)))
    count, width = len(rows), programme.pairs + 3
    values: list[float] = []
    places: list[tuple[int, int]] = []
    for number, pair in enumerate(rows):
        for sign, entries in zip((1.0, -1.0), pair, strict=True):
            values += [sign * value for _, value in entries]
            places += [(number, column) for column, _ in entries]
    return csc_array((np.array(values), tuple(np.array(places).T)), shape=(count, width))


def features(programme: Programme, start: int, i: int, j: int) -> list[tuple[int, float]]:
    """The features of a link."""
    at = start + j * (j - 1) // 2 + i
    away = j - i if i else 0
    numbers = np.array(programme.scales) * [programme.links.pmi[at], away, away**2]
    more = [(programme.pairs + k, float(value)) for k, value in enumerate(numbers)]
    return [(int(programme.links.pair[at]), 1.0), *more]


def by_highs(rows: csc_array) -> float:
    """The least objective, over weights and slacks."""
    count, width = rows.shape
    limits = csc_array(np.hstack([rows.toarray(), np.eye(count)]))
    model = highs.HighsModel()
    lp = model.lp_
    lp.num_col_, lp.num_row_ = width + count, count
    lp.col_cost_ = np.concatenate([np.zeros(width), np.ones(count)])
    lp.col_lower_ = np.concatenate([np.full(width, -np.inf), np.zeros(count)])
    lp.col_upper_ = np.full(width + count, np.inf)
    lp.row_lower_, lp.row_upper_ = np.ones(count), np.full(count, np.inf)
    lp.a_matrix_.format_ = highs.MatrixFormat.kColwise
    lp.a_matrix_.num_col_, lp.a_matrix_.num_row_ = width + count, count
    lp.a_matrix_.start_ = limits.indptr
    lp.a_matrix_.index_ = limits.indices
    lp.a_matrix_.value_ = limits.data
    model.hessian_.dim_ = width + count
    model.hessian_.format_ = highs.HessianFormat.kTriangular
    model.hessian_.start_ = np.minimum(np.arange(width + count + 1), width)
    model.hessian_.index_ = np.arange(width)
    model.hessian_.value_ = np.full(width, BETA)
    solver = highs._Highs()
    solver.setOptionValue("output_flag", False)
    solver.passModel(model)
    solver.run()
    return float(solver.getObjectiveValue())


def main() -> None:
    """Print a line for each number of sentences."""
    parser = argparse.ArgumentParser(description="Our solver of local margins, and HiGHS.")
    parser.add_argument("treebank", nargs="?", type=Path, default=TREEBANK)
    parser.add_argument("--words", type=int, default=10)
    parser.add_argument("--sentences", type=int, nargs="+", default=[10, 20, 40])
    options = parser.parse_args()
    short = [one for one in read_sentences(options.treebank) if len(one) <= options.words]
    association = count_association(words_of(one, True) for one in short)
    settings = MarginSettings(neighbours=0)
    for count in options.sentences:
        programme = margin_data(short[:count], settings, None, association).programme(
            settings, BETA
        )
        programme.advance(programme.start(), np.arange(count))  # compiled
        start = time.perf_counter()
        at, passes = programme.start(), 0
        while programme.measures(at).gap > NEAR and passes < 100_000:
            passes += 1
            programme.advance(at, np.random.default_rng(passes).permutation(count))
        ours = time.perf_counter() - start
        rows = margin_rows(programme)
        start = time.perf_counter()
        other = by_highs(rows)
        print(
            f"{count} sentences, {rows.shape[0]} margins, {programme.pairs} pairs: ours "
            f"{ours:.3f} s ({passes} passes), {programme.measures(at).objective:.6f}; HiGHS "
            f"{time.perf_counter() - start:.2f} s, {other:.6f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
