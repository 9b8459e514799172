"""The named sets of templates of higher-order parts.

`paper-002` is table 1 of Ma & Zhao (2012), with the sibling and grandchild features of McDonald &
Pereira (2006) and Carreras (2007), in two granularities of tags. There L(·) and P(·) are word and
tag; the paper's head s, sibling m and modifier t are `h`, `s` and `m` here. The others are files of
rows in `data/partfeatures`, to all of which those of stops are added.
"""

from collections.abc import Iterator
from pathlib import Path

from headwise.corpus.files import packaged_text, read_lines
from headwise.errors import UsageError
from headwise.scoring.linear.parttemplates import PartFeatureSet

PAPER_002 = {
    "sibling": """
        Ph.Ps.Pm  Ps.Pm  Ls.Lm  Ls.Pm  Ps.Lm
        Lh.Ps.Pm  Ph.Ls.Pm  Ph.Ps.Lm  Lh.Ls.Pm  Lh.Ps.Lm  Ph.Ls.Lm  Lh.Ls.Lm
        Ps.Pm.Ps+1.Pm-1  Ps.Pm.Ps-1.Pm+1  Ph.Ps.Pm.Ph+1.Ps+1.Pm+1  Ph.Ps.Pm.Ph-1.Ps-1.Pm-1
    """,
    "grandchild": """
        Pg.Ph.Pm  Pg.Pm  Lg.Lm  Lg.Pm  Pg.Lm
        Lg.Ph.Pm  Pg.Lh.Pm  Pg.Ph.Lm  Lg.Lh.Pm  Lg.Ph.Lm  Pg.Lh.Lm  Lg.Lh.Lm
        Pg.Pm.Pg+1.Pm+1  Pg.Pm.Pg-1.Pm-1  Pg.Ph.Pm.Pg+1.Ph+1.Pm+1  Pg.Ph.Pm.Pg-1.Ph-1.Pm-1
    """,
    "grand-sibling": """
        Lg.Ph.Ps.Pm  Pg.Lh.Ps.Pm  Pg.Ph.Ls.Pm  Pg.Ph.Ps.Lm  Lg.Lh.Ps.Pm  Lg.Ph.Ls.Pm
        Lg.Ph.Ps.Lm  Pg.Lh.Ls.Pm  Lg.Lh.Ps.Lm  Pg.Ph.Ls.Lm  Pg.Ph.Ps.Pm
        Pg.Ph.Ps.Pm.Pg+1.Ph+1.Pm+1  Pg.Ph.Ps.Pm.Pg-1.Ph-1.Pm-1
        Pg.Ph.Ps.Pm.Pg+1.Ph+1  Pg.Ph.Ps.Pm.Pg-1.Ph-1
        Pg.Ps.Pm.Pg+1.Ps+1.Pm+1  Pg.Ps.Pm.Pg+1.Ps-1.Pm-1  Pg.Ps.Pg+1.Ps+1  Pg.Ps.Pg-1.Ps-1
        Pg.Pm.Pg+1.Pm+1  Pg.Pm.Pg-1.Pm-1  Ps.Pm.Ps+1.Pm+1  Ps.Pm.Ps-1.Pm-1
        Lg.Lh.Lm  Lg.Ph.Pm  Pg.Lh.Pm  Pg.Ph.Lm  Lg.Lh.Pm  Lg.Ph.Lm  Lg.Ph  Pg.Lh  Lg.Pm  Pg.Pm
        Pg.Ph.Pm  Pg.Lh.Lm
        Ph.Pm  Pg.Ph  Pg.Lm  Lh.Pm  Ph.Lm  Lg.Ps.Pm  Lg.Ps.Lm  Pg.Ps.Lm  Pg.Ps.Pm  Lg.Ls.Pm
    """,
    "tri-sibling": """
        Lh.Pr.Ps.Pm  Ph.Lr.Ps.Pm  Ph.Pr.Ls.Pm  Ph.Pr.Ps.Lm  Lh.Lr.Ps.Pm  Lh.Pr.Ls.Pm
        Lh.Pr.Ps.Lm  Ph.Lr.Ls.Pm  Ph.Lr.Ps.Lm  Ph.Pr.Ls.Lm  Ph.Pr.Ps.Pm
        Lr.Ps.Pm  Pr.Ls.Pm  Pr.Ps.Lm  Lr.Ls.Pm  Lr.Ps.Lm  Pr.Ls.Lm  Pr.Ps.Pm
        Lr.Lm  Lr.Pm  Pr.Lm  Pr.Pm
        Pr.Ps.Pm.Pr+1.Ps+1.Pm+1  Pr.Ps.Pm.Pr-1.Ps-1.Pm-1  Ph.Pr.Ps.Pm.Ph+1.Pr+1
        Ph.Pr.Ps.Pm.Ph-1.Pr-1  Ph.Pr.Ps.Pm.Pr+1.Pm+1  Ph.Pr.Ps.Pm.Pr-1.Pm-1
        Ph.Pr.Ps.Pm.Ph+1.Pr+1.Pm+1  Ph.Pr.Ps.Pm.Ph-1.Pr-1.Pm-1
        Pr.Ps.Pr+1.Ps+1  Pr.Ps.Pr-1.Ps-1  Pr.Pm.Pr+1.Pm+1  Pr.Pm.Pr-1.Pm-1
        Ps.Pm.Ps+1.Pm+1  Ps.Pm.Ps-1.Pm-1  Ph.Pr.Ps.Pm.Ph+1.Pm+1  Ph.Pr.Ps.Pm.Ph-1.Pm-1
    """,
    "grand-tri-sibling": """
        Lg.Ph.Pr.Ps.Pm  Pg.Lh.Pr.Ps.Pm  Pg.Ph.Lr.Ps.Pm  Pg.Ph.Pr.Ls.Pm  Pg.Ph.Pr.Ps.Lm
        Pg.Ph.Pr.Ps.Pm
        Lg.Pr.Ps.Pm  Pg.Lr.Ps.Pm  Pg.Pr.Ls.Pm  Pg.Pr.Ps.Lm  Pg.Pr.Ps.Pm
    """,
}


def paper_rows() -> Iterator[str]:
    """The rows of `paper-002`, each with fine and with coarse tags."""
    for part, rows in PAPER_002.items():
        for row in rows.split():
            for tag in ("tag", "upos"):
                atoms = [f"{one[1:]}.{'word' if one[0] == 'L' else tag}" for one in row.split(".")]
                yield " ".join([part, *atoms])


def is_backoff(row: str) -> bool:
    """Whether a row is one of the paper's back-off 4-grams without a head."""
    return row.startswith("grand-tri-sibling") and " h." not in row


STOPS, DEFAULT, DYNAMIC = (
    tuple(packaged_text("partfeatures", name).splitlines())
    for name in ("stops", "default", "paper-003")
)
PART_SETS = {
    "default": (*DEFAULT, *STOPS),
    "paper-002": (*paper_rows(), *STOPS),
    "paper-002-no-backoff": (*(row for row in paper_rows() if not is_backoff(row)), *STOPS),
    "paper-003": (*DYNAMIC, *STOPS),
}


def load_part_features(name: str | Path) -> PartFeatureSet:
    """A set by name, or from a file."""
    if str(name) in PART_SETS:
        return PartFeatureSet.parse(PART_SETS[str(name)], str(name))
    if not Path(name).exists():
        known = ", ".join(PART_SETS)
        raise UsageError(f"no part feature set or file {str(name)!r}; sets: {known}")
    return PartFeatureSet.parse(read_lines(name), str(name))
