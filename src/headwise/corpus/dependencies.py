"""Dependencies from constituents: the words of the other children depend on that of the head."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from headwise.corpus.constituents import Leaf, Tree, postorder, remove_traces
from headwise.corpus.headrules import HeadRules
from headwise.corpus.sentence import Sentence
from headwise.errors import TreeError

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
