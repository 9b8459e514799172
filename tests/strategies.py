"""Random small problems of search, as tables for the oracle and as Scores for decoders."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores


@dataclass(frozen=True)
class Problem:
    """Tables over the parts of a sentence, and the factorisation that scores them."""

    tables: dict[Part, np.ndarray]
    factorisation: Factorisation

    @property
    def n(self) -> int:
        return len(self.tables[Part.ARC]) - 1

    def scores(self, *, crossing: bool = False) -> Scores:
        higher = {part: table for part, table in self.tables.items() if part is not Part.ARC}
        return scores_of_tables(
            self.tables[Part.ARC], higher, self.factorisation, crossing=crossing
        )


def scores_of_tables(
    arc: np.ndarray,
    tables: dict[Part, np.ndarray],
    factorisation: Factorisation,
    *,
    crossing: bool = False,
) -> Scores:
    """Scores from one full table per part type, with an axis for each of `part.indices`.

    The axes of STOP are head (n + 1), side (2) and last modifier (n + 1). Arcs of score -inf are
    dead.
    """
    index = PartIndex.over(arc > -np.inf, factorisation, crossing=crossing)
    higher = {part: table[tuple(index.tokens(part).T)] for part, table in tables.items()}
    return Scores(arc, index, higher)


def table_shape(n: int, part: Part) -> tuple[int, ...]:
    return (n + 1, 2, n + 1) if part is Part.STOP else (n + 1,) * len(part.indices)


def make_problem(
    n: int, factorisation: Factorisation, seed: int, *, ties: bool = False, forbidden: float = 0.0
) -> Problem:
    """Normal scores, or small whole numbers; a share of all parts forbidden by -inf."""
    rng = np.random.default_rng(seed)
    tables = {}
    for part in factorisation.parts:
        shape = table_shape(n, part)
        table = rng.integers(-2, 3, shape).astype(float) if ties else rng.normal(size=shape)
        table[rng.random(shape) < (forbidden if part is Part.ARC else forbidden / 4)] = -np.inf
        tables[part] = table
    return Problem(tables, factorisation)


@st.composite
def problems(
    draw: st.DrawFn,
    *,
    most_words: int = 5,
    factorisations: tuple[Factorisation, ...] = tuple(Factorisation),
    forbidden: tuple[float, ...] = (0.0, 0.0, 0.3, 0.6),
) -> Problem:
    """Problems of every factorisation; some part types may be left unscored."""
    factorisation = draw(st.sampled_from(factorisations))
    problem = make_problem(
        draw(st.integers(1, most_words)),
        factorisation,
        draw(st.integers(0, 2**32 - 1)),
        ties=draw(st.booleans()),
        forbidden=draw(st.sampled_from(forbidden)),
    )
    higher = [part for part in factorisation.parts if part is not Part.ARC]
    kept = draw(st.sets(st.sampled_from(higher))) if higher and draw(st.booleans()) else higher
    tables = {
        part: problem.tables[part] for part in (Part.ARC, *higher) if part in {Part.ARC, *kept}
    }
    return Problem(tables, factorisation)
