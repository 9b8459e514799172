import io
from math import nan

import pytest
from rich.console import Console, RenderableType
from scoring_data import sentence, some, spoilt

from headwise.evaluate import compare, evaluate
from headwise.evaluate.breakdown import KINDS
from headwise.evaluate.report import (
    breakdown_table,
    comparison_table,
    p_text,
    score_table,
)

GOLD = some(1, 30)
SYSTEM = spoilt(2, GOLD, 0.3)


def printed(renderable: RenderableType, width: int = 160) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=False).print(renderable)
    return out.getvalue()


def test_score_table_shows_both_views() -> None:
    found = evaluate(GOLD, SYSTEM)
    text = printed(score_table(found))
    assert f"{found.all_tokens.uas:.2f}" in text
    assert f"{found.without_punctuation.las:.2f}" in text
    assert "95 % interval" in text
    assert "relations with subtypes" in text
    assert "relations without subtypes" in printed(
        score_table(evaluate(GOLD, SYSTEM, subtypes=False))
    )
    assert "interval" not in printed(score_table(evaluate(GOLD, SYSTEM, confidence=None)))


def test_nothing_to_count_is_a_dash() -> None:
    only = sentence(". .", [0, 1])
    rows = printed(score_table(evaluate([only], [only]))).splitlines()
    (uas,) = [row for row in rows if "UAS" in row]
    assert "100.00" in uas
    assert "–" in uas


def test_breakdown_tables_come_in_the_order_asked_for() -> None:
    found = evaluate(GOLD, SYSTEM, breakdowns=["tag", *KINDS])
    tables = [breakdown_table(one) for one in found.all_tokens.breakdowns]
    assert "By tag, all tokens" in printed(tables[0])
    assert "By relation" in printed(tables[1])
    without = printed(breakdown_table(found.without_punctuation.breakdowns[0]))
    assert "PUNCT" not in without


def test_comparison_table_names_the_systems_and_the_tests() -> None:
    text = printed(comparison_table(compare(GOLD, GOLD, SYSTEM, rounds=50), ("old", "new")))
    for expected in ("A: old", "B: new", "bootstrap", "randomisation", "McNemar", "50 rounds"):
        assert expected in text
    assert "Without punctuation" in text
    assert text.count("sentences,") == 1
    alone = printed(comparison_table(compare(GOLD[:1], GOLD[:1], SYSTEM[:1], rounds=5)))
    assert "1 sentence, 5 rounds" in alone


def test_data_is_neither_obeyed_nor_read_as_markup() -> None:
    wild = "[bold]x[/nonsense]\x1b[2J"
    gold = sentence("a b", [0, 1], f"root {wild}")
    (found,) = evaluate([gold], [gold], breakdowns=["relation"]).all_tokens.breakdowns
    text = printed(breakdown_table(found))
    text += printed(comparison_table(compare([gold], [gold], [gold], rounds=5), (wild, wild)))
    assert "\x1b" not in text
    assert text.count("[bold]x[/nonsense]") == 3


@pytest.mark.parametrize(
    ("p", "text"), [(0.00001, "<0.0001"), (0.04321, "0.0432"), (1.0, "1.0000"), (nan, "–")]
)
def test_p_values(p: float, text: str) -> None:
    assert p_text(p) == text


@pytest.mark.parametrize("width", [40, 80])
def test_tables_fit_narrow_terminals(width: int) -> None:
    text = printed(comparison_table(compare(GOLD, GOLD, SYSTEM, rounds=50)), width)
    text += printed(score_table(evaluate(GOLD, SYSTEM)), width)
    assert max(map(len, text.splitlines())) <= width
