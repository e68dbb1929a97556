"""In yegg's own functions no index into an array counts from its end, but for constants.

A step of Numba's compiler (its custom pipelines) casts each such index to an unsigned integer, of
which Numba does not ask whether it is negative.
"""

# mypy: allow-untyped-calls

from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass


@register_pass(mutates_CFG=False, analysis_only=False)
class IndicesFrom0(FunctionPass):
    """Casts the indices of a function that has been typed."""

    _name = "yegg_indices_from_0"

    def __init__(self) -> None:
        """Nothing to set up."""
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Whether anything was changed in a function that has been typed."""
        if not str(state.func_id.modname).startswith("yegg."):
            return False
        changed = False
        for block in state.func_ir.blocks.values():
            body = []
            for step in block.body:
                body += _unsigned(state, block.scope, step)
            changed |= len(body) > len(block.body)
            block.body = body
        return changed


def _unsigned(state: Any, scope: Any, step: Any) -> list[Any]:
    """A step of Numba's own language, after the cast of its index where there is one to cast."""
    if isinstance(step, ir.Assign):
        access = step.value
        if not (isinstance(access, ir.Expr) and access.op == "getitem"):
            return [step]
        array, index = access.value, access.index
    elif isinstance(step, ir.SetItem):
        access, array, index = step, step.target, step.index
    else:
        return [step]
    usual = state.typemap[index.name]
    kind = from_0(usual)
    if not isinstance(state.typemap[array.name], types.Array) or kind == usual:
        return [step]
    cast = scope.redefine("$from_0", step.loc)
    state.typemap[cast.name] = kind
    signature = state.calltypes[access]
    known = signature.replace(args=(signature.args[0], kind, *signature.args[2:]))
    before = ir.Assign(ir.Expr.cast(index, step.loc), cast, step.loc)
    if access is step:
        step = ir.SetItem(array, cast, access.value, step.loc)
        state.calltypes[step] = known
    else:
        step = ir.Assign(ir.Expr.getitem(array, cast, step.loc), step.target, step.loc)
        state.calltypes[step.value] = known
    return [before, step]


def from_0(index: Any) -> Any:
    """The type of an index that counts from 0 only; of several, that of all of them."""
    if isinstance(index, types.BaseTuple):
        return types.Tuple(tuple(map(from_0, index.types)))  # type: ignore[attr-defined]
    return types.uintp if index in types.signed_domain else index
