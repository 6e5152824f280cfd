"""unique_indices: a promise that changes no result, no derivative and no refusal."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from jax_cases import OUTSIDE

import strew
import strew.jax
from strew.jax import _primitives

COUNT = 1 << 16
ORDER = np.random.default_rng(0).permutation(COUNT).astype(np.int32)
DATA, UPDATES = np.random.default_rng(1).random((2, COUNT)).astype(np.float32)
FEW = np.array([2, 0, -1])
FUNCTIONS = ["scatter", "scatter_nd", "scatter_elements"]
REDUCTIONS = ["none", "sum", "sub", "prod", "min", "max", "mean"]
CASES = [(name, each) for name in FUNCTIONS for each in REDUCTIONS if (name, each) != ("scatter_nd", "mean")]


def shaped(name, indices):
    return indices[:, None] if name == "scatter_nd" else indices


def promised(name, indices, **how):
    """The function of data and updates."""
    function = getattr(strew.jax, name)
    return lambda data, updates: function(data, shaped(name, indices), updates, unique_indices=True, **how)


@pytest.mark.parametrize("name, reduction", CASES)
def test_a_promise_that_is_kept_gives_the_same_bits(name, reduction):
    """Runs on the threads of XLA's client."""
    expected = getattr(strew, name)(DATA, shaped(name, ORDER), UPDATES, reduction=reduction, num_threads=1)
    for function in (promised(name, ORDER, reduction=reduction), jax.jit(promised(name, ORDER, reduction=reduction))):
        np.testing.assert_array_equal(np.asarray(function(DATA, UPDATES)), expected)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_call_of_xla_hears_of_it(name):
    """Covers the calls that derivatives and vmap make, too."""

    def heard(function, *operands):
        text = jax.jit(function).lower(*operands).as_text()
        calls = [line for line in text.splitlines() if f"@strew_{name}(" in line]
        numbers = [re.search(r"call = array<i64: ([^>]*)>|call = dense<\[([^]]*)\]>", line) for line in calls]
        at = _primitives.NUMBERS.index("unique_indices")
        return {(found[1] or found[2]).split(", ")[at] == "1" for found in numbers}

    data, updates = np.zeros(4), np.ones(3)
    assert heard(promised(name, FEW), data, updates) == {True}
    assert heard(lambda d, u: getattr(strew.jax, name)(d, shaped(name, FEW), u), data, updates) == {False}
    assert heard(jax.grad(lambda d, u: (promised(name, FEW)(d, u) ** 2).sum(), (0, 1)), data, updates) == {True}
    assert heard(jax.vmap(promised(name, FEW), (0, None)), np.zeros((2, 4)), updates) == {True}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_indices_are_checked_all_the_same(name):
    wrong = ORDER.copy()
    wrong[-2] = COUNT
    with pytest.raises(OUTSIDE, match=rf"indices\[{COUNT - 2}\].* is {COUNT}, outside"):
        jax.block_until_ready(promised(name, wrong)(DATA, UPDATES))
    found = promised(name, wrong, mode="drop")(DATA, UPDATES)
    expected = getattr(strew, name)(DATA, shaped(name, wrong), UPDATES, mode="fill", num_threads=1)
    np.testing.assert_array_equal(np.asarray(found), expected)


@pytest.mark.parametrize("name, reduction", CASES)
@pytest.mark.parametrize("mode", [None, "drop"])
def test_derivatives(name, reduction, mode):
    data, updates = np.random.default_rng(2).random((5, 2)) + 0.5, np.random.default_rng(3).random((3, 2)) + 0.5
    indices = FEW if mode is None else np.array([2, 7, -1])
    indices = np.repeat(indices[:, None], 2, 1) if name == "scatter_elements" else indices
    how = {"reduction": reduction, "mode": mode}
    function = jax.jit(promised(name, indices, **how))
    check_grads(function, (data, updates), 2 if reduction in ("none", "sum", "sub", "mean") else 1, ("fwd", "rev"))
    plain = jax.jit(lambda d, u: getattr(strew.jax, name)(d, shaped(name, indices), u, **how))
    found, expected = (jax.grad(lambda *x: (f(*x) ** 2).sum(), (0, 1))(data, updates) for f in (function, plain))
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_vmap():
    many = jnp.arange(12.0).reshape(2, 3, 2)
    lists = np.array([[2, 0], [0, 1]])
    for name in ("scatter", "scatter_nd"):

        def function(data, indices):
            return getattr(strew.jax, name)(data, shaped(name, indices), jnp.ones((2, 2)), unique_indices=True)

        found = jax.jit(jax.vmap(function))(many, lists)
        np.testing.assert_array_equal(found, [function(many[i], lists[i]) for i in range(2)])
