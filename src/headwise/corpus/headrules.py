"""Head rules: which child of a constituent is its head, and what its other children are called.

Rules are data. The files of this package and a user's own have one rule a line, a label and
where to look for the head of such a constituent:

    NP    right NN NNS > NX > CD ; left NP ; right

A step names the side to start from and whom to look for: the first child that is NN or NNS, then
(`>`) in the same direction NX, then CD; the next step (`;`) starts from the other side; a side
alone takes the first child. `last` looks at the last child only. A child is named by category
(`NP`), by function tags (`-SBJ`, `NP-SBJ`), as a category without any (`NP-`), or as anything
(`*`). Lines that begin with `@` say what holds for all labels:

    @default right                       where no rule applies
    @punctuation , . :                   tags that are heads only where nothing else is
    @coordination CC CONJP               after such a child, the head is the child before it
    @relation SUB -SBJ in S with VP      what a -SBJ is called in an S whose head is a VP

The first `@relation` that fits names a dependency; `with` and `in` may be left out. A line that
begins with `# ` is a comment. The whole is explained in docs/head-rules.md.

In the dependencies of a tree, the words of the other children depend on that of the head.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from headwise.corpus.constituents import Leaf, Tree, parse_label, postorder, remove_traces
from headwise.corpus.files import named_lines
from headwise.corpus.sentence import Sentence
from headwise.errors import FormatError, SourceLocation, TreeError, cut, quoted

RULE_SETS = ("yamada-matsumoto", "collins", "chinese")
"""The rules that come with the package."""

OTHER_RELATION = "DEP"
"""What a dependency is called that no `@relation` names."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Names labels: a category (`*` for any) and the function tags they must have."""

    category: str
    functions: frozenset[str] = frozenset()
    bare: bool = False  # no function tag at all

    @classmethod
    def parse(cls, text: str) -> "Pattern":
        """`NP`, `NP-SBJ`, `-SBJ`, `NP-` or `*`; `-LRB-` and its like are tags."""
        if text.startswith("-") and text.endswith("-"):
            return cls(text)
        category, *functions = text.split("-")
        return cls(category or "*", frozenset(functions) - {""}, text.endswith("-"))

    def fits(self, label: str) -> bool:
        """Whether a label is one of those named."""
        parts = parse_label(label)
        if self.category not in ("*", parts.category):
            return False
        return not parts.functions if self.bare else self.functions <= parts.functions


@dataclass(frozen=True, slots=True)
class Step:
    """Look from one side for the first child that fits; no patterns means any child."""

    side: str  # left, right or last
    patterns: tuple[Pattern, ...]

    def find(self, labels: Sequence[str], candidates: Sequence[int]) -> int | None:
        """The first of the candidates, seen from the side, whose label fits."""
        ordered = candidates if self.side == "left" else candidates[::-1]
        for child in ordered[:1] if self.side == "last" else ordered:
            if not self.patterns or any(pattern.fits(labels[child]) for pattern in self.patterns):
                return child
        return None


@dataclass(frozen=True, slots=True)
class RelationRule:
    """What to call a dependent of one of some kinds in a constituent of one of some kinds."""

    name: str
    dependents: tuple[Pattern, ...]
    parents: tuple[Pattern, ...]
    heads: tuple[Pattern, ...]

    def fits(self, dependent: str, parent: str, head: str) -> bool:
        """Whether this rule speaks of such a dependent; an empty list fits anything."""
        pairs = ((self.dependents, dependent), (self.parents, parent), (self.heads, head))
        return all(
            not patterns or any(pattern.fits(label) for pattern in patterns)
            for patterns, label in pairs
        )


@dataclass(frozen=True, slots=True, eq=False)  # equal only to themselves, so they can be keys
class HeadRules:
    """Where each kind of constituent has its head."""

    rules: dict[str, tuple[Step, ...]]
    default: Step
    punctuation: frozenset[str] = frozenset()
    coordinators: frozenset[str] = frozenset()
    relations: tuple[RelationRule, ...] = ()

    @classmethod
    def load(cls, name: str | Path) -> "HeadRules":
        """The rules of that name in this package, or of a user's file."""
        return cls.parse(*named_lines(name, RULE_SETS, "headrules", "head rules"))

    @classmethod
    def parse(cls, lines: Iterable[str], path: str | None = None) -> "HeadRules":
        """Rules from the lines of a file."""
        reader = _RuleReader(path)
        for reader.line, line in enumerate(lines, 1):
            words = line.split()
            if words and words[0] != "#":
                reader.read(words)
        if not reader.rules:
            raise FormatError("there is no head rule in this file", SourceLocation(path))
        return cls(
            reader.rules,
            reader.default,
            frozenset(reader.punctuation),
            frozenset(reader.coordinators),
            tuple(reader.relations),
        )

    def head_child(self, label: str, children: Sequence[str]) -> int:
        """Which of the children, given by their labels, is the head of a constituent."""
        if len(children) == 1:
            return 0
        candidates = [i for i, child in enumerate(children) if child not in self.punctuation]
        candidates = candidates or list(range(len(children)))
        steps = (*self.rules.get(parse_label(label).category, ()), self.default)
        tries = (step.find(children, candidates) for step in steps)
        found = next(child for child in tries if child is not None)  # the default always finds
        return self._first_conjunct(children, candidates, found)

    def _first_conjunct(self, children: Sequence[str], candidates: Sequence[int], head: int) -> int:
        # Collins: with a coordinator just before the head, the head is what stands before that.
        place = candidates.index(head)
        if not self.coordinators or place < 2:
            return head
        before = parse_label(children[candidates[place - 1]]).category
        return candidates[place - 2] if before in self.coordinators else head

    def relation(self, dependent: str, parent: str, head: str) -> str:
        """The name of a dependency, from the labels of child, constituent and head child."""
        for rule in self.relations:
            if rule.fits(dependent, parent, head):
                return rule.name
        return OTHER_RELATION


class _RuleReader:
    """The rules of a file, as far as it has been read."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.line = 0
        self.rules: dict[str, tuple[Step, ...]] = {}
        self.default = Step("right", ())
        self.punctuation: list[str] = []
        self.coordinators: list[str] = []
        self.relations: list[RelationRule] = []

    def error(self, message: str) -> FormatError:
        return FormatError(message, SourceLocation(self.path, self.line))

    def read(self, words: list[str]) -> None:
        key, values = words[0], words[1:]
        if not values:
            raise self.error(f"nothing follows {quoted(key)}")
        if not key.startswith("@"):
            self.read_rule(key, values)
        elif key == "@default":
            self.read_default(values)
        elif key == "@punctuation":
            self.punctuation += values
        elif key == "@coordination":
            self.coordinators += values
        elif key == "@relation":
            self.relations.append(self.relation_rule(values))
        else:
            raise self.error(
                f"{key} is none of @default, @punctuation, @coordination and @relation"
            )

    def read_default(self, values: list[str]) -> None:
        if values not in (["left"], ["right"]):
            raise self.error("@default takes one word, left or right")
        self.default = Step(values[0], ())

    def read_rule(self, label: str, values: list[str]) -> None:
        if parse_label(label).category != label:
            raise self.error(f"a rule is for a plain category, not {quoted(label)}")
        if label in self.rules:
            raise self.error(f"there is a rule for {cut(label)} already")
        self.rules[label] = self.steps(values)

    def steps(self, values: list[str]) -> tuple[Step, ...]:
        steps: list[Step] = []
        for side, *names in self.split_at(";", values):
            if side not in ("left", "right", "last"):
                raise self.error(f"a step begins with left, right or last, not {quoted(side)}")
            if not names:
                steps.append(Step(side, ()))
                continue
            steps += [Step(side, self.patterns(tier)) for tier in self.split_at(">", names)]
        return tuple(steps)

    def split_at(self, mark: str, words: Sequence[str]) -> list[list[str]]:
        """The runs of words between marks, none of them empty."""
        runs: list[list[str]] = [[]]
        for word in words:
            if word == mark:
                runs.append([])
            else:
                runs[-1].append(word)
        if not all(runs):
            raise self.error(f"nothing stands on one side of {quoted(mark)}")
        return runs

    def patterns(self, names: list[str]) -> tuple[Pattern, ...]:
        return tuple(Pattern.parse(name) for name in names)

    def relation_rule(self, values: list[str]) -> RelationRule:
        lists: dict[str, list[str]] = {"of": [], "in": [], "with": []}
        current = "of"
        for word in values[1:]:
            if word in ("in", "with"):
                current = word
            else:
                lists[current].append(word)
        if not lists["of"]:
            raise self.error("@relation needs a name and the dependents it is for")
        return RelationRule(values[0], *(self.patterns(names) for names in lists.values()))


ROOT_RELATION = "root"


def to_sentence(tree: Tree, rules: HeadRules) -> Sentence:
    """The dependencies of a tree; traces are left out, punctuation is kept."""
    pruned = remove_traces(tree)
    if pruned is None:
        raise TreeError("the tree has no words, only traces", tree.location)
    words: list[Leaf] = []
    heads: list[int] = []
    relations: list[str] = []
    head_words: list[int] = []  # of the nodes that have no parent yet
    for node in postorder(pruned.root):
        if isinstance(node, Leaf):
            words.append(node)
            heads.append(0)
            relations.append(ROOT_RELATION)
            head_words.append(len(words))
            continue
        first = len(head_words) - len(node.children)
        labels = tuple([child.label for child in node.children])
        analyse = _known if len(labels) < 50 else _analyse
        chosen, names = analyse(rules, node.label, labels)
        head = head_words[first + chosen]
        for word, name in zip(head_words[first:], names, strict=True):
            if word != head:
                heads[word - 1], relations[word - 1] = head, name
        head_words[first:] = [head]
    return Sentence.from_words(
        [leaf.word for leaf in words],
        xpos=[leaf.tag for leaf in words],
        heads=heads,
        relations=relations,
        location=tree.location,
    )


def _analyse(
    rules: HeadRules, label: str, children: tuple[str, ...]
) -> tuple[int, tuple[str, ...]]:
    """The head of a constituent, and what every child is called if it is not the head."""
    chosen = rules.head_child(label, children)
    return chosen, tuple(rules.relation(child, label, children[chosen]) for child in children)


_known = lru_cache(maxsize=1 << 15)(_analyse)  # few productions make up most of a treebank


def to_dependencies(trees: Iterable[Tree], rules: HeadRules) -> Iterator[Sentence]:
    """The dependencies of each tree."""
    for tree in trees:
        yield to_sentence(tree, rules)
