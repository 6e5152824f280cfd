"""Draws indices: the rows or elements that they name, and how often."""

from __future__ import annotations

import numpy as np

from workloads import Workload

SEED = 20240229
ZIPF_EXPONENT = 1.1


def uniform(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """Any below the limit, each by itself."""
    return random.integers(0, limit, shape)


def distinct(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """No index twice along the axis."""
    lanes = shape[:axis] + shape[axis + 1 :]
    every = random.permuted(np.broadcast_to(np.arange(limit), (*lanes, limit)), axis=-1)
    return np.ascontiguousarray(np.moveaxis(every[..., : shape[axis]], -1, axis))


def zipf(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """Rank r with a probability proportional to r^-1.1, the ranks spread over all that is below the limit."""
    shares = np.cumsum(np.arange(1, limit + 1) ** -ZIPF_EXPONENT)
    ranks = np.searchsorted(shares, random.random(shape) * shares[-1])
    return random.permutation(limit)[ranks]


def in_reverse(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """Any index below the limit, descending along the axis."""
    return np.ascontiguousarray(np.flip(np.sort(uniform(random, limit, shape, axis), axis), axis))


def same(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """One index below the limit, everywhere."""
    return np.full(shape, random.integers(0, limit))


def few(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """Eight indices, in any order."""
    return random.integers(0, limit, 8)[random.integers(0, 8, shape)]


def blocks(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """Sixteen that follow each other, beginning anywhere, and then as many elsewhere."""
    length = 16
    begins = random.integers(0, limit, (*shape[:axis], -(-shape[axis] // length), *shape[axis + 1 :]))
    steps = np.arange(shape[axis]).reshape(-1, *(1 for _ in shape[axis + 1 :])) % length
    return (np.take(np.repeat(begins, length, axis), range(shape[axis]), axis) + steps) % limit


def ascending(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """No index twice along the axis, in ascending order."""
    return np.ascontiguousarray(np.sort(distinct(random, limit, shape, axis), axis))


def descending(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """No index twice along the axis, in descending order."""
    return np.ascontiguousarray(np.flip(ascending(random, limit, shape, axis), axis))


def expanded(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """One for each row, expanded along the last dimension with a stride of 0."""
    return np.broadcast_to(uniform(random, limit, (*shape[:-1], 1), axis), shape)


def in_order(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """Any index below the limit, ascending."""
    return np.sort(uniform(random, limit, shape, axis))


def equal(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """All that are below the limit, in order, each as often as the others."""
    return in_each_lane(np.arange(shape[axis]) * limit // shape[axis], shape, axis)


def shuffled(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """The same numbers in any order."""
    return random.permuted(equal(random, limit, shape, axis), axis=axis)


def covering(random: np.random.Generator, limit: int, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """Any below the limit in order, and all of them if there are as many."""
    count = min(limit, shape[axis])
    others = uniform(random, limit, (*shape[:axis], shape[axis] - count, *shape[axis + 1 :]), axis)
    every = in_each_lane(np.arange(count), (*shape[:axis], count, *shape[axis + 1 :]), axis)
    return np.sort(np.concatenate([every, others], axis), axis)


def in_each_lane(numbers: np.ndarray, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """The same numbers along the axis, in each lane."""
    return np.array(np.broadcast_to(numbers.reshape(-1, *(1 for _ in shape[axis + 1 :])), shape))


DRAWS = {
    **{"sorted": in_order, "uniform": uniform, "distinct": distinct, "zipf": zipf, "expanded": expanded},
    **{"reversed": in_reverse, "same": same, "few": few, "blocks": blocks},
    **{"ascending": ascending, "descending": descending},
    **{"equal": equal, "shuffled": shuffled, "covering": covering},
}


def random_of(workload: Workload) -> np.random.Generator:
    """The same generator in every run; another one for the gather before a scatter, so that edges join different
    nodes."""
    return np.random.default_rng([SEED, workload.gathers])


def draw_tuples(workload: Workload) -> np.ndarray:
    """Tuples, by way of the rows that they name: in each batch, one of those of its part of data."""
    random = random_of(workload)
    addressed = [workload.data[dim] for dim in workload.addressed_dims]
    count = int(np.prod(workload.positions))
    rows = DRAWS[workload.draw](random, int(np.prod(addressed)), (count,), 0)
    tuples = np.stack(np.unravel_index(rows, addressed), axis=-1)
    return tuples.reshape(workload.indices).astype(workload.index_dtype)


# If a bad index does not end the run, one in so many is bad.
RIGHT_ONES = 1000


def draw_rows(workload: Workload) -> np.ndarray:
    """Rows along the axis; bad ones are too large by the size of the axis."""
    extent, count = workload.data[workload.axis], int(np.prod(workload.indices))
    rows = DRAWS[workload.draw](random_of(workload), extent, (count,), 0)
    return spoiled(workload, rows).reshape(workload.indices).astype(workload.index_dtype)


def spoiled(workload: Workload, indices: np.ndarray) -> np.ndarray:
    """The indices with a few bad ones, if that does not end the run."""
    if not workload.goes_on:
        return indices
    wrong = np.arange(indices.size).reshape(indices.shape) % RIGHT_ONES == 0
    return indices + wrong * workload.data[workload.axis]


# How to draw segments that must be in order, whatever the workload says.
SEGMENTS_IN_ORDER = {
    "embedding_bag_offsets": {"equal": "equal"},
    "embedding_bag_packed": dict.fromkeys(DRAWS, "equal"),
    "segment_reduce": dict.fromkeys(DRAWS, "covering"),
}


def draw_segments(workload: Workload) -> np.ndarray:
    """The row of the output that each gathered row goes to; in order for bags."""
    in_order = SEGMENTS_IN_ORDER.get(workload.operator)
    draw = workload.draw if in_order is None else in_order.get(workload.draw, "sorted")
    random = np.random.default_rng([SEED, 2])
    return DRAWS[draw](random, workload.rows_out, workload.positions, 0).astype(workload.index_dtype)


def draw_rows_to_combine(workload: Workload) -> np.ndarray:
    """Any row of data; each row once if the operator combines rows in order."""
    if workload.operator == "segment_reduce":
        return np.arange(workload.data[0], dtype=workload.index_dtype)
    return uniform(random_of(workload), workload.data[0], workload.indices, 0).astype(workload.index_dtype)


def draw_begins(workload: Workload) -> np.ndarray:
    """The begins of windows that end within the axis."""
    begins = random_of(workload).integers(0, workload.data[workload.axis] - workload.window + 1, workload.indices)
    return begins.astype(workload.index_dtype)


def draw_entries(workload: Workload) -> np.ndarray:
    """Entries along the axis."""
    random = random_of(workload)
    entries = DRAWS[workload.draw](random, workload.data[workload.axis], workload.indices, workload.axis)
    return spoiled(workload, entries).astype(workload.index_dtype, copy=False)


def draw(workload: Workload) -> np.ndarray:
    """The indices of a workload."""
    if workload.sums_rows:
        return draw_rows_to_combine(workload)
    if workload.takes_rows:
        return draw_rows(workload)
    if workload.takes_windows:
        return draw_begins(workload)
    return draw_tuples(workload) if workload.takes_tuples else draw_entries(workload)
