"""Plots of tables, where matplotlib is."""

import pytest

from headwise.experiments.formats import write_plot
from headwise.experiments.plan import Column, Plot
from headwise.experiments.table import ResultCell, ResultTable, Row

COLUMNS = (Column(measure="uas", title="UAS"),)


def table_with(*rows: Row) -> ResultTable:
    return ResultTable("A $table$", COLUMNS, rows)


DOTS = table_with(
    Row("toy", "a", None, 2, (ResultCell((90.0, 91.0)),), (90.6,)),
    Row("toy", "b", None, 1, (ResultCell((92.0,)),), (None,)),
    Row("toy", "c", None, 1, (ResultCell(),), (93.0,)),
)
CURVES = table_with(
    Row("toy", "a", 10, 2, (ResultCell((70.0, 71.0)),), (None,)),
    Row("toy", "a", 100, 2, (ResultCell((80.0, 82.0)),), (None,)),
)


@pytest.mark.parametrize(("table", "kind"), [(DOTS, "dots"), (CURVES, "curves")])
def test_the_same_table_gives_the_same_picture(tmp_path, table, kind):
    pytest.importorskip("matplotlib")
    plot = Plot(kind=kind, column="UAS")
    (path,) = write_plot(tmp_path, "one", table, plot)
    (again,) = write_plot(tmp_path, "two", table, plot)
    assert path.read_bytes() == again.read_bytes()
    assert "UAS" in path.read_text()


def test_nothing_to_draw_is_no_picture(tmp_path):
    assert write_plot(tmp_path, "one", DOTS, None) == []
    assert write_plot(tmp_path, "one", table_with(), Plot(column="UAS")) == []
