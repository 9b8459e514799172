"""Ratings of arcs as they are defined, by plain Python."""

from headwise.kernels.arcs.features import AFTER_ALL, BEFORE_ALL, COARSE, MULTIPLIER
from headwise.kernels.arcs.plausible import EVERYTHING, KINDS, ROW_BITS

WORD = (1 << 64) - 1


def mixed(x):
    x = x * int(MULTIPLIER) & WORD
    return x ^ x >> 32


def lane(h, m):
    distance = abs(m - h)
    return 2 + 7 * (m > h) + (distance - 1 if distance <= 5 else 5 if distance <= 10 else 6)


def rows_of(tokens, i, end):
    """The rows of a token as a head (0) or a modifier (1)."""
    fine, coarse = ([int(x) for x in tags] for tags in (tokens.tags, tokens.atoms[COARSE]))
    after = coarse[i + 1] if i + 1 < len(coarse) else int(AFTER_ALL)
    before = coarse[i - 1] if i > 0 else int(BEFORE_ALL)
    for seen, value in enumerate([fine[i], coarse[i] ^ mixed(after), coarse[i] ^ mixed(before)]):
        salt = (end * 3 + seen + 1) * int(MULTIPLIER) & WORD
        yield (mixed(value ^ salt) * int(MULTIPLIER) & WORD) >> (64 - ROW_BITS)


def rating(plausible, tokens, h, m):
    """The rating of an arc."""
    tags = [int(tag) for tag in plausible.tags]
    kinds = [
        tags.index(tag) if tag in tags else len(tags) for tag in map(int, tokens.atoms[COARSE])
    ]
    rows = plausible.rows.reshape(-1, 2, KINDS)
    total = int(plausible.pairs.reshape(KINDS, KINDS, 16)[kinds[h], kinds[m], lane(h, m)])
    total += sum(int(rows[row, int(m > h), kinds[m]]) for row in rows_of(tokens, h, 0))
    return total + sum(int(rows[row, int(m > h), kinds[h]]) for row in rows_of(tokens, m, 1))


def is_plausible(plausible, tokens, h, m):
    """Whether the rating of an arc comes near the best one of its modifier."""
    if plausible.margin == EVERYTHING:
        return True
    others = [other for other in range(len(tokens.tags)) if other != m]
    best = max(rating(plausible, tokens, other, m) for other in others)
    return rating(plausible, tokens, h, m) >= best - plausible.margin
