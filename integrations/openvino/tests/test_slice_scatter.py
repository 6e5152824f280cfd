"""SliceScatter: the published examples, slices of every kind, and those that OpenVINO reads differently from Python."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset15

import strew_openvino
from cases import Array, Case, Counted, assert_same, infer, make_model, replaced, tensor

MOST = 2**63 - 1
TEN = np.arange(10, dtype=np.float32)
GRID = np.arange(15, dtype=np.float32).reshape(3, 5)


def sliced(data: Array, updates: Any, *slices: Any, dtype: Any = np.int64) -> Case:
    """Starts, stops, steps and, if there are any, axes; one number each, or lists."""
    parts = [np.array(part, dtype).reshape(-1) for part in slices]
    return Case("SliceScatter-15", (data, np.array(updates).astype(data.dtype), *parts))


def run(core: ov.Core, case: Case, dynamic: bool = False, constants: tuple[int, ...] = ()) -> Array:
    compiled = core.compile_model(replaced(make_model(case, dynamic, constants)), "CPU")
    with Counted(1):
        (result,) = infer(compiled, [array for at, array in enumerate(case.arrays) if at not in constants])
    return result


WAYS = pytest.mark.parametrize(
    ("dynamic", "constants"), [(False, ()), (True, ()), (False, (2, 3, 4)), (True, (2, 3, 4))]
)


@WAYS
@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (
            sliced(GRID[:2], [[10, 20, 30, 40, 50]], 0, 1, 1, 0),
            [[10, 20, 30, 40, 50], [5, 6, 7, 8, 9]],
        ),
        (
            sliced(GRID[:2], [[10, 20, 30], [40, 50, 60]], -25, 25, 2, 1),
            [[10, 1, 20, 3, 30], [40, 6, 50, 8, 60]],
        ),
        (
            sliced(GRID, [[50, 60], [70, 80]], [0, 1], [3, 5], [2, 2]),
            [[0, 50, 2, 60, 4], [5, 6, 7, 8, 9], [10, 70, 12, 80, 14]],
        ),
        (
            sliced(GRID, [[50, 60], [70, 80]], [1, 0], [5, 3], [2, 2], [-1, -2]),
            [[0, 50, 2, 60, 4], [5, 6, 7, 8, 9], [10, 70, 12, 80, 14]],
        ),
    ],
)
def test_published_examples(
    core: ov.Core, case: Case, expected: Any, dynamic: bool, constants: tuple[int, ...]
) -> None:
    assert_same(run(core, case, dynamic, constants), np.array(expected, np.float32))


@WAYS
@pytest.mark.parametrize(
    ("start", "stop", "step"),
    [
        (25, 30, 1),
        (2, 2, 1),
        (5, 2, 1),
        (2, 5, -1),
        (-3, MOST, 1),
        (9, -11, -1),
        (9, -MOST - 1, -1),
        (9, 0, -2),
        (25, -25, -3),
        (0, -25, -1),
        (-11, 0, -1),
        (0, MOST, MOST),
        (9, -MOST, -MOST),
        (-MOST - 1, MOST, 3),
    ],
)
def test_slices_are_those_of_python(
    core: ov.Core, start: int, stop: int, step: int, dynamic: bool, constants: tuple[int, ...]
) -> None:
    """64 bits each: OpenVINO's plugin reads 2^63 - 1 as -1 if it is no constant."""
    length = len(TEN[start:stop:step])
    case = sliced(TEN, np.arange(100, 100 + length), start, stop, step)
    assert_same(run(core, case, dynamic, constants), case.expected())


@WAYS
@pytest.mark.parametrize(("start", "stop"), [(-25, -30), (-11, -11), (-11, -25), (-MOST - 1, -MOST - 1)])
def test_backwards_from_before_the_first_with_an_update(
    core: ov.Core, start: int, stop: int, dynamic: bool, constants: tuple[int, ...]
) -> None:
    """Empty in Python. OpenVINO has an update for the first element there: a model that brings it means that."""
    result = run(core, sliced(TEN, [100], start, stop, -1), dynamic, constants)
    assert result.tolist() == [100, *range(1, 10)]


def test_backwards_from_before_the_first_without_updates(core: ov.Core) -> None:
    """Follows Python if OpenVINO does not know the slice before it runs, and so does not refuse it."""
    assert_same(run(core, sliced(TEN, [], -25, -30, -1)), TEN)


def test_a_slice_of_no_dimension_is_all_of_data(core: ov.Core) -> None:
    case = sliced(GRID, GRID + 100, [], [], [])
    assert_same(run(core, case, constants=(2, 3, 4)), GRID + 100)
    assert_same(run(core, case, dynamic=True), GRID + 100)


@pytest.mark.parametrize("types", [("int8", "int32", "int64"), ("uint8", "uint64", "int16"), ("int64",) * 3])
def test_types_of_indices(core: ov.Core, types: tuple[str, ...]) -> None:
    """The types may differ from one another."""
    parts = [np.array([each], kind) for each, kind in zip((1, 8, 3), types, strict=True)]
    case = Case("SliceScatter-15", (TEN, np.array([100, 101, 102], np.float32), *parts))
    assert_same(run(core, case), case.expected())


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64", "float16", "bool"])
def test_types_stay_what_they_are(core: ov.Core, dtype: str) -> None:
    values = np.array([2**40 + 7, 1, 2**33, 5, 0]) if dtype.endswith("64") else np.array([1, 0, 1, 1, 0])
    data, updates = values.astype(dtype), (values[:2] * (1 if dtype == "bool" else 3)).astype(dtype)
    case = sliced(data, updates, 4, 0, -2)
    for constants in ((), (0,), (1, 2)):
        assert_same(run(core, case, constants=constants), case.expected())


def test_a_step_that_is_computed(core: ov.Core) -> None:
    """OpenVINO makes 32 bits of it, which a slice of small numbers has."""
    shapes = (([10], np.float32), ([-1], np.float32), ([1], np.int64))
    inputs = [opset15.parameter(shape, kind) for shape, kind in shapes]
    step = opset15.multiply(inputs[2], opset15.constant(np.array([-1])))
    start, stop = opset15.constant(np.array([MOST])), opset15.constant(np.array([-MOST]))
    report = strew_openvino.replace(
        model := ov.Model([opset15.slice_scatter(inputs[0], inputs[1], start, stop, step)], inputs, "computed")
    )
    assert report.replaced[0].note == "OpenVINO gives it step as i32 for i64"
    (result,) = infer(core.compile_model(model, "CPU"), [TEN, np.arange(4, dtype=np.float32), np.array([3])])
    assert result.tolist() == [3, 1, 2, 2, 4, 5, 1, 7, 8, 0]


def test_in_place_only_the_slice_is_written(core: ov.Core) -> None:
    case = sliced(TEN, [100, 101], 4, 6, 1)
    request = core.compile_model(replaced(make_model(case)), "CPU").create_infer_request()
    cache = ov.Tensor(TEN.copy())
    request.set_input_tensor(0, cache)
    request.set_output_tensor(0, cache)
    for at, array in enumerate(case.arrays[1:], 1):
        request.set_input_tensor(at, ov.Tensor(array))
    request.infer()
    assert cache.data.tolist() == [0, 1, 2, 3, 100, 101, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (sliced(TEN, [], 0, 3, 0), "the step of slice along dimension 0 is 0"),
        (sliced(TEN, [1, 2], 0, 3, 1), "dimension 0 of updates is 2; 3 is needed to fit data"),
        (sliced(GRID, [[1] * 5], [0, 0], [1, 5], [1, 1], [0, 0]), "slice names dimension 0 twice"),
        (sliced(GRID, [[1] * 5], 0, 1, 1, 2), "slice is 2, outside [-2, 1]"),
        (sliced(TEN, [1], [0], [1, 2], [1]), "start, stop, step and axes must have as many elements"),
    ],
)
def test_what_is_refused(case: Case, message: str) -> None:
    """Evaluates the model without a plugin, which infers no shapes. If OpenVINO infers them, it refuses in its own
    words."""
    model = replaced(make_model(case, dynamic=True))
    with pytest.raises(RuntimeError, match=re.escape(f"the_operation (SliceScatter-15 by strew): {message}")):
        model.evaluate([tensor(case.arrays[0])], [tensor(array) for array in case.arrays])


def test_updates_of_another_type_are_openvinos(core: ov.Core) -> None:
    """OpenVINO converts them; the document has one type for both."""
    inputs = [opset15.parameter([10], np.float32), opset15.parameter([2], np.int32)]
    slices = [opset15.constant(np.array([each])) for each in (0, 2, 1)]
    report = strew_openvino.replace(ov.Model([opset15.slice_scatter(*inputs, *slices)], inputs, "mixed"))
    (node,) = report.left
    assert node.reason == "updates are i32 and data is f32, which OpenVINO converts"
