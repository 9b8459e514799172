"""The templates of the tagger: rows that say which atoms make a feature.

    27  always  class +1.class

The number is hashed with the atoms: templates of one number share their weights, as suffixes of all
lengths do. `always`, `within` and `given` say where a template applies: at every token; where all
tokens that it looks at are within the sentence; where the word has its one atom at all. Then come
atoms of the token, or of a neighbour (`-1.`, `+2.`); beyond the ends of a sentence all have one
value.

The weights of trained models are found by these hashes: a row may be added, not changed.
"""

import re
from functools import cache

import numpy as np

from headwise.kernels.text import tag_features
from headwise.kernels.text.tag_features import ALWAYS, GIVEN, PREFIX, SUFFIX, WITHIN, TagTemplates
from headwise.kernels.text.wordhash import AFFIX, MULTIPLIER

ATOMS = {
    "word": tag_features.WORD,  # lowercase, if the lexicon has it; otherwise "unknown"
    "form": tag_features.FORM,  # as it is written, if the lexicon has it
    "shape": tag_features.SHAPE,  # the classes of its characters
    "look": tag_features.LOOK,  # capitalised, all capitals, numeric …
    "start-look": tag_features.START_LOOK,  # the same, and whether it starts the sentence
    "looks": tag_features.LOOKS,  # its look and those of its neighbours in the sentence
    "style": tag_features.STYLE,  # how the sentence uses capitals
    "class": tag_features.CLASS,  # ambiguity class
    "lower-class": tag_features.LOWER_CLASS,  # that of the lowercase word
    "stem": tag_features.STEM,  # of unknown words: class of a known word it begins with, ending
    "compound": tag_features.COMPOUND,  # of unknown words: class of what follows the last hyphen
    **{f"suffix{length}": SUFFIX + length - 1 for length in range(1, AFFIX + 1)},
    **{f"prefix{length}": PREFIX + length - 1 for length in range(1, AFFIX + 1)},
}

APPLIES = {"always": ALWAYS, "within": WITHIN, "given": GIVEN}

TEMPLATES = """
 0  always  word
 1  given   form
 2  given   suffix1
 2  given   suffix2
 2  given   suffix3
 2  given   suffix4
 2  given   suffix5
 7  given   prefix1
 7  given   prefix2
 7  given   prefix3
 7  given   prefix4
11  always  shape
12  always  start-look
13  always  suffix2 start-look
14  always  class
15  always  lower-class start-look
16  within  -1.suffix3
17  within  shape -1.shape
18  within  +1.suffix3
19  always  looks
20  always  -1.word
21  always  +1.word
22  always  -2.word
23  always  +2.word
24  always  word -1.word
25  always  word +1.word
26  always  -1.word +1.word
27  always  class +1.class
28  always  class -1.class
29  always  class -1.class +1.class
30  always  class +1.class +2.class
31  always  word +1.class
32  always  word -1.class
33  always  suffix3 -1.class
34  given   stem
35  given   compound
36  always  looks style
37  always  -1.word look
38  always  +1.word look
39  always  suffix3 look
"""

_ATOM = re.compile(r"(?:([+-][1-9])\.)?([a-z-]+\d?)")


@cache
def tag_templates() -> TagTemplates:
    """The templates as arrays for the kernels."""
    rows = [row.split() for row in TEMPLATES.strip().splitlines()]
    for row in rows:
        if row[1] == "given" and len(row) != 3:
            raise ValueError(f"{' '.join(row)!r}: given goes with one atom")
    found = [[_parsed(name) for name in names] for _, _, *names in rows]
    seen = [one for atoms in found for one in atoms]
    numbers = np.array([int(number) for number, *_ in rows], np.uint64)
    return TagTemplates(
        start=np.cumsum([0, *map(len, found)]),
        atom=np.array([atom for atom, _ in seen], np.int64),
        offset=np.array([offset for _, offset in seen], np.int64),
        seed=(numbers + np.uint64(1)) * MULTIPLIER,
        applies=np.array([APPLIES[where] for _, where, *_ in rows], np.int64),
    )


def _parsed(name: str) -> tuple[int, int]:
    """The row of an atom, and how far away its token is."""
    match = _ATOM.fullmatch(name)
    if match is None or match[2] not in ATOMS:
        raise ValueError(f"{name!r} is not an atom: an offset and one of {', '.join(ATOMS)}")
    return ATOMS[match[2]], int(match[1] or 0)
