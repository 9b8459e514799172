"""Lists whose right tree is not the one of the best score."""

from bracketbank import tree

from headwise.constituency.candidates import CandidateList

NOUNS = ("man", "dog", "cat", "girl")
FLAT = "(ROOT (S (NP (PRP we)) (VP (VBP see) (NP (NNS {0}s)) (PP (IN with) (NP (NNS {1}s))))))"
DEEP = "(ROOT (S (NP (PRP we)) (VP (VBP see) (NP (NP (NNS {0}s)) (PP (IN with) (NP (NNS {1}s)))))))"


def lists():
    """The right tree is always the flat one, the score prefers the other."""
    found = []
    for number, noun in enumerate(NOUNS):
        names = noun, NOUNS[number - 1]
        trees = [tree(DEEP.format(*names)), tree(FLAT.format(*names))]
        found.append(CandidateList.of(noun, trees, [-1.0, -1.5]))
    return found
