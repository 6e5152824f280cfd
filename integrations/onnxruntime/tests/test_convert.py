"""The converter: what it changes, what it leaves, and that models say the same afterwards."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import strew_onnxruntime
from onnx import TensorProto, helper
from onnx.backend.test.case.node import collect_testcases
from strew_onnxruntime import conversion

import models
import reference
from required import ROOT

CATALOGUE = ROOT / "src/operators/catalogue.c"


def open_session(model: onnx.ModelProto | str) -> onnxruntime.InferenceSession:
    options = models.quiet_options()
    options.register_custom_ops_library(strew_onnxruntime.library_path())
    source = model if isinstance(model, str) else model.SerializeToString()
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def domains(model: onnx.ModelProto) -> dict[str, str]:
    """The domain of each node of the graph, by its type."""
    return {node.op_type: node.domain for node in model.graph.node}


# ---- What it has ----------------------------------------------------------------------------------------------------


def test_versions_are_those_of_the_library() -> None:
    found: dict[str, list[int]] = {}
    for name, version in re.findall(r'\{"(\w+)-(\d+)",\s+"ONNX"', CATALOGUE.read_text()):
        found.setdefault(name, []).append(int(version))
    assert {name: tuple(versions) for name, versions in found.items()} == conversion.VERSIONS


def test_types_are_those_of_the_tests() -> None:
    assert {models.element_type(dtype) for dtype in (*models.DTYPES, "bfloat16")} == conversion.TYPES


def test_onnx_has_no_newer_version() -> None:
    """One that comes is left to the runtime, until strew has it."""
    for name, versions in conversion.VERSIONS.items():
        newest = onnx.defs.get_schema(name, onnx.defs.onnx_opset_version(), "").since_version
        assert newest == versions[-1], name


# ---- ONNX's own tests -----------------------------------------------------------------------------------------------


def node_tests() -> list[Any]:
    """Those of onnx whose model has a node that strew has."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its arithmetic
        cases = {case.name: case for case in collect_testcases(None)}
    return [
        pytest.param(case, id=name)
        for name, case in cases.items()
        if any(node.op_type in conversion.VERSIONS for node in case.model.graph.node)
        and case.model.opset_import[0].version <= models.NEWEST_OPSET
    ]


def test_there_are_node_tests() -> None:
    assert len(node_tests()) >= (36 if models.NEWEST_OPSET == 23 else 20)


@pytest.mark.parametrize("case", node_tests())
def test_a_node_test_of_onnx(case: Any) -> None:
    converted = strew_onnxruntime.convert(case.model)
    onnx.checker.check_model(converted)
    session = open_session(converted)
    nodes = sum(node.domain == conversion.DOMAIN for node in converted.graph.node)
    for inputs, outputs in case.data_sets:
        before = strew_onnxruntime.runs()
        results = session.run(None, dict(zip((entry.name for entry in session.get_inputs()), inputs, strict=True)))
        assert strew_onnxruntime.runs() - before == nodes > 0
        for result, output in zip(results, outputs, strict=True):
            assert result.dtype == output.dtype
            # Other nodes of these models, not strew's, may round otherwise than their authors did.
            np.testing.assert_allclose(result, output, rtol=0 if nodes == len(converted.graph.node) else 1e-5)


# ---- What it changes, and leaves ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", models.OPSETS)
def test_a_node_keeps_all_but_its_domain(name: str) -> None:
    for opset in models.OPSETS[name]:
        model = models.one_node(name, opset)
        model.graph.node[0].doc_string = "of somebody"
        converted = strew_onnxruntime.convert(model)
        onnx.checker.check_model(converted)
        node = converted.graph.node[0]
        assert node.domain == "com.strew"
        version = onnx.defs.get_schema(name, opset, "").since_version
        assert [(entry.name, entry.i) for entry in node.attribute] == [("version", version)]
        node.ClearField("domain")
        node.ClearField("attribute")
        assert converted.opset_import[1] == helper.make_opsetid("com.strew", 1)
        converted.opset_import.pop()
        assert converted == model


def test_the_model_that_is_given_stays() -> None:
    model = models.one_node("ScatterND", reduction="add")
    before = model.SerializeToString(deterministic=True)
    strew_onnxruntime.convert(model)
    assert model.SerializeToString(deterministic=True) == before


def test_a_model_without_such_nodes_stays() -> None:
    model = models.make_model(
        [helper.make_node("Add", ["x", "x"], ["y"])],
        [models.value("x", "float", [2])],
        [models.value("y", "float", [2])],
    )
    assert strew_onnxruntime.convert(model) == model


def test_converting_again_changes_nothing() -> None:
    once = strew_onnxruntime.convert(models.one_node("GatherND"))
    assert strew_onnxruntime.convert(once) == once


def test_types_that_strew_does_not_have_are_left() -> None:
    """The type of what another node computes is inferred."""
    nodes = [
        helper.make_node("Reshape", ["numbers", "shape"], ["complex"]),
        helper.make_node("GatherND", ["complex", "indices"], ["z"]),
        helper.make_node("GatherElements", ["indices", "indices"], ["y"]),
    ]
    model = models.make_model(
        nodes,
        [
            models.value("numbers", "complex64", [4]),
            models.value("shape", "int64", [2]),
            models.value("indices", "int64", ["n", 1]),
        ],
        [models.value("z", "complex64", None), models.value("y", "int64", None)],
    )
    assert domains(strew_onnxruntime.convert(model)) == {"Reshape": "", "GatherND": "", "GatherElements": "com.strew"}


def test_domains_of_others_are_left() -> None:
    model = models.one_node("ScatterND")
    model.graph.node[0].domain = "com.others"
    model.opset_import.add(domain="com.others", version=1)
    assert strew_onnxruntime.convert(model) == model


# ---- Subgraphs and functions ----------------------------------------------------------------------------------------


def branch(name: str, reduction: str) -> onnx.GraphProto:
    node = helper.make_node("ScatterND", ["data", "indices", "updates"], [name], reduction=reduction)
    return helper.make_graph([node], name, [], [models.value(name, "float", None)])


def operands_and_inputs() -> tuple[list[Any], tuple[Any, ...]]:
    values = [
        models.value("data", "float", ["a", "b"]),
        models.value("indices", "int64", ["n", 1]),
        models.value("updates", "float", ["n", "b"]),
    ]
    return values, models.draw_operands(np.random.default_rng(0), "ScatterND", "float")


@pytest.mark.parametrize("condition", [True, False])
def test_nodes_of_subgraphs(condition: bool) -> None:
    values, operands = operands_and_inputs()
    node = helper.make_node(
        "If", ["condition"], ["output"], then_branch=branch("sum", "add"), else_branch=branch("product", "mul")
    )
    model = models.make_model(
        [node], [models.value("condition", "bool", []), *values], [models.value("output", "float", None)]
    )
    before = strew_onnxruntime.runs()
    session = open_session(strew_onnxruntime.convert(model))
    result = models.run(session, np.array(condition), *operands)
    assert strew_onnxruntime.runs() == before + 1
    assert reference.same_bits(result, reference.scatter_nd(*operands, reduction="add" if condition else "mul"))


def test_nodes_of_a_loop() -> None:
    """Each turn scatters what the last one left."""
    values, (data, indices, updates) = operands_and_inputs()
    inputs = [
        models.value("turn", "int64", []),
        models.value("go", "bool", []),
        models.value("old", "float", ["a", "b"]),
    ]
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["on"]),
            helper.make_node("ScatterND", ["old", "indices", "updates"], ["new"], reduction="add"),
        ],
        "body",
        inputs,
        [models.value("on", "bool", []), models.value("new", "float", ["a", "b"])],
    )
    model = models.make_model(
        [helper.make_node("Loop", ["turns", "", "data"], ["output"], body=body)],
        values,
        [models.value("output", "float", ["a", "b"])],
        initializer=[onnx.numpy_helper.from_array(np.array(3, np.int64), "turns")],
    )
    session = open_session(strew_onnxruntime.convert(model))
    before = strew_onnxruntime.runs()
    result = models.run(session, data, indices, updates)
    assert strew_onnxruntime.runs() == before + 3
    for _ in range(3):
        data = reference.scatter_nd(data, indices, updates, "add")
    assert reference.same_bits(result, data)


def test_nodes_of_functions() -> None:
    """Functions that call others, and an attribute that is the function's own."""
    values, operands = operands_and_inputs()
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("local", 1)]
    scatter = helper.make_node("ScatterElements", ["d", "i", "u"], ["y"], reduction="add")
    scatter.attribute.append(onnx.AttributeProto(name="axis", ref_attr_name="along", type=onnx.AttributeProto.INT))
    inner = helper.make_function("local", "Inner", ["d", "i", "u"], ["y"], [scatter], imports, attributes=["along"])
    call = helper.make_node("Inner", ["d", "i", "u"], ["y"], domain="local", along=1)
    outer = helper.make_function("local", "Outer", ["d", "i", "u"], ["y"], [call], imports)
    model = models.make_model(
        [helper.make_node("Outer", ["data", "indices", "updates"], ["output"], domain="local")],
        values,
        [models.value("output", "float", ["a", "b"])],
        functions=[inner, outer],
        opset_imports=[helper.make_opsetid("local", 1)],
    )
    converted = strew_onnxruntime.convert(model)
    onnx.checker.check_model(converted)
    assert [entry.domain for entry in converted.functions[0].opset_import] == ["", "local", "com.strew"]
    assert [entry.domain for entry in converted.functions[1].opset_import] == ["", "local"]
    data = operands[0]
    indices, updates = np.array([[-1], [4]], np.int64), data[:2, :1]
    before = strew_onnxruntime.runs()
    result = models.run(open_session(converted), data, indices, updates)
    assert strew_onnxruntime.runs() == before + 1
    assert reference.same_bits(result, reference.scatter_elements(data, indices, updates, 1, "add"))


# ---- The command ----------------------------------------------------------------------------------------------------


def command(*arguments: Any) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "strew_onnxruntime.convert", *map(os.fspath, arguments)]
    return subprocess.run(program, capture_output=True, text=True, check=False)


def model_with_table() -> tuple[onnx.ModelProto, tuple[Any, ...]]:
    """A model whose data is an initializer, and one in a subgraph."""
    values, operands = operands_and_inputs()
    constant = helper.make_node("Constant", [], ["table"], value=onnx.numpy_helper.from_array(operands[0], "constant"))
    then = helper.make_graph([constant], "then", [], [models.value("table", "float", None)])
    other = helper.make_graph(
        [helper.make_node("Identity", ["data"], ["same"])], "else", [], [models.value("same", "float", None)]
    )
    nodes = [
        helper.make_node("If", ["condition"], ["chosen"], then_branch=then, else_branch=other),
        helper.make_node("ScatterND", ["chosen", "indices", "updates"], ["output"], reduction="add"),
    ]
    model = models.make_model(
        nodes,
        [models.value("condition", "bool", []), *values[1:]],
        [models.value("output", "float", None)],
        initializer=[onnx.numpy_helper.from_array(operands[0] * 2, "data")],
    )
    return model, operands


@pytest.mark.parametrize("place", ["beside", "elsewhere"])
def test_tensors_in_files_of_their_own_stay_there(tmp_path: Path, place: str) -> None:
    model, (data, indices, updates) = model_with_table()
    source = tmp_path / "source" / "model.onnx"
    target = (source.parent if place == "beside" else tmp_path / "target") / "converted.onnx"
    for path in (source, target):
        path.parent.mkdir(exist_ok=True)
    onnx.save(
        model, source, save_as_external_data=True, location="tensors.bin", size_threshold=0, convert_attribute=True
    )
    done = command(source, target)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{target}: nodes for strew: 1\n"
    assert (target.parent / "tensors.bin").read_bytes() == (source.parent / "tensors.bin").read_bytes()
    assert target.stat().st_size < 2000
    session = open_session(str(target))
    for condition, table in ((True, data), (False, data * 2)):
        result = models.run(session, np.array(condition), indices, updates)
        assert reference.same_bits(result, reference.scatter_nd(table, indices, updates, "add"))


def test_a_model_of_more_than_two_gigabytes(tmp_path: Path) -> None:
    """Its tensor, a file with nothing in it, is not read."""
    size = 3 * 2**30
    table = TensorProto(name="table", data_type=TensorProto.INT8, dims=[size], data_location=TensorProto.EXTERNAL)
    table.external_data.add(key="location", value="table.bin")
    with open(tmp_path / "table.bin", "wb") as file:
        file.truncate(size)
    node = helper.make_node("GatherND", ["table", "indices"], ["output"])
    inputs, outputs = [models.value("indices", "int64", ["n", 1])], [models.value("output", "int8", ["n"])]
    model = models.make_model([node], inputs, outputs, initializer=[table])
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    assert conversion.convert_file(tmp_path / "model.onnx", tmp_path / "converted.onnx") == 1
    assert (tmp_path / "converted.onnx").stat().st_size < 1000
    assert (tmp_path / "table.bin").stat().st_blocks == 0


def test_a_file_outside_the_model_s_folder_is_refused(tmp_path: Path) -> None:
    model, _ = model_with_table()
    source = tmp_path / "model.onnx"
    onnx.save(model, source, save_as_external_data=True, location="tensors.bin", size_threshold=0)
    changed = onnx.load(source, load_external_data=False)
    changed.graph.initializer[0].external_data[0].value = "../tensors.bin"
    source.write_bytes(changed.SerializeToString())
    (tmp_path / "target").mkdir()
    done = command(source, tmp_path / "target" / "model.onnx")
    assert done.returncode == 1
    assert "../tensors.bin, outside the model's folder" in done.stderr
    assert list((tmp_path / "target").iterdir()) == []


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is not a model")
    done = command(tmp_path / "text", tmp_path / "converted.onnx")
    assert (done.returncode, done.stderr) == (1, f"strew_onnxruntime.convert: {tmp_path}/text is not a model of ONNX\n")
    assert not (tmp_path / "converted.onnx").exists()
    done = command(tmp_path / "nothing", tmp_path / "converted.onnx")
    assert done.returncode == 1
    assert "No such file" in done.stderr
