"""The examples of the pages on search work."""

import re
from pathlib import Path

import numpy as np
import pytest

from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("page", ["recurrences", "nonprojective", "chart"])
def test_every_example_works(page: str) -> None:
    rng = np.random.default_rng(0)
    arc, unpruned = rng.normal(size=(6, 6)), np.ones((6, 6), bool)
    grand = PartIndex.over(unpruned, Factorisation.GRAND_SIBLINGS)
    siblings = PartIndex.over(unpruned, Factorisation.SIBLINGS)
    names: dict[str, object] = {
        "arc": arc,
        "unpruned": unpruned,
        "rng": rng,
        "values": rng.normal(size=grand.count(Part.GRAND_SIBLING)),
        "list_of_scores": [Scores(arc)],
        "link": rng.normal(size=(6, 2, 6, 6)),
        "stop": None,
        "first": None,
        "gold_heads": (-1, 0, 1, 1, 1, 1),
        "index": siblings,
        "higher": {Part.SIBLING: rng.normal(size=siblings.count(Part.SIBLING))},
        "Scores": Scores,
    }
    text = (DOCS / f"{page}.md").read_text("utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert examples
    for code in examples:
        exec(compile(code, page, "exec"), names)
