"""What comments say of a sentence that is being corrected.

# checked = yes                 somebody has looked at all of it
# note = is this a name?        what annotators write to each other
# forbidden_arcs = 2>5 0>3      arcs (head>word) that the tree must not have
# brackets = 2-4                words that form one subtree
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from headwise.corpus.sentence import MISSING, Sentence, key_of
from headwise.errors import InputError
from headwise.search.constraints import Constraints

Pair = tuple[int, int]
ROOT = "root"
CHECKED, NOTE, FORBIDDEN, BRACKETS = "checked", "note", "forbidden_arcs", "brackets"
YES = "yes"


@dataclass(frozen=True, slots=True)
class Marks:
    """What the comments of a sentence say of it."""

    checked: bool = False
    note: str = ""
    forbidden: tuple[Pair, ...] = ()
    brackets: tuple[Pair, ...] = ()

    def renumbered(self, new: Sequence[int]) -> "Marks":
        """The same under other numbers of words: `new[old]`, negative for one that is gone."""
        arcs, brackets = renumbered(self.forbidden, new), renumbered(self.brackets, new)
        return replace(self, forbidden=tuple((h, m) for h, m in arcs if h != m), brackets=brackets)


def renumbered(pairs: Iterable[Pair], new: Sequence[int]) -> tuple[Pair, ...]:
    """Pairs of words under other numbers; those with a word that is gone are dropped."""
    found = ((new[a], new[b]) for a, b in pairs)
    return tuple(pair for pair in found if min(pair) >= 0)


def marks_of(sentence: Sentence) -> Marks:
    """What the comments of a sentence say."""
    return Marks(
        sentence.comment(CHECKED) == YES,
        sentence.comment(NOTE) or "",
        pairs_of(sentence, FORBIDDEN, ">"),
        pairs_of(sentence, BRACKETS, "-"),
    )


def pairs_of(sentence: Sentence, key: str, between: str) -> tuple[Pair, ...]:
    """The pairs of words in a comment, each of which must be in the sentence."""
    found = []
    for item in (sentence.comment(key) or "").split():
        match = re.fullmatch(rf"(\d{{1,9}}){between}(\d{{1,9}})", item, re.ASCII)
        pair = (int(match[1]), int(match[2])) if match else (-1, -1)
        if not (0 <= pair[0] <= len(sentence) and 1 <= pair[1] <= len(sentence)):
            raise InputError(
                f"comment {key!r}: expected pairs of words, such as 2{between}5, within the "
                f"sentence: correct or remove it",
                sentence.location,
            )
        found.append(pair)
    return tuple(found)


def with_marks(sentence: Sentence, marks: Marks) -> Sentence:
    """The sentence whose comments say this; comments that do not change stay where they are."""
    texts = {
        CHECKED: YES if marks.checked else "",
        NOTE: " ".join(marks.note.split()),
        FORBIDDEN: " ".join(f"{h}>{m}" for h, m in sorted(set(marks.forbidden))),
        BRACKETS: " ".join(f"{i}-{j}" for i, j in sorted(set(marks.brackets))),
    }
    comments = with_comments(sentence.comments, texts)
    return sentence if comments == sentence.comments else replace(sentence, comments=comments)


def with_comments(comments: Sequence[str], texts: dict[str, str]) -> tuple[str, ...]:
    """Comments with other values of some keys: no comment for an empty one, new ones at the end."""
    left, lines = dict(texts), []
    for line in comments:
        key = key_of(line)
        if key is None or key not in texts:
            lines.append(line)
        elif value := left.pop(key, ""):
            is_same = line[1:].partition("=")[2].removeprefix(" ") == value
            lines.append(line if is_same else f"# {key} = {value}")
    return (*lines, *(f"# {key} = {value}" for key, value in left.items() if value))


def constraints_of(sentence: Sentence) -> Constraints:
    """All that is fixed of a tree: heads, forbidden arcs, brackets, and what relations imply."""
    marks = marks_of(sentence)
    heads = {word: head for word, head in enumerate(sentence.heads, 1) if head is not None}
    open_words = [word for word, head in enumerate(sentence.heads, 1) if head is None]
    not_root = []
    for word in open_words:
        relation = sentence.relations[word - 1]
        if relation == ROOT:
            heads[word] = 0
        elif relation != MISSING:
            not_root.append((0, word))
    forbidden = tuple(dict.fromkeys((*marks.forbidden, *not_root)))
    return Constraints(forbidden=forbidden, heads=heads, brackets=marks.brackets)
