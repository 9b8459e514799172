"""Folders that are written whole or not at all, and replaced without ever being lost.

    .NAME.PID.headwise-new   what is being written
    .NAME.headwise-old       what is being replaced, while the new folder takes its name

Both stand beside the folder. Whatever moment a process is killed at, either the old or the new
folder is whole: under its name, or under the second name above, where `standing_folder` finds it.
The next writer clears away what was left.
"""

import contextlib
import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from headwise.errors import UsageError

if sys.platform != "win32":
    import fcntl


@contextlib.contextmanager
def whole_folder(path: str | Path, names: Collection[str], *, force: bool) -> Iterator[Path]:
    """A folder to write files of these names into; it becomes `path` when the block ends well.

    An existing folder is replaced only by `force`, and only if it holds no files of other names.
    """
    target = Path(path).resolve()  # a link stays a link
    try:
        check_destination(target, names, force=force)
        target.parent.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(target, names)
        new = target.with_name(f".{target.name}.{os.getpid()}.headwise-new")
        new.mkdir()
        try:
            with _locked(new):
                yield new
                _make_durable(new)
                _take_place(new, target, names)
        finally:
            _remove(new, names)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def remove_folder(path: str | Path, names: Collection[str]) -> None:
    """Remove a folder with files of these names, and what a killed writer left beside it."""
    target = Path(path).resolve()
    try:
        if target.parent.is_dir():
            _clear_leftovers(target, names)
            _remove(target, names)
    except OSError as error:
        raise UsageError(f"cannot remove {path}: {error.strerror or error}") from error


def check_destination(path: str | Path, names: Collection[str], *, force: bool) -> None:
    """Raise if a folder of files of these names may not be written there."""
    there = standing_folder(Path(path))
    if not there.exists():
        return
    if not there.is_dir():
        raise UsageError(f"{path} is there already, and no folder: choose another name")
    found = sorted(entry.name for entry in there.iterdir())
    foreign = [name for name in found if name not in names]
    if foreign:
        raise UsageError(f"{path} holds other files, as {foreign[0]!r}: choose another folder")
    if found and not force:
        raise UsageError(
            f"{path} is there already: choose another name, or replace it "
            "(--force; in Python force=True)"
        )


def standing_folder(path: Path) -> Path:
    """Where the folder stands: under its name, unless its replacement was cut short."""
    if path.exists():
        return path
    old = _old(path.resolve())
    return old if old.exists() else path


def write_durably(path: Path, data: bytes) -> None:
    """Write a file, down to the disk."""
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _old(target: Path) -> Path:
    return target.with_name(f".{target.name}.headwise-old")


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
    _make_durable(target.parent)
    _remove(old, names)


def _clear_leftovers(target: Path, names: Collection[str]) -> None:
    """Finish what a killed writer began: put the old folder back, remove what was half written."""
    old = _old(target)
    if old.exists() and not target.exists():
        old.rename(target)
    _remove(old, names)
    start, end = f".{target.name}.", ".headwise-new"
    for beside in target.parent.iterdir():
        if beside.name.startswith(start) and beside.name.endswith(end) and _abandoned(beside):
            _remove(beside, names)


def _remove(folder: Path, names: Collection[str]) -> None:
    """Remove a folder and the files of these names in it: no others, whatever it may be."""
    if folder.is_dir():
        for name in names:
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let others see that the folder's writer is alive; the system forgets it with the process."""
    if sys.platform == "win32":
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _abandoned(folder: Path) -> bool:
    if sys.platform == "win32":  # no way to know: leave it
        return False
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True


def _make_durable(folder: Path) -> None:
    """Write the names in a folder down to the disk, where the system can."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
