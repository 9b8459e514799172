"""The table of an experiment as Markdown, JSON and CSV, and as files."""

import json

from headwise.experiments.formats import to_csv, to_json, to_markdown, write_table
from headwise.experiments.plan import Column
from headwise.experiments.table import ResultTable, Row, table_of
from headwise.experiments.work import Work


def test_the_table_is_written_in_three_ways(world):
    table = table_of(Work.of_file(world))
    lines = to_markdown(table).splitlines()
    assert lines[0].startswith(
        "| treebank | system | UAS | gain | p | seconds | times | paper: UAS"
    )
    assert lines[2].startswith("| toy | perceptron | ")
    assert lines[3].startswith("|  | MIRA | ")
    assert "| 91.1 |" in lines[3]
    assert " ± " in lines[3]
    data = to_json(table)
    assert data["rows"][1]["columns"]["UAS"]["paper"] == 91.1
    assert len(data["rows"][1]["columns"]["UAS"]["values"]) == 2
    json.dumps(data, allow_nan=False)
    assert to_csv(table).splitlines()[0].startswith("treebank,system,sentences,seeds,UAS,")


COLUMNS = (Column(measure="uas", title="UAS"),)


def table_with(*rows: Row) -> ResultTable:
    return ResultTable("A $table$", COLUMNS, rows)


def test_a_table_is_written_even_where_it_is_empty(tmp_path):
    paths = write_table(tmp_path / "new", "toy", table_with(), "About it.")
    assert [path.suffix for path in paths] == [".md", ".json", ".csv"]
    assert paths[0].read_text().startswith("# A $table$\n\nAbout it.\n\n| treebank |")
