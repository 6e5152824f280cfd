"""The converter: the nodes that it changes and leaves. Converted models give the same results."""

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
from strew_onnxruntime.native import serves

import models
import reference
from required import ROOT

CATALOGUE = ROOT / "src/operators/catalogue.c"


def open_session(model: onnx.ModelProto | str) -> onnxruntime.InferenceSession:
    options = models.quiet_options()
    options.register_custom_ops_library(strew_onnxruntime.extension_path())
    source = model if isinstance(model, str) else model.SerializeToString()
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def domains(model: onnx.ModelProto) -> dict[str, str]:
    """The domain of each node of the graph, by its type."""
    return {node.op_type: node.domain for node in model.graph.node}


# ---- What it has ----------------------------------------------------------------------------------------------------


def test_versions_that_are_served() -> None:
    found = re.findall(r'VERSION\("(\w+)-(\d+)",\s+"ONNX"', CATALOGUE.read_text())
    assert {name for name, _ in found} == models.SERVED
    for name in models.SERVED:
        versions = {int(version) for other, version in found if other == name}
        assert {version for version in range(-1, 40) if serves(name, version)} == versions
    others = ("", "Gath", "ScatterN", "ScatterND-13", "ScatterNDUpdate")
    assert not any(serves(name, version) for version in (13, 24) for name in others)


def test_types_that_are_served() -> None:
    served = {number for number in TensorProto.DataType.values() if number and serves("ScatterND", 18, number)}
    assert served == {models.element_type(dtype) for dtype in (*models.DTYPES, "bfloat16")}


def test_types_are_those_of_onnx() -> None:
    """Every version has every type of its schema, except complex numbers, of which the runtime has no tensors."""
    schemas = [schema for schema in onnx.defs.get_all_schemas_with_history() if schema.name in models.SERVED]
    assert len(schemas) == 19
    for schema in schemas:
        (types,) = (each.allowed_type_strs for each in schema.type_constraints if each.type_param_str == "T")
        allowed = {type.removeprefix("tensor(").removesuffix(")") for type in types} - {"complex64", "complex128"}
        asked = {
            name.lower()
            for name, number in TensorProto.DataType.items()
            if number and serves(schema.name, schema.since_version, number)
        }
        assert asked == allowed, (schema.name, schema.since_version)


def test_reductions_that_are_served() -> None:
    """Strings have no reductions, and neither do versions without the attribute."""
    for dtype in models.DTYPES:
        for version, most in ((16, 3), (18, 5)):
            names = models.REDUCTIONS[: 1 if dtype == "string" else most]
            number = models.element_type(dtype)
            asked = {name for name in models.REDUCTIONS if serves("ScatterND", version, number, name.encode())}
            assert asked == set(names), (dtype, version)
    assert not serves("ScatterND", 13, models.element_type("float"), b"add")


def test_ranks_that_are_served() -> None:
    assert serves("GatherND", 13, rank=32)
    assert not serves("GatherND", 13, rank=33)


def test_onnx_has_no_newer_version() -> None:
    """Nodes of a newer version would stay with the runtime until strew has it."""
    for name in models.SERVED:
        assert serves(name, onnx.defs.get_schema(name, onnx.defs.onnx_opset_version(), "").since_version), name


# ---- ONNX's own tests -----------------------------------------------------------------------------------------------


def node_tests() -> list[Any]:
    """The node tests of onnx whose model has a node that strew serves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # from its arithmetic
        cases = {case.name: case for case in collect_testcases(None)}
    return [
        pytest.param(case, id=name)
        for name, case in cases.items()
        if case.model.opset_import[0].version <= models.NEWEST_OPSET and models.served_nodes(case.model)
    ]


def test_there_are_node_tests() -> None:
    assert len(node_tests()) >= (36 if models.NEWEST_OPSET == 23 else 20)


@pytest.mark.parametrize("case", node_tests())
def test_a_node_test_of_onnx(case: Any) -> None:
    converted = strew_onnxruntime.convert(case.model, exact=True)
    onnx.checker.check_model(converted)
    session = open_session(converted)
    nodes = sum(node.domain == conversion.DOMAIN for node in converted.graph.node)
    assert nodes == models.served_nodes(case.model)
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
        converted = strew_onnxruntime.convert(model, exact=True)
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
    strew_onnxruntime.convert(model, exact=True)
    assert model.SerializeToString(deterministic=True) == before


def test_a_model_without_such_nodes_stays() -> None:
    model = models.make_model(
        [helper.make_node("Add", ["x", "x"], ["y"])],
        [models.value("x", "float", [2])],
        [models.value("y", "float", [2])],
    )
    assert strew_onnxruntime.convert(model, exact=True) == model


def test_converting_again_changes_nothing() -> None:
    once = strew_onnxruntime.convert(models.one_node("GatherND"), exact=True)
    assert strew_onnxruntime.convert(once, exact=True) == once


def test_types_that_strew_does_not_have_are_left() -> None:
    """The type of an intermediate value is inferred."""
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
    assert domains(strew_onnxruntime.convert(model, exact=True)) == {"Reshape": "", "GatherND": "", "GatherElements": "com.strew"}


@pytest.mark.parametrize("name", ["ScatterElements", "ScatterND"])
def test_reductions_that_strew_does_not_have_are_left(name: str) -> None:
    """The runtime appends strings to one another."""
    model = models.one_node(name, 18, "string", reduction="add")
    converted = strew_onnxruntime.convert(model, exact=True)
    assert converted == model
    data = np.array([["a", "b"], ["c", "d"]], object)
    indices = np.array([[1]]) if name == "ScatterND" else np.array([[1, 1]])
    before = strew_onnxruntime.runs()
    assert models.run(open_session(converted), data, indices, data[:1]).tolist() == [["a", "b"], ["ca", "db"]]
    assert strew_onnxruntime.runs() == before
    assert domains(strew_onnxruntime.convert(models.one_node(name, 18, "string"), exact=True))[name] == "com.strew"


@pytest.mark.parametrize(("ranks", "rank"), [((33, 33, 0), 33), ((20, 20, 0), 38)])
def test_ranks_that_strew_does_not_have_are_left(ranks: tuple[int, int, int], rank: int) -> None:
    name = "GatherElements" if rank == 33 else "GatherND"
    model = models.one_node(name, 13, ranks=ranks, output_rank=rank)
    assert strew_onnxruntime.convert(model, exact=True) == model


def test_domains_of_others_are_left() -> None:
    model = models.one_node("ScatterND")
    model.graph.node[0].domain = "com.others"
    model.opset_import.add(domain="com.others", version=1)
    assert strew_onnxruntime.convert(model, exact=True) == model


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
    session = open_session(strew_onnxruntime.convert(model, exact=True))
    result = models.run(session, np.array(condition), *operands)
    assert strew_onnxruntime.runs() == before + 1
    assert reference.same_bits(result, reference.scatter_nd(*operands, reduction="add" if condition else "mul"))


def test_nodes_of_a_loop() -> None:
    """Each iteration scatters into the result of the last one."""
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
    session = open_session(strew_onnxruntime.convert(model, exact=True))
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
    converted = strew_onnxruntime.convert(model, exact=True)
    onnx.checker.check_model(converted)
    assert domains(converted) == {"ScatterElements": "com.strew"}
    assert list(converted.functions) == []
    data = operands[0]
    indices, updates = np.array([[-1], [4]], np.int64), data[:2, :1]
    before = strew_onnxruntime.runs()
    result = models.run(open_session(converted), data, indices, updates)
    assert strew_onnxruntime.runs() == before + 1
    assert reference.same_bits(result, reference.scatter_elements(data, indices, updates, 1, "add"))


def function(name: str, nodes: list[onnx.NodeProto], opset: int = 18, domain: str = "local") -> onnx.FunctionProto:
    """A function that computes "y" from the operands."""
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("local", 1)]
    return helper.make_function(domain, name, ["data", "indices", "updates"], ["y"], nodes, imports)


def calling(functions: list[onnx.FunctionProto], dtype: str = "float") -> onnx.ModelProto:
    """A model that calls the last function and uses its result."""
    values = [
        models.value("data", dtype, ["a", "b"]),
        models.value("indices", "int64", ["n", 1]),
        models.value("updates", dtype, ["n", "b"]),
    ]
    last = functions[-1]
    nodes = [
        helper.make_node(last.name, ["data", "indices", "updates"], ["called"], domain=last.domain),
        helper.make_node("Concat", ["called", "data"], ["output"], axis=0),
    ]
    return models.make_model(
        nodes,
        values,
        [models.value("output", dtype, None)],
        functions=functions,
        opset_imports=[helper.make_opsetid(last.domain, 1)],
    )


def scattering(target: str = "y") -> onnx.NodeProto:
    return helper.make_node("ScatterND", ["data", "indices", "updates"], [target], reduction="add")


def test_results_of_functions_are_read() -> None:
    """Other nodes of the graph and of the function read the results; the runtime must know their types."""
    inner = function("Inner", [scattering("x"), helper.make_node("Neg", ["x"], ["y"])])
    call = helper.make_node("Inner", ["data", "indices", "updates"], ["x"], domain="local")
    outer = function("Outer", [call, helper.make_node("Abs", ["x"], ["y"])])
    _, operands = operands_and_inputs()
    before = strew_onnxruntime.runs()
    result = models.run(open_session(strew_onnxruntime.convert(calling([inner, outer]), exact=True)), *operands)
    assert strew_onnxruntime.runs() == before + 1
    scattered = np.abs(reference.scatter_nd(*operands, reduction="add"))
    assert reference.same_bits(result, np.concatenate([scattered, operands[0]]))


def test_functions_without_such_nodes_stay() -> None:
    model = calling([function("Other", [helper.make_node("Neg", ["data"], ["y"])])])
    assert strew_onnxruntime.convert(model, exact=True) == model


def test_a_function_of_another_opset_keeps_its_nodes() -> None:
    """ONNX does not inline it; the rest of the model is converted all the same."""
    model = calling([function("Older", [scattering()], opset=17)])
    model.graph.node[1].CopyFrom(helper.make_node("ScatterND", ["called", "indices", "updates"], ["output"]))
    converted = strew_onnxruntime.convert(model, exact=True)
    assert converted.functions == model.functions
    assert domains(converted) == {"Older": "local", "ScatterND": "com.strew"}
    _, operands = operands_and_inputs()
    result = models.run(open_session(converted), *operands)
    expected = reference.scatter_nd(reference.scatter_nd(*operands, reduction="add"), *operands[1:])
    assert reference.same_bits(result, expected)


def test_domains_that_a_function_imports() -> None:
    node = helper.make_node("Gelu", ["x"], ["y"], domain="com.microsoft")
    own = function("Own", [scattering("x"), node])
    own.opset_import.add(domain="com.microsoft", version=1)
    converted = strew_onnxruntime.convert(calling([own]), exact=True)
    assert [entry.domain for entry in converted.opset_import] == ["", "local", "com.microsoft", "com.strew"]
    _, operands = operands_and_inputs()
    before = strew_onnxruntime.runs()
    models.run(open_session(converted), *operands)
    assert strew_onnxruntime.runs() == before + 1


def test_types_are_known_in_functions() -> None:
    converted = strew_onnxruntime.convert(calling([function("Append", [scattering()])], "string"), exact=True)
    assert domains(converted) == {"ScatterND": "", "Concat": ""}


def test_functions_that_call_themselves_stay() -> None:
    call = helper.make_node("Endless", ["data", "indices", "updates"], ["x"], domain="local")
    model = calling([function("Endless", [scattering("y"), call])])
    assert strew_onnxruntime.convert(model, exact=True) == model


def test_a_function_in_the_domain_of_strew_is_refused() -> None:
    """The runtime would call strew's operator in its place."""
    model = calling([function("ScatterND", [helper.make_node("Neg", ["data"], ["y"])], domain="com.strew")])
    with pytest.raises(ValueError, match=r"a function com\.strew\.ScatterND of its own.*another domain"):
        strew_onnxruntime.convert(model, exact=True)


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
    """The file of its tensor is empty and not read."""
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


@pytest.mark.parametrize("location", ["../tensors.bin", "/tensors.bin", "", "."])
def test_a_file_that_is_not_in_the_model_s_folder_is_refused(tmp_path: Path, location: str) -> None:
    model, _ = model_with_table()
    source = tmp_path / "model.onnx"
    onnx.save(model, source, save_as_external_data=True, location="tensors.bin", size_threshold=0)
    changed = onnx.load(source, load_external_data=False)
    changed.graph.initializer[0].external_data[0].value = location
    source.write_bytes(changed.SerializeToString())
    (tmp_path / "target").mkdir()
    done = command(source, tmp_path / "target" / "model.onnx")
    assert done.returncode == 1
    assert f"'{location}', which is no file inside the model's folder" in done.stderr
    assert list((tmp_path / "target").iterdir()) == []


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is not a model")
    done = command(tmp_path / "text", tmp_path / "converted.onnx")
    assert (done.returncode, done.stderr) == (1, f"strew_onnxruntime.convert: {tmp_path}/text is not a model of ONNX\n")
    assert not (tmp_path / "converted.onnx").exists()
    done = command(tmp_path / "nothing", tmp_path / "converted.onnx")
    assert done.returncode == 1
    assert "No such file" in done.stderr


@pytest.mark.parametrize("kind", ["json", "textproto", "onnxtxt"])
def test_formats_are_those_of_the_endings(tmp_path: Path, kind: str) -> None:
    model = models.one_node("ScatterND", reduction="add")
    onnx.save(model, tmp_path / f"model.{kind}")
    for target in (f"converted.{kind}", "converted.onnx"):
        assert command(tmp_path / f"model.{kind}", tmp_path / target).returncode == 0
        assert domains(onnx.load(tmp_path / target)) == {"ScatterND": "com.strew"}
    (tmp_path / f"text.{kind}").write_text("this is not a model")
    done = command(tmp_path / f"text.{kind}", tmp_path / "none.onnx")
    assert done.returncode == 1
    assert done.stderr.endswith(f"strew_onnxruntime.convert: {tmp_path}/text.{kind} is not a model of ONNX\n")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.onnx").touch()
    done = command(tmp_path / "empty.onnx", tmp_path / "converted.onnx")
    assert (done.returncode, done.stdout) == (1, "")
    assert "empty.onnx is not a model of ONNX: it has no graph" in done.stderr
    assert not (tmp_path / "converted.onnx").exists()


def saved_with_tensors(folder: Path) -> Path:
    """A model whose tensors lie in tensors.bin."""
    folder.mkdir()
    path = folder / "model.onnx"
    onnx.save(model_with_table()[0], path, save_as_external_data=True, location="tensors.bin", size_threshold=0)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("target", ["source/tensors.bin", "target/tensors.bin", "link.onnx", "target"])
def test_a_target_that_is_no_place_for_a_model_is_refused(tmp_path: Path, target: str) -> None:
    """The file of its tensors, there or where they are copied to, a link to it, a folder."""
    source = saved_with_tensors(tmp_path / "source")
    (tmp_path / "target").mkdir()
    (tmp_path / "link.onnx").symlink_to(source.parent / "tensors.bin")
    before = contents(source.parent)
    done = command(source, tmp_path / target)
    assert done.returncode == 1
    assert "holds tensors of the model" in done.stderr or "is not a file" in done.stderr
    assert contents(source.parent) == before
    assert contents(tmp_path / "target") == {}


def test_files_of_others_are_not_overwritten(tmp_path: Path) -> None:
    source = saved_with_tensors(tmp_path / "source")
    (tmp_path / "target").mkdir()
    (tmp_path / "target/tensors.bin").write_bytes(b"precious")
    done = command(source, tmp_path / "target/model.onnx")
    assert done.returncode == 1
    assert f"{tmp_path}/target/tensors.bin exists and is not {source.parent}/tensors.bin" in done.stderr
    assert contents(tmp_path / "target") == {"tensors.bin": b"precious"}


def test_converting_twice_to_one_place(tmp_path: Path) -> None:
    """Tensors that lie there already are the same; the model is replaced, and keeps its mode."""
    source = saved_with_tensors(tmp_path / "source")
    target = tmp_path / "a new/folder/model.onnx"
    assert command(source, target).returncode == 0
    target.chmod(0o600)
    first = contents(target.parent)
    assert command(source, target).returncode == 0
    assert contents(target.parent) == first
    assert target.stat().st_mode & 0o777 == 0o600
    assert set(first) == {"model.onnx", "tensors.bin"}


def test_a_model_that_cannot_be_written_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulates a full disk."""
    path = tmp_path / "model.onnx"
    onnx.save(models.one_node("ScatterND"), path)
    before = path.read_bytes()

    def fail(_: onnx.ModelProto, place: Path) -> None:
        place.write_bytes(before[:10])
        raise OSError("No space left on device")

    monkeypatch.setattr(onnx, "save", fail)
    with pytest.raises(OSError, match="No space left"):
        conversion.convert_file(path, path)
    assert contents(tmp_path) == {"model.onnx": before}


def test_links_to_models(tmp_path: Path) -> None:
    """Simulates a cache of downloads: tensors lie beside the link, and the target of a link must not change."""
    source = saved_with_tensors(tmp_path / "source")
    blob = tmp_path / "blob"
    source.rename(blob)
    source.symlink_to(blob)
    before = blob.read_bytes()
    assert command(source, tmp_path / "target/model.onnx").returncode == 0
    assert set(contents(tmp_path / "target")) == {"model.onnx", "tensors.bin"}
    assert command(source, source).returncode == 0
    assert blob.read_bytes() == before
    assert contents(source.parent) == contents(tmp_path / "target")
