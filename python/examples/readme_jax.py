import jax.numpy as jnp
import strew.jax

table, words = jnp.zeros((6, 2)), jnp.array([[2], [0], [-4]])
print(strew.jax.scatter_nd(table, words, jnp.array([[1.0, 2], [7, 7], [10, 20]]), reduction="sum"))
