"""Operations in the bodies of If, Loop and TensorIterator."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset15

import oracle
import strew_openvino
from cases import Counted, assert_same, infer

DTYPES = ["float32", "float64", "float16", "int64", "int16", "int8", "bool"]
NARROWED = {"float64": "f32", "float16": "f32", "int64": "i32", "int16": "i32"}


def arrays_of(dtype: str) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(2)
    data, updates = (random.integers(0, 3, shape).astype(dtype) for shape in ((5, 2), (4, 2)))
    return data, np.array([[0], [-1], [4], [0]]), updates


def parameters(dtype: str) -> list[Any]:
    arrays = arrays_of(dtype)
    return [opset15.parameter(list(array.shape), array.dtype) for array in arrays]


def if_model(dtype: str) -> ov.Model:
    outer, condition = parameters(dtype), opset15.parameter([], bool)
    chosen = opset15.if_op(condition.output(0))
    bodies = []
    for reduction, set_body in (("sum", chosen.set_then_body), ("max", chosen.set_else_body)):
        inner = parameters(dtype)
        body = ov.Model([opset15.scatter_nd_update(*inner, reduction)], inner, reduction)
        set_body(body)
        bodies.append((inner, body))
    (then, then_body), (other, other_body) = bodies
    for each in zip(outer, then, other):
        chosen.set_input(each[0].output(0), *each[1:])
    result = chosen.set_output(then_body.results[0], other_body.results[0])
    return ov.Model([result], [condition, *outer], "if")


def loop_model(dtype: str, steps: int) -> ov.Model:
    outer, inner = parameters(dtype), parameters(dtype)
    body = ov.Model([opset15.constant(True), opset15.scatter_nd_update(*inner, "sum")], inner, "body")
    loop = opset15.loop(opset15.constant(np.int64(steps)), opset15.constant(True))
    loop.set_function(body)
    loop.set_special_body_ports([-1, 0])
    loop.set_merged_input(inner[0], outer[0].output(0), body.results[1].output(0))
    for inside, outside in zip(inner[1:], outer[1:]):
        loop.set_invariant_input(inside, outside.output(0))
    return ov.Model([loop.get_iter_value(body.results[1].output(0), -1)], outer, "loop")


def iterator_model(dtype: str) -> ov.Model:
    """Each step scatters one tuple, a slice of indices and updates."""
    outer = parameters(dtype)
    arrays = arrays_of(dtype)
    inner = [opset15.parameter(list(shape), array.dtype) for shape, array in zip(((5, 2), (1, 1), (1, 2)), arrays)]
    body = ov.Model([opset15.scatter_nd_update(*inner, "sum")], inner, "body")
    iterator = opset15.tensor_iterator()
    iterator.set_body(body)
    iterator.set_merged_input(inner[0], outer[0].output(0), body.results[0].output(0))
    for inside, outside in zip(inner[1:], outer[1:]):
        iterator.set_sliced_input(inside, outside.output(0), 0, 1, 1, -1, 0)
    return ov.Model([iterator.get_iter_value(body.results[0].output(0), -1)], outer, "iterator")


def expected_notes(dtype: str) -> str:
    kind = ov.Type(np.dtype(dtype)).get_type_name()
    narrow = NARROWED.get(dtype)
    notes = [f"data as {narrow} for {kind}"] if narrow else []
    notes += ["indices as i32 for i64"]
    notes += [f"updates as {narrow} for {kind}"] if narrow else []
    return "OpenVINO gives it " + ", ".join(notes)


def replace_noted(model: ov.Model, dtype: str, count: int) -> ov.Model:
    report = strew_openvino.replace(model, exact=True)
    assert [node.note for node in report.replaced] == [expected_notes(dtype)] * count
    assert not report.left
    return model


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("condition", [True, False])
def test_if(core: ov.Core, dtype: str, condition: bool) -> None:
    arrays = arrays_of(dtype)
    compiled = core.compile_model(replace_noted(if_model(dtype), dtype, 2), "CPU")
    with Counted(1):
        (result,) = infer(compiled, [np.array(condition), *arrays])
    assert_same(result, oracle.scatter_nd(*arrays, "sum" if condition else "max"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_loop(core: ov.Core, dtype: str) -> None:
    arrays = arrays_of(dtype)
    compiled = core.compile_model(replace_noted(loop_model(dtype, 3), dtype, 1), "CPU")
    with Counted(3):
        (result,) = infer(compiled, arrays)
    expected = arrays[0]
    for _ in range(3):
        expected = oracle.scatter_nd(expected, *arrays[1:], "sum")
    assert_same(result, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_tensor_iterator(core: ov.Core, dtype: str) -> None:
    arrays = arrays_of(dtype)
    model = iterator_model(dtype)
    assert len(strew_openvino.replace(model, exact=True).replaced) == 1
    compiled = core.compile_model(model, "CPU")
    before = strew_openvino.calls()
    (result,) = infer(compiled, arrays)
    assert strew_openvino.calls() - before == len(arrays[1])
    assert_same(result, oracle.scatter_nd(*arrays, "sum"))


def test_an_index_outside_in_a_body(core: ov.Core) -> None:
    data, indices, updates = arrays_of("float32")
    compiled = core.compile_model(replace_noted(if_model("float32"), "float32", 2), "CPU")
    with pytest.raises(RuntimeError, match=r"indices\[2\]\[0\] is 5, outside \[-5, 4\]"):
        infer(compiled, [np.array(True), data, np.array([[0], [1], [5], [6]]), updates])
