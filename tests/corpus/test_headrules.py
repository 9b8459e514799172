"""Head rules: their files, and the hard cases of each set."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.brackets import read_brackets
from headwise.corpus.constituents import Constituent, Leaf, Tree, remove_traces
from headwise.corpus.files import read_lines
from headwise.corpus.headrules import RULE_SETS, HeadRules, Pattern, to_dependencies, to_sentence
from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import heads_array, is_projective, is_single_rooted, is_tree
from headwise.errors import FormatError, SourceLocation, TreeError, UsageError

YAMADA = HeadRules.load("yamada-matsumoto")
COLLINS = HeadRules.load("collins")
CHINESE = HeadRules.load("chinese")


def convert(text: str, rules: HeadRules = YAMADA) -> Sentence:
    (sentence,) = to_dependencies(read_brackets([text]), rules)
    return sentence


def arcs(text: str, rules: HeadRules = YAMADA) -> dict[str, str]:
    """Every word with the word it depends on, `ROOT` for the root."""
    sentence = convert(text, rules)
    words = ("ROOT", *sentence.forms)
    heads = [words[head or 0] for head in sentence.heads]
    return dict(zip(sentence.forms, heads, strict=True))


def relations(text: str, rules: HeadRules = YAMADA) -> dict[str, str]:
    sentence = convert(text, rules)
    return dict(zip(sentence.forms, sentence.relations, strict=True))


# ------------------------------------------------------------------- Yamada and Matsumoto


def test_modal_is_head_of_the_clause_and_of_its_verb() -> None:
    assert arcs("(S (NP-SBJ (NNS Hens)) (VP (MD may) (VP (VB lay) (NP (NNS eggs)))) (. .))") == {
        "Hens": "may",
        "may": "ROOT",
        "lay": "may",
        "eggs": "lay",
        ".": "may",
    }


def test_to_depends_on_its_verb() -> None:
    text = "(S (NP (NNS Hens)) (VP (VBP like) (S (NP (-NONE- *)) (VP (TO to) (VP (VB run))))))"
    assert arcs(text) == {"Hens": "like", "like": "ROOT", "to": "run", "run": "like"}


def test_preposition_heads_its_phrase_and_the_last_noun_its_own() -> None:
    text = "(NP (NP (DT the) (NN hen) (NN house)) (PP (IN in) (NP (NNP Kent))))"
    assert arcs(text) == {
        "the": "house",
        "hen": "house",
        "house": "ROOT",
        "in": "house",
        "Kent": "in",
    }


def test_possessive_mark_heads_its_noun_phrase() -> None:
    assert arcs("(NP (NP (DT the) (NN hen) (POS 's)) (NN egg))") == {
        "the": "'s",
        "hen": "'s",
        "'s": "egg",
        "egg": "ROOT",
    }


def test_last_conjunct_of_nouns_and_first_of_verbs_is_the_head() -> None:
    nouns = arcs("(NP (NP (NNS hens)) (, ,) (NP (NNS owls)) (CC and) (NP (NNS ducks)))")
    assert nouns == {
        "hens": "ducks",
        ",": "ducks",
        "owls": "ducks",
        "and": "ducks",
        "ducks": "ROOT",
    }
    verbs = arcs("(VP (VP (VBP run)) (CC and) (VP (VBP fly)))")
    assert verbs == {"run": "ROOT", "and": "run", "fly": "run"}


def test_apposition_and_time_are_heads_as_last_noun_phrases() -> None:
    assert arcs("(NP (NP (NNP Ada)) (, ,) (NP (DT a) (NN hen)) (, ,))")["Ada"] == "hen"
    assert arcs("(NP (NP (PRP$ our) (NN hen)) (NP-TMP (NN today)))")["hen"] == "today"


def test_quantities() -> None:
    assert arcs("(NP (QP (RBR more) (IN than) (CD ten)) (NNS hens))") == {
        "more": "than",
        "than": "hens",
        "ten": "than",
        "hens": "ROOT",
    }
    assert arcs("(NP (QP ($ $) (CD 3) (CD million)) (-NONE- *U*))") == {
        "$": "ROOT",
        "3": "$",
        "million": "$",
    }


def test_punctuation_is_passed_over() -> None:
    text = "(NP (NP (NNS hens)) (PRN (: -) (NP (JJS most) (PP (IN of) (NP (PRP them)))) (: --)))"
    assert arcs(text)["most"] == "hens"
    assert arcs(text)["--"] == arcs(text)["-"] == "most"
    bracketed = "(PRN (-LRB- -LRB-) (NP (NN hen)) (-RRB- -RRB-))"
    assert arcs(bracketed) == {"(": "hen", "hen": "ROOT", ")": "hen"}
    assert arcs("(FRAG (`` ``) (NP (NN Hen)) (. !))")["Hen"] == "ROOT"


def test_only_punctuation_still_has_a_head() -> None:
    assert arcs("(PRN (: -) (: --))") == {"-": "--", "--": "ROOT"}


def test_wh_phrases_and_subordinators_head_their_clauses() -> None:
    relative = (
        "(NP (NP (NN hen)) (SBAR (WHNP-1 (WDT that)) (S (NP (-NONE- *T*-1)) (VP (VBZ runs)))))"
    )
    assert arcs(relative) == {"hen": "ROOT", "that": "hen", "runs": "that"}
    silent = "(NP (NP (NN egg)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP (PRP I)) (VP (VBD ate)))))"
    assert arcs(silent)["ate"] == "egg"  # the empty WHNP is gone before heads are sought
    assert arcs("(SBAR (RB even) (IN though) (S (VP (VBZ runs))))")["runs"] == "though"


def test_inverted_clause_and_question() -> None:
    said = "(SINV (S (VP (VB Run))) (, ,) (VP (VBD said)) (NP-SBJ (DT the) (NN hen)))"
    assert arcs(said)["said"] == "ROOT"
    assert arcs("(SQ (VBZ Does) (NP-SBJ (PRP it)) (VP (VB run)))")["run"] == "Does"


def test_unknown_and_unary_labels() -> None:
    assert arcs("(ZZ (A a) (B b))") == {"a": "b", "b": "ROOT"}
    assert arcs("( (ROOT (S (NP (NP (NN hen))))))") == {"hen": "ROOT"}
    assert arcs("(ADVP|PRT (RB far) (RB away))") == {"far": "ROOT", "away": "far"}


def test_relations() -> None:
    text = (
        "(S (NP-SBJ-1 (DT The) (NN hen)) (VP (MD may) (VP (VB call) (NP (PRP it)) "
        "(NP-TMP (NN today)) (PP (IN in) (NP (NN joy))) (SBAR (IN if) (S (VP (VBG fed)))))) (. .))"
    )
    assert relations(text) == {
        "The": "NMOD",
        "hen": "SUB",
        "may": "root",
        "call": "VC",
        "it": "OBJ",
        "today": "VMOD",
        "in": "VMOD",
        "joy": "PMOD",
        "if": "VMOD",
        "fed": "SBAR",
        ".": "P",
    }
    verbs = relations("(VP (VP (VBP run)) (CC and) (VP (VBP fly)))")
    assert verbs == {"run": "root", "and": "VMOD", "fly": "VMOD"}
    assert relations("(S (VP (VBZ is) (ADJP-PRD (RB so) (JJ old))))") == {
        "is": "root",
        "so": "AMOD",
        "old": "PRD",
    }
    assert relations("(UCP (NN hen) (CC and) (JJ red))")["red"] == "DEP"


# ----------------------------------------------------------------------------- Collins


def test_collins_noun_phrases() -> None:
    head = COLLINS.head_child
    assert head("NP", ["DT", "NN", "POS"]) == 2
    assert head("NP", ["NP", "NN", "PP"]) == 1
    assert head("NP-SBJ", ["NP", "PP", "NP"]) == 0  # the first NP, where no noun stands free
    assert head("NP", ["$", "CD", "CD"]) == 0
    assert head("NP", ["JJ", "CD", "RB"]) == 1
    assert head("NP", ["DT", "JJ"]) == 1
    assert head("NP", ["DT", "PDT"]) == 1  # else the last
    assert head("NP", ["NN", "POS", "NN"]) == 2
    assert head("NP", ["DT", "POS", "PP"]) == 1


def test_collins_takes_the_first_conjunct_over_punctuation() -> None:
    assert COLLINS.head_child("NP", ["NN", "CC", "NN"]) == 0
    assert COLLINS.head_child("NP", ["NNS", ",", "NNS", ",", "CC", "NNS"]) == 2
    assert COLLINS.head_child("UCP", ["NP", "CONJP", "PP"]) == 0
    assert COLLINS.head_child("NP", ["CC", "NN"]) == 1  # nothing stands before the coordinator
    assert YAMADA.head_child("NP", ["NN", "CC", "NN"]) == 2


def test_collins_never_takes_punctuation_if_there_is_a_choice() -> None:
    assert COLLINS.head_child("PRN", ["-LRB-", "NP", "-RRB-"]) == 1
    assert COLLINS.head_child("X", ["SYM", "."]) == 0


def test_collins_to_heads_its_verb_phrase() -> None:
    text = "(S (VP (VBP like) (S (VP (TO to) (VP (VB run))))))"
    assert arcs(text, COLLINS) == {"like": "ROOT", "to": "like", "run": "to"}


# ----------------------------------------------------------------------------- Chinese


def test_chinese() -> None:
    text = (
        "(IP (NP-SBJ (NN 母鸡)) (VP (ADVP (AD 常)) (VP (VV 吃) "
        "(NP-OBJ (QP (CD 三) (CLP (M 粒))) (NP (NN 米))))) (PU 。))"
    )
    assert arcs(text, CHINESE) == {
        "母鸡": "吃",
        "常": "吃",
        "吃": "ROOT",
        "三": "粒",
        "粒": "米",
        "米": "吃",
        "。": "吃",
    }
    assert relations(text, CHINESE)["米"] == "OBJ"
    assert relations(text, CHINESE)["。"] == "P"


def test_chinese_categories_that_stand_together_are_a_set() -> None:
    assert CHINESE.head_child("IP", ["IP", "PU", "VP", "NP"]) == 3
    assert CHINESE.head_child("VP", ["VP", "PU", "VP"]) == 0
    assert CHINESE.head_child("DP", ["DT", "CLP"]) == 0
    assert CHINESE.head_child("PRN", ["PU", "NP", "PU"]) == 1
    assert CHINESE.head_child("INTJ", ["IJ", "IJ", "PU"]) == 1  # no rule: the last


# --------------------------------------------------------------------------- rule files


def rules_of(text: str) -> HeadRules:
    return HeadRules.parse(text.splitlines(), "own.txt")


def test_steps_tiers_and_sets() -> None:
    rules = rules_of("@default left\nA  right B C > D ; left E ; last F\n")
    assert rules.head_child("A", ["B", "C", "D"]) == 1
    assert rules.head_child("A", ["D", "D", "E"]) == 1
    assert rules.head_child("A", ["X", "E", "E"]) == 1
    assert rules.head_child("A", ["X", "X", "F"]) == 2
    assert rules.head_child("A", ["X", "F", "X"]) == 0


def test_function_tags_in_rules() -> None:
    rules = rules_of("NP right NP- > NP-TTL ; left -SBJ\n")
    assert rules.head_child("NP", ["NP", "NP-TMP"]) == 0
    assert rules.head_child("NP", ["NP-2", "NP-TMP", "X"]) == 0  # an index is no function tag
    assert rules.head_child("NP", ["NP-TTL", "NP-LOC"]) == 0
    assert rules.head_child("NP", ["X", "PP-SBJ-LOC", "-LRB-", "X"]) == 1
    assert rules.head_child("NP", ["X", "PP-LOC"]) == 1


@pytest.mark.parametrize(
    ("pattern", "fits", "not_"),
    [
        ("NP", "NP-SBJ-1", "NPX"),
        ("NP-SBJ", "NP-TTL-SBJ", "NP-TTL"),
        ("-SBJ", "S-SBJ", "SBJ"),
        ("NP-", "NP=2", "NP-LOC"),
        ("-LRB-", "-LRB-", "-RRB-"),
        ("$", "$", "US$"),
        ("ADVP", "ADVP|PRT", "PRT"),
    ],
)
def test_patterns(pattern: str, fits: str, not_: str) -> None:
    assert Pattern.parse(pattern).fits(fits)
    assert not Pattern.parse(pattern).fits(not_)
    assert Pattern.parse("*").fits(not_)


def test_own_file_with_own_relations(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text(
        "# ours\n\n@punctuation .\n@relation subj -SBJ NP in S\nS left V\n# pound\nNP right #\n"
    )
    rules = HeadRules.load(path)
    assert rules.head_child("NP", ["#", "CD"]) == 0
    assert relations("(S (X-SBJ (N hen)) (V runs) (. .))", rules) == {
        "hen": "subj",
        "runs": "root",
        ".": "DEP",
    }
    assert HeadRules.load(str(path)).rules == rules.rules


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("NP", 1, "nothing follows 'NP'"),
        ("A left\n@default", 2, "nothing follows '@default'"),
        ("# x\nNP middle NN", 2, "begins with left, right or last, not 'middle'"),
        ("NP NN", 1, "begins with left"),
        ("NP left NN ; ", 1, "one side of ';'"),
        ("NP left > NN", 1, "one side of '>'"),
        ("NP left NN > > NP", 1, "one side of '>'"),
        ("A left\n\nA right", 3, "rule for A already"),
        ("NP-SBJ left", 1, "plain category"),
        ("@default middle", 1, "left or right"),
        ("@default left right", 1, "left or right"),
        ("@heads left", 1, "@heads is none of"),
        ("@relation SUB", 1, "needs a name and the dependents"),
        ("@relation SUB in S", 1, "needs a name and the dependents"),
        ("@default left", None, "no head rule"),
        ("", None, "no head rule"),
    ],
)
def test_faults_of_a_rule_file_have_their_line(text: str, line: int | None, words: str) -> None:
    with pytest.raises(FormatError, match=words) as caught:
        rules_of(text)
    assert caught.value.location == SourceLocation("own.txt", line)


@given(st.text(alphabet="@NPleftright><;-* \n#", max_size=40))
def test_any_rule_file_gives_rules_or_a_format_error(text: str) -> None:
    try:
        rules = rules_of(text)
    except FormatError:
        return
    assert 0 <= rules.head_child("NP", ["N", "P"]) <= 1


def test_unknown_rules_are_a_wrong_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="yamada-matsumoto, collins, chinese"):
        HeadRules.load("magerman")
    with pytest.raises(UsageError):
        HeadRules.load(tmp_path)


TREEBANKS = Path(__file__).parents[2] / "../shared/treebanks"


def test_sentence_has_words_and_tags_as_they_should_be() -> None:
    text = "(S (-LRB- -LRB-) (NP (CD 1\\/2)) (NP (NN hen-LRB-s-RRB-)) (-RRB- -RRB-))"
    (sentence,) = to_dependencies(read_brackets([text]), YAMADA)
    assert sentence.forms == ("(", "1/2", "hen(s)", ")")
    assert sentence.xpos == ("-LRB-", "CD", "NN", "-RRB-")
    assert sentence.upos == ("_",) * 4


def test_sentence_knows_where_its_tree_was() -> None:
    trees = read_brackets(["", "(NN hen)"], "hens.mrg")
    (sentence,) = to_dependencies(trees, YAMADA)
    assert sentence.location == SourceLocation("hens.mrg", 2)
    assert sentence.heads == (0,)


def test_tree_of_traces_only_is_refused() -> None:
    trees = read_brackets(["(S (NP (-NONE- *)))"], "hens.mrg")
    with pytest.raises(TreeError, match="only traces") as caught:
        list(to_dependencies(trees, YAMADA))
    assert caught.value.location == SourceLocation("hens.mrg", 1)


def test_very_wide_and_very_deep_trees() -> None:
    wide = Tree(Constituent("NP", tuple(Leaf("NN", "hen") for _ in range(5_000))))
    assert set(to_sentence(wide, YAMADA).heads) == {0, 5_000}
    node: Leaf | Constituent = Leaf("NN", "hen")
    for _ in range(20_000):
        node = Constituent("NP", (Leaf("DT", "a"), node))
    assert to_sentence(Tree(node), COLLINS).heads[-1] == 0


labels = st.sampled_from(
    ["S", "NP-SBJ", "VP", "PP", "SBAR", "PRN", "X", "CC", "NN", "VB", ",", "-LRB-"]
)
nodes = st.recursive(
    st.builds(Leaf, st.sampled_from(["NN", "VB", "CC", ",", "-NONE-", "IN"]), st.just("w")),
    lambda inner: st.builds(
        Constituent, labels, st.lists(inner, min_size=1, max_size=4).map(tuple)
    ),
    max_leaves=15,
)


def is_nested(heads: list[int]) -> bool:
    """Whether no two arcs cross: checked arc by arc, not by the library's own function."""
    spans = [(min(m, h), max(m, h)) for m, h in enumerate(heads) if m > 0]
    return not any(a < c < b < d for a, b in spans for c, d in spans)


@given(nodes, st.sampled_from(RULE_SETS))
def test_dependencies_are_a_nested_tree_over_all_words(node: Leaf | Constituent, name: str) -> None:
    tree = Tree(node)
    pruned = remove_traces(tree)
    if pruned is None:
        return
    sentence = to_sentence(tree, HeadRules.load(name))
    assert len(sentence) == len(list(pruned.leaves()))
    heads = heads_array([head or 0 for head in sentence.heads])
    assert is_tree(heads)
    assert is_single_rooted(heads)
    assert is_nested(heads)


@pytest.mark.shared
@pytest.mark.parametrize("rules", ["yamada-matsumoto", "collins"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gum/gum-train", 177_410),
        ("gum/gum-dev", 28_119),
        ("ptb-sample/ptb-sample-train", 81_793),
        ("ptb-sample/ptb-sample-dev", 6_327),
    ],
)
def test_shared_trees_become_nested_trees(name: str, words: int, rules: str) -> None:
    path = TREEBANKS / f"{name}.mrg.gz"
    if not path.exists():
        pytest.skip("the shared treebanks are not here")
    count = 0
    for sentence in to_dependencies(read_brackets(read_lines(path)), HeadRules.load(rules)):
        count += len(sentence)
        heads = heads_array([head or 0 for head in sentence.heads])
        assert is_tree(heads)
        assert is_single_rooted(heads)
        assert is_projective(heads)
    assert count == words
