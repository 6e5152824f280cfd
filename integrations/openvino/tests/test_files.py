"""Models with strew's operations that are saved, read again, cached, exported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset15

import oracle
import strew_openvino
import sums
from cases import DTYPES, MAKERS, Counted, assert_same, infer, make_case, make_model, replaced


@pytest.fixture
def reader() -> ov.Core:
    """A core with strew's operations, as another program would have it."""
    core = ov.Core()
    core.add_extension(strew_openvino.extension_path())
    return core


def save(model: ov.Model, folder: Path) -> Path:
    path = folder / "model.xml"
    ov.save_model(model, path, compress_to_fp16=False)
    return path


# The documents have no sums of bool.
CALLS = [
    pytest.param(version, dtype, id=f"{version}-{dtype}")
    for version in MAKERS
    for dtype in DTYPES
    if not (dtype.kind == "b" and version in sums.EXPECTED)
]


@pytest.mark.parametrize(("version", "dtype"), CALLS)
def test_a_saved_model_is_the_same(reader: ov.Core, tmp_path: Path, version: str, dtype: np.dtype[Any]) -> None:
    attributes: dict[str, Any] = {}
    if version in ("EmbeddingBagOffsets-15", "EmbeddingBagPacked-15"):
        attributes = {"reduction": "mean"}
    if version == "ScatterNDUpdate-15":
        attributes = {"reduction": "sub"}
    if version == "ScatterElementsUpdate-12":
        attributes = {"reduction": "max", "use_init_val": False, "axis": 2}
    if version.startswith("GatherND"):
        attributes = {"batch_dims": 1}
    if version == "Gather-8":
        attributes = {"axis": 2, "batch_dims": 1}
    if version == "GatherElements-6":
        attributes = {"axis": -1}
    case = make_case(version, dtype, 3, **attributes)
    path = save(replaced(make_model(case)), tmp_path)
    model = reader.read_model(path)
    for again in range(2):
        compiled = reader.compile_model(model, "CPU")
        with Counted(1):
            (result,) = infer(compiled, case.arrays)
        assert_same(result, case.expected())
        if not again:
            replaced(model, 0)


def test_64_bits_stay_in_a_saved_model(reader: ov.Core, tmp_path: Path) -> None:
    data, indices = np.array([2**40, 1]), np.array([[0], [0]])
    inputs = [opset15.parameter(list(array.shape), array.dtype) for array in (data, indices, data)]
    model = ov.Model([opset15.scatter_nd_update(*inputs, "sum")], inputs, "wide")
    path = save(replaced(model), tmp_path)
    compiled = reader.compile_model(reader.read_model(path), "CPU")
    assert_same(infer(compiled, [data, indices, data])[0], np.array([2**41 + 1, 1]))
    with pytest.raises(RuntimeError, match=r"indices\[1\]\[0\] is 4294967297"):
        infer(compiled, [data, np.array([[0], [2**32 + 1]]), data])


def test_without_the_extension_it_is_not_read(core: ov.Core, tmp_path: Path) -> None:
    path = save(replaced(make_model(make_case("GatherND-8", np.dtype("f4")))), tmp_path)
    with pytest.raises(RuntimeError, match="GatherND layer the_operation .*from unsupported opset: strew8"):
        core.read_model(path)


def test_an_unknown_reduction_is_refused(reader: ov.Core, tmp_path: Path) -> None:
    path = save(replaced(make_model(make_case("ScatterNDUpdate-15", np.dtype("f4"), reduction="sum"))), tmp_path)
    text = path.read_text()
    assert 'reduction="sum"' in text
    path.write_text(text.replace('reduction="sum"', 'reduction="median"'))
    with pytest.raises(RuntimeError, match="there is no reduction median"):
        reader.read_model(path)


def test_a_wrong_number_of_inputs_is_refused(reader: ov.Core, tmp_path: Path) -> None:
    path = save(replaced(make_model(make_case("GatherND-8", np.dtype("f4")))), tmp_path)
    text = path.read_text()
    assert 'type="GatherND" version="strew8"' in text
    path.write_text(text.replace('type="GatherND" version="strew8"', 'type="ScatterNDUpdate" version="strew15"'))
    with pytest.raises(RuntimeError, match=r"\(ScatterNDUpdate-15 by strew\) has 2 inputs, and must have 3"):
        reader.read_model(path)


@pytest.mark.parametrize("dtype", ["float32", "int64", "float64", "bool", "float16"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_the_cache_of_compiled_models(reader: ov.Core, tmp_path: Path, dtype: str, dynamic: bool) -> None:
    case = make_case("ScatterNDUpdate-15", np.dtype(dtype), 1, reduction="sum")
    model = replaced(make_model(case, dynamic))
    for loaded in (False, True, True):
        compiled = reader.compile_model(model, "CPU", {"CACHE_DIR": str(tmp_path)})
        assert compiled.get_property("LOADED_FROM_CACHE") == loaded
        with Counted(1):
            (result,) = infer(compiled, case.arrays)
        assert_same(result, case.expected())


def test_the_cache_without_the_extension(core: ov.Core, tmp_path: Path) -> None:
    """It works, but every program compiles for itself."""
    case = make_case("GatherND-8", np.dtype(np.float32), 1)
    model = replaced(make_model(case))
    for _ in range(2):
        compiled = core.compile_model(model, "CPU", {"CACHE_DIR": str(tmp_path)})
        assert not compiled.get_property("LOADED_FROM_CACHE")
        assert_same(infer(compiled, case.arrays)[0], case.expected())


def test_an_exported_model_is_imported(reader: ov.Core) -> None:
    case = make_case("ScatterElementsUpdate-12", np.dtype(np.int64), 1, reduction="mean")
    blob = reader.compile_model(replaced(make_model(case)), "CPU").export_model()
    assert_same(infer(reader.import_model(blob, "CPU"), case.arrays)[0], case.expected())


def test_bodies_are_saved(reader: ov.Core, tmp_path: Path) -> None:
    from test_bodies import arrays_of, loop_model, replace_noted

    path = save(replace_noted(loop_model("int64", 2), "int64", 1), tmp_path)
    arrays = arrays_of("int64")
    with Counted(2):
        (result,) = infer(reader.compile_model(reader.read_model(path), "CPU"), arrays)
    once = oracle.scatter_nd(*arrays, "sum")
    assert_same(result, oracle.scatter_nd(once, *arrays[1:], "sum"))


def test_an_onnx_model_is_read_and_replaced(core: ov.Core, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper

    node = helper.make_node("ScatterND", ["data", "indices", "updates"], ["out"], reduction="add", name="add_rows")
    values = [
        helper.make_tensor_value_info("data", TensorProto.INT64, ["n", 2]),
        helper.make_tensor_value_info("indices", TensorProto.INT64, ["m", 1]),
        helper.make_tensor_value_info("updates", TensorProto.INT64, ["m", 2]),
    ]
    out = [helper.make_tensor_value_info("out", TensorProto.INT64, ["n", 2])]
    graph = helper.make_graph([node], "graph", values, out)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]), tmp_path / "model.onnx")
    model = core.read_model(tmp_path / "model.onnx")
    (found,) = strew_openvino.replace(model, exact=True).replaced
    assert found.operator == "ScatterNDUpdate-15"
    data, indices, updates = np.full((3, 2), 2**40), np.array([[-1], [2]]), np.ones((2, 2), np.int64)
    with Counted(1):
        (result,) = infer(core.compile_model(model, "CPU"), [data, indices, updates])
    assert_same(result, oracle.scatter_nd(data, indices, updates, "sum"))
