"""Cards of models: a title, a sentence, a table."""

from headwise.storage.modelcard import card_of, cell


def test_a_card_is_a_title_a_sentence_and_a_table() -> None:
    card = card_of("A thing", [("left_out", 3), ("loss", 0.123456789)], "It does things.")
    assert card == (
        "# A thing\n\nMade by Headwise. It does things.\n\n"
        "| | |\n|---|---|\n| left out | 3 |\n| loss | 0.123457 |\n"
    )


def test_a_cell_stays_a_cell() -> None:
    assert cell("a|b\nc") == "a\\|b␊c"
