"""Tables and plots become files."""

from headwise.experiments.output import write_table
from headwise.experiments.plan import Column
from headwise.experiments.table import ResultTable, Row

COLUMNS = (Column(measure="uas", title="UAS"),)


def table_with(*rows: Row) -> ResultTable:
    return ResultTable("A $table$", COLUMNS, rows)


def test_a_table_is_written_even_where_it_is_empty(tmp_path):
    paths = write_table(tmp_path / "new", "toy", table_with(), "About it.")
    assert [path.suffix for path in paths] == [".md", ".json", ".csv"]
    assert paths[0].read_text().startswith("# A $table$\n\nAbout it.\n\n| treebank |")
