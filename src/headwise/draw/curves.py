"""Training curves: loss and accuracy by epoch. Requires matplotlib."""

import io
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from headwise.corpus.output import open_output
from headwise.errors import InputError, UsageError

FORMATS = (".svg", ".png", ".pdf")
_NO_DATE = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
PANELS = {"loss": "loss", "dev_uas": "UAS on dev, %", "dev_las": "LAS on dev, %"}

Records = Sequence[Mapping[str, Any]]


def draw_curves(path: str | Path, logs: Mapping[str, Records]) -> None:
    """Plot the epochs of named training logs into an image; its extension gives the format."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise UsageError(f"{path}: the name of an image must end in {', '.join(FORMATS)}")
    panels = [key for key in PANELS if any(key in one for log in logs.values() for one in log)]
    if not panels:
        raise InputError("the log has no finished epochs yet")
    picture = _picture(logs, panels, suffix)
    with open_output(path) as stream:
        stream.write(picture)


def _picture(logs: Mapping[str, Records], panels: Sequence[str], suffix: str) -> bytes:
    figure = new_figure(5 * len(panels), 3.6)
    for axes, key in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        for name, records in logs.items():
            _curve(axes, name, [one for one in records if key in one], key)
        axes.set_xlabel("epoch")
        axes.set_ylabel(PANELS[key])
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure_bytes(figure, suffix)


def new_figure(width: float, height: float) -> Any:
    """An empty matplotlib figure, in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        message = "plots require matplotlib: pip install 'headwise[plot]'"
        raise UsageError(message) from None
    return Figure(figsize=(width, height), layout="constrained")


def figure_bytes(figure: Any, suffix: str) -> bytes:
    """A figure as an image file. Text stays text and no date is stored: the same data gives the
    same bytes."""
    from matplotlib import rc_context

    picture = io.BytesIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "headwise"}):
        figure.savefig(picture, format=suffix[1:], metadata=_NO_DATE.get(suffix))
    return picture.getvalue()


def plain_text(text: str) -> str:
    """Text for matplotlib, not to be read as a formula."""
    return text.replace("$", r"\$")


def _curve(axes: Any, name: str, records: Records, key: str) -> None:
    epochs = [one["epoch"] for one in records]
    rising = all(a < b for a, b in pairwise(epochs))  # ensemble members are plotted as points
    axes.plot(
        epochs,
        [one[key] for one in records],
        linestyle="-" if rising else "",
        marker="o",
        markersize=3,
        label=plain_text(name),
    )
