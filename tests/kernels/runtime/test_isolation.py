"""Whoever else uses Numba in the process does not notice Headwise."""

import subprocess
import sys

SCRIPT = '''
import re
import signal
from collections import namedtuple

import numba
import numpy as np
from numba.core import compiler, config, cpu, dispatcher, event, pythonapi, registry
from numba.core import boxing, caching, callwrapper, codegen, imputils
from numba.core.datamodel import default_manager
from numba.core.typing import templates, typeof

Pair = namedtuple("Pair", "numbers largest")

def foreign():
    """A function of somebody else, just compiled: its results, options and code."""
    @numba.njit
    def pair(numbers):
        return Pair(np.sort(numbers), numbers.max()), np.zeros(2)

    (numbers, largest), zeros = result = pair(np.array([2.0, 1.0]))
    [code] = pair.inspect_llvm().values()
    called = re.findall(r"call [^@]*@\\"?([A-Za-z_]\\w*)", code)
    python = sorted(name for name in called if name.startswith(("Py", "numba_", "NRT_adapt")))
    values = numbers.tolist(), largest, zeros.tolist(), type(result[0]).__name__
    return values, python, pair.targetoptions, type(pair._cache), sorted(vars(pair))

CLASSES = (
    pythonapi.PythonAPI, compiler.Compiler, compiler.CompilerBase, compiler.CompileResult,
    cpu.CPUContext, cpu.CPUTargetOptions, dispatcher.Dispatcher, registry.CPUDispatcher,
    callwrapper.PyCallWrapper, codegen.JITCodeLibrary, codegen.JITCPUCodegen,
    caching.FunctionCache, event.Listener,
)

def numba_state():
    """What must not change at all."""
    context = registry.cpu_target.target_context
    return {
        "settings": {name: getattr(config, name) for name in dir(config) if name.isupper()},
        "classes": [dict(vars(each)) for each in CLASSES],
        "boxing": dict(vars(boxing)),
        "listeners": {kind: list(each) for kind, each in event._registered.items()},
        "context": {k: v for k, v in vars(context).items() if isinstance(v, (bool, int, str))},
        "overridden": sorted(vars(context)),
        "pipeline": registry.cpu_target.options,
        "handlers": [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)],
        "threads": numba.get_num_threads(),
    }

def numba_tables():
    """Registries, to which we may add what is ours, by who owns an entry."""
    return {
        "boxing": pythonapi._boxers.functions,
        "unboxing": pythonapi._unboxers.functions,
        "reflecting": pythonapi._reflectors.functions,
        "models": default_manager._handlers,
        "types": dict(typeof.typeof_impl.registry),
        "globals": {id(each): each for each in templates.builtin_registry.globals},
        "templates": {each: each for each in templates.builtin_registry.functions},
        "attributes": {each: each for each in templates.builtin_registry.attributes},
        "implementations": {id(each): each for each in imputils.builtin_registry.functions},
    }

def is_ours(entry):
    if isinstance(entry, tuple):  # the function comes first, or after what implements it
        return any(map(is_ours, entry[:2]))
    owner = getattr(entry, "key", entry)
    return getattr(owner, "__module__", "").startswith("headwise")

before = foreign()
foreign_again = foreign()
assert before == foreign_again, (before, foreign_again)
state, tables = numba_state(), {name: dict(table) for name, table in numba_tables().items()}
'''

PARSED = """
import headwise
tree = headwise.load()("We read it twice.")

now = numba_state()
print([name for name in state if state[name] != now[name]])
for name, table in numba_tables().items():
    kept = all(table.get(key) is value for key, value in tables[name].items())
    foreign_entries = [
        value for key, value in table.items()
        if key not in tables[name] and not is_ours(key) and not is_ours(value)
    ]
    print(name, kept, foreign_entries)
print(foreign() == before)
"""

TABLES = (
    "boxing", "unboxing", "reflecting", "models", "types", "globals", "templates", "attributes",
    "implementations",
)  # fmt: skip


def test_parsing_changes_nothing_for_others() -> None:
    call = [sys.executable, "-c", SCRIPT + PARSED]
    run = subprocess.run(call, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == ["[]", *(f"{name} True []" for name in TABLES), "True"]


PATCHED = """
pythonapi._boxers.functions[numba.types.Array] = lambda *_: None
event.register("numba:compile", event.TimingListener())
now = numba_state()
print([name for name in state if state[name] != now[name]])
print(numba_tables()["boxing"] == tables["boxing"])
"""


def test_a_change_for_others_would_be_found() -> None:
    call = [sys.executable, "-c", SCRIPT + PATCHED]
    run = subprocess.run(call, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["['listeners']", "False"]
