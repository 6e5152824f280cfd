"""strew's operators under jit, grad and vmap."""

import jax
import jax.numpy as jnp

import strew.jax

# A table of four rows; indices hold tuples of one coordinate each.
table = jnp.arange(12.0).reshape(4, 3)
rows = jnp.array([[2], [0], [2]])
print(strew.jax.gather_nd(table, rows))

# Two updates go to row 2: both count, in this order, every time.
add = jax.jit(lambda table, rows, updates: strew.jax.scatter_nd(table, rows, updates, reduction="sum"))
updates = jnp.ones((3, 3))
print(add(table, rows, updates))


def loss(table):
    return (strew.jax.gather_nd(table, rows) ** 2).sum()


print(jax.grad(loss)(table))

# Each of two batches has a table and indices.
tables = jnp.stack([table, -table])
picks = jnp.array([[[0], [1]], [[3], [3]]])
print(jax.vmap(strew.jax.gather_nd)(tables, picks)[:, :, 0])

# Along an axis, like take_along_axis and its reverse. The mean divides once.
scores = jnp.array([[3.0, 1.0, 2.0]])
places = jnp.array([[0, 0, 2]])
print(strew.jax.gather_elements(scores, places, axis=1))
print(strew.jax.scatter_elements(scores, places, scores, axis=1, reduction="mean"))

# Indices out of bounds, with JAX's own modes.
print(strew.jax.gather(table, jnp.array([1, 9]), mode="fill", fill_value=-1))
print(strew.jax.scatter(table, jnp.array([1, 9]), updates[:2], reduction="sum", mode="drop")[1])

try:
    jax.block_until_ready(strew.jax.gather_nd(table, rows + 2, exact=True))
except (jax.errors.JaxRuntimeError, ValueError) as error:
    print(error)
