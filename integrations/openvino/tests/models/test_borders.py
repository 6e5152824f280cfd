"""Models in which OpenVINO's operations and strew's meet in types that OpenVINO narrows: results are the same as
without strew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset8, opset12, opset15

import strew_openvino
from cases import Array, as_array, assert_same

WIDE = ["int64", "uint64", "uint32", "float64", "float16", "int16", "uint16"]
DATA, ROWS, UPDATES = np.array([[0, 1], [1, 0], [1, 1], [0, 0]]), np.array([[2], [0]]), np.array([[1, 0], [1, 1]])
Build = Callable[[Any, Any, Any], Sequence[Any]]


def int64(*values: int) -> Any:
    return opset15.constant(np.array(values, np.int64))


def total(data: Any, rows: Any, updates: Any) -> Any:
    return opset15.scatter_nd_update(data, rows, updates, "sum")


def constant(value: Any, like: Any) -> Any:
    return opset15.convert(opset15.constant(np.array(value, np.int8)), like.get_element_type())


def zeros(like: Any) -> Any:
    return opset15.broadcast(constant(0, like), int64(4, 2))


def same_type(value: Any) -> Any:
    return opset15.convert(value, value.get_element_type())


def transposed(value: Any) -> Any:
    return opset15.transpose(opset15.transpose(value, int64(1, 0)), int64(1, 0))


def two_views(data: Any, rows: Any, updates: Any) -> Sequence[Any]:
    scattered = total(data, rows, updates)
    views = [opset15.reshape(scattered, int64(*shape), False) for shape in ((8, 1), (2, 2, 2))]
    return [opset8.gather_nd(view, int64([1])) for view in views]


def two_converts(data: Any, rows: Any, updates: Any) -> Sequence[Any]:
    narrow = opset15.convert(data, "u8")
    wide = [opset15.convert(narrow, data.get_element_type()) for _ in range(2)]
    return [opset8.gather_nd(wide[0], rows), wide[1]]


def masked(data: Any, rows: Any, updates: Any) -> Sequence[Any]:
    return [opset15.non_zero(total(data, rows, updates), "i64"), opset15.non_zero(data, "i64")]


def quantized(data: Any, rows: Any, updates: Any) -> Sequence[Any]:
    gathered = opset15.convert(opset8.gather_nd(data, rows), "f32")
    low, high = (opset15.constant(np.float32(value)) for value in (0, 255))
    return [opset15.fake_quantize(gathered, low, high, low, high, 256)]


def in_a_body(data: Any, rows: Any, updates: Any) -> Sequence[Any]:
    """Constants that come into the bodies of an If from outside."""
    bodies = []
    for reduction in ("max", "min"):
        inner = [opset15.parameter([4, 2], data.get_element_type()), opset15.parameter([4, 2], np.int64)]
        scattered = opset12.scatter_elements_update(inner[0], inner[1], inner[0], 0, reduction)
        bodies.append((ov.Model([scattered], inner, reduction), inner))
    condition = opset15.convert(opset15.reduce_max(rows, int64(0, 1), False), "boolean")
    choice = opset15.if_op(condition.output(0))
    (then, then_inputs), (otherwise, otherwise_inputs) = bodies
    choice.set_then_body(then)
    choice.set_else_body(otherwise)
    for position, value in enumerate([zeros(data), int64([0, 1], [1, 0], [2, 2], [3, 3])]):
        choice.set_input(value.output(0), then_inputs[position], otherwise_inputs[position])
    return [choice.set_output(then.results[0], otherwise.results[0])]


BUILDS: dict[str, Build] = {
    "computed constants": lambda data, rows, updates: [
        total(zeros(data), rows, updates),
        total(data, rows, opset15.concat([constant([[1, 0]], data), constant([[0, 1]], data)], 0)),
    ],
    "the shape of a value": lambda data, rows, updates: [
        total(data, rows, opset15.broadcast(constant(1, data), opset15.shape_of(updates)))
    ],
    "two views": two_views,
    "two conversions": two_converts,
    "a conversion that changes nothing": lambda data, rows, updates: [
        opset15.add(same_type(opset8.gather_nd(data, rows)), opset8.gather_nd(data, rows)),
        opset15.concat([data, same_type(data)], 0),
    ],
    "transposed": lambda data, rows, updates: [
        total(transposed(opset15.add(data, data)), rows, updates),
        total(opset15.convert(transposed(opset15.convert(data, "i32")), data.get_element_type()), rows, updates),
    ],
    "where a value is not zero": masked,
    "quantized": quantized,
    "in a body": in_a_body,
    "read by all": lambda data, rows, updates: [
        total(data, rows, updates),
        opset15.add(total(data, rows, updates), data),
        opset15.shape_of(data),
        opset15.slice(data, int64(0), int64(2), int64(1), int64(0)),
        opset15.add(rows, rows),
    ],
}


def results(core: ov.Core, model: ov.Model, arrays: Sequence[Array]) -> list[Array]:
    request = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    request.start_async(list(arrays))
    request.wait()
    return [as_array(request.get_output_tensor(at)).copy() for at in range(len(model.outputs))]


@pytest.mark.parametrize("name", BUILDS)
@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("is_dynamic", [False, True])
def test_a_model_runs_as_without_strew(core: ov.Core, name: str, dtype: str, is_dynamic: bool) -> None:
    arrays = [DATA.astype(dtype), ROWS, UPDATES.astype(dtype)]
    shapes = [[-1, array.shape[1]] if is_dynamic else list(array.shape) for array in arrays]
    inputs = [opset15.parameter(shape, array.dtype) for shape, array in zip(shapes, arrays)]
    model = ov.Model(list(BUILDS[name](*inputs)), inputs, "borders")
    native = results(core, model.clone(), arrays)
    before = strew_openvino.calls()
    assert strew_openvino.replace(model, exact=True).replaced
    for expected, found in zip(native, results(core, model, arrays)):
        assert_same(found, expected)
    assert strew_openvino.calls() > before
