"""The named sets of templates of higher-order parts.

`paper-002` is table 1 of Ma & Zhao (2012), with the sibling and grandchild features of McDonald &
Pereira (2006) and Carreras (2007), in two granularities of tags. There L(·) and P(·) are word and
tag; the paper's head s, sibling m and modifier t are `h`, `s` and `m` here. `paper-003` has the
dynamic features of Wang (2008); they need the parts that they are defined on (setting `parts`).
"""

from collections.abc import Iterator
from pathlib import Path

from headwise.corpus.files import read_lines
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

STOPS = """
stop h.tag m.tag
stop h.upos m.upos
stop h.word m.tag
stop h.lemma m.upos
stop h.tag m.word
stop h.tag m.tag m+1.tag
stop h.tag m.tag m-1.tag
stop h.tag m.upos m+1.tag m+2.tag
stop h.tag m.upos m-1.tag m-2.tag
stop h.upos m.upos m+1.upos
stop h.upos m.upos m-1.upos
stop h.tag h+1.tag m.here
stop h.tag h-1.tag m.here
stop h.word m.here
stop h.feats h.tag m.tag
stop h.word m.word
stop h.upos m.lemma
stop h.tag m.tag m+1.word
stop h.tag m.tag m-1.word
stop h.tag h+1.tag m.tag
stop h.tag h-1.tag m.tag
"""

DEFAULT = (
    STOPS
    + """
sibling h.tag s.tag m.tag
sibling h.upos s.upos m.upos
sibling s.tag m.tag
sibling s.upos m.upos
sibling s.word m.word
sibling s.word m.tag
sibling s.tag m.word
sibling h.word s.tag m.tag
sibling h.tag s.word m.tag
sibling h.tag s.tag m.word
sibling h.lemma s.upos m.upos
sibling h.tag s.tag m.tag s+1.tag m-1.tag
sibling h.tag s.tag m.tag m+1.tag
sibling h.tag s.tag m.tag m-1.tag
sibling h.upos s.tag s+1.upos m-1.upos m.tag
sibling h.word s.word m.tag
sibling h.word s.tag m.word
sibling h.tag s.word m.word
sibling h.upos s.lemma m.lemma
sibling h.upos s.upos m.lemma
grandchild g.tag h.tag m.tag
grandchild g.upos h.upos m.upos
grandchild g.tag m.tag
grandchild g.upos m.upos
grandchild g.word m.word
grandchild g.word m.tag
grandchild g.tag m.word
grandchild g.word h.tag m.tag
grandchild g.tag h.word m.tag
grandchild g.tag h.tag m.word
grandchild g.word h.word m.tag
grandchild g.tag h.word m.word
grandchild g.lemma h.lemma m.upos
grandchild g.tag h.tag m.tag m+1.tag
grandchild g.tag h.tag m.tag m-1.tag
grandchild g.tag h.tag h-1.tag m.tag
grandchild g.tag h.tag h+1.tag m.tag
grandchild g.upos h.lemma m.upos
grandchild g.upos h.upos m.lemma
grandchild g.lemma h.upos m.upos
grandchild g.word h.tag m.word
grandchild g.upos h.lemma m.lemma
grandchild g.tag g+1.tag h.tag m.tag
grandchild g.tag g-1.tag h.tag m.tag
grandchild g.upos h.upos m.upos m-1.upos m+1.upos
grandchild g.upos h-1.upos h.upos h+1.upos m.upos
grand-sibling g.tag h.tag s.tag m.tag
grand-sibling g.upos h.upos s.upos m.upos
grand-sibling g.tag s.tag m.tag
grand-sibling g.upos h.word s.upos m.upos
grand-sibling g.upos h.upos s.word m.upos
grand-sibling g.upos h.upos s.upos m.word
grand-sibling g.word h.upos s.upos m.upos
tri-sibling h.tag r.tag s.tag m.tag
tri-sibling h.upos r.upos s.upos m.upos
tri-sibling r.tag s.tag m.tag
tri-sibling h.upos r.upos s.word m.upos
tri-sibling h.upos r.upos s.upos m.word
tri-sibling h.word r.upos s.upos m.upos
tri-sibling h.tag r.here s.here m.tag
grand-tri-sibling g.tag h.tag r.tag s.tag m.tag
grand-tri-sibling g.upos h.upos r.upos s.upos m.upos
grand-tri-sibling g.upos r.upos s.upos m.upos
grand-tri-sibling g.upos h.word r.upos s.upos m.upos
"""
)

DYNAMIC = """
tri-sibling h.tag r.here s.here m.tag
tri-sibling h.upos r.here s.here m.upos
tri-sibling h.word r.here s.here m.upos
sibling h.tag s.tag m.tag
sibling h.upos s.upos m.upos
sibling s.tag m.tag
grand-sibling g.tag h.tag s.here m.tag
grand-sibling g.upos h.upos s.here m.upos
grand-sibling g.upos h.word s.here m.word
"""
"""The dynamic features of Wang (2008), section 7.3: the number of a head's children so far (none,
one, more), the tag of the last one, and a child's first child (if there is no sibling before); the
thesis uses the latter under prepositions only, which `h.tag` distinguishes."""


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


PART_SETS = {
    "default": tuple(DEFAULT.splitlines()),
    "paper-002": (*paper_rows(), *STOPS.splitlines()),
    "paper-002-no-backoff": (
        *(row for row in paper_rows() if not is_backoff(row)),
        *STOPS.splitlines(),
    ),
    "paper-003": (*DYNAMIC.splitlines(), *STOPS.splitlines()),
}


def load_part_features(name: str | Path) -> PartFeatureSet:
    """A set by name, or from a file."""
    if str(name) in PART_SETS:
        return PartFeatureSet.parse(PART_SETS[str(name)], str(name))
    if not Path(name).exists():
        known = ", ".join(PART_SETS)
        raise UsageError(f"no part feature set or file {str(name)!r}; sets: {known}")
    return PartFeatureSet.parse(read_lines(name), str(name))
