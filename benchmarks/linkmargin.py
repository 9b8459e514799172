"""Benchmark of the local margins of links (Wang 2008, (6.5)): our dual ascent and three solvers.

    python benchmarks/linkmargin.py [TREEBANK] [--words 10] [--sentences 40 100 200] [--only OSQP]
                                 [--gap 1e-6]

All solve the quadratic programme over weights and slacks of the first sentences of a treebank with
at most --words words, with word pairs, PMI and distances. Prints seconds and objectives. Solvers
that are not installed are skipped; `pip install 'headwise[bench]'` installs them.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csc_matrix, diags_array, eye_array, hstack, vstack

from headwise.corpus.formats import read_sentences
from headwise.kernels.solvers.arcmargin import path_ends
from headwise.parsers.linkmargin.data import margin_data, words_of
from headwise.parsers.linkmargin.links import count_association
from headwise.parsers.linkmargin.programme import Programme
from headwise.parsers.linkmargin.settings import LinkMarginSettings

TREEBANK = Path(__file__).parent / "../../shared/treebanks/en_ewt/en_ewt-ud-train.conllu.gz"
BETA = 1.0
GAP = 1e-6
"""Relative gap of the objective; HiGHS, an active-set solver, has none."""

MOST_PASSES = 100_000


def margin_rows(programme: Programme) -> csc_array:
    """Every local margin as a row: features of the link of the tree minus those of the other."""
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
    indices: list[tuple[int, int]] = []
    for number, pair in enumerate(rows):
        for sign, entries in zip((1.0, -1.0), pair, strict=True):
            values += [sign * value for _, value in entries]
            indices += [(number, column) for column, _ in entries]
    return csc_array((np.array(values), tuple(np.array(indices).T)), shape=(count, width))


def features(programme: Programme, start: int, i: int, j: int) -> list[tuple[int, float]]:
    """The features of a link."""
    at = start + j * (j - 1) // 2 + i
    away = j - i if i else 0
    numbers = np.array(programme.scales) * [programme.links.pmi[at], away, away**2]
    more = [(programme.pairs + k, float(value)) for k, value in enumerate(numbers)]
    return [(int(programme.links.pair[at]), 1.0), *more]


@dataclass(frozen=True)
class Quadratic:
    """Minimise ½ xᵀ diag(curve) x + cost x subject to rows x ≥ at_least and x ≥ low."""

    curve: NDArray[np.float64]
    cost: NDArray[np.float64]
    rows: csc_array
    at_least: NDArray[np.float64]
    low: NDArray[np.float64]
    gap: float

    @classmethod
    def of_margins(cls, rows: csc_array, gap: float) -> "Quadratic":
        """Weights, then slacks: every margin is 1, or has a slack at a cost."""
        count, width = rows.shape
        return cls(
            np.concatenate([np.full(width, BETA), np.zeros(count)]),
            np.concatenate([np.zeros(width), np.ones(count)]),
            csc_array(hstack([rows, eye_array(count)])),
            np.ones(count),
            np.concatenate([np.full(width, -np.inf), np.zeros(count)]),
            gap,
        )

    def bounded(self) -> tuple[csc_array, NDArray[np.float64]]:
        """The rows and the lower bounds of variables as one matrix, and their lower bounds."""
        have = np.flatnonzero(np.isfinite(self.low))
        rows = vstack([self.rows, csc_array(eye_array(len(self.low)))[have]])
        return csc_array(rows), np.concatenate([self.at_least, self.low[have]])


def by_highs(task: Quadratic) -> float:
    """HiGHS: an active-set method."""
    import highspy

    model = highspy.HighsModel()
    lp = model.lp_
    lp.num_row_, lp.num_col_ = task.rows.shape
    lp.col_cost_, lp.col_lower_ = task.cost, task.low
    lp.col_upper_ = np.full(lp.num_col_, np.inf)
    lp.row_lower_, lp.row_upper_ = task.at_least, np.full(lp.num_row_, np.inf)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.num_row_, lp.a_matrix_.num_col_ = task.rows.shape
    lp.a_matrix_.start_ = task.rows.indptr
    lp.a_matrix_.index_ = task.rows.indices
    lp.a_matrix_.value_ = task.rows.data
    curved = np.flatnonzero(task.curve)
    model.hessian_.dim_ = lp.num_col_
    model.hessian_.format_ = highspy.HessianFormat.kTriangular
    model.hessian_.start_ = np.searchsorted(curved, np.arange(lp.num_col_ + 1))
    model.hessian_.index_, model.hessian_.value_ = curved, task.curve[curved]
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.passModel(model)
    solver.run()
    return float(solver.getObjectiveValue())


def by_clarabel(task: Quadratic) -> float:
    """Clarabel: an interior-point method."""
    import clarabel

    rows, least = task.bounded()
    chosen = clarabel.DefaultSettings()
    chosen.verbose, chosen.tol_gap_rel = False, task.gap
    cones = [clarabel.NonnegativeConeT(len(least))]
    curve = csc_matrix(diags_array(task.curve))
    solver = clarabel.DefaultSolver(curve, task.cost, csc_matrix(-rows), -least, cones, chosen)
    return float(solver.solve().obj_val)


def by_osqp(task: Quadratic) -> float:
    """OSQP: an operator-splitting method."""
    import osqp

    rows, least = task.bounded()
    solver = osqp.OSQP()
    solver.setup(
        csc_matrix(diags_array(task.curve)), task.cost, csc_matrix(rows), least, None,
        verbose=False, eps_abs=task.gap, eps_rel=task.gap, max_iter=1_000_000,
    )  # fmt: skip
    return float(solver.solve(raise_error=True).info.obj_val)


SOLVERS: dict[str, Callable[[Quadratic], float]] = {
    "HiGHS": by_highs,
    "Clarabel": by_clarabel,
    "OSQP": by_osqp,
}


def ours(programme: Programme, gap: float) -> tuple[float, int]:
    """Our dual ascent: the objective, and the number of passes."""
    count = len(programme.links.start) - 1
    at, passes = programme.start(), 0
    while programme.measures(at).gap > gap and passes < MOST_PASSES:
        passes += 1
        programme.advance(at, np.random.default_rng(passes).permutation(count))
    return programme.measures(at).objective, passes


def result_of(solver: Callable[[Quadratic], float], task: Quadratic) -> str:
    """Seconds and objective of a solver, or why there are none."""
    start = time.perf_counter()
    try:
        objective = solver(task)
    except ImportError as error:
        return f"not installed ({error.name}: pip install 'headwise[bench]')"
    return f"{time.perf_counter() - start:.2f} s, {objective:.6f}"


def main() -> None:
    """Print a line for each number of sentences and each solver."""
    parser = argparse.ArgumentParser(description="Compare our solver of local margins with others.")
    parser.add_argument("treebank", nargs="?", type=Path, default=TREEBANK)
    parser.add_argument("--words", type=int, default=10)
    parser.add_argument("--sentences", type=int, nargs="+", default=[40, 100, 200])
    parser.add_argument("--gap", type=float, default=GAP)
    parser.add_argument("--only", nargs="+", choices=SOLVERS, default=list(SOLVERS))
    options = parser.parse_args()
    short = [one for one in read_sentences(options.treebank) if len(one) <= options.words]
    association = count_association(words_of(one, True) for one in short)
    settings = LinkMarginSettings(neighbours=0)
    tiny = margin_data(short[:2], settings, None, association)
    ours(tiny.programme(settings, BETA), options.gap)  # compiles the kernels
    for count in options.sentences:
        data = margin_data(short[:count], settings, None, association)
        programme = data.programme(settings, BETA)
        start = time.perf_counter()
        objective, passes = ours(programme, options.gap)
        seconds = time.perf_counter() - start
        rows = margin_rows(programme)
        print(f"{count} sentences, {rows.shape[0]:,} margins, {programme.pairs:,} pairs")
        print(f"  ours: {seconds:.3f} s, {objective:.6f} ({passes} passes)", flush=True)
        task = Quadratic.of_margins(rows, options.gap)
        for name in options.only:
            print(f"  {name}: {result_of(SOLVERS[name], task)}", flush=True)


if __name__ == "__main__":
    main()
