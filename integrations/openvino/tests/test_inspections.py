"""Constant indices of a model, which strew inspects once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset8, opset15

import strew_openvino
from cases import Array, Case, all_cases, assert_same, draw, infer, is_replacement, make_model, replaced, tensor

MOST_SHAPES = 8  # for which an operation keeps inspections
INSPECTED = ("GatherND", "ScatterND", "ScatterElements", "ScatterUpdate")
CASES = [case for case in all_cases() if case.version.startswith(INSPECTED)]


class Inspected:
    """Checks how many of strew's calls within had inspected indices."""

    def __init__(self, count: int, calls: int = 1) -> None:
        self.counts = calls, count

    def __enter__(self) -> None:
        self.before = strew_openvino.calls(), strew_openvino.inspected_calls()

    def __exit__(self, kind: Any, *rest: Any) -> None:
        if kind is None:
            after = strew_openvino.calls(), strew_openvino.inspected_calls()
            assert (after[0] - self.before[0], after[1] - self.before[1]) == self.counts


def compiled_with_constants(core: ov.Core, case: Case, dynamic: bool = False, **settings: Any) -> ov.CompiledModel:
    return core.compile_model(replaced(make_model(case, dynamic, constants=(1,))), "CPU", settings)


def without_indices(case: Case) -> tuple[Array, ...]:
    return (case.arrays[0], *case.arrays[2:])


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("case", CASES[::3], ids=lambda case: f"{case.version}-{case.arrays[0].dtype}")
def test_results_are_those_of_a_loop(core: ov.Core, case: Case, dynamic: bool) -> None:
    compiled = compiled_with_constants(core, case, dynamic)
    for seed in range(3):
        random = np.random.default_rng(seed)
        drawn = [draw(random, array.dtype, array.shape) for array in without_indices(case)]
        with Inspected(1):
            (result,) = infer(compiled, drawn)
        assert_same(result, Case(case.version, (drawn[0], case.arrays[1], *drawn[1:]), case.attributes).expected())


def test_each_shape_is_looked_at_by_itself(core: ov.Core) -> None:
    """A negative constant counts from the end of the current data; beyond MOST_SHAPES shapes no inspection is kept."""
    indices = np.array([[-1, 0], [0, -2], [1, 1]])
    compiled = compiled_with_constants(core, Case("GatherND-8", (np.zeros((2, 3), np.float32), indices)), dynamic=True)
    for _ in range(2):
        for n, size in enumerate(range(2, 2 + 2 * MOST_SHAPES)):
            data = np.random.default_rng(size).standard_normal((size, 3)).astype(np.float32)
            with Inspected(int(n < MOST_SHAPES)):
                (result,) = infer(compiled, [data])
            assert_same(result, Case("GatherND-8", (data, indices)).expected())


def test_a_wrong_constant_is_refused_by_each_call(core: ov.Core) -> None:
    indices = np.array([[1, 1], [3, -4]])
    settings = {"INFERENCE_NUM_THREADS": 2}
    compiled = compiled_with_constants(core, Case("GatherND-8", (np.zeros((4, 3)), indices)), dynamic=True, **settings)
    for _ in range(3):
        with pytest.raises(RuntimeError, match=r"indices\[1\]\[1\] is -4, outside \[-3, 2\] for dimension 1 of data"):
            infer(compiled, [np.zeros((4, 3))])
        data = np.arange(16.0).reshape(4, 4)  # in which it is right
        with Inspected(1):
            assert infer(compiled, [data])[0].tolist() == [data[1, 1], data[3, 0]]


@pytest.mark.parametrize(
    ("version", "data", "indices"),
    [
        ("GatherND-8", (6, 64), [[1], [5]]),
        ("GatherND-8", (6, 4, 64), [[1, 0], [5, 3]]),
        ("GatherND-8", (6, 3), [[1], [5]]),
        ("GatherElements-6", (6, 3), [[1, 2, 5]]),
        ("Gather-8", (6, 3), [1, 2, 5]),
        ("ScatterNDUpdate-15", (6, 64), [[1], [5]]),
    ],
)
def test_what_gains_nothing_is_not_inspected(core: ov.Core, version: str, data: Any, indices: Any) -> None:
    """Rows of 256 bytes and more, and single indices that are gathered by."""
    arrays = [np.arange(np.prod(data), dtype=np.float32).reshape(data), np.array(indices)]
    if version.startswith("Scatter"):
        arrays.append(arrays[0][:2])
    case = Case(version, tuple(arrays))
    with Inspected(0):
        (result,) = infer(compiled_with_constants(core, case), without_indices(case))
    assert_same(result, case.expected())


def test_indices_that_are_no_constant_are_looked_at_by_each_call(core: ov.Core) -> None:
    data, indices = np.arange(12.0).reshape(4, 3), np.array([[1, 2], [3, 0]])
    compiled = core.compile_model(replaced(make_model(Case("GatherND-8", (data, indices)))), "CPU")
    for given in (indices, indices[::-1]):
        with Inspected(0):
            (result,) = infer(compiled, [data, given])
        assert_same(result, Case("GatherND-8", (data, given)).expected())


def test_an_operation_that_is_evaluated_with_others() -> None:
    """A caller that evaluates a single node may pass other indices than the constant."""
    data, indices = np.arange(12.0).reshape(4, 3), np.array([[1, 2], [3, 0]])
    model = replaced(make_model(Case("GatherND-8", (data, indices)), constants=(1,)))
    (operation,) = filter(is_replacement, model.get_ops())
    for given in (indices, indices[::-1], indices * 0):
        output = tensor(np.zeros(2))
        with Inspected(0):
            assert operation.evaluate([output], [tensor(data), tensor(given)])
        assert_same(np.array(output.data), Case("GatherND-8", (data, given)).expected())


def test_one_constant_of_two_operations(core: ov.Core, tmp_path: Path) -> None:
    """Also in a model that is read from a file."""
    data, updates = opset15.parameter([5, 4], np.float32), opset15.parameter([3], np.float32)
    indices = opset15.constant(np.array([[1, 3], [-1, 0], [1, 3]]))
    added = opset15.scatter_nd_update(data, indices, updates, reduction="sum")
    model = ov.Model([opset8.gather_nd(added, indices)], [data, updates], "model")
    replaced(model, 2)
    ov.save_model(model, tmp_path / "model.xml", compress_to_fp16=False)
    reader = ov.Core()
    reader.add_extension(strew_openvino.extension_path())
    table, given = np.arange(20, dtype=np.float32).reshape(5, 4), np.array([1, 2, 4], np.float32)
    for compiled in (core.compile_model(model, "CPU"), reader.compile_model(tmp_path / "model.xml", "CPU")):
        for _ in range(2):
            with Inspected(2, 2):
                assert infer(compiled, [table, given])[0].tolist() == [12, 18, 12]


@pytest.mark.parametrize("streams", [1, 3])
def test_a_queue_of_requests(core: ov.Core, streams: int) -> None:
    """Each of several shapes is first met by several streams at once."""
    random = np.random.default_rng(29)
    indices = random.integers(-500, 500, (30_000, 1))
    updates = random.standard_normal(30_000).astype(np.float32)
    tables = [random.standard_normal(size).astype(np.float32) for size in (500, 600, 70_000)]
    cases = [Case("ScatterNDUpdate-15", (table, indices, updates), {"reduction": "sum"}) for table in tables]
    expected = []
    for table in tables:
        right = table.copy()
        np.add.at(right, indices[:, 0], updates)
        expected.append(right)
    compiled = compiled_with_constants(core, cases[0], dynamic=True, NUM_STREAMS=streams, INFERENCE_NUM_THREADS=4)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda n: infer(compiled, [tables[n % 3], updates])[0], range(30)))
    for n, result in enumerate(results):
        assert_same(result, expected[n % 3])
