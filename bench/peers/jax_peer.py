"""JAX: indexed updates and gathers under jit, compiled ahead of time for the operands' shapes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np

from contenders import Contender, clock
from operands import Operands, along, flat_rows
from workloads import Workload

jax.config.update("jax_enable_x64", True)  # int64 and float64 would be halved without

# A function of traced arrays: data, indices and updates.
Traced = Callable[..., jax.Array]

# The fastest of JAX's modes: it leaves indices out of bounds undefined and spends nothing on them.
IN_BOUNDS = "promise_in_bounds"


METHODS = {"none": "set", "sum": "add", "prod": "multiply", "min": "min", "max": "max"}


class JaxPeer:
    """JAX on the CPU, with as many threads as its process has CPUs: see process_peer.py.

    A scatter in place gets data to keep (donated). All other outputs are new arrays: JAX writes into no given one.
    Every result is awaited.
    """

    name = "JAX"
    version = jax.__version__
    has_threads = True
    is_exact = False

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """A layer's two steps are one function, as JAX's users would write it."""
        functions = self.functions(operands.workload)
        if operands.workload.first is not None:
            gather, *_ = self.functions(operands.workload.first).items()
            functions = {f"{gather[0]}; {text}": layer(gather[1], f) for text, f in functions.items()}
        inputs = [device_array(array, operands.workload.dtype) for array in inputs_of(operands)]
        make = compiled_in_place if operands.in_place else compiled
        return [make(text, function, inputs) for text, function in functions.items()]

    def functions(self, workload: Workload) -> dict[str, Traced]:
        """The ways to write it."""
        if workload.sums_rows:
            only_of_full = workload.reduction not in ("sum", "mean") and workload.operator != "segment_reduce"
            return {} if only_of_full else sums_of_rows(workload)
        if workload.goes_on and workload.operator != "gather":
            return {}
        if workload.gathers:
            return gathers(workload)
        if workload.goes_on or workload.reduction not in METHODS:
            return {}
        return assignments(workload) if workload.reduction == "none" else reductions(workload)

    def as_array(self, returned: jax.Array) -> np.ndarray:
        """A copy; bfloat16 as bits, like the operands."""
        array = np.asarray(returned)
        return array.view(np.uint16) if returned.dtype == jnp.bfloat16 else array


def layer(gather: Traced, scatter: Traced) -> Traced:
    """A gather followed by a scatter of its rows."""
    return lambda data, indices, features, sources: scatter(data, indices, gather(features, sources))


def compiled(text: str, function: Traced, inputs: Sequence[jax.Array]) -> Contender:
    """A function, compiled, that makes a new array."""
    program = jax.jit(function).lower(*inputs).compile()

    def run() -> jax.Array:
        return program(*inputs).block_until_ready()

    return Contender(text, run, clock(run))


def compiled_in_place(text: str, function: Traced, inputs: Sequence[jax.Array]) -> Contender:
    """A compiled function that may write into data: each run gets the result of the last one."""
    data, *others = inputs
    program = jax.jit(function, donate_argnums=0).lower(*inputs).compile()
    state: jax.Array | None = None  # until reset() is called

    def run() -> jax.Array:
        nonlocal state
        state = program(state, *others).block_until_ready()
        return state

    def reset() -> None:
        nonlocal state
        state = jnp.copy(data).block_until_ready()

    return Contender(text, run, clock(run), reset)


def inputs_of(operands: Operands) -> list[np.ndarray]:
    """The inputs of the functions, in their order."""
    if operands.workload.sums_rows:
        weights = [] if operands.weights is None else [operands.weights.reshape(-1)]
        start = np.full_like(operands.output, operands.start)
        return [start, operands.sources, operands.entries, operands.targets, *weights]
    inputs = [operands.data, operands.indices]
    if operands.first is not None:
        return inputs + inputs_of(operands.first)
    return inputs if operands.updates is None else [*inputs, operands.updates]


def device_array(array: np.ndarray, dtype: str) -> jax.Array:
    """A copy, where JAX wants its arrays to lie."""
    numbers = array.view(jnp.bfloat16) if dtype == "bfloat16" and array.dtype == np.uint16 else array
    return jnp.array(numbers).block_until_ready()


def coordinates(workload: Workload, indices: jax.Array) -> tuple[jax.Array, ...]:
    """data[this] are the rows or elements that indices name."""
    rank = len(workload.positions)
    given = dict(zip(workload.addressed_dims, columns(workload, indices)))
    grids = range(workload.batch_dims if workload.takes_tuples else rank)
    places = {dim: jnp.arange(workload.positions[dim]).reshape(along(dim, rank, -1)) for dim in grids}
    merged = places | given
    return tuple(merged[dim] for dim in sorted(merged))


def columns(workload: Workload, indices: jax.Array) -> list[jax.Array]:
    """One array for each addressed dimension."""
    return [indices[..., k] for k in range(workload.indices[-1])] if workload.takes_tuples else [indices]


def rows_and_numbers(workload: Workload, data: jax.Array, indices: jax.Array) -> tuple[jax.Array, jax.Array]:
    """data as a list of rows, or of elements, and the one that each position names."""
    addressed = coordinates(workload, indices)
    strides = np.cumprod([1, *workload.data[len(addressed) - 1 : 0 : -1]])[::-1]
    numbers = flat_rows(addressed, [int(stride) for stride in strides], None)
    return data.reshape(-1, *workload.row), numbers


def gathers(workload: Workload) -> dict[str, Traced]:
    """Reading."""
    if workload.takes_rows:
        mode = {"refuse": IN_BOUNDS, "stop": IN_BOUNDS, "skip": "fill", "clamp": "clip", "wrap": "wrap"}[workload.bounds]
        fill = {"fill_value": 0} if mode == "fill" else {}
        text = f"data.at[:, indices].get({mode})"
        return {text: lambda data, indices: data.at[(*lanes(workload), indices)].get(mode=mode, **fill)}

    def by_coordinates(data: jax.Array, indices: jax.Array) -> jax.Array:
        return data.at[coordinates(workload, indices)].get(mode=IN_BOUNDS)

    def by_numbers(data: jax.Array, indices: jax.Array) -> jax.Array:
        rows, numbers = rows_and_numbers(workload, data, indices)
        return rows.at[numbers].get(mode=IN_BOUNDS).reshape(workload.output)

    return {"data.at[coordinates].get()": by_coordinates, "rows.at[numbers].get()": by_numbers}


def lanes(workload: Workload) -> tuple[slice, ...]:
    """All there is before the axis."""
    return tuple(slice(None) for _ in range(workload.axis))


def writes_of_windows(workload: Workload) -> dict[str, Traced]:
    """A slice for each window, or one."""
    axis = workload.axis

    def in_each_batch(data: jax.Array, indices: jax.Array, updates: jax.Array) -> jax.Array:
        update = partial(jax.lax.dynamic_update_slice_in_dim, axis=axis - 1)
        return jax.vmap(update)(data, updates, indices)

    def in_all(data: jax.Array, indices: jax.Array, updates: jax.Array) -> jax.Array:
        return jax.lax.dynamic_update_slice_in_dim(data, updates, indices[0], axis)

    if workload.operator == "slice_scatter":
        return {"dynamic_update_slice_in_dim(data, updates, begin)": in_all}
    return {"vmap(dynamic_update_slice_in_dim)(data, updates, indices)": in_each_batch}


def assignments(workload: Workload) -> dict[str, Traced]:
    """Assignments. JAX is told that no index occurs twice."""
    if workload.takes_windows:
        return writes_of_windows(workload)
    if workload.takes_rows:
        return {"data.at[:, indices].set()": in_rows(workload, "set", unique_indices=True)}

    def by_coordinates(data: jax.Array, indices: jax.Array, updates: jax.Array) -> jax.Array:
        places = data.at[coordinates(workload, indices)]
        return places.set(updates, mode=IN_BOUNDS, unique_indices=True)

    def by_numbers(data: jax.Array, indices: jax.Array, updates: jax.Array) -> jax.Array:
        rows, numbers = rows_and_numbers(workload, data, indices)
        new_rows = updates.reshape(-1, *workload.row)
        return rows.at[numbers].set(new_rows, mode=IN_BOUNDS, unique_indices=True).reshape(workload.output)

    return {"data.at[coordinates].set()": by_coordinates, "rows.at[numbers].set()": by_numbers}


def sums_of_rows(workload: Workload) -> dict[str, Traced]:
    """Sums of rows. JAX is told which targets are sorted."""
    count, is_layer = workload.rows_out, workload.operator == "gather_scatter"
    options = {"indices_are_sorted": workload.in_order, "mode": IN_BOUNDS}
    combine = getattr(jax.ops, f"segment_{'sum' if workload.reduction == 'mean' else workload.reduction}")

    def gathered(rows: jax.Array, indices: jax.Array, weights: Sequence[jax.Array]) -> jax.Array:
        named = rows if workload.operator == "segment_reduce" else rows.at[indices].get(mode=IN_BOUNDS)
        return named * weights[0][:, None] if weights else named

    def by_segments(
        output: jax.Array, rows: jax.Array, indices: jax.Array, targets: jax.Array, *weights: jax.Array
    ) -> jax.Array:
        summed = combine(gathered(rows, indices, weights), targets, count, **options)
        if workload.reduction == "mean":
            rows_in_each = jax.ops.segment_sum(jnp.ones(targets.shape, rows.dtype), targets, count, **options)
            divide = jnp.divide if jnp.issubdtype(rows.dtype, jnp.floating) else jnp.floor_divide
            summed = divide(summed, jnp.maximum(1, rows_in_each)[:, None])
        return output + summed if is_layer else summed

    def bag_by_bag(
        output: jax.Array, rows: jax.Array, indices: jax.Array, targets: jax.Array, *weights: jax.Array
    ) -> jax.Array:
        return gathered(rows, indices, weights).reshape(*workload.indices, *workload.row).sum(1)

    def added(
        output: jax.Array, rows: jax.Array, indices: jax.Array, targets: jax.Array, *weights: jax.Array
    ) -> jax.Array:
        return output.at[targets].add(gathered(rows, indices, weights), **options)

    ways = {f"{combine.__name__}(rows[indices])": by_segments}
    if workload.operator == "embedding_bag_packed" and workload.reduction == "sum":
        ways["rows[indices].sum(1)"] = bag_by_bag
    return ways | ({"output.at[targets].add()": added} if is_layer and workload.reduction == "sum" else {})


def in_rows(workload: Workload, method: str, **options: bool) -> Traced:
    """A method applied to rows along the axis."""

    def update(data: jax.Array, indices: jax.Array, updates: jax.Array) -> jax.Array:
        return getattr(data.at[(*lanes(workload), indices)], method)(updates, mode=IN_BOUNDS, **options)

    return update


def reductions(workload: Workload) -> dict[str, Traced]:
    """Reductions. If there is one index for each row, rows can be added as well."""
    method = METHODS[workload.reduction]
    if workload.takes_rows:
        return {f"data.at[:, indices].{method}()": in_rows(workload, method)}

    def by_coordinates(data: jax.Array, indices: jax.Array, updates: jax.Array) -> jax.Array:
        return getattr(data.at[coordinates(workload, indices)], method)(updates, mode=IN_BOUNDS)

    def by_numbers(data: jax.Array, indices: jax.Array, updates: jax.Array) -> jax.Array:
        rows, numbers = rows_and_numbers(workload, data, indices)
        combined = getattr(rows.at[numbers], method)(updates.reshape(-1, *workload.row), mode=IN_BOUNDS)
        return combined.reshape(workload.output)

    def by_first_column(data: jax.Array, indices: jax.Array, updates: jax.Array) -> jax.Array:
        return getattr(data.at[indices[:, 0]], method)(updates, mode=IN_BOUNDS)

    ways = {f"data.at[coordinates].{method}()": by_coordinates, f"rows.at[numbers].{method}()": by_numbers}
    return {f"data.at[indices[:, 0]].{method}()": by_first_column} | ways if workload.draw == "expanded" else ways
