"""Models of dynamic shapes with random shapes at run time: right if the shapes fit together, refused otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strew_openvino
from cases import Array, Case, make_model
from models import graphs

DRAWS = 150
DEPTH = 2  # the length of tuples, which the model knows

Shape = tuple[int, ...]


def nudged(random: np.random.Generator, shape: Shape) -> Shape:
    """The shape, or one that differs in a dimension."""
    if random.random() < 0.6:
        return shape
    place = random.integers(len(shape))
    return (*shape[:place], int(random.integers(0, 5)), *shape[place + 1 :])


def draw_data(random: np.random.Generator, shape: Shape) -> Array:
    return random.integers(-9, 9, shape).astype(np.float32)


def draw_indices(random: np.random.Generator, shape: Shape) -> Array:
    """Indices, few of them out of bounds."""
    return np.asarray(random.integers(-2, 3, shape) * random.choice([1, 1, 1, 2], shape))


def gather_nd(random: np.random.Generator) -> Case:
    data = draw_data(random, tuple(random.integers(0, 5, 3)))
    tuples = (*nudged(random, (data.shape[0],)), int(random.integers(0, 4)), 1)
    return Case("GatherND-8", (data, draw_indices(random, tuples)), {"batch_dims": 1})


def gather_elements(random: np.random.Generator) -> Case:
    data = draw_data(random, tuple(random.integers(0, 5, 3)))
    shape = nudged(random, (data.shape[0], int(random.integers(0, 5)), data.shape[2]))
    return Case("GatherElements-6", (data, draw_indices(random, shape)), {"axis": 1})


def scatter_nd(random: np.random.Generator) -> Case:
    data = draw_data(random, tuple(random.integers(0, 5, 3)))
    indices = draw_indices(random, (int(random.integers(0, 5)), DEPTH))
    updates = draw_data(random, nudged(random, (len(indices), data.shape[2])))
    return Case("ScatterNDUpdate-15", (data, indices, updates), {"reduction": "sum"})


def scatter_elements(random: np.random.Generator) -> Case:
    data = draw_data(random, tuple(random.integers(0, 5, 3)))
    indices = draw_indices(random, nudged(random, tuple(int(random.integers(0, size + 1)) for size in data.shape)))
    updates = draw_data(random, nudged(random, indices.shape))
    return Case("ScatterElementsUpdate-12", (data, indices, updates), {"axis": 0, "reduction": "sum"})


def in_bounds(indices: Array, sizes: list[Any]) -> bool:
    return bool(np.all(indices < sizes) and np.all(indices >= np.negative(sizes)))


def fits(case: Case) -> bool:
    data, indices, *updates = case.arrays
    if case.version.startswith("GatherND"):
        return indices.shape[0] == data.shape[0] and in_bounds(indices, [data.shape[1]])
    if case.version.startswith("GatherElements"):
        return (indices.shape[0], indices.shape[2]) == data.shape[::2] and in_bounds(indices, [data.shape[1]])
    if case.version.startswith("ScatterND"):
        return updates[0].shape == (len(indices), data.shape[2]) and in_bounds(indices, list(data.shape[:DEPTH]))
    if updates[0].shape != indices.shape or any(np.greater(indices.shape[1:], data.shape[1:])):
        return False
    return in_bounds(indices, [data.shape[0]])


@pytest.mark.parametrize("draw", [gather_nd, gather_elements, scatter_nd, scatter_elements])
def test_one_compiled_model_is_given_everything(draw: Callable[[np.random.Generator], Case]) -> None:
    random = np.random.default_rng(23)
    executable = graphs.compiled(graphs.replaced(make_model(draw(random), dynamic=True)))
    seen = {True: 0, False: 0}
    for _ in range(DRAWS):
        case = draw(random)
        seen[fits(case)] += 1
        before = strew_openvino.calls()
        if fits(case):
            (output,) = graphs.infer(executable, case.arrays)
            assert graphs.same_bits(output, case.expected())
            assert strew_openvino.calls() == before + 1 or 0 in output.shape
        else:
            with pytest.raises(RuntimeError):
                graphs.infer(executable, case.arrays)
            assert strew_openvino.calls() == before
    assert min(seen.values()) > DRAWS // 10, "both are drawn"
