"""Every version, dtype and reduction, bit for bit against a loop in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset8, opset15

import oracle
import strew_openvino
import sums
from cases import (
    DTYPES,
    MAKERS,
    Case,
    Counted,
    all_cases,
    as_array,
    assert_same,
    draw,
    infer,
    make_case,
    make_model,
    replaced,
    tensor,
)

CASES = list(all_cases())


def name_of(case: Case) -> str:
    return "-".join([case.version, str(case.arrays[0].dtype), *map(str, case.attributes.values())])


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_static_shapes(core: ov.Core, case: Case) -> None:
    compiled = core.compile_model(replaced(make_model(case)), "CPU")
    with Counted(1):
        (result,) = infer(compiled, case.arrays)
    assert_same(result, case.expected())


@pytest.mark.parametrize("case", CASES[::3], ids=name_of)
def test_dynamic_shapes(core: ov.Core, case: Case) -> None:
    compiled = core.compile_model(replaced(make_model(case, dynamic=True)), "CPU")
    with Counted(1):
        (result,) = infer(compiled, case.arrays)
    assert_same(result, case.expected())


@pytest.mark.parametrize("case", CASES[1::4], ids=name_of)
def test_the_model_by_itself(case: Case) -> None:
    """Evaluates without a plugin, and so without its conversions."""
    model = replaced(make_model(case))
    expected = case.expected()
    out = tensor(np.zeros_like(expected))
    with Counted(1):
        assert model.evaluate([out], [tensor(array) for array in case.arrays])
    assert_same(as_array(out), expected)


def test_all_versions_and_dtypes_are_here() -> None:
    assert {(case.version, case.arrays[0].dtype) for case in CASES} == {
        (version, dtype)
        for version in MAKERS
        for dtype in DTYPES
        if dtype.kind != "b" or version not in sums.EXPECTED
    }


@pytest.mark.parametrize("index_type", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
@pytest.mark.parametrize("version", ["Gather-8", "GatherND-8", "ScatterUpdate-3", "ScatterElementsUpdate-12"])
def test_types_of_indices(core: ov.Core, version: str, index_type: str) -> None:
    case = make_case(version, np.dtype(np.float32), 1)
    data, indices, *updates = case.arrays
    if np.dtype(index_type).kind == "u":
        indices = np.abs(indices) - (indices < 0)
    case = Case(version, (data, indices.astype(index_type), *updates))
    with Counted(1):
        (result,) = infer(core.compile_model(replaced(make_model(case)), "CPU"), case.arrays)
    assert_same(result, case.expected())


@pytest.mark.parametrize("position", [0, 1, 2, (0, 1), (1, 2), (0, 2)])
@pytest.mark.parametrize("dtype", ["float32", "int64", "float64", "bool"])
def test_constants(core: ov.Core, dtype: str, position: Any) -> None:
    case = make_case("ScatterNDUpdate-15", np.dtype(dtype), 1, reduction="sum")
    constants = [position] if isinstance(position, int) else position
    compiled = core.compile_model(replaced(make_model(case, constants=constants)), "CPU")
    with Counted(1):
        (result,) = infer(compiled, [array for at, array in enumerate(case.arrays) if at not in constants])
    assert_same(result, case.expected())


def test_all_constants_are_folded_by_strew(core: ov.Core) -> None:
    case = make_case("ScatterNDUpdate-15", np.dtype(np.float64), 1, reduction="sum")
    inputs = [opset15.constant(array) for array in case.arrays]
    bias = opset15.parameter([], np.float64)
    node = case.node(inputs)
    model = replaced(ov.Model([node, bias], [bias], "constant"))
    before = strew_openvino.calls()
    compiled = core.compile_model(model, "CPU")
    assert strew_openvino.calls() > before
    assert_same(infer(compiled, [np.float64(0)])[0], case.expected())


EMPTIES = [
    Case("Gather-8", (np.zeros((3, 4), np.float32), np.zeros((0, 2), np.int64)), {"axis": 1}),
    Case("Gather-8", (np.zeros((0, 4), np.int64), np.zeros(3, np.int64))),
    Case("Gather-7", (np.zeros((3, 0), np.int64), np.zeros(2, np.int64)), {"axis": 0}),
    Case("ScatterUpdate-3", (np.ones((3, 4), np.float32), np.zeros(0, np.int64), np.ones((0, 4), np.float32))),
    Case("GatherND-8", (np.zeros((3, 4), np.float32), np.zeros((0, 1), np.int64))),
    Case("GatherND-8", (np.zeros((3, 0), np.float32), np.zeros((2, 1), np.int64))),
    Case("GatherND-5", (np.zeros((0, 4), np.int64), np.zeros((0, 1), np.int64))),
    Case("GatherElements-6", (np.zeros((3, 4), np.float64), np.zeros((0, 4), np.int64)), {"axis": 0}),
    Case("ScatterNDUpdate-15", (np.ones((3, 4), np.float32), np.zeros((0, 1), np.int64), np.ones((0, 4), np.float32))),
    Case("ScatterNDUpdate-3", (np.ones((0, 4), np.float32), np.zeros((0, 1), np.int64), np.ones((0, 4), np.float32))),
    Case(
        "ScatterElementsUpdate-12",
        (np.ones((3, 4), np.int64), np.zeros((0, 4), np.int64), np.ones((0, 4), np.int64)),
        {"axis": 0, "reduction": "mean"},
    ),
    Case(
        "ScatterElementsUpdate-3",
        (np.ones((0, 4), np.float16), np.zeros((0, 0), np.int32), np.ones((0, 0), np.float16)),
        {"axis": 1},
    ),
]


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("case", EMPTIES, ids=lambda case: case.version)
def test_empty_tensors(core: ov.Core, case: Case, dynamic: bool) -> None:
    (result,) = infer(core.compile_model(replaced(make_model(case, dynamic)), "CPU"), case.arrays)
    assert_same(result, case.expected())


def test_updates_of_one_element_where_they_need_rank_0(core: ov.Core) -> None:
    data, indices = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([1, -1])
    for shape in ([], [1], [1, 1]):
        inputs = [opset15.parameter(list(array.shape), array.dtype) for array in (data, indices)]
        inputs.append(opset15.parameter(shape, np.float32))
        model = ov.Model([opset15.scatter_nd_update(*inputs, "sum")], inputs, "one")
        with Counted(1):
            (result,) = infer(
                core.compile_model(replaced(model), "CPU"), [data, indices, np.full(shape, 10, np.float32)]
            )
        assert_same(result, np.array([[0, 1, 2], [3, 4, 15]], np.float32))


def test_the_axis_may_be_computed(core: ov.Core) -> None:
    case = make_case("ScatterElementsUpdate-12", np.dtype(np.float32), 1, axis=1, reduction="sum")
    inputs = [opset15.parameter(list(array.shape), array.dtype) for array in case.arrays]
    axis = opset15.parameter([1], np.int32)
    node = opset15.scatter_elements_update(*inputs, opset15.add(axis, opset15.constant([1], np.int32)), "sum")
    compiled = core.compile_model(replaced(ov.Model([node], [*inputs, axis], "axis")), "CPU")
    with Counted(1):
        (result,) = infer(compiled, [*case.arrays, np.zeros(1, np.int32)])
    assert_same(result, case.expected())


def test_shapes_change_from_call_to_call(core: ov.Core) -> None:
    random = np.random.default_rng(5)
    model = make_model(make_case("GatherND-8", np.dtype(np.float32)), dynamic=True)
    compiled = core.compile_model(replaced(model), "CPU")
    request = compiled.create_infer_request()
    for rows, count in ((5, 3), (1, 9), (40, 0), (7, 70)):
        data = draw(random, np.dtype(np.float32), (rows, 3, 2, 2))
        indices = np.stack([random.integers(-size, size, count) for size in (rows, 3)], axis=-1)
        request.infer([data, indices])
        assert_same(as_array(request.get_output_tensor()), oracle.gather_nd(data, indices))


def test_large_calls_have_the_bits_of_small_ones(core: ov.Core) -> None:
    """Above the thresholds from which threads share a call."""
    random = np.random.default_rng(7)
    data = random.standard_normal((20000, 16)).astype(np.float32)
    indices = random.integers(-20000, 20000, (30000, 1))
    updates = random.standard_normal((30000, 16)).astype(np.float32)
    expected = data.copy()
    for (row,), update in zip(indices, updates):
        expected[row] += update
    case = Case("ScatterNDUpdate-15", (data, indices, updates), {"reduction": "sum"})
    (result,) = infer(core.compile_model(replaced(make_model(case)), "CPU"), case.arrays)
    assert_same(result, expected)
    gathered = Case("GatherND-8", (result, indices))
    (rows,) = infer(core.compile_model(replaced(make_model(gathered)), "CPU"), gathered.arrays)
    assert_same(rows, expected[indices[:, 0]])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "float16"])
def test_mean_of_many_elements(core: ov.Core, dtype: str) -> None:
    random = np.random.default_rng(9)
    data = draw(random, np.dtype(dtype), (700, 3))
    indices = random.integers(-700, 700, (5000, 3))
    updates = draw(random, np.dtype(dtype), (5000, 3))
    case = Case("ScatterElementsUpdate-12", (data, indices, updates), {"axis": 0, "reduction": "mean"})
    (result,) = infer(core.compile_model(replaced(make_model(case)), "CPU"), case.arrays)
    assert_same(result, case.expected())


@pytest.mark.parametrize("node_type", ["string", "i4", "u4", "f8e4m3"])
def test_types_without_a_dtype_are_left_with_a_reason(node_type: str) -> None:
    inputs = [opset15.parameter([4], getattr(ov.Type, node_type)), opset15.parameter([2, 1], np.int64)]
    node = opset8.gather_nd(*inputs)
    node.set_friendly_name("odd")
    model = ov.Model([node], inputs, "odd")
    report = strew_openvino.replace(model, exact=True)
    assert report.replaced == ()
    (left,) = report.left
    assert (left.name, left.operator) == ("odd", "GatherND-8")
    assert left.reason == f"data is {node_type}, which this guest has no dtype for"
    assert [op.get_type_name() for op in model.get_ordered_ops()].count("GatherND") == 1


def test_a_type_that_is_not_known_is_left() -> None:
    inputs = [opset15.parameter([4], ov.Type.dynamic), opset15.parameter([2, 1], np.int64)]
    report = strew_openvino.replace(ov.Model([opset8.gather_nd(*inputs)], inputs, "unknown"))
    assert [node.reason for node in report.left] == ["the type of data is not known before it runs"]
