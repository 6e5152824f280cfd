"""Types that OpenVINO narrows: with strew they stay as the model says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset8, opset15

import oracle
import strew_openvino
from cases import Case, Counted, as_array, assert_same, draw, infer, make_model, replaced

WIDE = ["int64", "uint64", "uint32", "float64", "float16", "int16", "uint16"]
Build = Callable[[Sequence[Any]], Sequence[Any]]


def parameters(arrays: Sequence[Any]) -> list[Any]:
    return [opset15.parameter(list(array.shape), array.dtype) for array in arrays]


def run(core: ov.Core, build: Build, arrays: Sequence[Any], count: int = 1) -> list[Any]:
    """The results of a model in which strew runs as many operations."""
    inputs = parameters(arrays)
    model = replaced(ov.Model(list(build(inputs)), inputs, "model"), count)
    with Counted(count):
        return infer(core.compile_model(model, "CPU"), arrays)


def arrays_of(dtype: str, seed: int = 3) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(seed)
    data, updates = draw(random, np.dtype(dtype), (6, 3)), draw(random, np.dtype(dtype), (9, 3))
    return data, random.integers(-6, 6, (9, 1)), updates


def total(inputs: Sequence[Any]) -> Any:
    return opset15.scatter_nd_update(*inputs, "sum")


def int64(*values: Any) -> Any:
    return opset15.constant(np.array(values, np.int64))


def test_what_openvino_does_today(core: ov.Core) -> None:
    """docs/openvino.md describes this fault. If this fails, OpenVINO has changed."""
    data, indices = np.arange(6.0, dtype=np.float32), np.array([[2**32 + 1]])
    native = core.compile_model(make_model(Case("GatherND-8", (data, indices))), "CPU")
    assert infer(native, [data, indices])[0].tolist() == [1.0]
    case = Case(
        "ScatterNDUpdate-15",
        (np.array([2**40], np.int64), np.zeros((2, 1), np.int64), np.ones(2, np.int64)),
        {"reduction": "sum"},
    )
    assert infer(core.compile_model(make_model(case), "CPU"), case.arrays)[0].tolist() != [2**40 + 2]
    trues = Case(
        "ScatterNDUpdate-15",
        (np.zeros(1, bool), np.zeros((256, 1), np.int64), np.ones(256, bool)),
        {"reduction": "sum"},
    )
    assert infer(core.compile_model(make_model(trues), "CPU"), trues.arrays)[0].tolist() == [False]
    assert infer(core.compile_model(replaced(make_model(trues)), "CPU"), trues.arrays)[0].tolist() == [True]


@pytest.mark.parametrize(
    "version", ["GatherND-8", "GatherElements-6", "ScatterNDUpdate-15", "ScatterElementsUpdate-12"]
)
@pytest.mark.parametrize("index", [2**32 + 1, -(2**32) - 1, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("constant", [False, True])
def test_an_index_beyond_32_bits_is_refused(core: ov.Core, version: str, index: int, constant: bool) -> None:
    data, tuples = np.arange(6.0, dtype=np.float32), np.array([[1], [index]])
    indices = tuples if "ND" in version else tuples[:, 0]
    updates = (np.ones(2, np.float32),) if version.startswith("Scatter") else ()
    arrays = (data, indices, *updates)
    model = replaced(make_model(Case(version, arrays), constants=[1] if constant else []))
    compiled = core.compile_model(model, "CPU")
    with pytest.raises(RuntimeError, match=rf"is {index}, outside \[-6, 5\]"):
        infer(compiled, [array for array in arrays if not (constant and array is indices)])


def test_an_unsigned_index_is_not_negative(core: ov.Core) -> None:
    data, indices = np.arange(6.0, dtype=np.float32), np.array([[2**64 - 1]], np.uint64)
    compiled = core.compile_model(replaced(make_model(Case("GatherND-8", (data, indices)))), "CPU")
    with pytest.raises(RuntimeError, match=r"indices\[0\]\[0\] is 18446744073709551615, outside"):
        infer(compiled, [data, indices])


@pytest.mark.parametrize("dtype", WIDE)
def test_values_that_others_use_too(core: ov.Core, dtype: str) -> None:
    """Parameters and results of strew's operations that feed OpenVINO's as well."""
    data, indices, updates = arrays_of(dtype)
    data, updates = ((np.arange(array.size).reshape(array.shape) % 5).astype(dtype) for array in (data, updates))

    def build(inputs: Sequence[Any]) -> Sequence[Any]:
        scattered = total(inputs)
        doubled = opset15.add(scattered, scattered)
        shape = opset15.shape_of(scattered)
        return [scattered, opset15.add(inputs[0], inputs[0]), doubled, opset15.add(inputs[1], inputs[1]), shape]

    results = run(core, build, [data, indices, updates])
    expected = oracle.scatter_nd(data, indices, updates, "sum")
    assert_same(results[0], expected)
    assert_same(results[1], data + data)
    assert_same(results[2], expected + expected)
    assert_same(results[3], indices + indices)
    assert results[4].tolist() == [6, 3]


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize(
    "way", [lambda value: value, lambda value: opset15.squeeze(opset15.unsqueeze(value, int64(0)), int64(0))]
)
def test_constants_that_others_use_too(core: ov.Core, dtype: str, way: Any) -> None:
    data = (np.arange(18).reshape(6, 3) % 5).astype(dtype)
    indices, updates = np.array([[0], [-1], [3]]), (np.arange(9).reshape(3, 3) % 4).astype(dtype)
    table, rows, added = opset15.constant(data), opset15.constant(indices), opset15.constant(updates)
    inputs = parameters([data, indices, updates])
    results = [
        total([inputs[0], way(rows), way(added)]),
        opset8.gather_nd(way(table), inputs[1]),
        opset15.add(inputs[0], table),
        opset15.add(inputs[1], rows),
        opset15.gather(inputs[0], rows, int64(0)),
        opset15.concat([added, inputs[2]], 0),
        rows,
    ]
    model = replaced(ov.Model(results, inputs, "shared"), 3)
    with Counted(3):
        found = infer(core.compile_model(model, "CPU"), [data, indices, updates])
    assert_same(found[0], oracle.scatter_nd(data, indices, updates, "sum"))
    assert_same(found[1], oracle.gather_nd(data, indices))
    assert_same(found[2], data + data)
    assert_same(found[3], indices + indices)
    assert_same(found[4], data[indices])
    assert_same(found[5], np.concatenate([updates, updates]))
    assert_same(found[6], indices)


@pytest.mark.parametrize("dtype", [*WIDE, "bool", "float32", "int8"])
def test_one_after_another(core: ov.Core, dtype: str) -> None:
    data, indices, updates = arrays_of(dtype)
    elements = np.random.default_rng(1).integers(-6, 6, (6, 3))

    def build(inputs: Sequence[Any]) -> Sequence[Any]:
        scattered = total(inputs[:3])
        gathered = opset8.gather_nd(scattered, inputs[1])
        return [gathered, opset15.scatter_elements_update(scattered, inputs[3], scattered, opset15.constant(0), "max")]

    gathered, scattered = run(core, build, [data, indices, updates, elements], 3)
    middle = oracle.scatter_nd(data, indices, updates, "sum")
    assert_same(gathered, oracle.gather_nd(middle, indices))
    assert_same(scattered, oracle.scatter_elements(middle, elements, middle, 0, "max"))


@pytest.mark.parametrize("dtype", ["int64", "float64", "uint32", "float16", "float32"])
def test_constants_that_are_computed(core: ov.Core, dtype: str) -> None:
    """OpenVINO folds them as well, into constants without a mark."""
    data, indices, updates = arrays_of(dtype)
    inputs = parameters([data])
    halves = [opset15.constant(indices[:4, 0]), opset15.constant(indices[4:, 0])]
    rows = opset15.unsqueeze(opset15.concat(halves, 0), int64(1))
    moved = opset15.transpose(opset15.constant(np.ascontiguousarray(updates.T)), int64(1, 0))
    model = replaced(ov.Model([total([inputs[0], rows, moved])], inputs, "computed"))
    with Counted(1):
        (result,) = infer(core.compile_model(model, "CPU"), [data])
    assert_same(result, oracle.scatter_nd(data, indices, updates, "sum"))


def test_a_constant_index_beyond_32_bits_that_is_computed(core: ov.Core) -> None:
    data = np.arange(6.0, dtype=np.float32)
    with pytest.raises(RuntimeError, match=r"indices\[0\]\[0\] is 4294967297"):
        run(core, lambda inputs: [opset8.gather_nd(inputs[0], opset15.unsqueeze(int64(2**32 + 1), int64(1)))], [data])


@pytest.mark.parametrize("dtype", WIDE)
def test_what_openvino_has_a_part_in_has_its_types(core: ov.Core, dtype: str) -> None:
    """Data that OpenVINO also computes, moves or reads stays in 32 bits, as without strew, and the report says so."""
    data, updates = (np.arange(6) % 5).astype(dtype), np.ones(4, dtype)
    indices = np.array([[0], [3], [0], [-1]])
    narrow = "i32" if np.dtype(dtype).kind in "iu" else "f32"
    name = ov.Type(np.dtype(dtype)).get_type_name()
    for way in (
        lambda value: opset15.add(value, value),
        lambda value: opset15.reshape(value, int64(6), False),
        lambda value: opset15.convert(opset15.convert(value, "u8"), value.get_element_type()),
    ):
        inputs = parameters([data, indices, updates])
        model = ov.Model([total([way(inputs[0]), *inputs[1:]])], inputs, "computed")
        native = infer(core.compile_model(model.clone(), "CPU"), [data, indices, updates])
        (node,) = strew_openvino.replace(model, exact=True).replaced
        assert node.note == f"OpenVINO gives it data as {narrow} for {name}, updates as {narrow} for {name}"
        with Counted(1):
            assert_same(infer(core.compile_model(model, "CPU"), [data, indices, updates])[0], native[0])


def test_what_openvino_computes_is_moved_as_it_is(core: ov.Core) -> None:
    """No conversions around a gather whose data OpenVINO has computed."""
    data, indices = np.arange(6.0), np.array([[1], [-1]])
    inputs = parameters([data, indices])
    model = replaced(ov.Model([opset8.gather_nd(opset15.add(inputs[0], inputs[0]), inputs[1])], inputs, "moved"))
    assert "Convert" not in [node.get_type_name() for node in model.get_ordered_ops()]
    assert_same(infer(core.compile_model(model, "CPU"), [data, indices])[0], np.array([2.0, 10.0]))


def test_computed_indices(core: ov.Core) -> None:
    """Models use NonZero, whose indices OpenVINO computes in 32 bits."""
    data = np.array([0, 3, 0, 5], np.float32)
    inputs = parameters([data])
    indices = opset15.transpose(opset15.non_zero(inputs[0], "i64"), int64(1, 0))
    model = ov.Model([opset8.gather_nd(inputs[0], indices)], inputs, "nonzero")
    (node,) = strew_openvino.replace(model, exact=True).replaced
    assert node.note == "OpenVINO gives it indices as i32 for i64"
    with Counted(1):
        assert infer(core.compile_model(model, "CPU"), [data])[0].tolist() == [3, 5]


@pytest.mark.parametrize("target", ["float32", "int32", "float64", "int64", "float16", "bool", "uint8"])
@pytest.mark.parametrize("dtype", ["int64", "float64", "uint32", "uint64"])
def test_results_that_are_converted(core: ov.Core, dtype: str, target: str) -> None:
    data, indices, updates = np.arange(6).astype(dtype), np.array([[1]]), np.array([70]).astype(dtype)

    def build(inputs: Sequence[Any]) -> Sequence[Any]:
        return [opset15.convert(total(inputs), ov.Type(np.dtype(target)))]

    assert_same(run(core, build, [data, indices, updates])[0], np.array([0, 71, 2, 3, 4, 5]).astype(target))


def test_what_is_given_up_later(core: ov.Core) -> None:
    """A parameter that was strew's alone when its type was kept, and that OpenVINO reads when the model has changed."""
    arrays = arrays_of("int64")
    data, updates = (array % 5 for array in (arrays[0], arrays[2]))
    inputs = parameters(arrays)
    model = replaced(ov.Model([total(inputs)], inputs, "changed"))
    model.add_results([opset15.result(opset15.add(inputs[0], inputs[0]))])
    strew_openvino.replace(model, exact=True)
    results = infer(core.compile_model(model, "CPU"), [data, arrays[1], updates])
    assert_same(results[0], oracle.scatter_nd(data, arrays[1], updates, "sum"))
    assert_same(results[1], data + data)


def test_replace_may_be_called_again(core: ov.Core) -> None:
    arrays = arrays_of("int64")
    inputs = parameters(arrays)
    scattered = total([opset15.add(inputs[0], inputs[0]), *inputs[1:]])
    model = replaced(ov.Model([scattered, opset15.add(scattered, inputs[0])], inputs, "again"))
    nodes = len(model.get_ops())
    for _ in range(3):
        replaced(model, 0)
        assert len(model.get_ops()) == nodes


def test_parameters_that_are_changed_afterwards(core: ov.Core) -> None:
    """The new parameter has no mark: strew refuses rather than let its type be narrowed."""
    data, indices = np.arange(6.0, dtype=np.float32), np.array([[2**32 + 1]])
    model = replaced(make_model(Case("GatherND-8", (data, indices))))
    steps = ov.preprocess.PrePostProcessor(model)
    steps.input(1).tensor().set_element_type(ov.Type.u64)
    model = steps.build()
    try:
        (result,) = infer(core.compile_model(model, "CPU"), [data, indices.astype(np.uint64)])
    except RuntimeError as error:
        assert "indices" in str(error)
    else:
        raise AssertionError(f"an index of 2^32 + 1 gives {result}")


def test_a_model_that_is_cloned_keeps_its_types(core: ov.Core) -> None:
    arrays = arrays_of("int64")
    inputs = parameters(arrays)
    model = replaced(ov.Model([total(inputs)], inputs, "cloned"))
    assert_same(infer(core.compile_model(model.clone(), "CPU"), arrays)[0], oracle.scatter_nd(*arrays, "sum"))


def test_a_model_that_is_reshaped_keeps_its_types(core: ov.Core) -> None:
    arrays = arrays_of("float64")
    inputs = [opset15.parameter([-1] * array.ndim, array.dtype) for array in arrays]
    model = replaced(ov.Model([total(inputs)], inputs, "reshaped"))
    model.reshape({position: list(array.shape) for position, array in enumerate(arrays)})
    assert_same(infer(core.compile_model(model, "CPU"), arrays)[0], oracle.scatter_nd(*arrays, "sum"))


def test_variables_keep_working(core: ov.Core) -> None:
    """A state that strew adds to."""
    data, indices, updates = np.zeros((2, 2), np.float32), np.array([[1]]), np.ones((1, 2), np.float32)
    inputs = parameters([data, indices, updates])
    info = ov.op.util.VariableInfo()
    info.data_shape, info.data_type, info.variable_id = ov.PartialShape([2, 2]), ov.Type.f32, "state"
    variable = ov.op.util.Variable(info)
    read = opset15.read_value(inputs[0], variable)
    scattered = total([read, *inputs[1:]])
    stored = opset15.assign(scattered, variable)
    model = replaced(ov.Model([opset15.result(scattered)], [stored], inputs, "state"))
    request = core.compile_model(model, "CPU").create_infer_request()
    for step in range(1, 4):
        request.infer([data, indices, updates])
        assert as_array(request.get_output_tensor()).tolist() == [[0, 0], [step, step]]
