import pytest
from scoring_data import sentence

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, UsageError
from headwise.evaluate import evaluate
from headwise.evaluate.punctuation import is_punctuation_form, punctuation_rule, tag_rule

PENN = Sentence.from_words(
    ["``", "Go", ",", "$", "(", "him", ")", ".", "--", "''"],
    xpos=["``", "VB", ",", "$", "-LRB-", "PRP", "-RRB-", ".", ":", "''"],
    upos=["PUNCT", "VERB", "PUNCT", "SYM", "PUNCT", "PRON", "PUNCT", "PUNCT", "PUNCT", "PUNCT"],
)


def marked(rule: str) -> list[str]:
    pairs = zip(PENN.forms, punctuation_rule(rule).marks(PENN), strict=True)
    return [form for form, mark in pairs if mark]


def test_upos_rule_takes_punct() -> None:
    assert marked("upos") == ["``", ",", "(", ")", ".", "--", "''"]


def test_penn_rule_leaves_brackets_and_currency_alone() -> None:
    assert marked("penn") == ["``", ",", ".", "--", "''"]


def test_unicode_rule_takes_forms_of_category_p_only() -> None:
    # Backticks are symbols, and so is the dollar sign.
    assert marked("unicode") == [",", "(", ")", ".", "--", "''"]


def test_chinese_rule() -> None:
    one = Sentence.from_words(["你", "。"], xpos=["PN", "PU"])
    assert list(punctuation_rule("chinese").marks(one)) == [False, True]


def test_own_tags() -> None:
    rule = tag_rule(["PRP", "VB"])
    assert [f for f, m in zip(PENN.forms, rule.marks(PENN), strict=True) if m] == ["Go", "him"]


@pytest.mark.parametrize(
    ("form", "expected"),
    [("。", True), ("«", True), ("...", True), ("a.", False), ("+", False), ("", False)],
)
def test_unicode_forms(form: str, expected: bool) -> None:
    assert is_punctuation_form(form) is expected


def test_unknown_rule_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'pen'.*upos, penn, chinese, unicode"):
        punctuation_rule("pen")


@pytest.mark.parametrize(("rule", "column"), [("upos", "UPOS"), ("penn", "XPOS")])
def test_an_absent_column_is_warned_of(rule: str, column: str) -> None:
    bare = Sentence.from_words(["Go", "."], heads=[0, 1], relations=["root", "punct"])
    with pytest.warns(HeadwiseWarning, match=f"requires {column}"):
        found = evaluate([bare], [bare], punctuation=rule)
    assert found.without_punctuation.words == 2


def test_withheld_forms_are_warned_of() -> None:
    bare = Sentence.from_words(["_", "_"], heads=[0, 1], relations=["root", "obj"])
    with pytest.warns(HeadwiseWarning, match="requires FORM"):
        evaluate([bare], [bare], punctuation="unicode")


def test_a_foreign_tag_set_is_warned_of() -> None:
    one = Sentence.from_words(["Go", "."], xpos=["V", "Z"], heads=[0, 1], relations=["root", "p"])
    with pytest.warns(HeadwiseWarning, match="no word of the gold data has one of the XPOS tags"):
        evaluate([one], [one], punctuation="penn")


def test_one_given_value_is_enough() -> None:
    bare = Sentence.from_words(["Go"], heads=[0], relations=["root"])
    tagged = sentence("Go", [0])
    assert evaluate([bare, tagged], [bare, tagged]).all_tokens.uas == 100


def test_the_gold_tags_decide() -> None:
    gold = sentence("a .", [0, 1], upos="X PUNCT")
    system = sentence("a .", [0, 0], upos="PUNCT X")
    assert evaluate([gold], [system]).without_punctuation.uas == 100
