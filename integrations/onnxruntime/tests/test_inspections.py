"""Constant indices of a model, which strew inspects once, by both ways into the runtime."""

from __future__ import annotations

import concurrent.futures
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import strew_onnxruntime
from onnx import helper, numpy_helper

import models
import reference

Array = models.Array
WAYS = ("custom operators", "provider")
MOST_SHAPES = 8  # for which a node keeps plans


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    if request.param == "provider" and not strew_onnxruntime.has_provider():
        pytest.skip("needs ONNX Runtime 1.24 or newer")
    return str(request.param)


def open_session(way: str, model: onnx.ModelProto, threads: int = 1) -> onnxruntime.InferenceSession:
    options = models.quiet_options(threads)
    if way == "provider":
        return onnxruntime.InferenceSession(model.SerializeToString(), strew_onnxruntime.session_options(options, exact=True))
    options.register_custom_ops_library(strew_onnxruntime.extension_path())
    converted = strew_onnxruntime.convert(model, exact=True).SerializeToString()
    return onnxruntime.InferenceSession(converted, options, providers=["CPUExecutionProvider"])


def model_of(kind: str, data: Array, indices: Array, is_input: bool = False, **attributes: Any) -> onnx.ModelProto:
    """A model of one node, whose indices are an initializer; with is_input they are also an input, which may replace
    it."""
    name = next(name for name, dtype in models.DTYPES.items() if np.dtype(dtype) == data.dtype)
    operands = ["data", "indices"] + ["updates"] * kind.startswith("Scatter")
    inputs = [models.value(each, name, None) for each in operands if each != "indices"]
    if is_input:
        inputs.append(models.value("indices", "int64", indices.shape))
    node = helper.make_node(kind, operands, ["output"], **attributes)
    constant = numpy_helper.from_array(indices, "indices")
    return models.make_model([node], inputs, [models.value("output", name, None)], initializer=[constant])


def run(session: onnxruntime.InferenceSession, inspected: int, *operands: Array) -> Array:
    """The output of a run. Checks how many of its nodes had inspected indices."""
    before = strew_onnxruntime.runs(), strew_onnxruntime.runs_inspected()
    output = models.run(session, *operands)
    after = strew_onnxruntime.runs(), strew_onnxruntime.runs_inspected()
    assert (after[0] - before[0], after[1] - before[1]) == (1, inspected)
    return output


def updates_of(kind: str, dtype: str, data: Array, indices: Array, seed: int) -> list[Array]:
    if not kind.startswith("Scatter"):
        return []
    shape = (*indices.shape[:-1], *data.shape[indices.shape[-1] :]) if kind.endswith("ND") else indices.shape
    return [models.draw(np.random.default_rng(seed), dtype, shape)]


@pytest.mark.parametrize("dtype", models.DTYPES)
@pytest.mark.parametrize("kind", ["GatherND", "ScatterND", "ScatterElements"])
def test_results_are_those_of_a_loop(way: str, kind: str, dtype: str) -> None:
    rng = np.random.default_rng(5)
    indices = rng.integers(-5, 5, (12, 2) if kind.endswith("ND") else (9, 5))
    for reduction in models.reductions_of(kind, 18, dtype):
        attributes = {"reduction": reduction} if kind.startswith("Scatter") else {}
        session = open_session(way, model_of(kind, models.draw(rng, dtype, (7, 5)), indices, **attributes))
        for seed in range(3):
            data = models.draw(np.random.default_rng(seed), dtype, (7, 5))
            updates = updates_of(kind, dtype, data, indices, seed)
            result = run(session, 1, data, *updates)
            assert reference.same_bits(result, reference.run(kind, data, indices, *updates, **attributes))


@pytest.mark.parametrize("index_dtype", ["int32", "int64"])
@pytest.mark.parametrize("axis", [0, 1])
def test_along_an_axis(way: str, axis: int, index_dtype: str) -> None:
    rng = np.random.default_rng(6)
    data, indices = models.draw(rng, "float", (7, 5)), rng.integers(-5, 5, (6, 5)).astype(index_dtype)
    updates = models.draw(rng, "float", indices.shape)
    session = open_session(way, model_of("ScatterElements", data, indices, axis=axis, reduction="add"))
    right = reference.run("ScatterElements", data, indices, updates, axis=axis, reduction="add")
    assert reference.same_bits(run(session, 1, data, updates), right)


def test_each_shape_is_looked_at_by_itself(way: str) -> None:
    """A negative constant counts from the end of the current data; beyond MOST_SHAPES shapes no plan is kept."""
    indices = np.array([[-1, 0], [0, -2], [1, 1]])
    session = open_session(way, model_of("GatherND", np.zeros((2, 2), np.float32), indices))
    sizes = range(2, 2 + 2 * MOST_SHAPES)
    for _ in range(2):
        for n, size in enumerate(sizes):
            data = np.random.default_rng(size).standard_normal((size, 3)).astype(np.float32)
            result = run(session, int(n < MOST_SHAPES), data)
            assert reference.same_bits(result, reference.run("GatherND", data, indices))


def test_a_wrong_constant_is_refused_by_each_run(way: str) -> None:
    indices = np.array([[1, 1], [3, -4]])
    session = open_session(way, model_of("GatherND", np.zeros((2, 2), np.float32), indices))
    for _ in range(3):
        with pytest.raises(Exception, match=r"indices\[1\]\[1\] is -4, outside \[-3, 2\] for dimension 1 of data"):
            models.run(session, np.zeros((4, 3), np.float32))
        data = np.arange(16, dtype=np.float32).reshape(4, 4)  # in which it is right
        assert run(session, 1, data).tolist() == [data[1, 1], data[3, 0]]


def test_indices_that_are_no_constant_are_looked_at_by_each_run(way: str) -> None:
    data, indices = np.arange(12, dtype=np.float32).reshape(4, 3), np.array([[1, 2], [3, 0]])
    session = open_session(way, model_of("GatherND", data, indices, is_input=True))
    before = strew_onnxruntime.runs_inspected()
    for given in (indices, indices[::-1].copy(), indices * 0):
        [result] = session.run(None, {"data": data, "indices": given})
        assert reference.same_bits(result, reference.run("GatherND", data, given))
    assert reference.same_bits(models.run(session, data), reference.run("GatherND", data, indices))
    assert strew_onnxruntime.runs_inspected() == before


@pytest.mark.parametrize(
    ("kind", "data", "indices"),
    [
        ("GatherND", (6, 64), [[1], [5]]),
        ("GatherND", (6, 4, 64), [[1, 0], [5, 3]]),
        ("GatherND", (6, 3), [[1], [5]]),
        ("GatherElements", (6, 3), [[1, 2, 5]]),
        ("Gather", (6, 3), [1, 2, 5]),
        ("ScatterND", (6, 64), [[1], [5]]),
    ],
)
def test_what_gains_nothing_is_not_inspected(way: str, kind: str, data: Any, indices: Any) -> None:
    """Rows of 256 bytes and more, and single indices that are gathered by."""
    table, constant = np.arange(np.prod(data), dtype=np.float32).reshape(data), np.array(indices)
    session = open_session(way, model_of(kind, table, constant))
    updates = updates_of(kind, "float", table, constant, 1)
    result = run(session, 0, table, *updates)
    assert reference.same_bits(result, reference.run(kind, table, constant, *updates))


def test_no_indices(way: str) -> None:
    data, none = np.ones((3, 2), np.float32), np.zeros((0, 2), np.int64)
    session = open_session(way, model_of("ScatterND", data, none))
    assert reference.same_bits(run(session, 0, data, np.zeros(0, np.float32)), data)


def test_in_place(way: str) -> None:
    """An intermediate that nothing else reads; the model's own input stays as it is."""
    indices = np.array([[1, 0], [3, 1], [1, 0]])
    nodes = [
        helper.make_node("Neg", ["data"], ["a"]),
        helper.make_node("ScatterND", ["a", "indices", "updates"], ["b"], reduction="add"),
        helper.make_node("Neg", ["b"], ["output"]),
    ]
    inputs = [models.value("data", "float", ["n", 2]), models.value("updates", "float", [3])]
    constant = numpy_helper.from_array(indices, "indices")
    outputs = [models.value("output", "float", ["n", 2])]
    session = open_session(way, models.make_model(nodes, inputs, outputs, initializer=[constant]))
    data, updates = np.arange(8, dtype=np.float32).reshape(4, 2), np.array([1, 2, 4], np.float32)
    right = -reference.run("ScatterND", -data, indices, updates, reduction="add")
    for _ in range(3):
        before = strew_onnxruntime.runs_in_place()
        assert reference.same_bits(run(session, 1, data, updates), right)
        assert strew_onnxruntime.runs_in_place() == before + 1


def test_many_threads_run_one_session(way: str) -> None:
    """Each of several shapes is first met by several threads at once; sums are shared among the runtime's threads."""
    rng = np.random.default_rng(9)
    indices = rng.integers(0, 500, (60_000, 1))
    updates = rng.standard_normal(60_000).astype(np.float32)
    session = open_session(way, model_of("ScatterND", updates, indices, reduction="add"), 3)
    tables = [rng.standard_normal(size).astype(np.float32) for size in (500, 600, 70_000)]
    right = [reference.run("ScatterND", table, indices, updates, reduction="add") for table in tables]

    def work(n: int) -> bool:
        return reference.same_bits(models.run(session, tables[n % 3], updates), right[n % 3])

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(60)))
