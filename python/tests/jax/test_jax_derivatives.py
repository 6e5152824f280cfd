"""Derivatives against finite differences and against JAX's own scatters."""

import itertools

import jax
import jax.numpy as jnp
import jax_oracle as oracle
import numpy as np
import pytest
from jax.test_util import check_grads
from jax_cases import MOVED, draw, draw_indices

import strew.jax

DATA = draw("float64", (4, 3, 2))
ROWS = draw_indices(-4, 3, (6, 1))
UPDATES = draw("float64", (6, 3, 2), seed=2)
ELEMENTS = draw_indices(-3, 2, (4, 5, 2))
ELEMENT_UPDATES = draw("float64", (4, 5, 2), seed=2)
BOTH = ("fwd", "rev")

#: The order of the derivatives. Those of prod take long to compile, and have tests of their own below.
ORDER = {reduction: 1 if reduction == "prod" else 2 for reduction in [*oracle.REDUCTIONS, "mean"]}


def rows(reduction):
    return jax.jit(lambda data, updates: strew.jax.scatter_nd(data, ROWS, updates, reduction=reduction))


def elements(reduction, use_init_val=True):
    arguments = {"axis": 1, "reduction": reduction, "use_init_val": use_init_val}
    return jax.jit(lambda data, updates: strew.jax.scatter_elements(data, ELEMENTS, updates, **arguments))


@pytest.mark.parametrize("batch_dims, coordinates", [(0, 0), (0, 1), (0, 2), (1, 1), (2, 1)])
def test_gather_nd(batch_dims, coordinates):
    indices = draw_indices(-2, 2, (4, 3, 5, coordinates))
    check_grads(lambda data: strew.jax.gather_nd(data, indices, batch_dims=batch_dims), (DATA,), 2, BOTH)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather_elements(axis):
    check_grads(lambda data: strew.jax.gather_elements(data, ELEMENTS[:, :3] % 2, axis=axis), (DATA,), 2, BOTH)


@pytest.mark.parametrize("reduction", oracle.REDUCTIONS)
def test_scatter_nd(reduction):
    check_grads(rows(reduction), (DATA, UPDATES), ORDER[reduction], BOTH)


@pytest.mark.parametrize("coordinates", [0, 2, 3])
@pytest.mark.parametrize("reduction", oracle.REDUCTIONS)
def test_scatter_nd_addresses_rows_of_every_rank(reduction, coordinates):
    indices = draw_indices(-2, 2, (4, coordinates))
    updates = draw("float64", (4, *DATA.shape[coordinates:]), seed=2)
    function = jax.jit(lambda data, updates: strew.jax.scatter_nd(data, indices, updates, reduction=reduction))
    check_grads(function, (DATA, updates), 1, BOTH)


@pytest.mark.parametrize("use_init_val", [True, False])
@pytest.mark.parametrize("reduction", [*oracle.REDUCTIONS, "mean"])
def test_scatter_elements(reduction, use_init_val):
    check_grads(elements(reduction, use_init_val), (DATA, ELEMENT_UPDATES), ORDER[reduction], BOTH)


@pytest.mark.parametrize("reduction", ["none", "sum", "sub", "prod"])
def test_complex(reduction):
    data, updates = draw("complex128", (4, 3)), draw("complex128", (6, 3), seed=2)
    check_grads(rows(reduction), (data, updates), ORDER[reduction], BOTH)


@pytest.mark.parametrize("reduction", ["none", "sum", "sub", "prod", "min", "max", "mean"])
def test_one_argument_alone(reduction):
    function = elements(reduction)
    check_grads(jax.jit(lambda data: function(data, ELEMENT_UPDATES)), (DATA,), 1, BOTH)
    check_grads(jax.jit(lambda updates: function(DATA, updates)), (ELEMENT_UPDATES,), 1, BOTH)


def test_the_update_that_won_has_the_gradient():
    indices = np.array([[1], [0], [1], [-1]])  # of 3 rows; row 1 is updated twice
    gradient = jax.grad(lambda u: strew.jax.scatter_nd(jnp.zeros(3), indices, u).sum())(jnp.ones(4))
    np.testing.assert_array_equal(gradient, [0, 1, 1, 1])
    gradient = jax.grad(lambda d: strew.jax.scatter_nd(d, indices[:3], jnp.ones(3)).sum())(jnp.zeros(3))
    np.testing.assert_array_equal(gradient, [0, 0, 1])


@pytest.mark.parametrize("reduction", ["min", "max"])
def test_ties_share_evenly(reduction):
    """JAX's own scatters share ties in the same way."""
    data, updates = jnp.array([1.0, 5.0, 2.0]), jnp.array([1.0, 1.0, 5.0, 5.0, 5.0, 2.0])
    indices = np.array([0, 0, 1, 1, 1, 2])

    def ours(data, updates):
        return (strew.jax.scatter_nd(data, indices[:, None], updates, reduction=reduction) ** 2).sum()

    def theirs(data, updates):
        return (getattr(data.at[indices], reduction)(updates) ** 2).sum()

    np.testing.assert_allclose(jax.grad(ours)(data, updates), [2 / 3, 10 / 4, 4 / 2])
    for argument in (0, 1):
        np.testing.assert_allclose(
            jax.grad(ours, argument)(data, updates), jax.grad(theirs, argument)(data, updates), rtol=1e-12
        )


def test_ties_without_the_element_of_data():
    data, updates = jnp.array([1.0, 7.0]), jnp.array([1.0, 1.0])

    def function(data, updates):
        indices = np.array([0, 0])
        return strew.jax.scatter_elements(data, indices, updates, reduction="max", use_init_val=False).sum()

    by_data, by_updates = jax.grad(function, (0, 1))(data, updates)
    np.testing.assert_array_equal(by_data, [0, 1])
    np.testing.assert_array_equal(by_updates, [0.5, 0.5])


def test_nan_is_equal_to_nan():
    data, updates = jnp.array([jnp.nan, jnp.nan]), jnp.array([1.0])
    gradient = jax.grad(lambda d: strew.jax.scatter_nd(d, np.array([[0]]), updates, reduction="max").sum())(data)
    np.testing.assert_array_equal(gradient, [1, 1])


def test_products_with_zeros():
    """Up to three factors of one product are zero: derivatives up to the third order see each of them."""
    indices = np.array([[0], [1], [0]])

    def ours(data, updates):
        return strew.jax.scatter_nd(data, indices, updates, reduction="prod")

    def plain(data, updates):
        return jnp.stack([data[0] * updates[0] * updates[2], data[1] * updates[1]])

    for _ in range(3):
        ours, plain = jax.jacrev(ours, (0, 1)), jax.jacrev(plain, (0, 1))
        found, expected = jax.jit(ours), jax.jit(plain)
        for first, second, third in itertools.product([0.0, 2.0], [0.0, 3.0], [0.0, 5.0]):
            data, updates = jnp.array([first, 1.0]), jnp.array([second, 7.0, third])
            jax.tree.map(np.testing.assert_allclose, found(data, updates), expected(data, updates))


def test_products_too_small_or_large_for_a_division():
    updates = jnp.array([1e-200, 1e-200, 1e300, 1e300, 3.0])
    indices = np.array([[0], [0], [1], [1], [2]])
    gradient = jax.grad(lambda u: strew.jax.scatter_nd(jnp.ones(3), indices, u, reduction="prod").sum())(updates)
    np.testing.assert_allclose(gradient, [1e-200, 1e-200, 1e300, 1e300, 1])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("reduction", ["sum", "mean", "max"])
def test_many_duplicates_of_a_small_dtype(dtype, reduction):
    """Counts are integers: 3000 is no bfloat16, and 70,000 no float16."""
    count = 70_000 if reduction == "max" else 3000
    data, updates = jnp.ones(1, dtype), jnp.ones(count, dtype)
    indices = np.zeros(count, np.int32)
    gradient = jax.grad(
        lambda u: strew.jax.scatter_elements(data, indices, u, reduction=reduction).sum().astype(jnp.float32)
    )(updates)
    expected = 1.0 if reduction == "sum" else 1 / (count + 1)
    np.testing.assert_allclose(np.asarray(gradient, np.float64), expected, rtol=0.01)


@pytest.mark.parametrize("dtype", MOVED)
def test_floats_of_eight_bits(dtype):
    """A row that is gathered twice has a gradient of two, though strew itself adds no floats of eight bits."""
    data, rows = jnp.ones(3, dtype), np.array([[0], [2], [2]])
    gradient = jax.vjp(lambda data: strew.jax.gather_nd(data, rows), data)[1](jnp.ones(3, dtype))[0]
    assert gradient.dtype == data.dtype
    np.testing.assert_array_equal(gradient.astype(jnp.float32), [1, jnp.zeros((), dtype).astype(jnp.float32), 2])
    updates = jnp.ones(3, dtype)
    gradient = jax.vjp(lambda updates: strew.jax.scatter_nd(data, rows, updates), updates)[1](data)[0]
    assert np.asarray(gradient.astype(jnp.float32))[[0, 2]].tolist() == [1, 1]


def test_integers_have_no_gradients():
    data, updates = jnp.arange(4), jnp.arange(2)
    indices = np.array([[0], [1]])
    function = lambda data: strew.jax.scatter_nd(data, indices, updates, reduction="sum")  # noqa: E731
    tangent = np.zeros(4, jax.dtypes.float0)
    output, of_output = jax.jvp(function, (data,), (tangent,))
    np.testing.assert_array_equal(output, [0, 2, 2, 3])
    assert of_output.dtype == jax.dtypes.float0
    gradient = jax.grad(lambda data: function(data).sum() * 1.0, allow_int=True)(data)
    assert gradient.dtype == jax.dtypes.float0


def test_indices_have_no_gradients():
    indices = jnp.array([[0], [1]])
    gradient = jax.grad(lambda i: strew.jax.gather_nd(jnp.ones((3, 2)), i).sum(), allow_int=True)(indices)
    assert gradient.dtype == jax.dtypes.float0
    tangents = (jnp.ones((3, 2)), np.zeros(indices.shape, jax.dtypes.float0))
    _, tangent = jax.jvp(strew.jax.gather_nd, (jnp.ones((3, 2)), indices), tangents)
    np.testing.assert_array_equal(tangent, np.ones((2, 2)))


def test_value_and_grad_through_a_program():
    """Two layers of a graph network, against JAX's own gather and scatter."""
    source, target = draw_indices(0, 20, (90,)), draw_indices(0, 20, (90,), seed=5)
    features, weights = draw("float64", (20, 4)), draw("float64", (2, 4, 4), seed=3)

    def loss(weights, gather, add):
        nodes = features
        for weight in weights:
            nodes = jnp.tanh(add(jnp.zeros_like(nodes), target, gather(nodes, source)) @ weight)
        return (nodes**2).sum()

    def ours(weights):
        return loss(
            weights,
            lambda x, i: strew.jax.gather_nd(x, i[:, None]),
            lambda x, i, u: strew.jax.scatter_nd(x, i[:, None], u, reduction="sum"),
        )

    def theirs(weights):
        return loss(weights, lambda x, i: x[i], lambda x, i, u: x.at[i].add(u))

    found, expected = jax.jit(jax.value_and_grad(ours))(weights), jax.value_and_grad(theirs)(weights)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-9), found, expected)
    np.testing.assert_allclose(jax.hessian(ours)(weights), jax.hessian(theirs)(weights), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("reduction", ["none", "sum", "max", "prod"])
def test_checkpoint_and_linearize(reduction):
    function = rows(reduction)
    plain = jax.grad(lambda d, u: (function(d, u) ** 2).sum(), (0, 1))(DATA, UPDATES)
    again = jax.grad(lambda d, u: (jax.checkpoint(function)(d, u) ** 2).sum(), (0, 1))(DATA, UPDATES)
    jax.tree.map(np.testing.assert_array_equal, plain, again)
    _, linear = jax.linearize(function, DATA, UPDATES)
    _, tangent = jax.jvp(function, (DATA, UPDATES), (DATA, UPDATES))
    np.testing.assert_allclose(linear(DATA, UPDATES), tangent)
