"""No import runs backwards along the flow of docs/design.md."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import headwise

PACKAGE = Path(headwise.__file__).parent

# Each package of the flow, and those it imports from besides itself: all of them stand above it.
ALLOWED = {
    "errors": "",
    "safe": "",
    "interrupt": "",
    "progress": "",
    "parameters": "errors",
    "processes": "errors",
    "kernels": "interrupt",
    "storage": "errors safe parameters",
    "corpus": "errors safe parameters kernels",
    "draw": "errors safe parameters corpus",
    "evaluate": "errors safe parameters corpus draw",
    "search": "errors parameters kernels corpus",
    "scoring": "errors kernels storage corpus search",
    "inference": "errors kernels storage corpus search scoring",
    "learners": (
        "errors interrupt progress processes kernels storage corpus evaluate search scoring "
        "inference"
    ),
    "text": "errors progress kernels storage corpus",
    "parsers": (
        "errors parameters processes kernels storage corpus search scoring inference learners text"
    ),
    "pipeline": (
        "errors progress parameters processes kernels storage corpus draw evaluate scoring "
        "inference learners text parsers"
    ),
    "integrations": "errors processes corpus inference text pipeline",
    "reranking": (
        "errors progress parameters kernels storage corpus search inference learners parsers"
    ),
    "constituency": "errors progress parameters kernels storage corpus evaluate search reranking",
    "experiments": (
        "errors progress processes storage corpus draw evaluate learners text parsers constituency"
    ),
    "review": ("errors progress processes storage corpus inference learners text parsers"),
    "serve": "errors processes storage corpus evaluate search inference pipeline review",
    "cli": (
        "errors safe processes storage corpus draw evaluate search scoring inference learners text "
        "parsers pipeline integrations reranking constituency experiments review serve"
    ),
    "__main__": "cli",
    "__init__": "errors corpus draw inference parsers pipeline integrations",
}

EXCEPTIONS = {"corpus/sentence.py": {"draw"}, "corpus/wordsequence.py": {"integrations"}}
"""Sentences show themselves in notebooks and turn into what other tools read: the imports are made
when they do."""


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


def imported_names(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{one.name}" for one in node.names}
        elif isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
    return names


def classes_of_the_package() -> dict[str, list[ast.ClassDef]]:
    found: dict[str, list[ast.ClassDef]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
    return found


def methods(one: ast.ClassDef) -> list[ast.FunctionDef]:
    functions = [node for node in one.body if isinstance(node, ast.FunctionDef)]
    return [node for node in functions if "overload" not in map(ast.unparse, node.decorator_list)]


def undocumented(one: ast.ClassDef) -> set[str]:
    return {node.name for node in methods(one) if not ast.get_docstring(node)}


def base_names(one: ast.ClassDef) -> set[str]:
    return {node.id for base in one.bases for node in ast.walk(base) if isinstance(node, ast.Name)}


def test_every_public_method_says_what_it_does_or_what_it_overrides_says_it():
    classes = classes_of_the_package()

    def documented(one: ast.ClassDef) -> set[str]:
        own = {node.name for node in methods(one)}
        above = [base for name in base_names(one) - {one.name} for base in classes.get(name, ())]
        return (own - undocumented(one)).union(*map(documented, above))

    for name, found in classes.items():
        for one in found if not name.startswith("_") else ():
            public = {method for method in undocumented(one) if not method.startswith("_")}
            assert public - {"check"} <= documented(one), name  # `check` of settings: see storage


def test_only_the_runtime_of_kernels_uses_the_internals_of_numba():
    public = {"numba", "numba.TypingError", "numba.types", "numba.extending", "numba.prange"} | {
        f"numba.extending.{name}"
        for name in ("models", "overload", "register_jitable", "register_model")
    }
    for path in PACKAGE.rglob("*.py"):
        if path.parent != PACKAGE / "kernels" / "runtime":
            used = {one for one in imported_names(path) if one.startswith(("numba", "llvmlite"))}
            assert used <= public, path


def test_nothing_asks_whether_the_package_is_installed():
    for path in PACKAGE.rglob("*.py"):
        assert "importlib.metadata.version" not in imported_names(path), path


def test_no_import_runs_backwards():
    rooms = list(ALLOWED)
    for room, others in ALLOWED.items():
        later = {one for one in others.split() if rooms.index(one) > rooms.index(room)}
        assert not later, (room, later)


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


def test_the_list_of_commands_loads_none_of_them():
    code = (
        "import sys; from headwise.cli.app import run; run(['--help']);"
        "print([m for m in sys.modules if m.startswith('headwise.c')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "['headwise.cli', 'headwise.cli.output', 'headwise.cli.app']\n"


def test_parsing_a_file_loads_nothing_that_it_does_not_need(tmp_path):
    (tmp_path / "text.txt").write_text("Dogs bark.\n")
    needless = (
        "headwise.draw.svg", "headwise.learners.training", "rich.console", "scipy.optimize",
        "urllib.request", "xml.sax",
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
