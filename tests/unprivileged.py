"""Python in another process, for which permissions hold even if root runs the tests."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

DROP_CAPABILITY = 24  # prctl's PR_CAPBSET_DROP
IGNORE_PERMISSIONS = 1  # CAP_DAC_OVERRIDE


def obey_permissions() -> None:
    """To be called between fork and exec: root can no longer write what is read-only."""
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(DROP_CAPABILITY, IGNORE_PERMISSIONS):
        raise PermissionError("root cannot give up its right to ignore permissions")


def run_python(
    script: str, *, before: Callable[[], None] = obey_permissions, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a script with these variables alone in its environment."""
    return subprocess.run(
        [sys.executable, "-c", script],
        env={"PATH": "", "PYTHONDONTWRITEBYTECODE": "1", **environment},
        preexec_fn=before,
        capture_output=True,
        text=True,
        check=False,
    )


def make_read_only(folder: Path) -> None:
    """Take away all permissions to write in a folder and below."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
