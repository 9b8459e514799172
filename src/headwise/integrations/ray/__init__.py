"""Parsing on a Ray cluster: many files, or datasets of Ray Data.

job.py        which files become which, and how they are parsed
manifest.py   what is finished, so that a job can be resumed
pieces.py     big files, cut into pieces that workers parse side by side
work.py       what workers do; it knows nothing of Ray
driver.py     which work is next, what is tried again, what has failed
cluster.py    the driver's work, done by Ray
datasets.py   Ray Data: rows with texts in, rows of words out
"""

from typing import TYPE_CHECKING, Any

from headwise.integrations.libraries import library

if TYPE_CHECKING:
    from headwise.integrations.ray.cluster import parse_files
    from headwise.integrations.ray.datasets import parse_dataset

__all__ = ["parse_dataset", "parse_files"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    library("ray")
    from headwise.integrations.ray import cluster, datasets

    return getattr(cluster if name == "parse_files" else datasets, name)
