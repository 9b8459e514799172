from headwise.draw.canvas import ASCII, BOX, Canvas, Style, painted


def test_lines_join_by_themselves() -> None:
    canvas = Canvas(3, 5, BOX)
    canvas.horizontal(0, 0, 4)
    canvas.vertical(0, 0, 2)
    canvas.vertical(4, 0, 2)
    canvas.horizontal(1, 0, 2)
    assert canvas.render(colour=False) == "┌───┐\n├─╴ │\n╵   ╵"


def test_lines_that_meet_and_lines_that_cross_look_different() -> None:
    canvas = Canvas(3, 5, BOX)
    canvas.horizontal(1, 0, 4)
    canvas.vertical(1, 0, 2)
    canvas.vertical(3, 0, 2)
    canvas.junction(1, 3)
    assert canvas.render(colour=False).splitlines()[1] == "╶│─┼╴"


def test_a_wide_text_takes_its_cells() -> None:
    canvas = Canvas(1, 6, BOX)
    canvas.horizontal(0, 0, 5)
    canvas.write(0, 1, "中")
    assert canvas.render(colour=False) == "╶中──╴"


def test_what_only_one_tree_has_is_dashed() -> None:
    canvas = Canvas(1, 5, ASCII)
    canvas.horizontal(0, 0, 4, Style.FIRST)
    assert canvas.render(colour=False) == "-~~~-"


def test_colours_are_closed_again() -> None:
    canvas = Canvas(1, 4, BOX)
    canvas.write(0, 0, "a")
    canvas.write(0, 1, "b", Style.SECOND)
    assert canvas.render(colour=True) == "a\x1b[32mb\x1b[0m"
    assert painted("x", Style.PLAIN) == "x"


def test_only_ascii_if_asked() -> None:
    assert ASCII.text("a≠中") == r"a!=\u4e2d"
    assert BOX.text("a≠中") == "a≠中"
