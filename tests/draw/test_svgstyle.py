"""The style sheet knows every class of the drawings, in light and in dark mode."""

import re

from tree_samples import arriving_parser, second_opinion

from headwise.draw.svg import svg_page, svg_tree
from headwise.draw.svgstyle import STYLE


def test_every_class_that_is_drawn_has_a_style():
    styled = set(re.findall(r"\.([a-z]+)", STYLE))
    drawn = svg_tree(arriving_parser(), other=second_opinion())
    drawn += svg_page([arriving_parser(), second_opinion()], title="two")
    used = {name for names in re.findall(r'class="([^"]+)"', drawn) for name in names.split()}
    assert {"word", "tag", "relation", "arc", "arrow", "first", "second"} <= used
    assert used - {"both"} <= styled  # arcs of both trees look like those of one


def test_every_colour_has_one_for_dark_mode():
    light, _, dark = STYLE.partition("@media (prefers-color-scheme:dark){")
    coloured = re.compile(r"^([^{}]+)\{[^}]*(?:fill|stroke):#", re.MULTILINE)

    def names(text: str) -> set[str]:
        return {one for found in coloured.findall(text) for one in found.strip().split(",")}

    assert names(light) == names(dark)
    assert STYLE.count("{") == STYLE.count("}")
