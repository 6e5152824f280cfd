"""JAX: a jitted operation of its own against the equal function of strew.jax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import strew
import strew.jax

from calls import FLOATS, Call, Operands, Operation
from guest import Side

INT_FIRST = {"int32": 3, "int64": 1}
# Names of the reductions, and of the methods of x.at[i].
METHODS = {"none": "set", "sum": "add", "prod": "multiply", "min": "min", "max": "max"}
REDUCED = ("sum", "sum", "prod", "min", "max")


def no_gradient(call: Call, trait: str) -> bool:
    """Only floats have gradients. JAX has none for products."""
    return trait == "backward" and (call.dtype not in FLOATS or call.reduction == "prod")


def gathers(family: str, **others: Any) -> Operation:
    """An operation that makes a new array."""
    return Operation(family, index_dtypes=INT_FIRST, traits={"backward": 3}, lacks=no_gradient, **others)


def scatters(family: str, reductions: Sequence[str] = ("none",), **others: Any) -> Operation:
    """The data may be donated: it is then changed in place."""
    traits = {"backward": 3} | others.pop("traits", {"donated": 4})
    return Operation(
        family, index_dtypes=INT_FIRST, reductions=reductions, traits=traits, lacks=no_gradient, scatters=True, **others
    )


OPERATIONS = {
    "x[i]": gathers("table", weight=3),
    "take": gathers("rows", weight=2),
    "x[i, j]": gathers("tuples", weight=2),
    "take_along_axis": gathers("elements", weight=3),
    "x.at[i].set": scatters("table"),
    "x.at[:, i].set": scatters("rows"),
    "x.at[i]": scatters("table", REDUCED, weight=3),
    "x.at[:, i]": scatters("rows", REDUCED, weight=2),
    "x.at[i, j].set": scatters("tuples"),
    "x.at[i, j]": scatters("tuples", REDUCED, weight=3),
    "put_along_axis": scatters("elements"),
    "x.at[lines, i]": scatters("elements", REDUCED, weight=2),
    "segment_sum": scatters("segments", ("sum",), traits={}, weight=2),
    "segment_max": scatters("segments", ("max",), traits={}, draws={"covering": 1}),
    "segment_sum of x[s]": Operation(
        "bags", dtypes=FLOATS, index_dtypes=INT_FIRST, reductions=("sum",),
        traits={"backward": 3, "weighted": 2}, weight=2,
    ),
}  # fmt: skip


class JaxGuest:
    """JAX on the CPU, in a process that has as many CPUs as threads are wanted."""

    name = "jax"
    operations = OPERATIONS
    has_threads_apart = False

    def __init__(self, threads: int) -> None:
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_platforms", "cpu")

    def versions(self) -> dict[str, str]:
        """The library's and strew's."""
        return {"jax": jax.__version__, "strew": strew.__version__}

    def age(self, sizes: Sequence[int]) -> None:
        """Every second one stays until all are made."""
        kept = [jnp.ones(size, jnp.uint8).block_until_ready() for size in sizes][::2]
        del kept
        # No later call uses the programs of this one.
        jax.clear_caches()

    def sides(self, call: Call, operands: Operands) -> tuple[Side, Side]:
        """Both are jitted."""
        return tuple(side_of(functions, call, operands) for functions in (ALONE, THROUGH))

    def arrays(self, result: Any) -> list[np.ndarray]:
        """A result, or several."""
        return [np.asarray(array) for array in (result if isinstance(result, tuple) else (result,))]

    def right(self, call: Call, operands: Operands) -> list[np.ndarray]:
        """Runs JAX alone, with nothing donated."""
        kept = replace(call, traits=tuple(trait for trait in call.traits if trait != "donated"))
        side = side_of(ALONE, kept, operands)
        return self.arrays(side.run())


Function = Callable[..., jax.Array]


def side_of(functions: dict[str, Callable[[Call], Function]], call: Call, operands: Operands) -> Side:
    """A jitted function on arrays of JAX's."""
    data, updates, weights, arriving = map(jnp.array, operands.arrays)
    lists = index_lists(call, operands)
    function = functions[call.operation if call.operation in functions else call.family](call)
    inputs = (data, updates, weights)
    if "backward" in call.traits:
        named = [0, *[1] * call.scatters, *[2] * ("weighted" in call.traits)]
        run = jax.jit(partial(with_gradients, function, named))
        return Side(lambda: jax.block_until_ready(run(inputs, lists, arriving)))
    if "donated" in call.traits:
        return donating(function, inputs, lists)
    run = jax.jit(function)
    return Side(lambda: run(*inputs, *lists).block_until_ready())


def donating(function: Function, inputs: tuple[jax.Array, ...], lists: tuple[jax.Array, ...]) -> Side:
    """A side with new data for each run, which the run donates."""
    run = jax.jit(function, donate_argnums=0)
    data, *others = inputs
    given = [data]

    def reset() -> None:
        given[0] = jnp.array(data, copy=True).block_until_ready()

    return Side(lambda: run(given[0], *others, *lists).block_until_ready(), reset)


def with_gradients(function: Function, named: list[int], inputs: tuple, lists: tuple, arriving: jax.Array) -> tuple:
    """A result, and the gradients of the inputs at these places from the gradient `arriving`."""

    def of_named(*some: jax.Array) -> jax.Array:
        every = list(inputs)
        for place, array in zip(named, some, strict=True):
            every[place] = array
        return function(*every, *lists)

    result, back = jax.vjp(of_named, *(inputs[place] for place in named))
    return (result, *back(arriving))


def index_lists(call: Call, operands: Operands) -> tuple[jax.Array, ...]:
    """The indices; for bags also the bag of each row, in order."""
    indices = jnp.array(operands.indices)
    if not call.bags:
        return (indices,)
    lengths = np.diff(operands.offsets, append=call.indices[0])
    return (indices, jnp.asarray(np.repeat(np.arange(call.bags), lengths).astype(call.index_dtype)))


def combined(x: Any, call: Call, v: jax.Array) -> jax.Array:
    """x.at[i].add(v) and its like."""
    return getattr(x, METHODS[call.reduction])(v)


def lines(call: Call, i: jax.Array) -> tuple[jax.Array, ...]:
    """An index array for each dimension; on the axis, the given one."""
    grid = jnp.ogrid[tuple(slice(size) for size in call.indices)]
    return tuple(i if dim == call.axis else places for dim, places in enumerate(grid))


def columns(i: jax.Array) -> tuple[jax.Array, ...]:
    """The coordinates of tuples."""
    return tuple(i[:, coordinate] for coordinate in range(i.shape[1]))


def along(call: Call, i: jax.Array) -> tuple:
    """[:, i], as far before as the axis is."""
    return (*(slice(None),) * call.axis, i)


def number_of(call: Call) -> int:
    """The number of segments."""
    return call.bags or call.data[0]


def weighted(call: Call, rows: jax.Array, weights: jax.Array) -> jax.Array:
    """Rows times their weights, if there are such."""
    return rows * weights[:, None] if "weighted" in call.traits else rows


# The call in JAX, by the operation or its family.
ALONE: dict[str, Callable[[Call], Function]] = {
    "x[i]": lambda call: lambda x, v, w, i: x[i],
    "take": lambda call: lambda x, v, w, i: jnp.take(x, i, axis=call.axis),
    "x[i, j]": lambda call: lambda x, v, w, i: x[columns(i)],
    "take_along_axis": lambda call: lambda x, v, w, i: jnp.take_along_axis(x, i, axis=call.axis),
    "table": lambda call: lambda x, v, w, i: combined(x.at[i], call, v),
    "rows": lambda call: lambda x, v, w, i: combined(x.at[along(call, i)], call, v),
    "tuples": lambda call: lambda x, v, w, i: combined(x.at[columns(i)], call, v),
    "put_along_axis": lambda call: lambda x, v, w, i: jnp.put_along_axis(x, i, v, call.axis, inplace=False),
    "x.at[lines, i]": lambda call: lambda x, v, w, i: combined(x.at[lines(call, i)], call, v),
    "segment_sum": lambda call: lambda x, v, w, i: jax.ops.segment_sum(v, i, number_of(call)),
    "segment_max": lambda call: lambda x, v, w, i: jax.ops.segment_max(v, i, number_of(call)),
    "segment_sum of x[s]": lambda call: lambda x, v, w, s, t: jax.ops.segment_sum(
        weighted(call, x[s], w), t, number_of(call)
    ),
}


def zeros(call: Call, like: jax.Array) -> jax.Array:
    """The initial value of a sum."""
    return jnp.zeros((number_of(call), *like.shape[1:]), like.dtype)


# The same call by strew, as in the table of docs/jax.md.
THROUGH: dict[str, Callable[[Call], Function]] = {
    "x[i]": lambda call: lambda x, v, w, i: strew.jax.gather(x, i),
    "take": lambda call: lambda x, v, w, i: strew.jax.gather(x, i, axis=call.axis),
    "x[i, j]": lambda call: lambda x, v, w, i: strew.jax.gather_nd(x, i),
    "take_along_axis": lambda call: lambda x, v, w, i: strew.jax.gather_elements(x, i, axis=call.axis),
    "table": lambda call: lambda x, v, w, i: strew.jax.scatter(x, i, v, reduction=call.reduction),
    "rows": lambda call: lambda x, v, w, i: strew.jax.scatter(x, i, v, axis=call.axis, reduction=call.reduction),
    "tuples": lambda call: lambda x, v, w, i: strew.jax.scatter_nd(x, i, v, reduction=call.reduction),
    "elements": lambda call: lambda x, v, w, i: strew.jax.scatter_elements(
        x, i, v, axis=call.axis, reduction=call.reduction
    ),
    "segment_sum": lambda call: lambda x, v, w, i: strew.jax.scatter(zeros(call, v), i, v, reduction="sum"),
    "segment_max": lambda call: lambda x, v, w, i: strew.jax.segment_reduce(
        v, i, reduction="max", num_segments=number_of(call), empty="lowest"
    ),
    "segment_sum of x[s]": lambda call: lambda x, v, w, s, t: strew.jax.gather_scatter(
        zeros(call, x), x, s, t, *[w] * ("weighted" in call.traits)
    ),
}
