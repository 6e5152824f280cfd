"""PyTorch's own CPU kernels, taken over on request."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import library as torch_library
from torch.utils._python_dispatch import _disable_current_modes

from strew import _torch
from strew.torch import inductor as _inductor
from strew.torch import takeover_sparse as _sparse

_NAMESPACE = "strew_native"
_KEYSET = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)

# The classes that _torch.note knows, in the order of its numbers.
_CLASSES = (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError)


def _qualified(name: str, overload: str) -> str:
    return f"{name}.{overload}" if overload else name


_OPERATORS = [_qualified(*pair) for pair in _torch.operators()]

_DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex32", "complex64", "complex128"),
    *("float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz"),
]

# The number of native/torch for an index out of bounds.
_INDEX = 1

# ---- PyTorch's own kernels ------------------------------------------------------------------------------------------


# The call of each kernel that PyTorch had before.
_native: dict[str, Callable[..., torch.Tensor]] = {}

def _hand_back(number: int, outcome: int, *arguments: Any, **named: Any) -> Any:
    """Calls PyTorch's own kernel for a kernel that Python registers."""
    operator = _OPERATORS[number]
    if outcome == _INDEX and operator.partition(".")[0].endswith("_"):
        return _complain(operator, *arguments, **named)
    return _native[operator](_KEYSET, *arguments, **named)


def _complain(operator: str, self: torch.Tensor, *arguments: Any, **named: Any) -> torch.Tensor:
    """Hands back a call in place that has an index out of bounds. PyTorch raises its error on a copy: strew has left
    self as it was, and PyTorch's kernel would not."""
    with torch._C.DisableTorchFunctionSubclass():
        return self.copy_(_native[operator](_KEYSET, self.clone(), *arguments, **named))


_torch.give(
    torch.Tensor,
    torch.empty_strided,
    {
        _torch.dtype_number(name): {"dtype": getattr(torch, name), "device": torch.device("cpu")}
        for name in _DTYPES
    },
    _hand_back,
)


def _keep_native() -> None:
    """Keeps the operators' current kernels. PyTorch's own ones are called directly."""
    for number, operator in enumerate(_OPERATORS):
        _native[operator] = torch_library.get_kernel(f"aten::{operator}", "CPU").call_boxed
        _torch.call_directly(number, _is_own(operator))


def _is_own(operator: str) -> bool:
    """Whether the kernel that serves an operator on the CPU is PyTorch's own, by the file that registered it."""
    kernels = torch._C._dispatch_dump(f"aten::{operator}").splitlines()
    return any(line.startswith("CPU: registered at ") and "/RegisterCPU" in line for line in kernels)


@functools.cache
def _define_native() -> torch_library.Library:
    """Defines operators of a namespace of strew's own, of the same schemas, that call those kernels."""
    library = torch_library.Library(_NAMESPACE, "DEF")
    for operator in _OPERATORS:
        if operator not in _PYTHON_KERNELS:
            name, _, overload = operator.partition(".")
            schema = str(getattr(getattr(torch.ops.aten, name), overload or "default")._schema)
            library.define(schema.removeprefix("aten::"))
            library.impl(operator, functools.partial(_call_noting, operator), "CompositeExplicitAutograd")
    return library


def _call_noting(operator: str, *arguments: Any, **named: Any) -> Any:
    """Calls a kernel of PyTorch's for strew's kernels in C. The interface that brought the call here keeps no class of
    an exception, so class and text are noted for who made the call."""
    try:
        return _native[operator](_KEYSET, *arguments, **named)
    except Exception as error:
        _torch.note(_class_number(error), str(error))
        raise


def _class_number(error: Exception) -> int:
    """The number of the narrowest class that the error is of: NotImplementedError is a RuntimeError too."""
    matching = [number for number, known in enumerate(_CLASSES) if isinstance(error, known)]
    return matching[-1] if matching else 0


# ---- Kernels that Python registers ----------------------------------------------------------------------------------
#
# native/torch/takeover.h says which these are, and why.


_FUNCTIONS = _torch.kernels()
_PYTHON_KERNELS = dict(zip(_OPERATORS[-len(_FUNCTIONS) :], _FUNCTIONS))


def _register() -> torch_library.Library:
    """Registers the kernels, which are PyTorch's again when the library is gone."""
    library = torch_library.Library("aten", "IMPL")
    try:
        for operator, kernel in _PYTHON_KERNELS.items():
            library.impl(operator, kernel, "CPU")
    except BaseException:
        library._destroy()  # the traceback keeps it
        raise
    return library


# ---- Dtypes ---------------------------------------------------------------------------------------------------------

# Makes the arguments of a call of one element, by place and by name, from a self and an index.
_Arguments = Callable[[torch.Tensor, torch.Tensor], tuple[tuple[Any, ...], dict[str, Any]]]


def _scatter_reduce(reduce: str, include_self: bool) -> _Arguments:
    return lambda x, i: ((x, 0, i, x.clone(), reduce), {"include_self": include_self})


def _index_put(accumulate: bool) -> _Arguments:
    return lambda x, i: ((x.repeat(2), [i.repeat(2)], x.repeat(2), accumulate), {})


_REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")

# Calls that probe PyTorch's kernels, for each operator: one for each variant, numbered as in native/torch.
_CALLS: dict[str, list[_Arguments]] = {
    "gather": [lambda x, i: ((x, 0, i), {})],
    "index_select": [lambda x, i: ((x, 0, i), {})],
    "scatter.src": [lambda x, i: ((x, 0, i, x.clone()), {})],
    "scatter_add": [lambda x, i: ((x, 0, i, x.clone()), {})],
    "scatter_reduce.two": [_scatter_reduce(name, included) for name in _REDUCTIONS for included in (False, True)],
    "index_copy": [lambda x, i: ((x, 0, i, x.clone()), {})],
    "index.Tensor": [lambda x, i: ((x, [i]), {})],
    "_index_put_impl_": [_index_put(False), _index_put(True)],
    "_embedding_bag": [lambda x, i: ((x.unsqueeze(0), i, i), {})],
    "_embedding_bag_forward_only": [lambda x, i: ((x.unsqueeze(0), i, i), {})],
    "embedding_dense_backward": [lambda x, i: ((x.unsqueeze(0), i, 1, -1, False), {})],
}


def _family(operator: str) -> str:
    """The form whose kernel is probed for all forms of an operator."""
    name, _, overload = operator.partition(".")
    if operator in _CALLS:
        return operator
    return _qualified(name.removesuffix("_"), overload.removesuffix("out").removesuffix("_"))


def _takes(operator: str, make: _Arguments, dtype: torch.dtype, index_dtype: torch.dtype) -> bool:
    """Whether PyTorch's own kernel takes these dtypes."""
    x, index = torch.zeros(1, device="cpu").to(dtype), torch.zeros(1, dtype=index_dtype, device="cpu")
    arguments, named = make(x, index)
    try:
        _native[operator](_KEYSET, *arguments, **named)
    except (RuntimeError, IndexError, TypeError, ValueError):
        return False
    return True


def _taken_dtypes() -> dict[str, tuple[list[int], bool]]:
    """The dtypes that this release's own kernels accept: for each variant a bit for each dtype, and whether int32
    indices."""
    found: dict[str, tuple[list[int], bool]] = {}
    for family, calls in _CALLS.items():
        variants = [
            sum(
                1 << _torch.dtype_number(name)
                for name in _DTYPES
                if _takes(family, make, getattr(torch, name), torch.int64)
            )
            for make in calls
        ]
        if not all(dtypes >> _torch.dtype_number("float32") & 1 for dtypes in variants):
            raise RuntimeError(
                f"strew.torch.enable(): PyTorch's own kernel of {family} fails for tensors of the CPU of float32, "
                "which every release takes; enable strew outside of modes that change what operators do"
            )
        found[family] = variants, _takes(family, calls[0], torch.float32, torch.int32)
    # scatter's own add and multiply would print the warning that belongs to their first caller.
    variants, int32 = found["scatter_reduce.two"]
    found["scatter.reduce"] = [variants[1], variants[3]], int32
    return found


@functools.cache
def _take_dtypes() -> None:
    """Once: has strew take over the dtypes that PyTorch's own kernels take."""
    with warnings.catch_warnings(), _disable_current_modes():
        warnings.simplefilter("ignore")
        families = _taken_dtypes()
    for number, operator in enumerate(_OPERATORS):
        variants, int32 = families[_family(operator)]
        for variant, dtypes in enumerate(variants):
            _torch.accept(number, variant, dtypes, int32)


# ---- On and off -----------------------------------------------------------------------------------------------------

_lock = threading.RLock()
_on = False
_exact = False
_registered: torch_library.Library | None = None


def enable(*, inductor: bool = False, exact: bool = False) -> None:
    """Puts strew under PyTorch's operators for gathering, scattering and indexing on the CPU, in the whole process.

    PyTorch runs the calls that it is faster at. With `exact` strew runs these as well. Updates then take effect in the
    order of the index, and a refused call in place changes nothing, at any size and number of threads.

    torch.compile writes its own loops for these operators and bypasses strew. With `inductor`, code that you compile from
    now on calls the operators instead. Code that you compiled before stays as it is (torch.compiler.reset() drops it).

    A second call changes nothing. Several threads may enable and disable. But PyTorch does not lock its table of kernels:
    call this while no other thread calls PyTorch's operators. The counts of `report()` begin again when this puts strew
    under PyTorch.
    """
    with _lock:
        before = _on
        try:
            if not before:
                _put_under()
            if inductor:
                _inductor.begin()
            _keep_exact(exact or _exact)
        except BaseException:
            if not before:
                _take_off()
            raise


def _keep_exact(exact: bool) -> None:
    global _exact
    _exact = exact
    _torch.set_exact(exact)
    _sparse.set_exact(exact)


def _put_under() -> None:
    global _on, _registered
    _keep_native()
    _define_native()
    _take_dtypes()
    _torch.reset_counts()
    _torch.begin()
    _registered = _register()
    _sparse.begin()
    _on = True


def _take_off() -> None:
    global _on, _registered
    _registered = None
    _sparse.end()
    _torch.end()
    _inductor.end()
    _keep_exact(False)
    _on = False


def disable() -> None:
    """Restores PyTorch's own kernels. The counts of `report()` stay."""
    with _lock:
        if _on:
            _take_off()


def is_enabled() -> bool:
    """Whether strew is under PyTorch's operators."""
    return _on


@contextlib.contextmanager
def enabled(*, inductor: bool = False, exact: bool = False) -> Iterator[None]:
    """`with strew.torch.enabled():` enables strew for a block, in all threads, and then restores what was before. `inductor`
    and `exact` are those of `enable()`."""
    before, inductor_before, exact_before = _on, _inductor.is_on(), _exact
    try:
        enable(inductor=inductor, exact=exact)
        yield
    finally:
        if not before:
            disable()
        else:
            _keep_exact(exact_before)
            if not inductor_before:
                _inductor.end()


# ---- The report -----------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Report:
    """The calls that strew ran, and those that PyTorch ran. Printed, it is a table.

    taken[operator] is the number of calls that strew ran. handed_back[operator][reason] is the number of calls that went
    back to PyTorch's own kernel for this reason. Operators have the names of PyTorch's dispatcher, each form by itself:
    "scatter_add_", "index.Tensor". Those of sparse tensors have their key too: "mm, SparseCsrCPU". The report leaves out
    operators that were not called.
    """

    enabled: bool
    taken: dict[str, int]
    handed_back: dict[str, dict[str, int]]

    def __str__(self) -> str:
        names = sorted(self.taken.keys() | self.handed_back.keys())
        if not names:
            return f"strew is {'on' if self.enabled else 'off'}: none of its operators has been called"
        lines = [f"strew is {'on' if self.enabled else 'off'}", f"{'operator':28} {'by strew':>12} {'by PyTorch':>12}"]
        for name in names:
            reasons = self.handed_back.get(name, {})
            lines.append(f"{name:28} {self.taken.get(name, 0):12,} {sum(reasons.values()):12,}")
            lines += [f"    {count:,} for {reason}" for reason, count in sorted(reasons.items())]
        return "\n".join(lines)


def report(*, reset: bool = False) -> Report:
    """Returns how many calls of each operator strew has run since it was enabled, and how many it handed back to PyTorch.

    With `reset` the counts begin again.
    """
    outcomes = _torch.outcomes()
    taken: dict[str, int] = {}
    handed_back: dict[str, dict[str, int]] = {}
    for name, counts in itertools.chain(zip(_OPERATORS, _torch.counts()), _sparse.counts()):
        if counts[0]:
            taken[name] = counts[0]
        reasons = {reason: count for reason, count in zip(outcomes[1:], counts[1:]) if count}
        if reasons:
            handed_back[name] = reasons
    if reset:
        _torch.reset_counts()
        _sparse.reset_counts()
    return Report(_on, taken, handed_back)
