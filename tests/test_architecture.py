"""No import runs backwards along the flow of docs/design.md."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import headwise

PACKAGE = Path(headwise.__file__).parent

# Each room, and the rooms it imports from besides itself: those above it, with two exceptions.
ALLOWED = {
    "errors": "",
    "safe": "",
    "interrupt": "",
    "tree": "",
    "tomllines": "",
    "tomlfile": "errors",
    "countedkeys": "",
    "kernels": "interrupt",
    "settings": "errors tomllines tomlfile",
    "parameters": "errors",
    "probabilities": "errors",
    "processes": "errors",
    "projectivise": "errors tree",
    "searchspace": "errors kernels",
    "decoders": "errors tree kernels probabilities searchspace",
    "corpus": "errors safe tree",
    "draw": "errors safe corpus",
    "document": "corpus draw",
    "evaluate": "errors safe corpus draw",
    "storage": "errors safe settings",
    "scanned": "kernels corpus",
    "features": "errors kernels settings searchspace corpus scanned",
    "search": "errors tree kernels projectivise searchspace decoders corpus features scanned",
    "learners": (
        "errors interrupt tree kernels settings processes projectivise searchspace decoders "
        "corpus evaluate storage features search"
    ),
    "parsercard": "storage",
    "labelfile": "errors kernels storage features",
    "parserfile": "errors settings searchspace storage features parsercard labelfile parser",
    "parser": (
        "errors parameters processes searchspace decoders corpus storage features search learners "
        "parserfile"
    ),
    "headsparser": "errors tree parameters projectivise corpus storage search learners",
    "headsfile": "settings storage headsparser",
    "similarity": "errors countedkeys kernels settings storage",
    "lexical": (
        "errors tree countedkeys kernels settings searchspace decoders corpus storage search "
        "headsparser headsfile similarity"
    ),
    "linkmargin": (
        "errors interrupt tree kernels settings searchspace decoders corpus storage search "
        "learners headsparser headsfile similarity lexical"
    ),
    "boosting": (
        "errors tree kernels settings parameters processes decoders corpus storage features search "
        "learners headsparser headsfile"
    ),
    "parserkinds": "errors storage parser lexical linkmargin boosting",
    "text": "errors kernels corpus storage",
    "inputs": "errors corpus scanned text",
    "parsing": "errors processes corpus search",
    "pipelinefile": "errors storage parserkinds text pipeline",
    "pipeline": "errors processes corpus document search parserkinds text parsing pipelinefile",
    "models": "errors storage parserfile parserkinds pipelinefile pipeline",
    "warmup": "kernels corpus features search models",
    "training": (
        "errors settings parameters corpus evaluate storage features learners parser similarity "
        "lexical linkmargin boosting parserkinds text pipelinefile pipeline models"
    ),
    "reranking": "errors settings probabilities storage",
    "candidates": (
        "errors tree parameters probabilities decoders corpus search learners parser reranking"
    ),
    "constituency": (
        "errors kernels settings probabilities decoders corpus evaluate storage reranking"
    ),
    "experiments": (
        "errors settings parameters processes corpus draw evaluate learners parser constituency"
    ),
    "cli": (
        "errors safe settings probabilities decoders corpus draw evaluate storage features search "
        "learners parsercard similarity lexical linkmargin boosting inputs "
        "pipelinefile pipeline models warmup training reranking candidates constituency experiments"
    ),
    "__main__": "cli",
    "__init__": "errors corpus draw document parser pipeline models",
}

EACH_OTHER = {("parserfile", "parser"), ("pipelinefile", "pipeline")}
"""A parser or a pipeline and its file know each other: `storage` names the file's functions."""

EXCEPTIONS = {"corpus/sentence.py": {"draw"}}
"""A sentence shows itself in notebooks: the import is made when it does."""


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            raise AssertionError(f"{path}: relative import")
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{one.name}" for one in node.names]
        elif isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        else:
            continue
        rooms |= {one.split(".")[1] for one in names if one.startswith("headwise.")}
    return rooms & {one.stem for one in PACKAGE.iterdir()}


def test_imports_follow_the_flow():
    imported: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        room, name = room_of(path), path.relative_to(PACKAGE).as_posix()
        assert room in ALLOWED, f"{room} is a new room: say in this test what it may import"
        own = imported_rooms(path) - {room} - EXCEPTIONS.get(name, set())
        assert own <= set(ALLOWED[room].split()), name
        imported.setdefault(room, set()).update(own)
    assert imported == {room: set(others.split()) for room, others in ALLOWED.items()}


def test_no_import_runs_backwards():
    rooms = list(ALLOWED)
    for room, others in ALLOWED.items():
        later = {one for one in others.split() if rooms.index(one) > rooms.index(room)}
        assert all((room, one) in EACH_OTHER for one in later), (room, later)


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import headwise, sys; print([m for m in ('numpy', 'numba', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_help_loads_neither_numba_nor_scipy():
    code = (
        "import sys; from headwise.cli.app import run; run(['check', '--help']);"
        "print([m for m in ('numba', 'scipy', 'numpy') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_parsing_a_file_loads_nothing_that_it_does_not_need(tmp_path):
    (tmp_path / "text.txt").write_text("Dogs bark.\n")
    needless = (
        "headwise.draw.svg", "headwise.kernels.grand", "headwise.kernels.siblings",
        "headwise.learners.training", "rich.console", "scipy.optimize", "urllib.request", "xml.sax",
    )  # fmt: skip
    code = (
        "import sys; from headwise.cli.app import run;"
        "run(['parse', 'text.txt', '-o', 'x.conllu']);"
        f"print([m for m in {needless} if m in sys.modules])"
    )
    call = [sys.executable, "-c", code]
    done = subprocess.run(call, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "[]\n"
    assert (tmp_path / "x.conllu").exists()


def test_the_public_names_are_those_and_no_others():
    assert set(dir(headwise)) == {*headwise.__all__, "__version__"}
    for name in headwise.__all__:
        assert getattr(headwise, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        headwise.nothing  # noqa: B018
