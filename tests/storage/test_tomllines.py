"""Messages point at the line a person has to change."""

import pytest

from headwise.storage.tomllines import line_of

TEXT = """\
seed = 1
"odd key" = 2
learner.k = 5  # dotted

[words]
lowercase = true
inline = { numbers = "one",
           length = 3 }
list = [
  1,
  "two = 2",
]

[ a . 'b c' ]
d = 1

[[stage]]
name = "one"

[[stage]]
name = "two"
"""


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (["seed"], 1),
        (["odd key"], 2),
        (["learner", "k"], 3),
        (["words"], 5),
        (["words", "lowercase"], 6),
        (["words", "inline", "numbers"], 7),
        (["words", "list", 1], 9),
        (["words", "absent"], 5),
        (["a", "b c", "d"], 15),
        (["stage", 0, "name"], 18),
        (["stage", 1, "name"], 21),
        (["absent"], None),
        ([], None),
    ],
    ids=str,
)
def test_lines(keys, line):
    assert line_of(keys, TEXT) == line
