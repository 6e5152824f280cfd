"""A buffer that is donated is updated in place."""

import functools

import jax
import jax.numpy as jnp

import strew.jax


@functools.partial(jax.jit, donate_argnames="cache")
def append(cache, positions, entries):
    return strew.jax.scatter_nd(cache, positions, entries)


cache = jnp.zeros((1000, 64))
before = cache.unsafe_buffer_pointer()
cache = append(cache, jnp.array([[7], [8]]), jnp.ones((2, 64)))
print("same memory:", cache.unsafe_buffer_pointer() == before)
print("sum:", float(cache.sum()))
