"""vmap against a loop over the batch, with every operand batched or not, along the first or the last dimension."""

import functools
import itertools

import jax
import jax.numpy as jnp
import jax_oracle as oracle
import numpy as np
import pytest
from jax_cases import OUTSIDE, draw, draw_indices

import strew.jax

SIZE = 3


def batched(array, dimension, seed):
    """An array like this one with a batch along a dimension; the array itself if the dimension is None."""
    if dimension is None:
        return array
    other = np.stack([np.roll(array, shift + seed) for shift in range(SIZE)])
    return np.moveaxis(other, 0, dimension)


def loop(function, operands, dimensions):
    """The meaning of vmap: one call for each element of the batch."""
    calls = [[x if d is None else np.moveaxis(x, d, 0)[i] for x, d in zip(operands, dimensions)] for i in range(SIZE)]
    return np.stack([function(*call) for call in calls])


def check(function, operands):
    """vmap of a function over every choice of no dimension, the first and the last one."""
    function = jax.jit(function)
    choices = itertools.product(*([None, 0, operand.ndim] for operand in operands))
    for dimensions in choices:
        if all(dimension is None for dimension in dimensions):
            continue
        arrays = [batched(x, d, seed) for seed, (x, d) in enumerate(zip(operands, dimensions))]
        found = jax.jit(jax.vmap(function, dimensions))(*arrays)
        np.testing.assert_array_equal(found, loop(function, arrays, dimensions), err_msg=str(dimensions))


def test_gather_nd():
    data = draw("float32", (4, 3))
    check(strew.jax.gather_nd, (data, draw_indices(-3, 3, (2, 2))))
    check(strew.jax.gather_nd, (data, draw_indices(-4, 4, (5, 1))))
    check(strew.jax.gather_nd, (data, draw_indices(-4, 4, (5, 0))))


def test_gather_nd_with_batches():
    data, indices = draw("float32", (2, 3, 4)), draw_indices(-3, 3, (2, 5, 1))
    check(lambda data, indices: strew.jax.gather_nd(data, indices, batch_dims=1), (data, indices))


@pytest.mark.parametrize("axis", [0, -1])
def test_gather_elements(axis):
    data, indices = draw("float32", (3, 3)), draw_indices(-3, 3, (2, 3))
    check(lambda data, indices: strew.jax.gather_elements(data, indices, axis=axis), (data, indices))


@pytest.mark.parametrize("coordinates, reduction", [(0, "none"), (1, "prod"), (2, "sum")])
def test_scatter_nd(coordinates, reduction):
    data, indices = draw("float32", (3, 3)), draw_indices(-3, 3, (4, coordinates))
    updates = draw("float32", (4, *data.shape[coordinates:]), seed=2)
    check(lambda d, i, u: strew.jax.scatter_nd(d, i, u, reduction=reduction), (data, indices, updates))


@pytest.mark.parametrize("reduction, use_init_val", [("none", True), ("mean", False)])
def test_scatter_elements(reduction, use_init_val):
    data, indices, updates = draw("float32", (3, 2)), draw_indices(-2, 2, (3, 4)), draw("float32", (3, 4), seed=2)

    def function(data, indices, updates):
        return strew.jax.scatter_elements(
            data, indices, updates, axis=-1, reduction=reduction, use_init_val=use_init_val
        )

    check(function, (data, indices, updates))


def test_a_batch_larger_than_the_index_dtype():
    """The batch becomes a coordinate that does not fit int8."""
    data, updates = np.zeros((300, 2), np.float32), draw("float32", (300, 1))
    indices = np.ones((300, 1, 1), np.int8)
    found = jax.vmap(lambda d, i, u: strew.jax.scatter_nd(d, i, u, reduction="sum"))(data, indices, updates)
    np.testing.assert_array_equal(found, np.concatenate([np.zeros((300, 1), np.float32), updates], axis=1))


def test_an_empty_batch():
    data, indices = jnp.zeros((0, 4, 3)), jnp.zeros((0, 5, 1), jnp.int32)
    assert jax.vmap(strew.jax.gather_nd)(data, indices).shape == (0, 5, 3)
    assert jax.vmap(strew.jax.scatter_nd)(data, indices, jnp.zeros((0, 5, 3))).shape == (0, 4, 3)


def test_nested():
    data, indices, updates = draw("float64", (2, 3, 4)), draw_indices(-4, 4, (2, 3, 5, 1)), draw("float64", (3, 2, 5))

    def function(data, indices, updates):
        return strew.jax.scatter_nd(data, indices, updates, reduction="sum")

    nested = jax.jit(jax.vmap(jax.vmap(function), (0, 0, 1)))
    expected = [
        [oracle.scatter_nd(data[i, j], indices[i, j], updates[j, i], "sum") for j in range(3)] for i in range(2)
    ]
    np.testing.assert_array_equal(nested(data, indices, updates), expected)


@pytest.mark.parametrize("reduction", [*oracle.REDUCTIONS, "mean"])
def test_gradients_and_batches_in_either_order(reduction):
    data, updates = draw("float64", (SIZE, 4, 2)), draw("float64", (SIZE, 6, 2), seed=2)
    indices = draw_indices(-4, 4, (SIZE, 6, 2))

    def loss(data, updates, indices):
        return (strew.jax.scatter_elements(data, indices, updates, reduction=reduction) ** 2).sum()

    gradients = jax.grad(loss, (0, 1))
    within = jax.jit(jax.vmap(gradients))(data, updates, indices)
    outside = jax.jit(jax.grad(lambda d, u: jax.vmap(loss)(d, u, indices).sum(), (0, 1)))(data, updates)
    one_by_one = [np.stack(x) for x in zip(*(gradients(data[i], updates[i], indices[i]) for i in range(SIZE)))]
    for found in (within, outside):
        for a, b in zip(found, one_by_one):
            np.testing.assert_allclose(a, b, rtol=1e-12)
    second = jax.vmap(jax.hessian(loss))(data, updates, indices)
    np.testing.assert_allclose(second[1], jax.hessian(loss)(data[1], updates[1], indices[1]), rtol=1e-12)


def test_vmap_names_an_axis():
    data = draw("float32", (SIZE, 4))
    summed = jax.vmap(lambda d: jax.lax.psum(strew.jax.gather_nd(d, np.array([[1]])), "batch"), axis_name="batch")
    np.testing.assert_allclose(summed(data)[:, 0], np.repeat(data[:, 1].sum(), SIZE), rtol=1e-6)


def test_an_error_in_one_element_of_the_batch():
    indices = np.array([[[0]], [[9]]])
    with pytest.raises(OUTSIDE, match="is 9, outside"):
        exact = functools.partial(strew.jax.gather_nd, exact=True)
        jax.block_until_ready(jax.vmap(exact, (None, 0))(np.zeros(4, np.float32), indices))
