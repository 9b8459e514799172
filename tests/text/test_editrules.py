"""Rules that make lemmas of forms."""

from hypothesis import given
from hypothesis import strategies as st

from headwise.text.editrules import KEEP, LOWER, EditRule, edit_rule

WORDS = st.text("abcAB", min_size=1, max_size=6)


@given(WORDS, WORDS)
def test_a_rule_gives_the_lemma_it_was_made_from(form, lemma):
    rule = edit_rule(form, lemma)
    if rule is None:
        assert not set(form.lower()) & set(lemma)
    else:
        assert rule.apply(form) == lemma


def test_rules():
    assert edit_rule("Dogs", "dog") == EditRule(LOWER, 0, "", 1, "")
    assert edit_rule("Bush", "Bush") == EditRule(KEEP, 0, "", 0, "")
    assert edit_rule("gemacht", "machen").cut_start == 2
    assert EditRule(LOWER, 0, "", 3, "").apply("abc") is None
