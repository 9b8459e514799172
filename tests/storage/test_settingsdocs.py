from dataclasses import dataclass, field

from headwise.storage.settingsdocs import Setting, settings_in, toml_text


@dataclass
class Inner:
    """Inside.

    depth: how deep it is,
        and how wide.
    """

    depth: int = 3


@dataclass
class Base:
    """Below.

    a, b: two of a kind.
    """

    a: int = 1
    b: float | None = None


@dataclass
class Outer(Base):
    """Outside: not a field.

    name: what it is called.

    inner: a table.
    """

    name: str = "x"
    inner: Inner = field(default_factory=lambda: Inner(4))
    kept: int = field(default=0, init=False)


def test_settings_have_names_types_defaults_and_meanings():
    assert list(settings_in(Outer)) == [
        Setting("a", "an integer", "1", "two of a kind."),
        Setting("b", "a number", "", "two of a kind."),
        Setting("name", "a string", '"x"', "what it is called."),
        Setting("inner.depth", "an integer", "4", "how deep it is, and how wide."),
    ]


def test_values_are_written_as_in_files():
    assert [toml_text(one) for one in (True, ("a",), None)] == ["true", '["a"]', ""]
