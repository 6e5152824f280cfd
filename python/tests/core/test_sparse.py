"""strew.sparse.matmul against SciPy, bit for bit, and against plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strew
import strew.sparse
from required import missing

sparse = pytest.importorskip("scipy.sparse")

FORMATS = ("csr", "csc", "coo", "bsr")
DTYPES = ("float32", "float64", "int8", "int32", "int64", "uint16", "complex64", "complex128", "bool")


def drawn(source: np.random.Generator, dtype: Any, shape: tuple[int, ...]) -> Any:
    dtype = np.dtype(dtype)
    values = source.standard_normal(shape) * 50
    if dtype.kind == "c":
        return (values + 1j * source.standard_normal(shape)).astype(dtype)
    if dtype.kind == "b":
        return source.random(shape) < 0.5
    return np.abs(values).astype(dtype) if dtype.kind == "u" else values.astype(dtype)


def matrix(source: np.random.Generator, dtype: Any, rows: int, columns: int, entries: int, wide: bool = False) -> Any:
    """Coordinates in any order, with repeats."""
    index = np.int64 if wide else np.int32
    at = (source.integers(0, max(rows, 1), entries), source.integers(0, max(columns, 1), entries))
    return sparse.coo_array(
        (drawn(source, dtype, (entries,)), tuple(list.astype(index) for list in at)), shape=(rows, columns)
    )


def in_format(A: Any, format: str, blocks: tuple[int, int] = (1, 1)) -> Any:
    """A in a format. Except in blocks, entries repeat and have no order."""
    if format == "bsr":
        return A.tobsr(blocksize=blocks)
    if format == "coo":
        return A
    major, minor, count = (*A.coords, A.shape[0]) if format == "csr" else (*A.coords[::-1], A.shape[1])
    order = np.argsort(major, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(major, minlength=count))]).astype(minor.dtype)
    make = sparse.csr_array if format == "csr" else sparse.csc_array
    return make((A.data[order], minor[order], indptr), shape=A.shape)


def same_bits(a: Any, b: Any) -> bool:
    return bool(a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))


@settings(deadline=None, max_examples=200)
@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(0, 12),
    columns=st.integers(1, 12),
    entries=st.integers(0, 60),
    width=st.one_of(st.none(), st.integers(0, 20)),
    format=st.sampled_from(FORMATS),
    dtypes=st.tuples(st.sampled_from(DTYPES), st.sampled_from(DTYPES)),
    wide=st.booleans(),
    strides=st.booleans(),
)
def test_products_have_the_bits_of_scipy(
    seed: int,
    rows: int,
    columns: int,
    entries: int,
    width: int | None,
    format: str,
    dtypes: tuple[str, str],
    wide: bool,
    strides: bool,
) -> None:
    source = np.random.default_rng(seed)
    blocks = (int(source.integers(1, 4)), int(source.integers(1, 4)))
    rows, columns = (rows * blocks[0], columns * blocks[1]) if format == "bsr" else (rows, columns)
    A = in_format(matrix(source, dtypes[0], rows, columns, entries if rows else 0, wide), format, blocks)
    X = drawn(source, dtypes[1], (columns,) if width is None else (columns, width))
    if strides and width is not None:
        X = np.asfortranarray(X)
    expected = np.asarray(A @ X).reshape(rows, *X.shape[1:])  # SciPy makes a scalar of a row of coordinates times a vector
    result = strew.sparse.matmul(A, X)
    assert same_bits(result, expected)
    out = np.empty_like(expected)
    assert strew.sparse.matmul(A, X, out=out, num_threads=2) is out
    assert same_bits(out, expected)


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_values_in_the_other_byte_order_are_converted(format: str) -> None:
    source = np.random.default_rng(4)
    A = in_format(matrix(source, "float32", 9, 7, 30), format)
    X = drawn(source, "float32", (7, 3))
    expected, swapped = A @ X, X.dtype.newbyteorder()
    A.data = A.data.astype(swapped)
    for dense in (X, X.astype(swapped), X.astype(A.data.dtype)):
        assert same_bits(strew.sparse.matmul(A, dense), expected)


def terms(A: Any, X: Any) -> list[list[Any]]:
    """The terms of each row of the product, in the order of A."""
    A = A if A.format == "coo" else A.tocoo()
    found: list[list[Any]] = [[] for _ in range(A.shape[0])]
    for row, column, value in zip(A.row, A.col, A.data):
        found[row].append(value * X[column])
    return found


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("reduce", ["min", "amin", "max", "amax", "mean"])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_reductions_are_those_of_a_loop(format: str, reduce: str, dtype: str) -> None:
    source = np.random.default_rng(5)
    A = in_format(matrix(source, dtype, 9, 7, 30), format)
    X = drawn(source, dtype, (7, 3))
    expected = np.zeros((9, 3), dtype)
    for row, found in enumerate(terms(A, X)):
        if found and reduce == "mean":
            total = np.add.reduce(np.array(found), axis=0, dtype=dtype)
            expected[row] = total / np.dtype(dtype).type(len(found)) if dtype == "float32" else total // len(found)
        elif found:
            expected[row] = (np.min if reduce.endswith("min") else np.max)(found, axis=0)
    result = strew.sparse.matmul(A, X, reduce=reduce)
    assert np.allclose(result, expected, rtol=1e-6) if reduce == "mean" else same_bits(result, expected)
    out = np.empty_like(expected)
    assert strew.sparse.matmul(A, X, reduce=reduce, out=out) is out
    assert same_bits(out, result)


@pytest.mark.parametrize("format", FORMATS)
def test_add_goes_on_from_what_out_holds(format: str) -> None:
    source = np.random.default_rng(6)
    A = in_format(matrix(source, "float32", 8, 6, 25), format)
    X, out = drawn(source, "float32", (6, 5)), drawn(source, "float32", (8, 5))
    expected = out.copy()
    for row, found in enumerate(terms(A, X)):
        for term in found:
            expected[row] += term
    assert strew.sparse.matmul(A, X, out=out, add=True) is out
    assert same_bits(out, expected)


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_three_arrays_are_a_matrix(index: str) -> None:
    A = in_format(matrix(np.random.default_rng(7), "float32", 8, 6, 25), "csr")
    X = drawn(np.random.default_rng(8), "float32", (6, 4))
    indices, indptr = A.indices.astype(index), A.indptr.astype(index)
    assert same_bits(strew.sparse.matmul((A.data, indices, indptr), X), A @ X)
    ones = sparse.csr_array((np.ones_like(A.data), A.indices, A.indptr), A.shape)
    assert same_bits(strew.sparse.matmul((None, indices, indptr), X), ones @ X)
    means = strew.sparse.matmul((None, indices, indptr), X, reduce="mean")
    assert same_bits(means, strew.sparse.matmul(ones, X, reduce="mean"))


class Exported:
    """DLPack alone."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __dlpack__(self, **how: Any) -> Any:
        return self._array.__dlpack__(**how)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


def test_what_has_dlpack_is_an_array() -> None:
    A, X = sparse.csr_array(np.array([[1.0, 0, 2], [0, 3, 0]])), np.arange(6.0).reshape(3, 2)
    lists = tuple(map(Exported, (A.data, A.indices, A.indptr)))
    assert same_bits(strew.sparse.matmul(lists, Exported(X)), A @ X)
    assert same_bits(strew.sparse.matmul(A, Exported(X), reduce="mean"), strew.sparse.matmul(A, X, reduce="mean"))


def test_three_tensors_have_gradients() -> None:
    if torch is None:
        missing("PyTorch is not here")
    values, X = torch.tensor([1.0, 2, 3], requires_grad=True), torch.tensor([[1.0], [10], [100]])
    lists = values, torch.tensor([0, 2, 1]), torch.tensor([0, 2, 3])
    strew.sparse.matmul(lists, X).sum().backward()
    assert values.grad.tolist() == [1, 100, 10]


def test_matrices_of_scipy_are_taken_as_arrays_are() -> None:
    A = sparse.random(6, 5, 0.5, format="csr", dtype=np.float64, random_state=1)
    X = np.arange(10.0).reshape(5, 2)
    assert isinstance(A, sparse.csr_matrix)
    assert same_bits(strew.sparse.matmul(A, X), A @ X)


def test_entries_beyond_the_last_offset_do_not_count() -> None:
    A = sparse.csr_array((np.ones(4), np.array([0, 1, 2, 0]), np.array([0, 1, 3, 4])), (3, 3))
    A.indptr = np.array([0, 1, 2, 2])
    assert strew.sparse.matmul(A, np.array([1.0, 10, 100])).tolist() == [1, 10, 0]


REFUSED: list[tuple[Any, type[Exception], str]] = [
    (lambda A, X: (A, X[:4]), strew.ArgumentError, r"X has 4 rows; 5 are needed, the columns of A, whose shape is \(6, 5\)"),
    (lambda A, X: (A, X[None]), strew.ArgumentError, "X has 3 dimensions; 1 or 2 are needed"),
    (lambda A, X: (A.todia(), X), strew.ArgumentError, r"A has the format dia; .*: A.tocsr\(\) makes one"),
    (lambda A, X: (A.toarray(), X), TypeError, "A is of type ndarray; a sparse matrix"),
    (lambda A, X: ((A.data, A.indices), X), strew.ArgumentError, "A is a tuple of 2"),
    (lambda A, X: ((A.data, A.indices, A.indptr[:-1]), X), strew.ArgumentError, r"indptr\[-1\] is \d+; \d+ is needed"),
    (lambda A, X: ((A.data, A.indices, A.data), X), strew.ArgumentError, "indptr is float64 of shape"),
    (lambda A, X: ((A.data, A.indices[None], A.indptr), X), strew.ArgumentError, "indices has the shape"),
    (lambda A, X: ((A.data[1:], A.indices, A.indptr), X), strew.ArgumentError, "dimension 0 of data is"),
]


@pytest.mark.parametrize(("spoil", "kind", "message"), REFUSED, ids=[message for _, _, message in REFUSED])
def test_wrong_arguments_are_refused(spoil: Any, kind: type[Exception], message: str) -> None:
    A = sparse.random(6, 5, 0.5, format="csr", dtype=np.float64, random_state=1)
    with pytest.raises(kind, match=message):
        strew.sparse.matmul(*spoil(A, np.ones((5, 2))))


def test_wrong_options_are_refused() -> None:
    A, X = sparse.csr_array(np.eye(3)), np.ones((3, 2))
    with pytest.raises(strew.ArgumentError, match="reduce is 'median', which is none of"):
        strew.sparse.matmul(A, X, reduce="median")
    with pytest.raises(strew.ArgumentError, match="pass out"):
        strew.sparse.matmul(A, X, add=True)
    with pytest.raises(strew.ArgumentError, match="add=True is for reduce='sum', not for 'max'"):
        strew.sparse.matmul(A, X, add=True, reduce="max", out=np.ones((3, 2)))
    with pytest.raises(strew.ArgumentError, match="dimension 0 of out is 2"):
        strew.sparse.matmul(A, X, out=np.ones((2, 2)))
    with pytest.raises(strew.DtypeError, match="out is float32; float64 is needed, as in X"):
        strew.sparse.matmul(A, X, out=np.ones((3, 2), np.float32))
    with pytest.raises(strew.ArgumentError, match="out overlaps X"):
        strew.sparse.matmul(A, X, out=X)


def test_an_index_out_of_bounds_is_told_in_the_words_of_scipy() -> None:
    A, X = sparse.csr_array(np.eye(3)), np.ones((3, 2))
    A.indices[1] = 7
    with pytest.raises(strew.BoundsError, match=r"^A.indices\[1\] is 7, outside \[-3, 2\] for dimension 0 of X$") as told:
        strew.sparse.matmul(A, X)
    assert told.value.position == (1,) and told.value.value == 7
    A = sparse.csc_array(np.eye(3))
    A.indices[2] = -1
    with pytest.raises(strew.BoundsError, match=r"^A.indices\[2\] is -1, outside \[0, 2\] for dimension 0 of out$"):
        strew.sparse.matmul(A, X)
    A.indptr[-1] = 9
    with pytest.raises(strew.ArgumentError, match=r"A.indptr\[-1\] is 9, outside \[0, 3\]"):
        strew.sparse.matmul(A, X)


# ---- PyTorch --------------------------------------------------------------------------------------------------------

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

LAYOUTS = ("csr", "csc", "coo")


def tensors(layout: str, dtype: Any = None) -> tuple[Any, Any, Any]:
    """A sparse tensor, the same with plain memory, and a matrix to multiply by."""
    if torch is None:
        missing("PyTorch is not here")
    generator = torch.Generator().manual_seed(3)
    dense = torch.randn(8, 6, generator=generator, dtype=dtype) * (torch.rand(8, 6, generator=generator) < 0.4)
    A = {"csr": dense.to_sparse_csr, "csc": dense.to_sparse_csc, "coo": dense.to_sparse}[layout]()
    return A, dense, torch.randn(6, 3, generator=generator, dtype=dtype)


@pytest.mark.filterwarnings("ignore:Sparse")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_tensors_of_pytorch(layout: str) -> None:
    A, dense, X = tensors(layout)
    assert torch.allclose(strew.sparse.matmul(A, X), dense @ X, atol=1e-6)
    assert torch.allclose(strew.sparse.matmul(A, X[:, 0]), dense @ X[:, 0], atol=1e-6)
    out = torch.ones(8, 3)
    assert strew.sparse.matmul(A, X, out=out, add=True) is out
    assert torch.allclose(out, dense @ X + 1, atol=1e-6)
    assert strew.sparse.matmul(A, X, out=out) is out
    assert torch.equal(out, strew.sparse.matmul(A, X))
    named = dense != 0
    means = (dense @ X) / named.sum(1).clamp(1)[:, None]
    assert torch.allclose(strew.sparse.matmul(A, X, reduce="mean"), means, atol=1e-6)
    assert strew.sparse.matmul(A, X, reduce="mean", out=out) is out
    assert torch.allclose(out, means, atol=1e-6)
    products = (dense[:, :, None] * X).masked_fill(~named[:, :, None], -torch.inf).amax(1)
    expected = products.masked_fill(~named.any(1)[:, None], 0)
    assert torch.equal(strew.sparse.matmul(A, X, reduce="amax"), expected)


@pytest.mark.filterwarnings("ignore:Sparse")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("reduce", ["sum", "mean", "max"])
def test_gradients_of_values_and_dense(layout: str, reduce: str) -> None:
    A, dense, X = tensors(layout, torch.float64 if torch else None)
    A.requires_grad_()
    X.requires_grad_()
    loss = strew.sparse.matmul(A, X, reduce=reduce).square().sum()
    of_A, of_X = torch.autograd.grad(loss, (A, X))  # into a leaf in CSC PyTorch does not accumulate
    plain = dense.clone().requires_grad_()
    other = X.detach().clone().requires_grad_()
    terms = plain[:, :, None] * other
    named = dense != 0
    if reduce == "max":
        least = terms.masked_fill(~named[:, :, None], -torch.inf).amax(1)
        result = torch.where(named.any(1)[:, None], least, 0.0)
    else:
        result = (terms * named[:, :, None]).sum(1)
        result = result / named.sum(1).clamp(1)[:, None] if reduce == "mean" else result
    result.square().sum().backward()
    assert torch.allclose(of_X, other.grad)
    assert torch.allclose(of_A.to_dense(), plain.grad * named)


def test_coordinates_that_repeat_are_added() -> None:
    if torch is None:
        missing("PyTorch is not here")
    A = torch.sparse_coo_tensor([[1, 0, 1], [2, 0, 2]], [1.0, 2, 3], (2, 3), check_invariants=True)
    X = torch.tensor([1.0, 10, 100])
    assert strew.sparse.matmul(A, X).tolist() == [2, 400]
    assert strew.sparse.matmul(A.requires_grad_(), X).tolist() == [2, 400]


def test_scipy_and_pytorch_mix() -> None:
    if torch is None:
        missing("PyTorch is not here")
    A = sparse.csr_array(np.array([[1.0, 0, 2], [0, 3, 0]]))
    X = torch.tensor([[1.0], [10], [100]], dtype=torch.float64, requires_grad=True)
    result = strew.sparse.matmul(A, X)
    result.sum().backward()
    assert result.tolist() == [[201], [30]]
    assert X.grad.tolist() == [[1], [3], [2]]
    with pytest.raises(strew.DtypeError, match="A has values of torch.float64, and X is torch.float32"):
        strew.sparse.matmul(A, X.float())
    with pytest.raises(strew.ArgumentError, match="num_threads is for arrays of NumPy"):
        strew.sparse.matmul(A, X, num_threads=2)


@pytest.mark.filterwarnings("ignore:Sparse")
def test_other_layouts_are_refused() -> None:
    A, dense, X = tensors("csr")
    with pytest.raises(strew.ArgumentError, match=r"A has the layout torch.strided; A.to_sparse_csr\(\) converts it"):
        strew.sparse.matmul(dense, X)
    batches = torch.stack([dense, dense]).to_sparse(2)
    with pytest.raises(strew.ArgumentError, match="with batch or dense dimensions"):
        strew.sparse.matmul(batches, X)


# ---- JAX ------------------------------------------------------------------------------------------------------------


def test_bcsr_of_jax() -> None:
    try:
        import jax
        from jax.experimental.sparse import BCSR

        import strew.jax  # noqa: F401
    except ImportError:
        missing("JAX is not here")
    dense = np.array([[1, 0, 2], [0, 0, 0], [0, 3, 0]], np.float32)
    A, X = BCSR.fromdense(dense), jax.numpy.array([[1.0, 2], [10, 20], [100, 200]], np.float32)
    assert np.array_equal(strew.sparse.matmul(A, X), dense @ X)
    assert np.array_equal(jax.jit(strew.sparse.matmul)(A, X), dense @ X)
    gradient = jax.grad(lambda X: strew.sparse.matmul(A, X).sum())(X)
    assert np.array_equal(gradient, dense.T @ np.ones((3, 2), np.float32))
    of_scipy = strew.sparse.matmul(sparse.csr_array(dense), X)
    assert isinstance(of_scipy, jax.Array) and np.array_equal(of_scipy, dense @ X)
    means = strew.sparse.matmul(A, X, reduce="mean")
    assert np.array_equal(means, (dense @ X) / np.array([[2], [1], [1]], np.float32))
