"""No import runs backwards along the flow of docs/design.md."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import headwise

PACKAGE = Path(headwise.__file__).parent

# Each room, and the rooms it may import from besides itself.
LEAVES = {"errors", "safe", "interrupt", "tree", "parts", "tomllines"}
CORPUS = {"errors", "safe", "tree"}
SEARCH = {"errors", "tree", "parts", "kernels"}
BRACKETS = {"bracketing", "levels"}
FILES = {"wholefolder", "sparse", "settings", "modelfile"}
LEARNERS = {
    *CORPUS, *SEARCH, *FILES, "projectivise", "corpus", "scores", "decoders", "features", "search",
    "evaluate", "processes", "interrupt",
}  # fmt: skip
PARSER = {"modelfile", "parser", "traininglog"}
ALLOWED = {
    **{leaf: set() for leaf in LEAVES},
    "kernels": {"interrupt"},
    "projectivise": {"errors", "tree"},
    "corpus": CORPUS,
    "document": CORPUS | {"corpus", "draw"},
    "partindex": SEARCH,
    "partcounts": SEARCH | {"partindex"},
    "bracketing": {"errors"},
    "levels": {"errors", "bracketing"},
    "scores": SEARCH | {"partindex", "bracketing"},
    "feasibility": SEARCH | BRACKETS,
    "constraints": SEARCH | BRACKETS | {"partindex", "scores", "feasibility"},
    "memory": SEARCH | {"partindex", "partcounts", "scores"},
    "decoders": SEARCH
    | BRACKETS
    | {
        "partindex",
        "partcounts",
        "scores",
        "feasibility",
        "constraints",
        "probabilities",
    },
    "features": CORPUS | {"corpus", "kernels", "parts", "partindex", "scores"},
    "wholefolder": {"errors"},
    "sparse": {"errors"},
    "quantise": {"errors"},
    "settings": {"errors", "tomllines"},
    "modelconfig": {"errors", "safe"},
    "modelfile": {"errors", "modelconfig", "wholefolder"},
    "scanned": {"corpus", "kernels"},
    "scoressearch": CORPUS | {"corpus", "constraints", "decoders", "scores"},
    "search": {
        *SEARCH,
        "partindex",
        "scores",
        "decoders",
        "corpus",
        "features",
        "projectivise",
        "scanned",
        "scoressearch",
    },
    "learners": LEARNERS,
    # A parser and its file know each other: `DependencyParser.storage` names its functions.
    "parser": LEARNERS | {"learners", "parameters", "parserfile"},
    "modelcard": {"safe"},
    "parsercard": {"modelcard"},
    "labelfile": {"errors", "features", "modelfile", "sparse"},
    "parserfile": CORPUS
    | {"features", "modelfile", "sparse", "settings", "parser", "parts", "labelfile", "parsercard"},
    "searcher": CORPUS | {"corpus", "decoders", "features"},
    "answers": CORPUS | {"corpus", "decoders", "features", "projectivise", "searcher"},
    "parsing": CORPUS | {"corpus", "searcher", "answers"},
    "chartsearch": CORPUS | {"corpus", "constraints", "decoders", "search"},
    "headsparser": {
        *CORPUS,
        "corpus",
        "learners",
        "modelfile",
        "parameters",
        "projectivise",
        "searcher",
    },
    "headsfile": {"errors", "headsparser", "modelcard", "modelfile", "settings"},
    "boosting": {
        *CORPUS,
        "corpus",
        "headsparser",
        "headsfile",
        "chartsearch",
        "decoders",
        "features",
        "kernels",
        "learners",
        "modelcard",
        "modelfile",
        "parameters",
        "settings",
        "sparse",
    },
    "countedkeys": set(),
    "parameters": {"errors"},
    "packednames": {"errors"},
    "similarity": {
        "errors",
        "kernels",
        "countedkeys",
        "packednames",
        "modelcard",
        "modelfile",
        "settings",
    },
    "lexical": {
        *LEARNERS,
        "learners",
        "headsparser",
        "headsfile",
        "chartsearch",
        "countedkeys",
        "modelcard",
        "packednames",
        "similarity",
    },
    "margins": {
        *LEARNERS,
        "learners",
        "modelcard",
        "headsparser",
        "headsfile",
        "lexical",
        "scoressearch",
        "packednames",
        "parameters",
        "similarity",
    },
    "parserkinds": {
        "errors",
        "modelfile",
        "parser",
        "boosting",
        "lexical",
        "margins",
    },
    "inputs": CORPUS | {"corpus", "scanned", "text"},
    # A pipeline and its file know each other, as a parser and its file do.
    "pipeline": {
        *CORPUS,
        "corpus",
        "text",
        "document",
        "answers",
        "parserkinds",
        "parsing",
        "pipelinefile",
    },
    "pipelinefile": {
        *CORPUS,
        "text",
        "modelcard",
        "modelfile",
        "parserkinds",
        "pipeline",
    },
    "pipelinescores": CORPUS | {"corpus", "evaluate", "text", "pipeline"},
    "recipe": CORPUS | {"corpus", "text", "pipeline", "pipelinefile", "models"},
    "models": {
        "errors",
        "modelfile",
        "parserkinds",
        "pipeline",
        "pipelinefile",
    },
    "warmup": {"corpus", "features", "kernels", "models", "search"},
    "traininglog": CORPUS | {"boosting", "corpus", "learners"},
    "trainkinds": CORPUS
    | {"corpus", "boosting", "learners", "lexical", "margins", "parameters", "similarity"},
    "trainfiles": {
        *CORPUS,
        *PARSER,
        "trainkinds",
        "corpus",
        "features",
        "learners",
        "boosting",
        "lexical",
        "margins",
        "parserkinds",
        "similarity",
        "settings",
        "pipeline",
        "pipelinescores",
        "recipe",
        "parameters",
    },
    "text": CORPUS | {"corpus", "kernels", "quantise", "sparse"},
    "draw": CORPUS | {"corpus"},
    "evaluate": CORPUS | {"corpus", "draw"},
    "probabilities": {"errors"},
    "reranking": {"errors", "modelcard", "modelfile", "probabilities"},
    "candidates": CORPUS
    | {
        "corpus",
        "decoders",
        "probabilities",
        "parameters",
        "reranking",
        "learners",
        "parser",
        "answers",
    },
    "constituency": CORPUS
    | {"corpus", "kernels", "evaluate", "modelcard", "modelfile", "probabilities", "reranking"},
    "processes": {"errors"},
    "experiments": {
        *CORPUS,
        "corpus",
        "draw",
        "evaluate",
        "learners",
        "settings",
        "parser",
        "processes",
        "candidates",
        "constituency",
        "parameters",
    },
    "cli": {
        *CORPUS,
        *FILES,
        *PARSER,
        "corpus",
        "draw",
        "evaluate",
        "features",
        "learners",
        "parsercard",
        "boosting",
        "lexical",
        "margins",
        "parserkinds",
        "similarity",
        "trainfiles",
        "experiments",
        "trainkinds",
        "models",
        "warmup",
        "answers",
        "candidates",
        "inputs",
        "pipeline",
        "pipelinefile",
        "recipe",
        "constituency",
        "decoders",
        "probabilities",
        "reranking",
    },
    "__main__": {"cli"},
    "__init__": {"corpus", "document", "draw", "errors", "models", "parser", "pipeline"},
}


EXCEPTIONS = {"corpus/sentence.py": {"draw"}}
"""A sentence shows itself in notebooks: the import is made when it does."""


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            raise AssertionError(f"{path}: relative import")
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("headwise.")}
    return rooms


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_imports_follow_the_flow(path):
    room = room_of(path)
    assert room in ALLOWED, f"{room} is a new room: say in this test what it may import"
    name = str(path.relative_to(PACKAGE))
    assert imported_rooms(path) - {room} <= ALLOWED[room] | EXCEPTIONS.get(name, set())


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


def test_the_public_names_are_those_and_no_others():
    assert set(dir(headwise)) == set(headwise.__all__)
    for name in headwise.__all__:
        assert getattr(headwise, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        headwise.nothing  # noqa: B018
