"""JAX's arrays as arguments of the functions for NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import strew

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")


@pytest.mark.parametrize("name", ["bool", "int8", "int32", "uint8", "float16", "bfloat16", "float32", "complex64"])
def test_every_dtype(name: str) -> None:
    data = jnp.arange(6).astype(name)
    result = strew.gather_elements(data, jnp.array([4, 0]))
    assert isinstance(result, np.ndarray)
    assert result.dtype == data.dtype
    assert result.tolist() == np.asarray(data)[[4, 0]].tolist()


def test_results_are_waited_for() -> None:
    @jax.jit
    def slow(matrix: jax.Array) -> jax.Array:
        return jax.lax.fori_loop(0, 20, lambda _, product: jnp.tanh(product @ matrix), matrix)

    matrix = jnp.ones((400, 400)) / 400
    pending = slow(matrix)
    assert strew.gather_nd(pending, np.array([[3]])).tolist() == [np.asarray(slow(matrix))[3].tolist()]


def test_arrays_are_never_written() -> None:
    out = jnp.zeros(2)
    with pytest.raises(strew.ArgumentError, match="output is read-only"):
        strew.gather_elements(jnp.ones(3), jnp.array([0, 1]), out=out)
    with pytest.raises(strew.ArgumentError, match="output is read-only"):
        strew.scatter_elements(out, jnp.array([0]), jnp.ones(1), out=out)
    assert out.tolist() == [0, 0]


def test_inside_jit_there_is_no_memory() -> None:
    with pytest.raises(Exception, match="traced array"):
        jax.jit(lambda data: strew.gather_elements(data, np.array([0])))(jnp.zeros(3))
