"""Atomic writes of folders, which replace an old folder without ever losing it.

    .NAME.PID.headwise-new   the folder being written
    .NAME.headwise-old       the folder being replaced, during the swap (`beside` names both)

Both are beside the folder. If the process is killed at any moment, either the old or the new folder
is complete: under its own name, or under the second name above, where `current_folder` finds it.
The next writer removes the leftovers. Writers that change names at the same time wait for each
other: each holds a lock of the folder above meanwhile.
"""

import contextlib
import hashlib
import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from headwise.errors import UsageError
from headwise.parameters import as_path, flag

if sys.platform != "win32":
    import fcntl

LONG_NAME = 200
"""Names of more bytes leave too little of the 255 that file systems allow for an ending."""


@contextlib.contextmanager
def whole_folder(path: str | Path, names: Collection[str], *, force: bool) -> Iterator[Path]:
    """Yield a folder to write files of these names into, which becomes `path` on success.

    An existing folder is replaced only with `force`, and only if it has no other files.
    """
    target = as_path(path).resolve()  # keep a symbolic link as it is
    try:
        check_destination(target, names, force=force)
        target.parent.mkdir(parents=True, exist_ok=True)
        new = beside(target, f"{os.getpid()}.headwise-new")
        with contextlib.ExitStack() as held:
            with _locked(target.parent):
                _clear_leftovers(target, names)
                new.mkdir()
                held.callback(_remove, new, names)
                held.enter_context(_locked(new))
            yield new
            make_durable(new)
            with _locked(target.parent):
                check_destination(target, names, force=force)  # others write meanwhile
                _take_place(new, target, names)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def remove_folder(path: str | Path, names: Collection[str]) -> None:
    """Remove a folder with files of these names, and leftovers of a killed writer."""
    target = Path(path).resolve()
    try:
        if target.parent.is_dir():
            with _locked(target.parent):
                _clear_leftovers(target, names)
                _remove(target, names)
    except OSError as error:
        raise UsageError(f"cannot remove {path}: {error.strerror or error}") from error


def check_destination(path: str | Path, names: Collection[str], *, force: bool) -> None:
    """Raise if a folder with files of these names cannot be written there."""
    force = flag("force", force)
    there = current_folder(as_path(path))
    if not there.exists():
        return
    if not there.is_dir():
        raise UsageError(f"{path} exists and is not a folder: choose another name")
    found = sorted(entry.name for entry in there.iterdir())
    foreign = [name for name in found if name not in names]
    if foreign:
        raise UsageError(f"{path} has other files, such as {foreign[0]!r}: choose another folder")
    if found and not force:
        raise UsageError(
            f"{path} already exists: choose another name, or overwrite it "
            "(--force; in Python force=True)"
        )


def current_folder(path: Path) -> Path:
    """The current path of the folder: its name, unless its replacement was interrupted."""
    if path.exists():
        return path
    old = _old(path.resolve())
    return old if old.exists() else path


def identity(path: Path) -> tuple[int, ...] | None:
    """What is another one once the folder was replaced; None where there is none."""
    try:
        found = current_folder(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns


def write_durably(path: Path, data: bytes) -> None:
    """Write a file and flush it to disk."""
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _old(target: Path) -> Path:
    return beside(target, "headwise-old")


def beside(target: Path, ending: str) -> Path:
    """The hidden path beside a file or folder that has its name, or a digest of a long one."""
    name, encoded = target.name, os.fsencode(target.name)
    if len(encoded) > LONG_NAME:
        name = hashlib.sha256(encoded).hexdigest()
    return target.with_name(f".{name}.{ending}")


def _take_place(new: Path, target: Path, names: Collection[str]) -> None:
    old = _old(target)
    if target.exists():
        target.rename(old)
    try:
        new.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    make_durable(target.parent)
    _remove(old, names)


def _clear_leftovers(target: Path, names: Collection[str]) -> None:
    """Finish the work of a killed writer: restore the old folder, remove partial ones."""
    old = _old(target)
    if old.exists() and not target.exists():
        old.rename(target)
    _remove(old, names)
    start, end = beside(target, "").name, ".headwise-new"
    for other in target.parent.iterdir():
        if other.name.startswith(start) and other.name.endswith(end) and _abandoned(other):
            _remove(other, names)


def _remove(folder: Path, names: Collection[str]) -> None:
    """Remove a folder and the files of these names in it, and nothing else."""
    if folder.is_dir():
        for name in names:
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which ends with the process."""
    if sys.platform == "win32":
        yield
        return
    with _opened(folder) as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _abandoned(folder: Path) -> bool:
    if sys.platform == "win32":  # unknown: keep it
        return False
    with _opened(folder) as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def make_durable(folder: Path) -> None:
    """Flush the entries of a folder to disk, where the system can."""
    if sys.platform == "win32":
        return
    with _opened(folder) as handle:
        os.fsync(handle)


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield handle
    finally:
        os.close(handle)
