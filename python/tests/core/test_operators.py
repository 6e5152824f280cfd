"""Each function on each dtype, against loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy_loops
import pytest
from numpy_loops import DTYPES, INTEGERS, REDUCTIONS, assert_same, dtype_of, has, numbers

import strew

BFLOAT16 = dtype_of("bfloat16")
DTYPES_AND_REDUCTIONS = [(d, r) for d in DTYPES for r in REDUCTIONS if has(dtype_of(d), r)]


def tuples(seed: int, count: tuple[int, ...], sizes: tuple[int, ...], dtype: str = "int64") -> np.ndarray:
    """Coordinates within these sizes, some of them negative unless the dtype is unsigned."""
    draw = np.random.default_rng(seed)
    least = [0 if dtype.startswith("u") else -size for size in sizes]
    return draw.integers(least, sizes, (*count, len(sizes))).astype(dtype)


def positions(seed: int, shape: tuple[int, ...], size: int, dtype: str = "int64") -> np.ndarray:
    """Indices along an axis of this size."""
    return tuples(seed, shape, (size,), dtype)[..., 0]


@pytest.mark.parametrize("name", DTYPES)
def test_gather_nd_moves_every_dtype(name: str) -> None:
    data, indices = numbers(1, (5, 4, 3), dtype_of(name)), tuples(2, (6,), (5, 4))
    assert_same(strew.gather_nd(data, indices), numpy_loops.gather_nd(data, indices))


@pytest.mark.parametrize(("batch_dims", "length"), [(b, k) for b in range(3) for k in range(4) if b + k <= 4])
def test_gather_nd_with_batches_and_tuples_of_each_length(batch_dims: int, length: int) -> None:
    data = np.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5)
    indices = tuples(3, data.shape[:batch_dims] + (4, 2), data.shape[batch_dims : batch_dims + length])
    result = strew.gather_nd(data, indices, batch_dims=batch_dims)
    assert_same(result, numpy_loops.gather_nd(data, indices, batch_dims))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_indices_of_every_integer_dtype(dtype: str) -> None:
    data = np.arange(20.0).reshape(5, 4)
    rows, elements = tuples(4, (7,), (5,), dtype), positions(5, (7, 4), 5, dtype)
    assert_same(strew.gather_nd(data, rows), numpy_loops.gather_nd(data, rows))
    assert_same(strew.gather_elements(data, elements), numpy_loops.gather_elements(data, elements))
    updates = np.arange(28.0).reshape(7, 4)
    assert_same(strew.scatter_nd(data, rows, updates), numpy_loops.scatter_nd(data, rows, updates))
    result = strew.scatter_elements(data, elements, updates, reduction="sum")
    assert_same(result, numpy_loops.scatter_elements(data, elements, updates, reduction="sum"))


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_gather_elements(name: str, axis: int) -> None:
    data = numbers(6, (4, 5, 6), dtype_of(name))
    indices = positions(7, (3, 4, 5), data.shape[axis])
    assert_same(strew.gather_elements(data, indices, axis=axis), numpy_loops.gather_elements(data, indices, axis))


@pytest.mark.parametrize(("name", "reduction"), [(d, r) for d, r in DTYPES_AND_REDUCTIONS if r != "mean"])
def test_scatter_nd(name: str, reduction: Any) -> None:
    data, indices = numbers(8, (4, 3, 2), dtype_of(name)), tuples(9, (6,), (4,))
    updates = numbers(10, (6, 3, 2), data.dtype)
    result = strew.scatter_nd(data, indices, updates, reduction=reduction)
    assert_same(result, numpy_loops.scatter_nd(data, indices, updates, reduction))


@pytest.mark.parametrize("use_init_val", [True, False])
@pytest.mark.parametrize(("name", "reduction"), DTYPES_AND_REDUCTIONS)
def test_scatter_elements(name: str, reduction: Any, use_init_val: bool) -> None:
    data, indices = numbers(11, (3, 6), dtype_of(name)), positions(12, (3, 8), 6)
    updates = numbers(13, indices.shape, data.dtype)
    result = strew.scatter_elements(data, indices, updates, axis=1, reduction=reduction, use_init_val=use_init_val)
    assert_same(result, numpy_loops.scatter_elements(data, indices, updates, 1, reduction, use_init_val))


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_sums_of_floats_add_in_order(name: str) -> None:
    draw = np.random.default_rng(14)
    data = draw.standard_normal(50).astype(name)
    indices, updates = draw.integers(0, 50, 4000), draw.standard_normal(4000).astype(name)
    expected = data.copy()
    np.add.at(expected, indices, updates)
    assert_same(strew.scatter_elements(data, indices, updates, reduction="sum"), expected)


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize(("axis", "batch_dims"), [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (-1, 2), (2, -1)])
def test_gather(name: str, axis: int, batch_dims: int) -> None:
    data = numbers(14, (4, 5, 6), dtype_of(name))
    indices = positions(15, (4, 5, 3) if batch_dims else (2, 3), data.shape[axis])
    result = strew.gather(data, indices, axis=axis, batch_dims=batch_dims)
    assert_same(result, numpy_loops.gather(data, indices, axis, batch_dims))
    if batch_dims == 0:
        assert_same(result, np.take(data, indices, axis))


@pytest.mark.parametrize("use_init_val", [True, False])
@pytest.mark.parametrize(("name", "reduction"), DTYPES_AND_REDUCTIONS)
def test_scatter(name: str, reduction: Any, use_init_val: bool) -> None:
    data, indices = numbers(16, (3, 6, 2), dtype_of(name)), positions(17, (3, 8), 6)
    updates = numbers(18, (3, 8, 2), data.dtype)
    result = strew.scatter(
        data, indices, updates, axis=1, batch_dims=1, reduction=reduction, use_init_val=use_init_val
    )
    assert_same(result, numpy_loops.scatter(data, indices, updates, 1, 1, reduction, use_init_val))


def test_one_index_takes_the_axis_away() -> None:
    data = np.arange(6.0).reshape(2, 3)
    assert_same(strew.gather(data, np.array(-1), axis=1), data[:, -1])
    assert strew.scatter(data, np.array(1), np.array([7.0, 8.0, 9.0])).tolist() == [[0, 1, 2], [7, 8, 9]]


FILLED = [
    ("f4", 7, 7),
    ("f4", True, 1),
    ("?", True, True),
    ("c8", 1.5, 1.5),
    ("i1", -128, -128),
    (BFLOAT16, 1.5, 1.5),
    ("f8", np.float64(2), 2),
    ("U2", np.array("no"), "no"),
    ("M8[s]", np.datetime64(5, "s"), np.datetime64(5, "s")),
    ("longdouble", np.longdouble(3), 3),
    ("float8_e4m3fn", 1.5, 1.5),
    ("float8_e5m2", True, 1),
]


@pytest.mark.parametrize(("dtype", "fill", "expected"), FILLED, ids=str)
def test_fills(dtype: Any, fill: Any, expected: Any) -> None:
    data = np.zeros(3, dtype)
    assert strew.gather(data, np.array([9, 0]), mode="fill", fill_value=fill).tolist() == [
        np.array(expected, dtype).tolist(),
        data[0].tolist(),
    ]


@pytest.mark.parametrize("mode", ["fill", "clip", "wrap"])
def test_what_is_within_is_the_same_under_every_policy(mode: Any) -> None:
    data, indices = np.arange(12.0).reshape(3, 4), np.array([2, -3, 1])
    assert_same(strew.gather(data, indices, mode=mode, fill_value=9.0), data[indices])
    expected = data.copy()
    np.add.at(expected, indices, data)
    assert_same(strew.scatter(data, indices, data, reduction="sum", mode=mode), expected)


def test_large_calls_under_each_policy() -> None:
    """Large enough to be shared and partitioned."""
    draw = np.random.default_rng(19)
    data, indices = draw.standard_normal((3000, 40)), draw.integers(-9000, 9000, 30_000)
    updates = draw.standard_normal((30_000, 40))
    within = (indices >= -3000) & (indices < 3000)
    nearest = np.where(within, indices, np.clip(indices, 0, 2999))
    for threads in (1, 2, 3):
        result = strew.gather(data, indices, mode="fill", fill_value=5.0, num_threads=threads)
        assert_same(result, np.where(within[:, None], data[np.where(within, indices, 0)], 5.0))
        assert_same(strew.gather(data, indices, mode="clip", num_threads=threads), data[nearest])
        assert_same(strew.gather(data, indices, mode="wrap", num_threads=threads), data[indices % 3000])
        for mode, rows, kept in (("fill", indices, within), ("clip", nearest, slice(None))):
            expected = data.copy()
            np.add.at(expected, rows[kept], updates[kept])
            result = strew.scatter(
                data, indices, updates, reduction="sum", mode=mode, num_threads=threads  # type: ignore[call-overload]
            )
            assert_same(result, expected)


def test_views_of_one_array_that_share_no_byte() -> None:
    array = np.arange(24.0).reshape(4, 6)
    left, right = array[:, :3], array[:, 3:]
    expected = left + right[::-1]
    strew.scatter(left, np.array([3, 2, 1, 0]), right, reduction="sum", out=left)
    assert_same(left, expected)
    strew.gather(right, np.array([1, 1, 0, 0]), out=left)
    assert_same(left, right[[1, 1, 0, 0]])
    with pytest.raises(ValueError, match="output overlaps updates"):
        strew.scatter(left, np.array([0]), array[:1, 2:5], out=left)


@pytest.mark.parametrize("dtype", [np.float16, BFLOAT16], ids=str)
@pytest.mark.parametrize("threads", [1, 3])
def test_means_of_halves_count_further_than_halves_do(dtype: Any, threads: int) -> None:
    many = 70_000
    ones, indices, offsets = np.ones((many, 3), dtype), np.zeros(many, np.int64), np.array([0, 5, 262])
    segments = np.repeat([0, 1, 2], [5, 257, many - 262])
    means = [
        strew.embedding_bag_offsets(ones, indices, offsets, reduction="mean", num_threads=threads),
        strew.embedding_bag_packed(ones, indices.reshape(1, -1), reduction="mean", num_threads=threads),
        strew.embedding_segments(ones, indices, segments[::-1].copy(), reduction="mean", num_threads=threads),
        strew.segment_reduce(ones, segments, reduction="mean", num_threads=threads),
    ]
    for mean in means:
        assert_same(np.asarray(mean), np.ones_like(mean))


def test_other_names_of_reductions() -> None:
    data, indices, updates = np.arange(1.0, 4.0), np.array([1, 1]), np.array([5.0, 7.0])
    assert strew.scatter_elements(data, indices, updates, reduction="add").tolist() == [1, 14, 3]
    assert strew.scatter_elements(data, indices, updates, reduction="mul").tolist() == [1, 70, 3]


def any_elements(dtype: np.dtype[Any], count: int) -> np.ndarray:
    """Elements of any bytes, except text and long doubles, whose bytes are not all free: those are made from
    numbers."""
    if dtype.kind in "SUfc":
        return np.arange(count).astype(dtype)
    return np.frombuffer(np.random.default_rng(15).bytes(count * dtype.itemsize), dtype)


@pytest.mark.parametrize("dtype", ["S5", "U3", "M8[ns]", "m8[s]", "V7", "longdouble", "clongdouble", "i4,S3"])
def test_other_elements_are_moved(dtype: str) -> None:
    data = any_elements(np.dtype(dtype), 12).reshape(6, 2)
    indices = np.array([[5], [0], [-2]])
    result = strew.gather_nd(data, indices)
    assert result.dtype == data.dtype
    assert result.tobytes() == data[[5, 0, -2]].tobytes()
    expected = data.copy()
    expected[[5, 0, -2]] = data[:3]
    assert strew.scatter_nd(data, indices, data[:3]).tobytes() == expected.tobytes()


FLOAT8 = {
    "float8_e4m3fn": "float8e4m3fn",
    "float8_e4m3fnuz": "float8e4m3fnuz",
    "float8_e5m2": "float8e5m2",
    "float8_e5m2fnuz": "float8e5m2fnuz",
    "float8_e8m0fnu": "float8e8m0",
}


@pytest.mark.parametrize("dtype", [*FLOAT8, "float8_e3m4", "int4"])
def test_small_numbers_of_ml_dtypes_are_moved(dtype: str) -> None:
    data = np.arange(1, 7).astype(dtype)
    assert_same(strew.gather_elements(data, np.array([4, 1])), data[[4, 1]])
    with pytest.raises(strew.DtypeError, match="sum is not defined for " + FLOAT8.get(dtype, "opaque of 1 byte")):
        strew.scatter_elements(data, np.array([0]), data[:1], reduction="sum")


def test_empty_arrays() -> None:
    assert strew.gather_nd(np.zeros((3, 0)), np.zeros((2, 1), int)).shape == (2, 0)
    assert strew.gather_elements(np.zeros((0, 3)), np.zeros((0, 3), int)).shape == (0, 3)
    assert strew.scatter_nd(np.ones((2, 3)), np.zeros((0, 1), int), np.zeros((0, 3))).tolist() == [[1] * 3] * 2


def test_a_scalar_is_an_update_where_its_rank_is_none() -> None:
    assert strew.scatter_nd(np.zeros(3), np.array([1]), np.float64(4)).tolist() == [0, 4, 0]


def test_large_calls_of_every_kind() -> None:
    """Large enough for threads, scratch and a released GIL."""
    draw = np.random.default_rng(16)
    data, indices = draw.standard_normal(300_000), draw.integers(-300_000, 300_000, 400_000)
    updates = draw.standard_normal(400_000)
    assert_same(strew.gather_elements(data, indices), data[indices])
    assert_same(strew.gather_nd(data, indices[:, None]), data[indices])
    expected = data.copy()
    expected[indices] = updates  # NumPy, too, keeps the last of duplicates
    assert_same(strew.scatter_nd(data, indices[:, None], updates), expected)
    expected = data.copy()
    np.add.at(expected, indices, updates)
    for threads in (1, 2, 3, 7):
        assert_same(strew.scatter_elements(data, indices, updates, reduction="sum", num_threads=threads), expected)
    counts = np.bincount(indices % 300_000, minlength=300_000) + 1
    result = strew.scatter_elements(data, indices, updates, reduction="mean", num_threads=2)
    assert_same(result, np.where(counts > 1, expected / counts, data))
