"""Tables: nothing raw from data, and no figure is cut."""

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from headwise.draw.tables import fits, fitting, new_table, part_of, shown


def text_of(table: Table, width: int = 200) -> str:
    console = Console(width=width, force_terminal=False)
    return "".join(segment.text for segment in console.render(table))


def table_of(columns: int = 6) -> Table:
    table = new_table("Scores of all systems", "", [f"measure{i}" for i in range(columns)])
    table.add_row(shown("gold"), *(f"{i}{i}.00" for i in range(columns)), end_section=True)
    table.add_row(shown("system"), *(f"{i}1.11" for i in range(columns)))
    return table


def test_text_from_data_is_neither_markup_nor_a_code():
    assert shown("[red]a[/red]\x1b[31m").plain == "[red]a[/red]␛[31m"
    table = new_table("[b]t[/b]", "", ["[i]c[/i]"])
    table.add_row(shown("[u]r[/u]"), "1")
    for raw in ("[b]t[/b]", "[i]c[/i]", "[u]r[/u]"):
        assert raw in text_of(table)


def test_a_table_that_fits_is_one():
    (same,) = fitting(table_of(), 200)
    assert text_of(same).split() == text_of(table_of()).split()


def test_a_wide_table_becomes_several_with_all_figures_and_names():
    table = table_of()
    parts = fitting(table, 40)
    assert len(parts) > 1
    assert "Scores of all systems" in text_of(parts[0], 40)
    assert not any(str(part.title) for part in parts[1:])
    for part in parts:
        assert fits(part, 40)
        assert {"gold", "system"} <= set(text_of(part, 40).split())
    words = [word for part in parts for word in text_of(part, 40).split()]
    for i in range(6):
        for figure in (f"measure{i}", f"{i}{i}.00", f"{i}1.11"):
            assert words.count(figure) == 1


def test_a_part_keeps_order_alignment_and_sections():
    part = part_of(table_of(), [3, 1])
    assert [str(column.header) for column in part.columns] == ["", "measure2", "measure0"]
    assert [column.justify for column in part.columns] == ["left", "right", "right"]
    assert [row.end_section for row in part.rows] == [True, False]


def test_a_column_too_wide_for_any_room_is_shown_all_the_same():
    table = new_table("t", "", ["a" * 60])
    table.add_row(shown("x"), "1")
    (part,) = fitting(table, 30)
    assert max(map(cell_len, text_of(part, 200).split("\n"))) >= 60
