"""Lets the training of networks be imported where Numba is missing, as on a rented accelerator.

Training by the local loss needs numbers and JAX alone; kernels and search are imported for other
losses and for parsing, and never called. They are replaced by empty stand-ins.
"""

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any
from unittest.mock import MagicMock

REPLACED = (
    "numba", "llvmlite", "headwise.kernels", "headwise.inference", "headwise.scoring.linear",
    "headwise.search.decoders", "headwise.search.scores", "headwise.learners.checkpoint",
    "headwise.learners.partial",
)  # fmt: skip


class StandIns(MetaPathFinder, Loader):
    """Finds an empty module wherever one of those is imported."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The place of a stand-in; None for all other modules."""
        del path, target
        if any(fullname == name or fullname.startswith(f"{name}.") for name in REPLACED):
            return ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> Any:
        """A module that has every name."""
        module = MagicMock(name=spec.name)
        module.__path__, module.__spec__ = [], spec
        return module

    def exec_module(self, module: Any) -> None:
        """There is nothing to run."""


def replace_numba() -> None:
    """From now on, import stand-ins; call it before anything of Headwise is imported."""
    sys.meta_path.insert(0, StandIns())
