"""PyTorch's products of a sparse tensor and a dense one, taken over: torch.sparse.mm, also with a reduction, and A @ X.

Their kernels are registered from Python: sparse tensors do not cross PyTorch's stable interface. A kernel looks at its
arguments and either multiplies or hands the call to the kernel that PyTorch had before.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch import library as torch_library

from strew import _torch

_TAKEN, _ARGUMENTS, _DTYPE, _TENSOR, _FASTER = (
    _torch.outcomes().index(text)
    for text in (
        "by strew",
        "arguments that PyTorch refuses, or has rules of its own for",
        "a dtype",
        "a tensor that is not plain memory of the CPU",
        "a kind that PyTorch is faster at",
    )
)
_DTYPES = (torch.float32, torch.float64)
_REDUCTIONS = {"sum": "sum", "mean": "mean", "amin": "min", "amax": "max"}
_KEYS = ("SparseCsrCPU", "SparseCPU")

# Products of fewer columns, of fewer entries times columns, and of fewer coordinates are left to PyTorch.
NARROW, LARGE, FEW = 16, 1 << 16, 256

_native: dict[str, Callable[..., Any]] = {}
_bag = torch.ops.strew.embedding_bag.default
_segments = torch.ops.strew.embedding_segments.default
_counters: dict[str, list[itertools.count[int]]] = {}  # by outcome; next() of one is a step that no thread interrupts
_registered: torch_library.Library | None = None
_exact = False


# ---- Kernels --------------------------------------------------------------------------------------------------------


def _why_not(A: Tensor, X: Tensor) -> int:
    """The outcome of a product: _TAKEN, or why it is PyTorch's."""
    if X.layout is not torch.strided or not X.device.type == A.device.type == "cpu":
        return _TENSOR
    if A.dtype is not X.dtype or A.dtype not in _DTYPES:
        return _DTYPE
    if A.layout not in (torch.sparse_csr, torch.sparse_csc, torch.sparse_coo):
        return _TENSOR
    if A.dim() != 2 or X.dim() != 2 or A.shape[1] != X.shape[0] or A.dense_dim() != 0:
        return _ARGUMENTS
    return _FASTER if _is_faster_there(A, X) else _TAKEN


def _is_faster_there(A: Tensor, X: Tensor) -> bool:
    """PyTorch goes over coordinates and compressed columns entry by entry, and has MKL for compressed rows: there it is
    faster in few or narrow rows. From Python a call takes some ten microseconds."""
    if _exact:
        return False
    entries, columns = A._nnz(), X.shape[1]
    if A.layout is torch.sparse_csr:
        return columns < NARROW or entries * columns < LARGE
    return A.layout is torch.sparse_coo and entries < FEW


def _product(A: Tensor, X: Tensor, reduction: str) -> Tensor:
    """Sums and so on of the terms of each row, below autograd."""
    rows, attributes = A.shape[0], (reduction, "refuse", -1)
    if A.layout is torch.sparse_csr:
        result: Tensor = _bag(X, A.col_indices(), A.crow_indices()[:-1], A.values(), *attributes)
        return result
    if A.layout is torch.sparse_csc:
        offsets, targets, values = A.ccol_indices(), A.row_indices(), A.values()
        columns = torch.repeat_interleave(offsets.diff(), output_size=targets.numel())
    else:
        (targets, columns), values = A._indices(), A._values()
    result = _segments(X, columns, targets, rows, values, *attributes)
    return result


def _mean(A: Tensor, X: Tensor) -> Tensor:
    counts = A.crow_indices().diff().clamp_(1)
    return _product(A, X, "sum").div_(counts.to(X.dtype).unsqueeze(1))


def _mm(A: Tensor, X: Tensor) -> tuple[int, Any]:
    outcome = _why_not(A, X)
    return outcome, _product(A, X, "sum") if outcome == _TAKEN else None


def _addmm(self: Tensor, A: Tensor, X: Tensor, *, beta: Any = 1, alpha: Any = 1) -> tuple[int, Any]:
    """torch.sparse.mm is one of these, with beta=0."""
    outcome = _why_not(A, X)
    if outcome == _TAKEN and (beta != 0 or alpha != 1 or self.shape != (A.shape[0], X.shape[1]) or self.dtype != X.dtype):
        outcome = _ARGUMENTS
    return outcome, _product(A, X, "sum") if outcome == _TAKEN else None


def _reduce(A: Tensor, X: Tensor, reduce: str) -> tuple[int, Any]:
    """PyTorch keeps calls that need the position of the extremum, for gradients."""
    outcome = _why_not(A, X)
    wants_places = reduce.startswith("am") and torch.is_grad_enabled() and (A.requires_grad or X.requires_grad)
    if outcome == _TAKEN and (A.layout is not torch.sparse_csr or reduce not in _REDUCTIONS or wants_places):
        outcome = _ARGUMENTS
    if outcome == _TAKEN and reduce.startswith("am") and not _exact:
        outcome = _FASTER
    if outcome != _TAKEN:
        return outcome, None
    result = _mean(A, X) if reduce == "mean" else _product(A, X, _REDUCTIONS[reduce])
    return outcome, (result, A.col_indices().new_empty(0))


_OPERATORS: list[tuple[str, str, Callable[..., tuple[int, Any]]]] = [
    *(("mm", key, _mm) for key in _KEYS),
    *(("addmm", key, _addmm) for key in _KEYS),
    ("_sparse_mm_reduce_impl", "SparseCsrCPU", _reduce),
]


def _kernel(name: str, keys: Any, multiply: Callable[..., tuple[int, Any]]) -> Callable[..., Any]:
    native, counters = _native[name], _counters[name]

    def kernel(*arguments: Any, **named: Any) -> Any:
        outcome, result = multiply(*arguments, **named)
        next(counters[outcome])
        if outcome == _TAKEN:
            return result
        if outcome == _FASTER and multiply is _mm:  # PyTorch's own kernel above addmm would do this
            A, X = arguments
            return _native[name.replace("mm", "addmm")](keys, X.new_zeros(A.shape[0], X.shape[1]), A, X, beta=0)
        return native(keys, *arguments, **named)

    return kernel


# ---- On and off -----------------------------------------------------------------------------------------------------


def begin() -> None:
    """Registers the kernels."""
    global _registered
    library = torch_library.Library("aten", "IMPL")
    try:
        for operator, key, multiply in _OPERATORS:
            name = f"{operator}, {key}"
            _counters[name] = [itertools.count() for _ in _torch.outcomes()]
            _native[name] = torch_library.get_kernel(f"aten::{operator}", key).call_boxed
            keys = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))
            library.impl(operator, _kernel(name, keys, multiply), key)
    except BaseException:
        library._destroy()  # the traceback keeps it
        raise
    _registered = library


def end() -> None:
    """Gives PyTorch its kernels back."""
    global _registered
    _registered = None


def set_exact(exact: bool) -> None:
    """Whether strew also takes calls that PyTorch runs faster."""
    global _exact
    _exact = exact


# ---- The report -----------------------------------------------------------------------------------------------------


def reset_counts() -> None:
    for counters in _counters.values():
        counters[:] = [itertools.count() for _ in counters]


def counts() -> Iterator[tuple[str, list[int]]]:
    """How many calls of each operator ended with each outcome."""
    for name, counters in _counters.items():
        yield name, [int(counter.__reduce__()[1][0]) for counter in counters]
