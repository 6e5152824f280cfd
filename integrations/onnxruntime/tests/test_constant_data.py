"""Scatters into a constant of one value, which the runtime makes of a ConstantOfShape: strew writes it instead of
copying."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import strew_onnxruntime
from onnx import helper, numpy_helper

import models
import reference
from test_inspections import open_session, way  # noqa: F401  a fixture

Array = models.Array
KINDS = ("ScatterND", "ScatterElements")


def behind_constant(kind: str, shape: tuple[int, ...], value: Array, **attributes: Any) -> onnx.ModelProto:
    """A scatter behind a ConstantOfShape of a known shape."""
    name = next(name for name, dtype in models.DTYPES.items() if np.dtype(dtype) == value.dtype)
    nodes = [
        helper.make_node("ConstantOfShape", ["shape"], ["data"], value=numpy_helper.from_array(value, "value")),
        helper.make_node(kind, ["data", "indices", "updates"], ["output"], **attributes),
    ]
    columns = 1 if kind == "ScatterND" else shape[1]
    inputs = [models.value("indices", "int64", ["m", columns]), models.value("updates", name, ["m", shape[1]])]
    constant = numpy_helper.from_array(np.array(shape), "shape")
    return models.make_model(nodes, inputs, [models.value("output", name, shape)], initializer=[constant])


def run_in_place(session: onnxruntime.InferenceSession, in_place: int, *operands: Array) -> Array:
    before = strew_onnxruntime.runs_in_place()
    output = models.run(session, *operands)
    assert strew_onnxruntime.runs_in_place() == before + in_place
    return output


def operands_of(kind: str, shape: tuple[int, int], count: int, dtype: str) -> tuple[Array, Array]:
    rng = np.random.default_rng(count)
    columns = 1 if kind == "ScatterND" else shape[1]
    indices = rng.integers(-shape[0], shape[0], (count, columns))
    return indices, models.draw(rng, dtype, (count, shape[1]))


VALUES = {"float": (0, -0.0, np.inf, np.nan, 1.5), "double": (0, 2.5), "int8": (-3,), "int64": (1 << 40,), "bool": (1,)}


@pytest.mark.parametrize("dtype", VALUES)
@pytest.mark.parametrize("kind", KINDS)
def test_in_place(way: str, kind: str, dtype: str) -> None:  # noqa: F811
    shape = (7, 5)
    indices, updates = operands_of(kind, shape, 11, dtype)
    for value in VALUES[dtype]:
        one = np.array([value], models.DTYPES[dtype])
        for reduction in models.reductions_of(kind, 18, dtype)[: 1 if dtype == "bool" else 5]:
            session = open_session(way, behind_constant(kind, shape, one, reduction=reduction))
            right = reference.run(kind, np.full(shape, one[0]), indices, updates, reduction=reduction)
            for _ in range(2):
                assert reference.same_bits(run_in_place(session, 1, indices, updates), right)


@pytest.mark.parametrize("kind", KINDS)
def test_large_on_threads(way: str, kind: str) -> None:  # noqa: F811
    """Several threads fill, and the last block is not whole."""
    shape = (40_001, 13)
    one = np.array([3], np.float32)
    indices, updates = operands_of(kind, shape, 3000, "float")
    session = open_session(way, behind_constant(kind, shape, one), 2)
    right = np.full(shape, one[0])
    if kind == "ScatterND":
        right[indices[:, 0]] = updates
    else:
        for row, places in zip(updates, indices, strict=True):
            right[places, np.arange(shape[1])] = row
    for _ in range(3):
        assert reference.same_bits(run_in_place(session, 1, indices, updates), right)


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_index(way: str, kind: str) -> None:  # noqa: F811
    shape = (7, 5)
    indices, updates = operands_of(kind, shape, 4, "float")
    session = open_session(way, behind_constant(kind, shape, np.zeros(1, np.float32)))
    wrong = indices.copy()
    wrong[3, 0] = 7
    with pytest.raises(Exception, match=r"indices\[3\]\[0\] is 7, outside \[-7, 6\]"):
        models.run(session, wrong, updates)
    right = reference.run(kind, np.zeros(shape, np.float32), indices, updates)
    assert reference.same_bits(run_in_place(session, 1, indices, updates), right)


def test_an_output_in_the_updates(way: str) -> None:  # noqa: F811
    """strew refuses, and leaves the updates as they were."""
    shape = (4, 3)
    session = open_session(way, behind_constant("ScatterND", shape, np.zeros(1, np.float32)))
    indices, updates = np.array([[0], [1], [2], [3]]), np.ones(shape, np.float32)
    binding = session.io_binding()
    bound = onnxruntime.OrtValue.ortvalue_from_numpy(updates)
    binding.bind_ortvalue_input("indices", onnxruntime.OrtValue.ortvalue_from_numpy(indices))
    binding.bind_ortvalue_input("updates", bound)
    binding.bind_ortvalue_output("output", bound)
    with pytest.raises(Exception, match="output overlaps updates"):
        session.run_with_iobinding(binding)
    assert (updates == 1).all()


def test_a_constant_of_two_values_is_copied(way: str) -> None:  # noqa: F811
    data = np.zeros((7, 5), np.float32)
    data[6, 4] = 1
    indices, updates = operands_of("ScatterND", data.shape, 3, "float")
    inputs = [models.value("indices", "int64", ["m", 1]), models.value("updates", "float", ["m", 5])]
    node = helper.make_node("ScatterND", ["data", "indices", "updates"], ["output"])
    constant = numpy_helper.from_array(data, "data")
    outputs = [models.value("output", "float", data.shape)]
    session = open_session(way, models.make_model([node], inputs, outputs, initializer=[constant]))
    right = reference.run("ScatterND", data, indices, updates)
    assert reference.same_bits(run_in_place(session, 0, indices, updates), right)


@pytest.mark.parametrize("kind", KINDS)
def test_dimensions_of_names(way: str, kind: str) -> None:  # noqa: F811
    """A ConstantOfShape that runs is written over, where the model has a name for each of its dimensions."""
    columns = 1 if kind == "ScatterND" else 3
    nodes = [
        helper.make_node("Shape", ["like"], ["shape"]),
        helper.make_node("ConstantOfShape", ["shape"], ["zeros"]),
        helper.make_node(kind, ["zeros", "indices", "updates"], ["sums"], reduction="add"),
        helper.make_node("Neg", ["sums"], ["output"]),
    ]
    inputs = [
        models.value("indices", "int64", ["m", columns]),
        models.value("updates", "float", ["m", 3]),
        models.value("like", "float", ["n", 3]),
    ]
    outputs = [models.value("output", "float", ["n", 3])]
    named = [models.value("zeros", "float", ["n", 3])]
    session = open_session(way, models.make_model(nodes, inputs, outputs, value_info=named))
    for rows in (50, 60):
        like = np.zeros((rows, 3), np.float32)
        indices, updates = operands_of(kind, like.shape, 20, "float")
        right = -reference.run(kind, like, indices, updates, reduction="add")
        assert reference.same_bits(run_in_place(session, 1, indices, updates, like), right)
