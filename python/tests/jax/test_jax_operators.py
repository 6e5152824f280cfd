"""Every function, dtype and reduction against loops over NumPy arrays: the same bits."""

import jax
import jax.numpy as jnp
import jax_oracle as oracle
import numpy as np
import pytest
from jax_cases import ARITHMETIC, INTEGERS, MOVED, draw, draw_indices, supported

import strew.jax


def same(found, expected):
    found = np.asarray(found)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))


@pytest.mark.parametrize("dtype", ARITHMETIC + MOVED)
def test_gathers(dtype):
    data = draw(dtype, (4, 3, 5))
    rows = draw_indices(-4, 4, (6, 2, 1))
    same(strew.jax.gather_nd(data, rows), oracle.gather_nd(data, rows))
    elements = draw_indices(-3, 3, (4, 7, 5))
    same(strew.jax.gather_elements(data, elements, axis=-2), oracle.gather_elements(data, elements, axis=1))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_indices_of_every_integer_dtype(dtype):
    low = -3 if dtype.startswith("int") else 0
    data = draw("float32", (3, 4))
    rows = draw_indices(low, 3, (9, 1), dtype)
    same(strew.jax.gather_nd(data, rows), oracle.gather_nd(data, rows))
    elements = draw_indices(low, 3, (9, 4), dtype)
    same(strew.jax.gather_elements(data, elements), oracle.gather_elements(data, elements))


@pytest.mark.parametrize("batch_dims, coordinates", [(0, 0), (0, 1), (0, 3), (1, 0), (1, 2), (2, 1)])
def test_gather_nd_with_batches(batch_dims, coordinates):
    data = draw("float32", (3, 3, 3))
    indices = draw_indices(-3, 3, (3, 3, 4, coordinates))
    found = strew.jax.gather_nd(data, indices, batch_dims=batch_dims)
    same(found, oracle.gather_nd(data, indices, batch_dims))


@pytest.mark.parametrize("dtype, reduction", supported(oracle.REDUCTIONS))
def test_scatter_nd(dtype, reduction):
    data, updates = draw(dtype, (4, 3, 2)), draw(dtype, (11, 3, 2), seed=2)
    indices = draw_indices(-4, 3, (11, 1))
    found = strew.jax.scatter_nd(data, indices, updates, reduction=reduction)
    same(found, oracle.scatter_nd(data, indices, updates, reduction))


@pytest.mark.parametrize("coordinates", [0, 1, 2, 3])
def test_scatter_nd_addresses_rows_of_every_rank(coordinates):
    data = draw("float32", (3, 2, 2))
    indices = draw_indices(-2, 2, (4, 2, coordinates))
    updates = draw("float32", (4, 2) + data.shape[coordinates:], seed=2)
    for reduction in oracle.REDUCTIONS:
        found = strew.jax.scatter_nd(data, indices, updates, reduction=reduction)
        same(found, oracle.scatter_nd(data, indices, updates, reduction))


@pytest.mark.parametrize("use_init_val", [True, False])
@pytest.mark.parametrize("dtype, reduction", supported([*oracle.REDUCTIONS, "mean"]))
def test_scatter_elements(dtype, reduction, use_init_val):
    data, updates = draw(dtype, (3, 4, 2)), draw(dtype, (3, 9, 2), seed=2)
    indices = draw_indices(-4, 3, (3, 9, 2))
    arguments = {"axis": 1, "reduction": reduction, "use_init_val": use_init_val}
    found = strew.jax.scatter_elements(data, indices, updates, **arguments)
    same(found, oracle.scatter_elements(data, indices, updates, **arguments))


@pytest.mark.parametrize("dtype", MOVED)
def test_floats_of_eight_bits_are_assigned(dtype):
    data, updates = draw(dtype, (4, 3)), draw(dtype, (5, 3), seed=2)
    rows, elements = draw_indices(-4, 4, (5, 1)), draw_indices(-4, 4, (5, 3))
    same(strew.jax.scatter_nd(data, rows, updates), oracle.scatter_nd(data, rows, updates))
    same(strew.jax.scatter_elements(data, elements, updates), oracle.scatter_elements(data, elements, updates))


@pytest.mark.parametrize("second, first", [("add", "sum"), ("mul", "prod")])
def test_second_names_of_reductions(second, first):
    data, updates = draw("float32", (4, 3)), draw("float32", (5, 3), seed=2)
    indices = draw_indices(-4, 4, (5, 1))
    found = strew.jax.scatter_nd(data, indices, updates, reduction=second)
    same(found, oracle.scatter_nd(data, indices, updates, first))


def test_empty_arrays():
    data = draw("float32", (4, 3))
    none = np.zeros((0, 1), np.int32)
    assert strew.jax.gather_nd(data, none).shape == (0, 3)
    same(strew.jax.scatter_nd(data, none, np.zeros((0, 3), np.float32), reduction="sum"), data)
    assert strew.jax.gather_elements(data, np.zeros((0, 3), np.int32)).shape == (0, 3)
    empty = np.zeros((0, 3), np.float32)
    assert strew.jax.scatter_elements(empty, np.zeros((0, 3), np.int32), empty, reduction="mean").shape == (0, 3)


def test_nan_and_signed_zero():
    data = np.array([np.nan, 0.0, -0.0, 1.0], np.float32)
    updates = np.array([1.0, -0.0, 0.0, np.nan], np.float32)
    indices = np.arange(4)[:, None]
    found = np.asarray(strew.jax.scatter_nd(data, indices, updates, reduction="min"))
    assert np.isnan(found[[0, 3]]).all() and np.signbit(found[[1, 2]]).all()
    found = np.asarray(strew.jax.scatter_nd(data, indices, updates, reduction="max"))
    assert np.isnan(found[[0, 3]]).all() and not np.signbit(found[[1, 2]]).any()


def test_weak_types_and_numpy_arrays_are_taken():
    weak = jnp.asarray(2.0) * jnp.ones(3)
    found = strew.jax.gather_nd(weak, np.array([[0]]))
    assert isinstance(found, jax.Array) and not found.weak_type


def test_bits_are_the_same_every_time():
    generator = np.random.default_rng(0)
    data = generator.normal(size=5000).astype(np.float32)
    indices = (generator.zipf(1.3, size=(300_000, 1)) % 5000).astype(np.int32)
    updates = generator.normal(size=300_000).astype(np.float32)
    expected = data.copy()
    np.add.at(expected, indices[:, 0], updates)
    for _ in range(5):
        same(strew.jax.scatter_nd(data, indices, updates, reduction="sum"), expected)
