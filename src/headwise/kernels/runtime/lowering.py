"""How kernels and helpers become LLVM's instructions: with few for tuples of arrays.

Numba keeps a variable that several blocks use in memory, reads all of it for any part, and counts
the references to every array in it whenever it is assigned. For a tuple of thirty arrays that is
hundreds of instructions each time, most of what LLVM was given for the larger kernels.

Here a variable that is assigned once is a value (`lasting`). And what is taken from arguments, or
`borrowed`, is not counted (`lent`): somebody else keeps these arrays alive until the end.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import ir, types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.runtime.context import NRTContext
from numba.core.typed_passes import BaseNativeLowering, NativeLowering

from headwise.kernels.runtime.borrow import borrowed

Definitions = dict[str, list[Any]]
"""What is assigned to each variable."""


class LeanCounting(NRTContext):
    """Numba's reference counting, which looks for arrays where they can be."""

    def get_meminfos(self, builder: Any, ty: Any, val: Any) -> Any:
        """The type and the owner of each array in a value."""
        models = self._context.data_model_manager
        if isinstance(ty, types.Array):
            return [(ty, models[ty].get(builder, val, "meminfo"))]
        if not isinstance(ty, types.BaseTuple):
            return super().get_meminfos(builder, ty, val)
        members: Any = ty
        return [
            found
            for at, kind in enumerate(members)
            if models[kind].contains_nrt_meminfo()
            for found in self.get_meminfos(builder, kind, builder.extract_value(val, at))
        ]


class PartLower(Lower):
    """Numba's lowering, with other code for variables."""

    def _find_singly_assigned_variable(self) -> None:
        super()._find_singly_assigned_variable()
        self.context.nrt = LeanCounting(self.context, self.context.enable_nrt)
        blocks: Any = self.blocks
        definitions = assigned(blocks)
        self.uncounted = lent(definitions, self.fndesc.typemap, self.holds_arrays)
        free = {name for name in definitions if not self.is_counted(name)}
        self._singly_assigned_vars |= free & lasting(blocks, definitions)

    def holds_arrays(self, name: str) -> bool:
        """Whether references are to be counted for a variable's type."""
        if not self.context.enable_nrt:
            return False
        model = self.context.data_model_manager[self.typeof(name)]
        return bool(model.contains_nrt_meminfo())

    def is_counted(self, name: str) -> bool:
        """Whether references to a variable's arrays are counted."""
        return name not in self.uncounted and self.holds_arrays(name)

    @contextmanager
    def counting(self, name: str) -> Iterator[None]:
        """Count references within the block only if those of a variable are counted."""
        before = self.context.enable_nrt
        self.context.enable_nrt = before and name not in self.uncounted
        try:
            yield
        finally:
            self.context.enable_nrt = before

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        """The value that is assigned."""
        with self.counting(inst.target.name):
            return super().lower_assign(ty, inst)

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        """Assign a value."""
        with self.counting(name):
            super().storevar(value, name, argidx)

    def delvar(self, name: str) -> None:
        """End the life of a variable, which does nothing unless it is counted."""
        if self.is_counted(name):
            super().delvar(name)


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(BaseNativeLowering):
    """The step of compilation that uses `PartLower`."""

    _name: Any = "headwise_lowering"
    lowering_class = PartLower


class LeanCompiler(Compiler):
    """Numba's compiler, with another lowering."""

    def define_pipelines(self) -> Any:
        """The usual steps of compilation but one."""
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (PartLowering if step is NativeLowering else step, what)
                for step, what in pipeline.passes
            ]
        return pipelines


def assigned(blocks: dict[int, Any]) -> Definitions:
    """What is assigned to each variable."""
    definitions: Definitions = defaultdict(list)
    for block in blocks.values():
        for statement in block.find_insts(ir.Assign):
            definitions[statement.target.name].append(statement.value)
    return definitions


def lasting(blocks: dict[int, Any], definitions: Definitions) -> set[str]:
    """The variables assigned once, on every way to where they are used, and lowered before that."""
    dominators = compute_cfg_from_blocks(blocks).dominators()
    found = compute_use_defs(blocks)
    place = {name: at for at, names in found.defmap.items() for name in names}
    once = {name for name, values in definitions.items() if len(values) == 1 and name in place}
    for at, names in found.usemap.items():
        for name in names & once:
            if place[name] >= at or place[name] not in dominators[at]:
                once.remove(name)
    return once


def lent(definitions: Definitions, kinds: dict[str, Any], holds_arrays: Any) -> set[str]:
    """The variables with arrays that are arguments, borrowed, or taken from such."""
    names = {name for name in definitions if holds_arrays(name)}
    while True:
        rest = {
            name
            for name in names
            if all(is_lent(value, names, kinds, holds_arrays) for value in definitions[name])
        }
        if rest == names:
            return rest
        names = rest


def is_lent(value: Any, names: set[str], kinds: dict[str, Any], holds_arrays: Any) -> bool:
    """Whether a value is an argument, borrowed, or taken from variables that are lent."""
    if isinstance(value, ir.Arg):
        return True
    if isinstance(value, ir.Var):
        return value.name in names
    if not isinstance(value, ir.Expr):
        return False
    if value.op == "call":
        return getattr(kinds[value.func.name], "typing_key", None) is borrowed
    if value.op == "build_tuple":
        return all(item.name in names or not holds_arrays(item.name) for item in value.items)
    if value.op in ("getattr", "static_getitem", "exhaust_iter"):
        return value.value.name in names and isinstance(kinds[value.value.name], types.BaseTuple)
    return False
