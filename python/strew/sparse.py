"""Sparse matrices times dense ones: those of SciPy, PyTorch and JAX, and plain arrays.

    import strew.sparse

    Y = strew.sparse.matmul(A, X)

strew adds the terms of a row in the order in which A holds them, and rounds each product by itself. These are the bits of
SciPy on x86-64, for every number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from strew._core import embedding_bag_offsets, embedding_segments, gather_scatter
from strew.errors import ArgumentError, DtypeError, Error, rename_operands

__all__ = ["matmul"]


class _Matrix(NamedTuple):
    """A sparse matrix as lists. `offsets` (with the last one) or `rows` (one for each entry) give the row of each
    entry."""

    shape: tuple[int, ...]  # -1 columns for three arrays, which do not give the number
    values: Any  # None means ones
    columns: Any
    offsets: Any
    rows: Any
    names: dict[str, str]  # how errors call the operands of strew's operators


# ---- The call -------------------------------------------------------------------------------------------------------


def matmul(
    A: Any, X: Any, *, out: Any = None, add: bool = False, reduce: str = "sum", num_threads: int | None = None
) -> Any:
    """Multiplies a sparse matrix by a dense matrix or vector: Y[i] = the sum over the entries of row i of A[i, k] * X[k].

    A            one of
                   - scipy.sparse, matrices and arrays alike: csr, csc, coo, bsr
                   - a tensor of PyTorch: sparse_csr, sparse_csc, sparse_coo
                   - jax.experimental.sparse.BCSR without batch and dense dimensions
                   - (data, indices, indptr): CSR as three arrays, in SciPy's order; None for data: all values are 1
    X            shape (n, k) or (n,), for n columns of A: an array of NumPy, a tensor of PyTorch, an object with DLPack, or
                 lists. NumPy's dtypes are promoted as in SciPy; other dtypes must be that of A
    out          the array to write, of shape (rows, k) or (rows,), apart from A and X; None: a new array of X's library
    add          whether to add to out: out[i] += A[i, k] * X[k], entry by entry. For sums
    reduce       "sum", "min" ("amin"), "max" ("amax") or "mean" of the terms A[i, k] * X[k] of row i. A row without entries
                 is zeros
    num_threads  as for strew.embedding_bag_offsets; PyTorch and JAX have threads of their own

    Entries of a row may come in any order and repeat. If A or X is a tensor of PyTorch and there is no out, the result has
    gradients for X and for the values of A. If A is JAX's, JAX differentiates and compiles the call.

    Returns out, or the product.

    Raises ArgumentError for shapes that do not fit, another format, and arrays that overlap; DtypeError for
    dtypes that differ; BoundsError for an index of A outside its shape.
    """
    read, is_numpy = _readers.get(type(A)) or _reader_of(A), type(X) is np.ndarray
    names = _CSR_NAMES
    try:
        if read is _of_csr and is_numpy and reduce == "sum" and not add:
            # A small product takes 2 microseconds; the code after this block would take a third of that.
            offsets, columns, values = A.indptr, A.indices, A.data
            is_plain = A.shape == (len(offsets) - 1, len(X)) and X.ndim < 3 and offsets[-1] == len(columns)
            if is_plain and _are_alike(values, X):
                return embedding_bag_offsets(X, columns, offsets[:-1], values, out=out, num_threads=num_threads)
        matrix = read(A)
        names = matrix.names
        reduction = _REDUCTIONS.get(reduce) or _refuse_reduce(reduce)
        X = X if is_numpy else _with_shape(X)
        _check_shapes(matrix.shape, X)
        if isinstance(X, np.ndarray) and matrix.values is not None:
            matrix, X = _promoted(matrix, X)
        if add:
            return _add(matrix, X, out, reduction, num_threads)
        if not is_numpy and out is None:
            guest = _guest_of(matrix, X)
            if guest is not None:
                return _by_guest(guest, matrix, X, reduction, num_threads)
        if reduction == "mean" and matrix.values is not None:
            return _weighted_mean(matrix, X, out, num_threads)
        return _combine(matrix, X, out, reduction, num_threads)
    except Error as error:
        if error.operand != "call":  # a refusal of strew's operators
            rename_operands(error, names)
        raise


def _combine(matrix: _Matrix, X: Any, out: Any, reduction: Any, num_threads: int | None) -> Any:
    _, values, columns, offsets, rows, _ = matrix
    if offsets is not None:
        return embedding_bag_offsets(
            X, columns, offsets[:-1], values, reduction=reduction, out=out, num_threads=num_threads
        )
    count = matrix.shape[0]
    return embedding_segments(
        X, columns, rows, values, reduction=reduction, num_segments=count, out=out, num_threads=num_threads
    )


def _add(matrix: _Matrix, X: Any, out: Any, reduction: str, num_threads: int | None) -> Any:
    if out is None:
        raise ArgumentError("add=True adds to out: pass out")
    if reduction != "sum":
        raise ArgumentError(f"add=True is for reduce='sum', not for {reduction!r}")
    rows = matrix.rows if matrix.offsets is None else _expanded(matrix.offsets)
    return gather_scatter(
        out, X, matrix.columns, rows, matrix.values, reduction="sum", out=out, num_threads=num_threads
    )


def _weighted_mean(matrix: _Matrix, X: Any, out: Any, num_threads: int | None) -> Any:
    """The sum, divided by how many entries each row has; integers toward minus infinity, as strew divides them."""
    result = _combine(matrix, X, out, "sum", num_threads)
    sums = result if isinstance(result, np.ndarray) else np.from_dlpack(result)
    counts = np.maximum(_counts(matrix), 1).reshape(-1, *[1] * (sums.ndim - 1))
    divide = np.floor_divide if sums.dtype.kind in "iu" else np.true_divide
    divide(sums, counts.astype(sums.dtype), out=sums)
    return result


def _counts(matrix: _Matrix) -> Any:
    if matrix.offsets is not None:
        return np.diff(_as_numpy(matrix.offsets))
    return np.bincount(_as_numpy(matrix.rows), minlength=matrix.shape[0])


def _expanded(offsets: Any) -> Any:
    """The row, or column, of each entry."""
    offsets = _as_numpy(offsets)
    return np.repeat(np.arange(len(offsets) - 1, dtype=offsets.dtype), np.diff(offsets))


# ---- What is refused ------------------------------------------------------------------------------------------------

_TORCH_REDUCTIONS = {"min": "amin", "max": "amax"}
_REDUCTIONS = {"sum": "sum", "min": "min", "max": "max", "mean": "mean", "amin": "min", "amax": "max"}


def _names(offsets: str, columns: str, rows: str, values: str) -> dict[str, str]:
    return {
        "data": "X",
        "updates": "X",
        "output": "out",
        "offsets": offsets,
        "indices": columns,
        "segment_ids": rows,
        "targets": rows,
        "weights": values,
    }


def _refuse_reduce(reduce: Any) -> str:
    raise ArgumentError(f"reduce is {reduce!r}, which is none of 'sum', 'min', 'max', 'mean'")


def _check_shapes(shape: tuple[int, ...], X: Any) -> None:
    dense = X.shape
    if len(shape) != 2:
        raise ArgumentError(f"A has {len(shape)} dimensions; a matrix has 2")
    if len(dense) not in (1, 2):
        raise ArgumentError(f"X has {len(dense)} dimensions; 1 or 2 are needed")
    if dense[0] != shape[1] and shape[1] != -1:
        raise ArgumentError(f"X has {dense[0]} rows; {shape[1]} are needed, the columns of A, whose shape is {tuple(shape)}")


def _are_alike(values: Any, X: Any) -> bool:
    """Whether both have one dtype, in this machine's byte order. Unpickled arrays have dtype objects of their own."""
    return values.dtype == X.dtype and X.dtype.isnative


def _promoted(matrix: _Matrix, X: Any) -> tuple[_Matrix, Any]:
    """Both in the dtype of SciPy's product."""
    values = _as_numpy(matrix.values)
    if _are_alike(values, X):
        return matrix._replace(values=values), X
    dtype = np.result_type(values.dtype, X.dtype)
    return matrix._replace(values=values.astype(dtype, copy=False)), X.astype(dtype, copy=False)


def _with_shape(array: Any) -> Any:
    """Makes lists, and objects that only have DLPack, NumPy arrays."""
    return array if hasattr(array, "shape") else _as_numpy(array)


def _as_numpy(array: Any) -> Any:
    is_numpy = isinstance(array, np.ndarray) or not hasattr(array, "__dlpack__")
    return np.asarray(array) if is_numpy else np.from_dlpack(array)


# ---- SciPy ----------------------------------------------------------------------------------------------------------


def _checked(matrix: _Matrix) -> _Matrix:
    """Drops entries beyond the last offset, which SciPy allows."""
    end = int(matrix.offsets[-1])
    if not 0 <= end <= len(matrix.columns):
        entries = len(matrix.columns)
        raise ArgumentError(f"A.indptr[-1] is {end}, outside [0, {entries}], the number of entries of A.indices")
    return matrix._replace(columns=matrix.columns[:end], values=matrix.values[:end])


_CSR_NAMES = _names("A.indptr", "A.indices", "A.indptr", "A.data")
_CSC_NAMES = _names("A.indptr", "A.indptr", "A.indices", "A.data")
_COO_NAMES = _names("A.row", "A.col", "A.row", "A.data")


def _of_csr(A: Any) -> _Matrix:
    offsets, columns = A.indptr, A.indices
    matrix = _Matrix(A.shape, A.data, columns, offsets, None, _CSR_NAMES)
    return matrix if offsets[-1] == len(columns) else _checked(matrix)


def _of_csc(A: Any) -> _Matrix:
    matrix = _checked(_Matrix(A.shape, A.data, A.indices, A.indptr, None, _CSC_NAMES))
    return matrix._replace(columns=_expanded(A.indptr), offsets=None, rows=matrix.columns)


def _of_coo(A: Any) -> _Matrix:
    if len(A.shape) != 2:
        raise ArgumentError(f"A has {len(A.shape)} dimensions; a matrix has 2")
    return _Matrix(A.shape, A.data, A.col, None, A.row, _COO_NAMES)


def _of_bsr(A: Any) -> _Matrix:
    """Each row of a block row has the entries of its blocks, one block after the other, as SciPy multiplies them."""
    height, width = A.blocksize
    end = int(A.indptr[-1])
    blocks, columns = A.data[:end], A.indices[:end].astype(np.int64)
    counts = np.repeat(np.diff(A.indptr), height)  # blocks of each row
    begins = np.repeat(A.indptr[:-1], height)
    offsets = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    row = np.repeat(np.arange(len(counts)), counts)
    block = np.arange(offsets[-1]) - offsets[row] + begins[row]
    values = blocks[block, row % height].reshape(-1)
    entries = (columns[block, None] * width + np.arange(width)).reshape(-1)
    return _Matrix(A.shape, values, entries, offsets * width, None, _CSR_NAMES)


_SCIPY = {"csr": _of_csr, "csc": _of_csc, "coo": _of_coo, "bsr": _of_bsr}


# ---- Three arrays ---------------------------------------------------------------------------------------------------

_TRIPLE_NAMES = _names("indptr", "indices", "indptr", "data")


def _of_triple(A: tuple[Any, ...]) -> _Matrix:
    if len(A) != 3:
        raise ArgumentError(f"A is a tuple of {len(A)}; it must be (data, indices, indptr)")
    values, columns, offsets = A[0], _with_shape(A[1]), _as_numpy(A[2])
    entries = getattr(columns, "shape", None)
    if offsets.ndim != 1 or len(offsets) < 1 or offsets.dtype.kind not in "iu":
        shape, dtype = offsets.shape, offsets.dtype
        raise ArgumentError(f"indptr is {dtype} of shape {shape}; integers are needed, one more than A has rows")
    if entries is None or len(entries) != 1:
        raise ArgumentError(f"indices has the shape {entries}; one dimension is needed")
    if offsets[-1] != entries[0]:
        raise ArgumentError(f"indptr[-1] is {offsets[-1]}; {entries[0]} is needed, as many as indices")
    return _Matrix((len(offsets) - 1, -1), values, columns, offsets, None, _TRIPLE_NAMES)


# ---- PyTorch --------------------------------------------------------------------------------------------------------

_TORCH_CSR_NAMES = _names("A.crow_indices()", "A.col_indices()", "A.crow_indices()", "A.values()")
_TORCH_CSC_NAMES = _names("A.ccol_indices()", "A.ccol_indices()", "A.row_indices()", "A.values()")
_TORCH_COO_NAMES = _names("A.indices()[0]", "A.indices()[1]", "A.indices()[0]", "A.values()")


def _of_torch(A: Any) -> _Matrix:
    import torch

    if A.layout is torch.sparse_csr:
        matrix = _Matrix(tuple(A.shape), A.values(), A.col_indices(), A.crow_indices(), None, _TORCH_CSR_NAMES)
    elif A.layout is torch.sparse_csc:
        offsets, rows = A.ccol_indices(), A.row_indices()
        columns = torch.repeat_interleave(offsets.diff(), output_size=len(rows))
        matrix = _Matrix(tuple(A.shape), A.values(), columns.to(offsets.dtype), None, rows, _TORCH_CSC_NAMES)
    elif A.layout is torch.sparse_coo:
        # A tensor with gradients is coalesced first, as in PyTorch.
        A = A.coalesce() if A.requires_grad and torch.is_grad_enabled() else A
        indices, values = (A.indices(), A.values()) if A.is_coalesced() else (A._indices(), A._values())
        matrix = _Matrix(tuple(A.shape), values, indices[1], None, indices[0], _TORCH_COO_NAMES)
    else:
        raise ArgumentError(f"A has the layout {A.layout}; A.to_sparse_csr() converts it")
    if matrix.values.dim() != 1 or len(matrix.shape) != 2:
        raise ArgumentError(f"A has the shape {tuple(A.shape)} with batch or dense dimensions; a matrix without is needed")
    return matrix


def _guest_of(matrix: _Matrix, X: Any) -> Any:
    """The operators of X's library, with its threads and gradients; None means strew's own."""
    module = type(X).__module__.partition(".")[0]
    if module == "jax" or module == "jaxlib":
        from strew import jax

        return jax
    if not module == "torch":
        return None
    import torch

    import strew.torch

    return strew.torch if isinstance(X, torch.Tensor) and X.layout is torch.strided else None


def _by_guest(guest: Any, matrix: _Matrix, X: Any, reduction: str, num_threads: int | None) -> Any:
    if num_threads is not None:
        raise ArgumentError("num_threads is for arrays of NumPy; PyTorch and JAX have threads of their own")
    if guest.__name__ == "strew.torch":
        matrix = _as_torch(matrix, X)
    _, values, columns, offsets, rows, _ = matrix
    is_weighted_mean = reduction == "mean" and values is not None
    by = "sum" if is_weighted_mean else reduction
    how = {"reduction": by} if guest.__name__ == "strew.jax" else {"reduce": _TORCH_REDUCTIONS.get(by, by)}
    if offsets is not None:
        result = guest.embedding_bag_offsets(X, columns, offsets[:-1], values, **how)
    else:
        result = guest.embedding_segments(X, columns, rows, values, num_segments=matrix.shape[0], **how)
    return _divided(result, matrix) if is_weighted_mean else result


def _as_torch(matrix: _Matrix, X: Any) -> _Matrix:
    """Its lists as tensors, which share their memory."""
    import torch

    def tensor(array: Any) -> Any:
        return array if array is None or isinstance(array, torch.Tensor) else torch.from_numpy(_as_numpy(array))

    _, values, columns, offsets, rows, _ = matrix
    matrix = matrix._replace(values=tensor(values), columns=tensor(columns), offsets=tensor(offsets), rows=tensor(rows))
    if matrix.values is not None and matrix.values.dtype != X.dtype:
        raise DtypeError(f"A has values of {matrix.values.dtype}, and X is {X.dtype}; give them one dtype")
    return matrix


def _divided(sums: Any, matrix: _Matrix) -> Any:
    """Divides by the number of entries of each row; for tensors and JAX's arrays."""
    if matrix.offsets is not None:
        counts = matrix.offsets[1:] - matrix.offsets[:-1]
    else:
        counts = matrix.rows.long().bincount(minlength=matrix.shape[0])
    counts = counts.clip(1).reshape(-1, *[1] * (sums.ndim - 1))
    if hasattr(sums, "new_empty"):
        is_float = sums.is_floating_point() or sums.is_complex()
        return sums / counts.to(sums.dtype) if is_float else sums.div(counts.to(sums.dtype), rounding_mode="floor")
    return sums / counts.astype(sums.dtype) if sums.dtype.kind in "fcV" else sums // counts.astype(sums.dtype)


# ---- JAX ------------------------------------------------------------------------------------------------------------

_JAX_NAMES = _names("A.indptr", "A.indices", "A.indptr", "A.data")


def _of_bcsr(A: Any) -> _Matrix:
    if A.n_batch or A.n_dense:
        raise ArgumentError(f"A has {A.n_batch} batch and {A.n_dense} dense dimensions; a matrix without is needed")
    return _Matrix(tuple(A.shape), A.data, A.indices, A.indptr, None, _JAX_NAMES)


# ---- Readers --------------------------------------------------------------------------------------------------------

_readers: dict[type, Callable[[Any], _Matrix]] = {tuple: _of_triple}


def _reader_of(A: Any) -> Callable[[Any], _Matrix]:
    """The function that turns A into lists, cached by the class of A."""
    classes = {f"{base.__module__.partition('.')[0]}.{base.__name__}" for base in type(A).__mro__}
    reader: Callable[[Any], _Matrix]
    if "torch.Tensor" in classes:
        reader = _of_torch
    elif "jax.BCSR" in classes:
        reader = _of_bcsr
    elif any(name.startswith("scipy.") for name in classes) and getattr(A, "format", "") in _SCIPY:
        reader = _SCIPY[A.format]
    elif isinstance(A, tuple):
        reader = _of_triple
    else:
        raise _refuse(A)
    _readers[type(A)] = reader
    return reader


def _refuse(A: Any) -> Error | TypeError:
    form = getattr(A, "format", None)
    if isinstance(form, str) and hasattr(A, "tocsr"):
        return ArgumentError(f"A has the format {form}; csr, csc, coo and bsr are multiplied: A.tocsr() makes one")
    return TypeError(
        f"A is of type {type(A).__name__}; a sparse matrix of SciPy, PyTorch or JAX, or (data, indices, indptr), is needed"
    )
