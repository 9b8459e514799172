"""TOML files are read within limits, whatever is in them."""

import time
import tracemalloc

import pytest

from headwise.errors import FormatError, LimitError, UsageError
from headwise.storage.tomlfile import MAX_BYTES, MAX_DEPTH, MAX_DIGITS, line_of, read_toml


@pytest.fixture
def read(tmp_path):
    def read_text(text: str):
        path = tmp_path / "file.toml"
        path.write_text(text, "utf-8")
        return read_toml(path)[1]

    return read_text


def test_usual_files_are_read(read):
    text = '''
    # [[[[ a comment with brackets, and 1234567890 ]]
    epochs = 3  # a.b.c
    text = "a.b.c [[[ \\" ]"
    literal = '[[['
    long = """
    [[[[ "quoted" \\""" a.b.c
    """
    "quoted.key".inner = [1.5, [2e3, 1979-05-27]]
    [a.b]
    c = {d.e = 1}
    '''
    assert read(text) == {
        "epochs": 3,
        "text": 'a.b.c [[[ " ]',
        "literal": "[[[",
        "long": '    [[[[ "quoted" """ a.b.c\n    ',
        "quoted.key": {"inner": [1.5, [2e3, __import__("datetime").date(1979, 5, 27)]]},
        "a": {"b": {"c": {"d": {"e": 1}}}},
    }


def test_the_limits_themselves_are_allowed(read):
    dotted = ".".join(["a"] * MAX_DEPTH)
    digits = "9" * MAX_DIGITS
    brackets = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    found = read(f"{dotted} = 1\nn = {digits}\nx = {brackets}\n")
    assert found["n"] == int(digits)


HOSTILE = {
    "a dotted key": ("\n" + ".".join(["a"] * 100_000) + " = 1", 2, "a key has more than"),
    "spaced": (" . ".join(["a"] * 10_000) + " = 1", 1, "a key has more than"),
    "quoted": (".".join(['"a"', "'b'"] * 10_000) + " = 1", 1, "a key has more than"),
    "a header": ("[" + ".".join(["a"] * 100_000) + "]", 1, "a key has more than"),
    "of an inline table": ("x = {" + ".".join(["a"] * 100_000) + " = 1}", 1, "a key has more"),
    "lists": ("x = 1\ny = " + "[" * 100_000, 2, "brackets are nested"),
    "tables": ("y = " + "{a = " * 100_000, 1, "brackets are nested"),
    "mixed": ("y = " + "[{a = \n" * 100_000, 17, "brackets are nested"),
    "digits": ("n = " + "1" * 5000, 1, "a number has more than"),
    "digits apart": ("n = " + "1_" * 5000 + "1", 1, "a number has more than"),
    "a float": ("n = 0." + "1" * 5000, 1, "a number has more than"),
    "an exponent": ("n = 1e" + "1" * 5000, 1, "a number has more than"),
}


@pytest.mark.parametrize(("text", "line", "message"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_beyond_a_limit_is_refused_in_little_memory(read, text, line, message):
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match=message) as caught:
            read(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.value.location.line == line
    assert peak < 20 * len(text) + 1_000_000


def test_long_files_are_refused(read):
    with pytest.raises(LimitError, match="is too long for a settings file"):
        read("# " + "x" * MAX_BYTES)


@pytest.mark.parametrize(
    "text",
    ['"""' + '\\"' * 400_000, "'''" + "'' " * 300_000, '"\n' * 400_000, "a \n" * 300_000, "[" * 32],
    ids=["long string", "literal string", "strings", "words", "brackets"],
)
def test_strings_without_end_take_no_time(read, text):
    start = time.process_time()
    with pytest.raises(FormatError, match="is not valid TOML"):
        read(text)
    assert time.process_time() - start < 5


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        read_toml(tmp_path / "nothing.toml")
    with pytest.raises(UsageError, match="cannot read"):
        read_toml(tmp_path)


def test_hexadecimal_numbers_have_digits_too(read):
    with pytest.raises(LimitError, match=f"more than {MAX_DIGITS} digits"):
        read(f"features = 0x{'f' * 20_000}\n")


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
