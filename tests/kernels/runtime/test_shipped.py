"""Kernels that came with the package are used where they fit, and compiled anew elsewhere."""

import json
import shutil
from pathlib import Path

import pytest

from headwise.kernels.runtime import shipped
from headwise.kernels.runtime.cachefolders import KERNELS, fingerprint
from headwise.kernels.runtime.shipped import BASELINE, FEATURES, REQUIREMENTS, TARGET, collect
from unprivileged import make_read_only, run_python

SOURCES = Path(shipped.__file__).parents[3]

WORK = """
import numpy as np
from numba.core import event

class Compilations(event.Listener):
    names = []
    def on_start(self, started):
        self.names.append(started.data["dispatcher"].py_func.__name__)
    def on_end(self, ended):
        pass

event.register("numba:compile", Compilations())
from headwise.kernels.primitives.hashmap import build_map, look_up_all
keys, values = build_map(np.arange(3, dtype=np.uint64), np.arange(3, dtype=np.int32))
print(look_up_all(keys, values, np.array([2, 7], np.uint64)).tolist())
print([name for name in Compilations.names if name in ("build_map", "look_up_all")])
"""

ASSEMBLY = (
    WORK
    + """
for kernel in (build_map, look_up_all):
    print(*kernel.inspect_asm().values())
"""
)

NOTHING = "[2, -1]\n[]\n"
EVERYTHING = "[2, -1]\n['build_map', 'look_up_all']\n"
NOTICE = "those in the package cannot be used: "


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of code that was compiled for the baseline."""
    folder = tmp_path_factory.mktemp("cache")
    done = run_python(WORK, PYTHONPATH=str(SOURCES), NUMBA_CACHE_DIR=str(folder), **TARGET)
    assert (done.returncode, done.stdout) == (0, EVERYTHING)
    return folder / f"headwise-{fingerprint(KERNELS)}"


@pytest.fixture
def installed(cache: Path, tmp_path: Path) -> Path:
    """The package as a wheel with compiled kernels unpacks it."""
    folder = tmp_path / "installed"
    skipped = shutil.ignore_patterns("__pycache__", "data", "embedded")
    shutil.copytree(SOURCES / "headwise", folder / "headwise", ignore=skipped)
    collect(cache, compiled(folder))
    return folder


def compiled(installed: Path) -> Path:
    return installed / "headwise" / "kernels" / "compiled"


def work(installed: Path, **environment: str):
    home = installed.parent / "home"
    return run_python(WORK, PYTHONPATH=str(installed), HOME=str(home), **environment)


@pytest.mark.skipif(not shipped.suits_cpu(), reason="the CPU is older than the baseline")
def test_nothing_is_compiled_where_the_code_fits(installed: Path) -> None:
    done = work(installed)
    assert (done.stdout, done.stderr) == (NOTHING, "")
    assert not (installed / "headwise" / "kernels" / "__pycache__").exists()
    make_read_only(installed)
    done = work(installed)
    assert (done.stdout, done.stderr) == (NOTHING, "")


@pytest.mark.parametrize("name", ["Numba", "llvmlite", "NumPy", "Python", "platform"])
def test_code_for_something_else_is_not_used(name: str, installed: Path) -> None:
    path = compiled(installed) / REQUIREMENTS
    required = json.loads(path.read_text())
    path.write_text(json.dumps(required | {name: "0.1"}))
    done = work(installed)
    assert done.stdout == EVERYTHING
    [line] = done.stderr.splitlines()
    assert f"{NOTICE}they are for {name} 0.1, and this is {required[name]} …" in line
    assert work(installed).stdout == NOTHING  # from the cache


@pytest.mark.parametrize(
    "chosen",
    [{"NUMBA_CPU_NAME": "generic"}, {"NUMBA_CPU_NAME": BASELINE, "NUMBA_CPU_FEATURES": "-avx2"}],
)
def test_code_for_another_cpu_is_not_used(chosen: dict[str, str], installed: Path) -> None:
    done = work(installed, **chosen)
    assert done.stdout == EVERYTHING
    assert f"{NOTICE}they are for CPUs of x86-64-v3" in done.stderr


def test_code_of_other_sources_is_not_used(installed: Path) -> None:
    with (installed / "headwise" / "kernels" / "primitives" / "semiring.py").open("a") as file:
        file.write("# altered\n")
    done = work(installed)
    assert done.stdout == EVERYTHING
    assert (
        f"{NOTICE}they are for kernel sources {fingerprint(KERNELS)}, and this is " in done.stderr
    )


def test_a_truncated_file_is_compiled_anew(installed: Path) -> None:
    [path] = compiled(installed).glob("hashmap.build_map-*")
    path.write_bytes(path.read_bytes()[:-1])
    done = work(installed)
    assert done.stdout == "[2, -1]\n['build_map']\n"
    assert len(done.stderr.splitlines()) == 1
    assert NOTICE not in done.stderr
    done = work(installed)
    assert (done.stdout, done.stderr) == (NOTHING, "")


@pytest.mark.parametrize("content", ["", "[]", "{"])
def test_a_damaged_list_of_requirements_is_no_error(content: str, installed: Path) -> None:
    (compiled(installed) / REQUIREMENTS).write_text(content)
    done = work(installed)
    assert done.stdout == EVERYTHING
    assert f"{NOTICE}the list of what they depend on is damaged" in done.stderr


def test_code_that_others_can_change_is_not_used(installed: Path) -> None:
    compiled(installed).chmod(0o777)
    done = work(installed)
    assert done.stdout == EVERYTHING
    assert f"{NOTICE}other users can write where they are" in done.stderr


def test_a_cpu_must_have_every_feature(monkeypatch: pytest.MonkeyPatch) -> None:
    there = dict.fromkeys((*FEATURES, "avx512f"), True)
    monkeypatch.setattr(shipped.settings, "CPU_NAME", None)
    monkeypatch.setattr(shipped.settings, "CPU_FEATURES", None)
    monkeypatch.setattr(shipped.llvm, "get_host_cpu_features", lambda: there)
    assert shipped.suits_cpu()
    there["avx2"] = False
    assert not shipped.suits_cpu()


def test_code_for_the_baseline_has_no_instructions_of_other_cpus(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(SOURCES), "NUMBA_CACHE_DIR": str(tmp_path)}
    done = run_python(ASSEMBLY, **environment, **TARGET)
    assert "ymm0" in done.stdout or "xmm0" in done.stdout
    assert not [name for name in ("zmm", "%k1", "ymm16", "xmm16") if name in done.stdout]
