"""Gather and ScatterUpdate: the published examples, indices of every kind, and the operations that OpenVINO keeps."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset8, opset15

import strew_openvino
from cases import Array, Case, Counted, as_array, assert_same, gather, infer, is_replacement, make_model, replaced

D5 = np.array([1, 2, 3, 4, 5], np.float32)
D25 = np.arange(1, 11, dtype=np.float32).reshape(2, 5)
D225 = np.arange(1, 21, dtype=np.float32).reshape(2, 2, 5)
D2154 = np.arange(1, 41, dtype=np.float32).reshape(2, 1, 5, 4)
FAR = 2**32 + 1  # 32 bits keep only the 1

# data, indices, axis, batch_dims, output
PUBLISHED: list[tuple[Array, Any, int, int, Any]] = [
    (D5, [0, 0, 4], 0, 0, [1, 1, 5]),
    (D25, [[0, 0, 4], [4, 0, 0]], 1, 1, [[1, 1, 5], [10, 6, 6]]),
    (
        D225,
        [[[0, 0, 4], [4, 0, 0]], [[1, 2, 4], [4, 3, 2]]],
        2,
        2,
        [[[1, 1, 5], [10, 6, 6]], [[12, 13, 15], [20, 19, 18]]],
    ),
    (D25, [[0, 0, 4], [4, 0, 0]], 1, -1, [[1, 1, 5], [10, 6, 6]]),
    (
        D2154,
        [[1, 2, 4], [4, 3, 2]],
        2,
        1,
        [
            [[[5, 6, 7, 8], [9, 10, 11, 12], [17, 18, 19, 20]]],
            [[[37, 38, 39, 40], [33, 34, 35, 36], [29, 30, 31, 32]]],
        ],
    ),
]


def run(core: ov.Core, case: Case, constants: tuple[int, ...] = ()) -> Array:
    compiled = core.compile_model(replaced(make_model(case, constants=constants)), "CPU")
    with Counted(1):
        (result,) = infer(compiled, [array for at, array in enumerate(case.arrays) if at not in constants])
    return result


@pytest.mark.parametrize("version", ["Gather-7", "Gather-8"])
@pytest.mark.parametrize("index_type", [np.int32, np.int64])
@pytest.mark.parametrize(("data", "indices", "axis", "batch_dims", "expected"), PUBLISHED)
def test_published_gathers(
    core: ov.Core,
    data: Array,
    indices: Any,
    axis: int,
    batch_dims: int,
    expected: Any,
    version: str,
    index_type: type,
) -> None:
    case = Case(version, (data, np.array(indices, index_type)), {"axis": axis, "batch_dims": batch_dims})
    assert_same(run(core, case), np.array(expected, np.float32))
    assert_same(case.expected(), np.array(expected, np.float32))


@pytest.mark.parametrize(
    ("indices", "expected"),
    [
        ([0, -2, -1], [1, 4, 5]),
        ([3, 10, -20], [4, 0, 0]),
        ([3, 10, -20, -1, -5, -6, 5], [4, 0, 0, 5, 1, 0, 0]),
        ([FAR, -FAR, 1], [0, 0, 2]),
        ([2**63 - 1, -(2**63), 4], [0, 0, 5]),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "int64", "int32", "uint16", "float64", "bool"])
@pytest.mark.parametrize("constants", [(), (0,), (1,)])
def test_gather_8_has_zeros_outside(
    core: ov.Core, indices: list[int], expected: list[int], dtype: str, constants: tuple[int, ...]
) -> None:
    """OpenVINO's plugin is no reference here: it leaves memory unchanged for some types, and narrows indices."""
    case = Case("Gather-8", (D5.astype(dtype), np.array(indices)))
    assert_same(run(core, case, constants), np.array(expected).astype(dtype))


@pytest.mark.parametrize("index", [2**32 - 1, 2**64 - 1])
def test_an_unsigned_index_is_outside(core: ov.Core, index: int) -> None:
    dtype = np.uint32 if index < 2**32 else np.uint64
    case = Case("Gather-8", (D5, np.array([index, 2], dtype)))
    assert run(core, case).tolist() == [0, 3]


@pytest.mark.parametrize("index", [-1, 5, FAR, -(2**63)])
@pytest.mark.parametrize("version", ["Gather-1", "Gather-7", "ScatterUpdate-3"])
def test_the_other_versions_refuse_what_is_outside(core: ov.Core, version: str, index: int) -> None:
    updates = (np.zeros(2, np.float32),) if version == "ScatterUpdate-3" else ()
    case = Case(version, (D5, np.array([3, index]), *updates))
    message = f"the_operation ({version} by strew): indices[1] is {index}, outside [0, 4] for dimension 0 of data"
    with pytest.raises(RuntimeError, match=re.escape(message)):
        run(core, case)


def test_published_scatter_update(core: ov.Core) -> None:
    data = np.array([[-1, 1, -1, 3, 4], [-1, 6, -1, 8, 9], [-1, 11, 1, 13, 14]], np.float32)
    updates = np.array([[1, 1], [1, 1], [1, 2]], np.float32)
    expected = np.array([[1, 1, 1, 3, 4], [1, 6, 1, 8, 9], [1, 11, 2, 13, 14]], np.float32)
    for index_type in (np.int8, np.int32, np.int64, np.uint64):
        assert_same(
            run(core, Case("ScatterUpdate-3", (data, np.array([0, 2], index_type), updates), {"axis": 1})), expected
        )


def test_a_scalar_index_of_scatter_update(core: ov.Core) -> None:
    """OpenVINO's plugin refuses this, but the specification allows it."""
    updates = np.array([9, 8], np.float32)
    result = run(core, Case("ScatterUpdate-3", (D25, np.array(3), updates), {"axis": -1}))
    assert result.tolist() == [[1, 2, 3, 9, 5], [6, 7, 8, 8, 10]]


def test_the_last_update_stays(core: ov.Core) -> None:
    random = np.random.default_rng(3)
    indices, updates = random.integers(0, 50, 20000), random.standard_normal((20000, 16)).astype(np.float32)
    case = Case("ScatterUpdate-3", (np.zeros((60, 16), np.float32), indices, updates))
    assert_same(run(core, case), case.expected())


def test_int64_stays_what_it_is(core: ov.Core) -> None:
    data = np.array([2**40 + 7, -(2**33), 5])
    assert run(core, Case("Gather-8", (data, np.array([1, 0, -1])))).tolist() == [-(2**33), 2**40 + 7, 5]
    updates = np.array([2**50])
    assert run(core, Case("ScatterUpdate-3", (data, np.array([2]), updates))).tolist() == [*data[:2], 2**50]


def test_the_axis_of_a_gather_may_be_computed(core: ov.Core) -> None:
    inputs = [opset15.parameter([2, 5], np.float32), opset15.parameter([3], np.int64), opset15.parameter([1], np.int32)]
    axis = opset15.add(inputs[2], opset15.constant([1], np.int32))
    model = replaced(ov.Model([opset8.gather(inputs[0], inputs[1], axis)], inputs, "axis"))
    compiled = core.compile_model(model, "CPU")
    for given, indices in ((0, [4, 4, 0]), (-1, [1, 0, 1])):
        with Counted(1):
            (result,) = infer(compiled, [D25, np.array(indices), np.array([given], np.int32)])
        assert_same(result, gather(D25, np.array(indices), given + 1))


# -- operations that OpenVINO keeps -----------------------------------------------------------------------------------


def int64(*values: int) -> Any:
    return opset15.constant(np.array(values, np.int64))


def picked(data: Any, indices: Any, name: str = "picked") -> Any:
    node = opset8.gather(data, indices, int64(0))
    node.set_friendly_name(name)
    return node


def attention_like() -> ov.Model:
    """Gathers rows of a table, then takes its shape apart and together again, as exported models do."""
    table, words = opset15.parameter([-1, 8], np.float32), opset15.parameter([-1, -1], np.int64)
    rows = picked(table, words, "embedding")
    shape = opset15.shape_of(rows)
    leading = picked(shape, int64(0, 1), "leading")
    doubled = opset15.multiply(picked(shape, int64(2), "width"), int64(1))
    halves = opset15.divide(doubled, int64(2))
    reshaped = opset15.reshape(rows, opset15.concat([leading, int64(2), halves], 0), False)
    return ov.Model([reshaped], [table, words], "dynamic")


def test_gathers_of_shapes_stay(core: ov.Core) -> None:
    """A model of dynamic shapes: OpenVINO knows as much of them afterwards as before, and the results are the same."""
    model = attention_like()
    known = model.output().get_partial_shape()
    report = strew_openvino.replace(model, exact=True)
    assert [node.name for node in report.replaced] == ["embedding"]
    reason = "data is made of shapes, which OpenVINO computes with before it runs"
    assert {node.name: node.reason for node in report.left} == {"leading": reason, "width": reason}
    assert model.output().get_partial_shape() == known
    assert str(known) == "[?,?,2,4]"

    request = core.compile_model(model, "CPU").create_infer_request()
    random = np.random.default_rng(1)
    for words in ((1, 1), (3, 5), (0, 4), (2, 70)):
        table, indices = random.standard_normal((9, 8)).astype(np.float32), random.integers(-9, 9, words)
        with Counted(1):
            request.infer([table, indices])
        assert_same(as_array(request.get_output_tensor()), table[indices].reshape(*words, 2, 4))


def test_a_reshaped_model_of_gathers_is_known() -> None:
    model = attention_like()
    strew_openvino.replace(model, exact=True)
    model.reshape({0: [9, 8], 1: [3, 5]})
    assert model.output().get_shape() == ov.Shape([3, 5, 2, 4])


def state() -> tuple[Any, list[Any]]:
    """A cache that a model reads, and the operations that store it."""
    info = ov.op.util.VariableInfo()
    info.data_shape, info.data_type, info.variable_id = ov.PartialShape([2, 2]), ov.Type.f32, "cache"
    variable = ov.op.util.Variable(info)
    read = opset15.read_value(opset15.constant(np.zeros((2, 2), np.float32)), variable)
    return read, [opset15.assign(read, variable)]


def left_of(data: Any, indices: Any, inputs: list[Any], sinks: list[Any] | None = None) -> str:
    """Why OpenVINO keeps the Gather."""
    model = ov.Model([opset15.result(picked(data, indices))], sinks or [], inputs, "kept")
    report = strew_openvino.replace(model, exact=True)
    assert not report.replaced and not any(map(is_replacement, model.get_ops()))
    (node,) = report.left
    return node.reason


def test_what_else_stays() -> None:
    words = opset15.parameter([-1], np.int64)
    weights = opset15.multiply(
        opset15.convert(opset15.constant(np.ones((4, 8), np.uint8)), "f32"), opset15.constant(np.float32(0.5))
    )
    reason = "data is computed from constants, which OpenVINO folds, or keeps compressed"
    assert left_of(weights, words, [words]) == reason
    folded = left_of(int64(5, 6, 7), int64(2, 1), [])
    assert folded == "data and indices are known before it runs, and OpenVINO folds them"
    beam = opset15.parameter([-1], np.int32)
    cache, sinks = state()
    assert left_of(cache, beam, [beam], sinks) == "data is a state, which OpenVINO reorders together with what reads it"
    data = opset15.parameter([3, 4], np.float32)
    assert left_of(data, int64(1), [data]) == "indices are one constant, for which OpenVINO need not copy"


def test_a_table_of_constants_is_strews(core: ov.Core) -> None:
    """The embedding of a model: a constant, and indices that are known only when it runs."""
    words = opset15.parameter([-1], np.int64)
    table = np.arange(12, dtype=np.float32).reshape(4, 3)
    model = replaced(ov.Model([picked(opset15.constant(table), words)], [words], "embedding"))
    with Counted(1):
        (result,) = infer(core.compile_model(model, "CPU"), [np.array([3, -4, 0])])
    assert_same(result, table[[3, 0, 0]])


def test_a_scatter_update_of_shapes_is_known() -> None:
    """OpenVINO infers through strew's ScatterUpdate as much as through its own."""
    data = opset15.parameter(ov.PartialShape([2, ov.Dimension(1, 7), 5]), np.float32)
    changed = opset15.scatter_update(opset15.shape_of(data), int64(0), int64(10), int64(0))
    model = ov.Model([opset15.broadcast(opset15.constant(np.float32(1)), changed)], [data], "shapes")
    known = str(model.output().get_partial_shape())
    assert known == "[10,1..7,5]"
    assert str(replaced(model).output().get_partial_shape()) == known
