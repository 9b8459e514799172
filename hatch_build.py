"""A part of the build of wheels: adds kernels that were compiled ahead (`tools/build_wheel.py`)."""

import os
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "HEADWISE_COMPILED_KERNELS"
"""Names the folder of compiled kernels; without it a wheel has none, and is for every platform."""

SYSTEM = "manylinux_2_27_x86_64"
"""The oldest systems for which there are wheels of Numba; compiled kernels need nothing else."""


class CompiledKernels(BuildHookInterface):
    """Puts a folder of compiled kernels into a wheel, which is then for one version of Python."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Change what is about to be built."""
        folder = os.environ.get(VARIABLE)
        if not folder or self.target_name != "wheel" or version == "editable":
            return
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}-{SYSTEM}"
        build_data["force_include"][folder] = "headwise/kernels/compiled"
