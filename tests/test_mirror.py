"""Tests mirror the package: `tests/corpus/test_conllu.py` tests `src/headwise/corpus/conllu.py`."""

from pathlib import Path

import headwise

PACKAGE = Path(headwise.__file__).parent
TESTS = Path(__file__).parent

ELSEWHERE = {
    "__main__": "cli/test_app.py",
    "serve/service": "serve/test_app.py",
    "serve/workerprocess": "serve/test_workers.py",
    "cli/parseoptions": "cli/test_parse.py",
    "cli/reranking": "cli/test_rerank.py",
    "kernels/arcs/kinds": "scoring/linear/test_templates.py",
    "kernels/charts/chart_hyperedges": "kernels/charts/test_chart_fill.py",
    "kernels/charts/higher_answers": "kernels/charts/test_higher.py",
    "kernels/charts/higher_chart": "kernels/charts/test_higher.py",
    "kernels/charts/higher_hyperedges": "kernels/charts/test_higher.py",
    "kernels/charts/higher_parse": "parsers/graph/test_parser_orders.py",
    "kernels/constituents/cky_kbest": "constituency/test_pcfg.py",
    "kernels/constituents/f1_forest": "constituency/test_mbr.py",
    "kernels/constituents/treechart": "constituency/test_pcfg.py",
    "kernels/labels/arcs": "scoring/linear/test_labelledscorer.py",
    "kernels/labels/features": "kernels/labels/test_search.py",
    "kernels/parts/entries": "scoring/linear/test_partscorer.py",
    "kernels/runtime/codegen": "kernels/primitives/test_intrinsics.py",
    "kernels/runtime/elsewhere": "kernels/runtime/test_plain.py",
    "kernels/runtime/known": "kernels/runtime/test_helpers.py",
    "kernels/text/char_classify": "text/test_tokeniser.py",
    "kernels/text/char_features": "text/test_tokeniser.py",
    "learners/neural/development": "parsers/neural/test_parser.py",
    "learners/neural/initialising": "learners/neural/test_network.py",
    "scoring/chances": "inference/test_candidates.py",
    "scoring/neural/jaxnetwork": "scoring/neural/test_accelerated.py",
    "parsers/arcparser": "parsers/graph/test_parser.py",
    "parsers/base": "parsers/graph/test_parser.py",
}
"""Modules without a file of their own, and where they are tested: parts of an algorithm that are
compared with brute force as a whole, declarations, and protocols."""

OF_SEVERAL = {
    "cli/test_boosting.py", "cli/test_lexical.py", "cli/test_linkmargin.py",
    "cli/test_pipeline_commands.py", "cli/test_terminal.py", "constituency/test_shared.py",
    "experiments/test_our_experiments.py", "kernels/runtime/test_isolation.py",
    "parsers/boosting/test_shared.py", "parsers/graph/test_parser_orders.py",
    "parsers/lexical/test_shared.py", "parsers/linkmargin/test_shared.py",
    "search/decoders/test_pages.py", "search/decoders/test_projective_long.py",
    "serve/test_fuzzing.py", "serve/test_page.py", "serve/test_page_acts.py",
    "test_architecture.py", "test_benchmarks.py", "test_docs.py", "test_forgery.py",
    "test_mirror.py", "test_peers.py", "test_readme.py", "test_robustness.py",
    "pipeline/test_plain_english.py", "pipeline/training/test_scorers.py", "text/test_stages.py",
}  # fmt: skip
"""Files that test several modules together, or what is no module."""


def modules() -> set[str]:
    paths = (path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
    return {path.with_suffix("").as_posix() for path in paths if path.name != "__init__.py"}


def test_every_module_has_a_file_of_tests_and_every_file_a_module() -> None:
    found = {path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")}
    expected = {mirrored(module): module for module in modules()}
    without = {module for name, module in expected.items() if name not in found}
    assert without == set(ELSEWHERE), "give these a file, or say in ELSEWHERE where it is tested"
    assert set(ELSEWHERE.values()) <= found, "these are not there any more"
    more = found - set(expected)
    assert more == OF_SEVERAL, "name these as the modules that they test, or list them"


def mirrored(module: str) -> str:
    """The file that tests a module."""
    folder, _, name = module.rpartition("/")
    return f"{folder}/test_{name}.py" if folder else f"test_{name}.py"
