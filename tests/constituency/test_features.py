from bracketbank import tree

from headwise.constituency.features import branching, coordination, heaviness, rules

COORDINATED = "(ROOT (S (NP (NP (DT a) (NN b)) (CC and) (NP (DT c) (NN d))) (VP (VB e))))"


def test_rules():
    found = list(rules(tree(COORDINATED)))
    assert found.count("r:NP>DT NN") == 2
    assert "rp:S NP>NP CC NP" in found
    assert "rb:S>NP VP" in found


def test_heaviness():
    assert "h:NP,2,1" in set(heaviness(tree(COORDINATED)))


def test_branching():
    found = list(branching(tree(COORDINATED)))
    assert found.count("b:node") - found.count("b:right") == 3  # all noun phrases


def test_coordination_of_like_constituents():
    assert list(coordination(tree(COORDINATED))) == ["o:NP,3"]
    unlike = "(ROOT (NP (NP (NN b)) (CC and) (NP (DT c) (NN d))))"
    assert list(coordination(tree(unlike))) == ["o:NP,1"]
    other = "(ROOT (NP (ADJP (JJ b)) (CC and) (NP (DT c) (NN d))))"
    assert list(coordination(tree(other))) == ["o:NP,0"]
