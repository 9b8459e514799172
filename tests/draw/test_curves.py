"""Curves of training: pictures where matplotlib is, and a word where it is not."""

import builtins
from xml.etree import ElementTree

import pytest

from headwise.draw.curves import draw_curves
from headwise.errors import InputError, UsageError

LOGS = {
    "mira": [
        {"epoch": 1, "loss": 9.0, "dev_uas": 80.0},
        {"epoch": 2, "loss": 4.0, "dev_uas": 85.0},
    ],
    "no dev": [{"epoch": 1, "loss": 8.0}],
}


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_by_its_ending(ending, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"curves.{ending}"
    draw_curves(path, LOGS)
    first = path.read_bytes()
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert first.startswith(starts[ending])
    draw_curves(path, LOGS)
    assert path.read_bytes() == first


def test_an_svg_says_what_it_shows(tmp_path):
    pytest.importorskip("matplotlib")
    draw_curves(tmp_path / "c.svg", LOGS)
    text = " ".join(ElementTree.parse(tmp_path / "c.svg").getroot().itertext())
    for word in ("mira", "no dev", "epoch", "loss", "UAS on dev, %"):
        assert word in text


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    real = builtins.__import__

    def lacking(name, *rest, **options):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(UsageError, match=r"pip install 'headwise\[plot\]'"):
        draw_curves(tmp_path / "c.svg", LOGS)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(UsageError, match="must end in .svg, .png, .pdf"):
        draw_curves(tmp_path / "c.doc", LOGS)
    with pytest.raises(InputError, match="no finished epochs"):
        draw_curves(tmp_path / "c.svg", {"a": []})
