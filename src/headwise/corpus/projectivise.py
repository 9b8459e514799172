"""Non-projective trees for projective search: lift arcs reversibly, or reorder the words.

**Lifting** (Nivre & Nilsson 2005): the shortest non-projective arc moves to the head of its
head, until no arc is left to lift. How to find the way back is written into the relations:

    encoding     the lifted word    the words on the way
    none         nsubj              –
    head         nsubj↑acl          –          go down to the first `acl`
    path         nsubj↑             acl↓       go down along marked words to the last of them
    head+path    nsubj↑acl          acl↓       go down along marked words to the first `acl`

Where the first `acl` would be the wrong one, `nsubj↑acl#2` asks for the second, so that with
`head` and `head+path` nearly every lift can be undone.

**Reordering** (McDonald et al. 2005, section 3.2): words are rearranged so that all arcs nest.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from headwise.corpus.tree import children_of, non_projective_arcs, problems, top_down
from headwise.errors import TreeError, UsageError

Encoding = Literal["none", "head", "path", "head+path"]
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)

UP = "↑"
DOWN = "↓"
_RANKED = re.compile(r"(.*)#([0-9]{1,4})")


def projectivise(
    heads: Sequence[int], relations: Sequence[str], encoding: Encoding = "head"
) -> tuple[list[int], list[str]]:
    """A projective heads array, and relations that say how to undo the lifting.

    Both have an entry for the root, as heads arrays do (`relations[0]` is never looked at).
    """
    _check(heads, relations, encoding)
    if any(map(is_encoded, relations[1:])):
        raise UsageError(f"a relation holds {UP} or {DOWN}: is the tree encoded already?")
    lifted_heads = list(heads)
    lifted: set[int] = set()
    on_the_way: set[int] = set()
    while arcs := non_projective_arcs(lifted_heads):
        m = min(arcs, key=lambda word: (abs(word - lifted_heads[word]), word))
        lifted.add(m)
        on_the_way.add(lifted_heads[m])
        lifted_heads[m] = lifted_heads[lifted_heads[m]]
    encoded = list(relations)
    if encoding in ("path", "head+path"):
        for m in on_the_way:
            encoded[m] += DOWN
    if encoding == "path":
        for m in lifted:
            encoded[m] = relations[m] + UP + encoded[m].removeprefix(relations[m])
    elif encoding != "none":
        _name_true_heads(heads, lifted_heads, relations, encoded, encoding)
    return lifted_heads, encoded


def _name_true_heads(
    heads: Sequence[int],
    lifted_heads: Sequence[int],
    relations: Sequence[str],
    encoded: list[str],
    encoding: Encoding,
) -> None:
    """Add to every lifted word's relation which word to go down to.

    Words are taken in the order in which they will be put back, so that the search meets the
    same half-restored tree both times.
    """
    restored = list(lifted_heads)
    for m in top_down(lifted_heads)[1:]:
        if heads[m] == lifted_heads[m]:
            continue
        wanted = relations[heads[m]]
        found = list(_candidates(m, wanted, restored, encoded, encoding))
        rank = found.index(heads[m]) + 1 if heads[m] in found else 1
        ambiguous = rank > 1 or _RANKED.fullmatch(wanted)
        mark = f"{UP}{wanted}#{rank}" if ambiguous else f"{UP}{wanted}"
        encoded[m] = relations[m] + mark + encoded[m].removeprefix(relations[m])
        restored[m] = heads[m]


def deprojectivise(
    heads: Sequence[int], relations: Sequence[str], encoding: Encoding = "head"
) -> tuple[list[int], list[str]]:
    """Undo `projectivise`: every lifted word goes back down to the head its relation asks for.

    The search below the present head is breadth first, left to right. A word whose head is not
    found stays where it is.
    """
    _check(heads, relations, encoding)
    names = [plain(relation) for relation in relations]
    restored = list(heads)
    if encoding == "none":
        return restored, names
    for m in top_down(heads)[1:]:
        _, lifted, target = relations[m].removesuffix(DOWN).partition(UP)
        if not lifted:
            continue
        ranked = _RANKED.fullmatch(target)
        wanted, index = (ranked[1], int(ranked[2]) - 1) if ranked else (target, 0)
        if encoding == "path":
            restored[m] = _end_of_path(m, restored, relations)
            continue
        found = list(_candidates(m, wanted, restored, relations, encoding))
        if found:
            restored[m] = found[index if 0 <= index < len(found) else 0]
    return restored, names


def _candidates(
    m: int, wanted: str, heads: Sequence[int], relations: Sequence[str], encoding: Encoding
) -> Iterator[int]:
    """The words that `m` may have been lifted from, looked for below its present head."""
    children = children_of(heads)
    queue = list(children[heads[m]])
    for word in queue:  # grows while it is read
        if word == m or (encoding == "head+path" and not relations[word].endswith(DOWN)):
            continue
        if plain(relations[word]) == wanted:
            yield word
        queue += children[word]


def _end_of_path(m: int, heads: Sequence[int], relations: Sequence[str]) -> int:
    """The last word of the leftmost marked way below the present head of `m`."""
    children = children_of(heads)
    end = heads[m]
    while True:
        marked = [w for w in children[end] if w != m and relations[w].endswith(DOWN)]
        if not marked:
            return end
        end = marked[0]


def is_encoded(relation: str) -> bool:
    """Whether a relation says that an arc was lifted, or is on the way of one that was."""
    return UP in relation or DOWN in relation


def plain(relation: str) -> str:
    """A relation without what the encodings have added."""
    return relation.removesuffix(DOWN).partition(UP)[0]


def names_in(relation: str) -> tuple[str, str]:
    """The relation itself, and the one that it asks for; empty if it asks for none."""
    name, _, target = relation.removesuffix(DOWN).partition(UP)
    ranked = _RANKED.fullmatch(target)
    return name, ranked[1] if ranked else target


def _check(heads: Sequence[int], relations: Sequence[str], encoding: str) -> None:
    if encoding not in ENCODINGS:
        raise UsageError(f"there is no encoding {encoding!r}; there are {', '.join(ENCODINGS)}")
    if len(heads) != len(relations):
        raise UsageError(f"{len(relations)} relations for {len(heads)} tokens")
    wrong = problems(heads)
    if wrong:
        raise TreeError("; ".join(wrong))


def nested_order(heads: Sequence[int]) -> list[int]:
    """An order of the tokens in which all arcs nest: each head between its left and right.

    `order[i]` is the token that comes to stand at position `i`. Modifiers stay on their side of
    their head and in their order, so a projective tree is left as it is.
    """
    children = children_of(heads)
    order: list[int] = []
    stack: list[tuple[int, bool]] = [(0, False)]
    while stack:
        token, is_placed = stack.pop()
        if is_placed:
            order.append(token)
            continue
        # Pushed from right to left, so that they are met from left to right.
        stack += [(m, False) for m in reversed(children[token]) if m > token]
        stack.append((token, True))
        stack += [(m, False) for m in reversed(children[token]) if m < token]
    return order


def reorder(heads: Sequence[int], order: Sequence[int]) -> list[int]:
    """The heads array after the tokens are put in another order (root first)."""
    position = [0] * len(order)
    for place, token in enumerate(order):
        position[token] = place
    return [-1] + [position[heads[token]] for token in order[1:]]
