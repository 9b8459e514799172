"""Places of features of arcs by their definition, in plain Python."""

from hypothesis import strategies as st

from arcweights import (
    NARROW_BITS,
    WIDE_BITS,
)
from headwise.corpus.sentence import Sentence
from headwise.kernels.arcs.features import AFTER_ALL, BEFORE_ALL, BETWEEN, MULTIPLIER
from headwise.kernels.arcs.plausible import EVERYTHING
from headwise.scoring.linear import ATOMS
from headwise.scoring.linear.texttable import hash_text
from slowratings import is_plausible

WORD = (1 << 64) - 1
MARGINS = st.sampled_from([0, 50, 150, EVERYTHING])


def side(seen, end, token, atoms):
    x = hash_text(f"{end} {seen}")
    for atom, offset in seen:
        j = token + offset
        if j < 0:
            value = int(BEFORE_ALL)
        elif j >= atoms.shape[1]:
            value = int(AFTER_ALL)
        else:
            value = int(atoms[ATOMS.index(atom), j])
        x = ((x ^ value) * int(MULTIPLIER)) & WORD
        x ^= x >> 32
    return x


def looks_at_both(template):
    """Whether it looks at both ends, and at more than their tags."""
    if template.guide or not (template.head and template.modifier):
        return False
    return not template.is_tag_only or template.between is not None or template.counts


def places(templates, tokens, h, m, weights):
    """The places of templates' features on an arc, by definition."""
    plausible = is_plausible(weights.plausible, tokens, h, m)
    for template in templates:
        if plausible or not looks_at_both(template):
            yield from places_of(template, tokens, h, m)


def places_of(template, tokens, h, m):
    """The places of a template's features on a plausible arc."""
    if template.guide and tokens.guide[m] != h:
        return
    ends = [(template.head, h), (template.modifier, m)]
    backing = [i for seen, i in ends if any(atom == "backoff" for atom, _ in seen)]
    if backing and not any(tokens.backed_off[i] for i in backing):
        return
    x = hash_text(str(template)) ^ side(template.head, "h", h, tokens.atoms)
    x ^= side(template.modifier, "m", m, tokens.atoms)
    inner = range(min(h, m) + 1, max(h, m))
    keys = [0]
    if template.counts:
        counts = [min(sum(int(tokens.counted[k, b]) for b in inner), 3) for k in range(3)]
        keys = [(counts[0] * 16 + counts[1] * 4 + counts[2] + 1) * int(BETWEEN)]
    elif template.between:
        atom = ATOMS.index(template.between)
        keys = [int(tokens.atoms[atom, b]) * int(BETWEEN) for b in inner]
    direction, distance = int(m > h), abs(m - h)
    bucket = distance - 1 if distance <= 5 else 5 if distance <= 10 else 6
    for key in keys:
        mixed = ((x ^ (key & WORD)) * int(MULTIPLIER)) & WORD
        if template.conjoined == "direction":
            yield (16 << WIDE_BITS) + 2 * (mixed >> (64 - NARROW_BITS)) + direction
        else:
            line = 16 * (mixed >> (64 - WIDE_BITS))
            yield line + (0 if template.conjoined == "plain" else direction)
            yield line + 2 + 7 * direction + bucket


def keep_plain_twice(weights):
    """A plain template has one weight for both directions: as if it had been learnt so."""
    lines = weights.wide.reshape(-1, 16)
    lines[:, 1] = lines[:, 0]
    return weights


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    n = draw(st.integers(1, 14))
    words = st.lists(st.sampled_from(["a", "tree", "forest", "forests"]), min_size=n, max_size=n)
    tags = st.lists(st.sampled_from(["VERB", "PUNCT", "CCONJ", "NOUN"]), min_size=n, max_size=n)
    heads = draw(st.lists(st.integers(0, n), min_size=n, max_size=n))
    return Sentence.from_words(
        draw(words), lemmas=draw(words), upos=draw(tags), xpos=draw(tags), heads=heads
    )
