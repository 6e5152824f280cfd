"""A layer of a graph network: messages along edges, summed where they arrive."""

import jax
import jax.numpy as jnp

import strew.jax


def layer(weights, nodes, sources, targets):
    arrived = strew.jax.gather_scatter(jnp.zeros_like(nodes), nodes, sources, targets)
    return jnp.tanh(arrived @ weights)


def loss(weights, *graph):
    return (layer(weights, *graph) ** 2).mean()


keys = jax.random.split(jax.random.key(0), 4)
nodes = jax.random.normal(keys[0], (50, 8))
sources = jax.random.randint(keys[1], (200,), 0, 50)
targets = jax.random.randint(keys[2], (200,), 0, 50)
weights = jax.random.normal(keys[3], (8, 8)) / 8

step = jax.jit(jax.value_and_grad(loss))
first, gradient = step(weights, nodes, sources, targets)
for _ in range(20):
    value, gradient = step(weights, nodes, sources, targets)
    weights = weights - gradient
print("loss falls:", bool(value < first))
again, _ = step(weights, nodes, sources, targets)
print("same bits:", bool(again == step(weights, nodes, sources, targets)[0]))
