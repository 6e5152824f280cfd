"""PyTorch's own CPU kernels, taken over on request."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import torch

from strew import _torch

_NAMESPACE = "strew_native"
_KEYSET = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)

# The classes that _torch.note knows, in the order of its numbers.
_CLASSES = (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError)


def _qualified(name: str, overload: str) -> str:
    return f"{name}.{overload}" if overload else name


_OPERATORS = [_qualified(*pair) for pair in _torch.operators()]

# ---- PyTorch's own kernels ------------------------------------------------------------------------------------------


class _Native:
    """The kernels that PyTorch had before, and operators of the same schemas that call them."""

    def __init__(self) -> None:
        self.kernels: dict[str, Any] = {}
        self.library: torch.library.Library | None = None

    def keep(self) -> None:
        """Keeps the kernels that serve the operators now."""
        for operator in _OPERATORS:
            self.kernels[operator] = torch.library.get_kernel(f"aten::{operator}", "CPU")
        if self.library is None:
            self.library = torch.library.Library(_NAMESPACE, "DEF")
            for operator in _OPERATORS:
                self.define(operator)

    def define(self, operator: str) -> None:
        name, _, overload = operator.partition(".")
        schema = str(getattr(getattr(torch.ops.aten, name), overload or "default")._schema)
        assert self.library is not None
        self.library.define(schema.removeprefix("aten::"))
        self.library.impl(operator, functools.partial(self.call, operator), "CompositeExplicitAutograd")

    def call(self, operator: str, *arguments: Any, **named: Any) -> Any:
        """Calls a kernel of PyTorch's. The C interface that brought the call here keeps no class of an exception, so
        class and text are noted for who made the call."""
        try:
            return self.kernels[operator].call_boxed(_KEYSET, *arguments, **named)
        except Exception as error:
            _torch.note(_class_number(error), str(error))
            raise


def _class_number(error: Exception) -> int:
    """The number of the narrowest class that the error is of: NotImplementedError is a RuntimeError too."""
    matching = [number for number, known in enumerate(_CLASSES) if isinstance(error, known)]
    return matching[-1] if matching else 0


_native = _Native()

# ---- Dtypes ---------------------------------------------------------------------------------------------------------

_DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex32", "complex64", "complex128"),
    *("float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz"),
]

# The arguments of a call of one element with this self and index.
_Arguments = Callable[[torch.Tensor, torch.Tensor], tuple[Any, ...]]


def _reductions() -> list[_Arguments]:
    variants: list[_Arguments] = []
    for reduction in ("sum", "prod", "mean", "amax", "amin"):
        for include_self in (False, True):
            variants.append(lambda x, i, r=reduction, s=include_self: (x, 0, i, x.clone(), r, s))
    return variants


# For each operator, by the form whose kernel is asked: a call for each variant, as native/torch numbers them.
_CALLS: dict[str, list[_Arguments]] = {
    "gather": [lambda x, i: (x, 0, i)],
    "index_select": [lambda x, i: (x, 0, i)],
    "scatter.src": [lambda x, i: (x, 0, i, x.clone())],
    "scatter.reduce": [lambda x, i, r=r: (x, 0, i, x.clone(), r) for r in ("add", "multiply")],
    "scatter_add": [lambda x, i: (x, 0, i, x.clone())],
    "scatter_reduce.two": _reductions(),
    "index_copy": [lambda x, i: (x, 0, i, x.clone())],
    "index.Tensor": [lambda x, i: (x, [i])],
    "_index_put_impl_": [lambda x, i, a=a: (x.expand(2).clone(), [i.expand(2)], x.expand(2), a) for a in (False, True)],
    "embedding_dense_backward": [lambda x, i: (x.unsqueeze(0), i, 1, -1, False)],
}

_KEYWORDS = {"scatter.reduce": ["reduce"], "scatter_reduce.two": ["reduce", "include_self"]}


def _family(operator: str) -> str:
    """The form whose kernel is asked on behalf of all forms of an operator."""
    name, _, overload = operator.partition(".")
    base = operator if operator in _CALLS else name.removesuffix("_")
    suffix = overload.removesuffix("_out").removesuffix("out")
    return base if base in _CALLS else _qualified(base, suffix)


def _takes(operator: str, make: _Arguments, dtype: torch.dtype, index_dtype: torch.dtype) -> bool:
    """Whether PyTorch's own kernel takes these dtypes."""
    arguments = make(torch.zeros(1, dtype=dtype), torch.zeros(1, dtype=index_dtype))
    try:
        _native.kernels[operator].call_boxed(_KEYSET, *arguments)
    except (RuntimeError, IndexError, TypeError, ValueError):
        return False
    return True


def _take_dtypes() -> None:
    """Has strew take over the dtypes that PyTorch's own kernels take, release by release."""
    for family, calls in _CALLS.items():
        int32 = _takes(family, calls[0], torch.float32, torch.int32)
        members = [number for number, operator in enumerate(_OPERATORS) if _family(operator) == family]
        for variant, make in enumerate(calls):
            taken = 0
            for name in _DTYPES:
                if _takes(family, make, getattr(torch, name), torch.int64):
                    taken |= 1 << _torch.dtype_number(name)
            for number in members:
                _torch.accept(number, variant, taken, int32)


# ---- On and off -----------------------------------------------------------------------------------------------------

_lock = threading.RLock()
_on = False


def enable() -> None:
    """Puts strew under PyTorch's operators for gathering, scattering and indexing on the CPU, in the whole process.

    Enabling twice is enabling once. May be called from any thread; calls that run meanwhile end where they began. The
    counts of `report()` begin again.
    """
    global _on
    with _lock:
        if _on:
            return
        _native.keep()
        _take_dtypes()
        _torch.reset_counts()
        _torch.begin()
        _on = True


def disable() -> None:
    """Gives PyTorch its own kernels back. The counts of `report()` stay."""
    global _on
    with _lock:
        if _on:
            _torch.end()
        _on = False


def is_enabled() -> bool:
    """Whether PyTorch's operators run by strew."""
    return _on


@contextlib.contextmanager
def enabled() -> Iterator[None]:
    """`with strew.torch.enabled():` enables strew for a block, in all threads, unless it is enabled already."""
    before = _on
    enable()
    try:
        yield
    finally:
        if not before:
            disable()


# ---- The report -----------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Report:
    """What ran where. Printed, it is a table.

    taken[operator] is how many calls strew did; handed_back[operator][reason] how many went back to PyTorch's own
    kernel, and why. Operators are named as PyTorch's dispatcher names them, each form by itself: "scatter_add_",
    "index.Tensor". Operators that were not called are left out.
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
    """Says how many calls of each operator strew did since it was enabled, and how many it handed back to PyTorch.

    With `reset` the counts begin again.
    """
    outcomes = _torch.outcomes()
    taken: dict[str, int] = {}
    handed_back: dict[str, dict[str, int]] = {}
    for name, counts in zip(_OPERATORS, _torch.counts()):
        if counts[0]:
            taken[name] = counts[0]
        reasons = {reason: count for reason, count in zip(outcomes[1:], counts[1:]) if count}
        if reasons:
            handed_back[name] = reasons
    if reset:
        _torch.reset_counts()
    return Report(_on, taken, handed_back)
