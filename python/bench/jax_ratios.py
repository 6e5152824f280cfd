"""strew.jax beside JAX's own gathers and scatters, under jit, in one process.

    python python/bench/jax_ratios.py [rounds]

The two take turns, each awaited. A row has JAX's shortest time over strew's, and the milliseconds of strew and JAX.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jaxlib
import numpy as np

import strew
import strew.jax

NODES, EDGES, FEATURES = 50_000, 200_000, 64
COUNT = 1_000_000
SIDE = 1000


def seconds(function: Callable[..., Any], operands: list[Any]) -> float:
    start = time.perf_counter()
    jax.block_until_ready(function(*operands))
    return time.perf_counter() - start


def compare(name: str, ours: Callable[..., Any], theirs: Callable[..., Any], operands: list[Any], rounds: int) -> None:
    functions = [jax.jit(ours), jax.jit(theirs)]
    for function in functions:
        jax.block_until_ready(function(*operands))
    least = [min(times) for times in zip(*([seconds(f, operands) for f in functions] for _ in range(rounds)))]
    print(f"| {name} | {least[1] / least[0]:.2f} | {1e3 * least[0]:.2f} | {1e3 * least[1]:.2f} |")


def rows(data: Any, indices: Any) -> Any:
    return strew.jax.gather_nd(data, indices[:, None])


def add(data: Any, indices: Any, updates: Any) -> Any:
    return strew.jax.scatter_nd(data, indices[:, None], updates, reduction="sum")


def graph(rounds: int, generator: np.random.Generator) -> None:
    nodes = jnp.asarray(generator.normal(size=(NODES, FEATURES)), jnp.float32)
    messages = jnp.asarray(generator.normal(size=(EDGES, FEATURES)), jnp.float32)
    sources, targets = (jnp.asarray(generator.integers(0, NODES, EDGES), jnp.int32) for _ in range(2))

    def ours(x: Any, s: Any, t: Any) -> Any:
        return add(jnp.zeros_like(x), t, rows(x, s))

    def theirs(x: Any, s: Any, t: Any) -> Any:
        return jnp.zeros_like(x).at[t].add(x[s])

    def gradient(layer: Callable[..., Any]) -> Callable[..., Any]:
        return jax.grad(lambda *operands: (layer(*operands) ** 2).sum())

    compare("a graph layer, forward", ours, theirs, [nodes, sources, targets], rounds)
    compare("a graph layer, forward and backward", gradient(ours), gradient(theirs), [nodes, sources, targets], rounds)
    compare("its `x[i]`", rows, lambda x, i: x[i], [nodes, sources], rounds)
    compare("its `x.at[i].add(u)`", add, lambda x, i, u: x.at[i].add(u), [nodes, targets, messages], rounds)


def elements(rounds: int, generator: np.random.Generator) -> None:
    data, updates = (jnp.asarray(generator.normal(size=COUNT), jnp.float32) for _ in range(2))
    indices = jnp.asarray(generator.integers(0, COUNT, COUNT), jnp.int32)
    compare("`x[i]`, 1M elements", rows, lambda x, i: x[i], [data, indices], rounds)
    compare("`x.at[i].add(u)`, 1M", add, lambda x, i, u: x.at[i].add(u), [data, indices, updates], rounds)
    compare(
        "`x.at[i].set(u)`, 1M",
        lambda x, i, u: strew.jax.scatter_nd(x, i[:, None], u),
        lambda x, i, u: x.at[i].set(u),
        [data, indices, updates],
        rounds,
    )
    table, table_updates = data.reshape(SIDE, SIDE), updates.reshape(SIDE, SIDE)
    places = jnp.asarray(generator.integers(0, SIDE, (SIDE, SIDE)), jnp.int32)
    for axis in (0, 1):
        compare(
            f"`take_along_axis`, axis {axis}, 1M",
            lambda x, i: strew.jax.gather_elements(x, i, axis=axis),
            lambda x, i: jnp.take_along_axis(x, i, axis=axis),
            [table, places],
            rounds,
        )
    lines = jnp.arange(SIDE)[:, None]
    compare(
        "`x.at[lines, i].add(u)`, 1M",
        lambda x, i, u: strew.jax.scatter_elements(x, i, u, axis=1, reduction="sum"),
        lambda x, i, u: x.at[lines, i].add(u),
        [table, places, table_updates],
        rounds,
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    generator = np.random.default_rng(0)
    print(f"strew {strew.__version__}, JAX {jax.__version__}, jaxlib {jaxlib.__version__}\n")
    print("| what | strew / JAX | strew, ms | JAX, ms |\n|---|---:|---:|---:|")
    graph(rounds, generator)
    elements(rounds, generator)


if __name__ == "__main__":
    main()
