"""Gathers of values that the runtime knows before a run, which it keeps, and those beside them, which become
strew's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import strew_onnxruntime
from models import Array, make_model, quiet_options, value
from onnx import helper, numpy_helper
from provider import STREW, native_session, profile, strew_session
from reference import same_bits

CPU = "CPUExecutionProvider"
needs_provider = pytest.mark.skipif(not strew_onnxruntime.has_provider(), reason="needs ONNX Runtime 1.24 or newer")


def gather(data: str, indices: str, output: str) -> onnx.NodeProto:
    return helper.make_node("Gather", [data, indices], [output], name=output)


def constants(**arrays: Any) -> list[onnx.TensorProto]:
    return [numpy_helper.from_array(np.array(array), name) for name, array in arrays.items()]


def shapes_model() -> onnx.ModelProto:
    """Gathers rows of a table and takes its shape apart and together again, as exported models do."""
    nodes = [
        gather("table", "words", "rows"),
        helper.make_node("Shape", ["rows"], ["shape"]),
        gather("shape", "leading", "kept"),
        gather("shape", "last", "width"),
        helper.make_node("Div", ["width", "two"], ["half"]),
        helper.make_node("Concat", ["kept", "two", "half"], ["target"], axis=0),
        helper.make_node("Reshape", ["rows", "target"], ["output"]),
    ]
    inputs = [value("table", "float", ["n", "width"]), value("words", "int64", ["batch", "length"])]
    initializer = constants(leading=[0, 1], last=[2], two=[2])
    return make_model(nodes, inputs, [value("output", "float", None)], initializer=initializer)


def feeds_of(batch: int = 3) -> dict[str, Array]:
    rng = np.random.default_rng(batch)
    return {"table": rng.standard_normal((9, 8)).astype(np.float32), "words": rng.integers(-9, 9, (batch, 5))}


def converted_session(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    options = quiet_options()
    options.register_custom_ops_library(strew_onnxruntime.extension_path())
    return onnxruntime.InferenceSession(
        strew_onnxruntime.convert(model, exact=True).SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def strews(model: onnx.ModelProto) -> set[str]:
    """The nodes that the converter gives strew."""
    return {node.name for node in strew_onnxruntime.convert(model, exact=True).graph.node if node.domain == "com.strew"}


def check_shapes(session: onnxruntime.InferenceSession) -> None:
    for batch in (3, 1, 0, 40):
        feeds = feeds_of(batch)
        before = strew_onnxruntime.runs()
        (output,) = session.run(None, feeds)
        assert strew_onnxruntime.runs() == before + 1
        assert same_bits(output, feeds["table"][feeds["words"]].reshape(batch, 5, 2, 4))


def test_gathers_of_shapes_are_not_converted() -> None:
    model = shapes_model()
    assert strews(model) == {"rows"}
    session = converted_session(model)
    assert session.get_outputs()[0].shape == native_session(model.SerializeToString()).get_outputs()[0].shape
    check_shapes(session)


@needs_provider
def test_gathers_of_shapes_are_not_claimed(tmp_path: Path) -> None:
    model = shapes_model()
    check_shapes(strew_session(model))
    ran = profile(model, feeds_of(), tmp_path)
    assert [entry for entry in ran if entry[0] == "Gather"] == [("Gather", CPU), ("Gather", CPU), ("Gather", STREW)]


def table_model(*before: onnx.NodeProto, overridable: bool = False) -> onnx.ModelProto:
    """Gathers rows of "table", which the nodes of `before` compute from a constant, "weights"."""
    weights = np.arange(12, dtype=np.uint8).reshape(4, 3)
    inputs = [value("words", "int64", ["n"])]
    if overridable:
        inputs.append(value("table", "float", [4, 3]))
    initializer = constants(weights=weights, scale=np.float32(0.5), table=weights.astype(np.float32))
    if before:
        initializer = initializer[:2]
    nodes = [*before, gather("table", "words", "output")]
    return make_model(nodes, inputs, [value("output", "float", None)], initializer=initializer)


DEQUANTIZED = helper.make_node("DequantizeLinear", ["weights", "scale"], ["table"])
TABLES = {
    "constant": (table_model(), True),
    "initializer that may be overridden": (table_model(overridable=True), True),
    "dequantized": (table_model(DEQUANTIZED), False),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str) -> None:
    """An embedding is strew's; one that is kept in fewer bits is the runtime's."""
    model, is_strews = TABLES[name]
    assert bool(strews(model)) == is_strews
    feeds = {"words": np.array([3, -4, 0])}
    expected = native_session(model.SerializeToString()).run(None, feeds)[0]
    sessions = [converted_session(model)]
    if strew_onnxruntime.has_provider():
        sessions.append(strew_session(model))
    for session in sessions:
        before = strew_onnxruntime.runs()
        (output,) = session.run(None, feeds)
        assert strew_onnxruntime.runs() - before == is_strews
        assert same_bits(output, expected)


def test_a_gather_of_constants_is_folded() -> None:
    nodes = [gather("table", "places", "picked"), helper.make_node("Add", ["picked", "bias"], ["output"])]
    initializer = constants(table=np.arange(5, dtype=np.float32), places=[4, -1])
    model = make_model(nodes, [value("bias", "float", [])], [value("output", "float", None)], initializer=initializer)
    assert not strews(model)
    before = strew_onnxruntime.runs()
    assert converted_session(model).run(None, {"bias": np.array(1, np.float32)})[0].tolist() == [5, 5]
    assert strew_onnxruntime.runs() == before


@needs_provider
@pytest.mark.parametrize("condition", [False, True])
def test_inside_a_branch(condition: bool) -> None:
    """Outer values count as known only in a run, even shapes; a shape that is taken inside does not."""
    branches = [
        helper.make_graph([gather("table", "words", "picked")], "then", [], [value("picked", "float", None)]),
        helper.make_graph(
            [
                helper.make_node("Shape", ["table"], ["shape"]),
                gather("shape", "words", "sizes"),
                helper.make_node("Cast", ["sizes"], ["cast"], to=1),
            ],
            "else",
            [],
            [value("cast", "float", None)],
        ),
    ]
    chosen = helper.make_node("If", ["condition"], ["output"], then_branch=branches[0], else_branch=branches[1])
    inputs = [value("table", "float", ["n"]), value("words", "int64", ["m"]), value("condition", "bool", [])]
    session = strew_session(make_model([chosen], inputs, [value("output", "float", None)]))
    before = strew_onnxruntime.runs()
    feeds = {"table": np.arange(6, dtype=np.float32), "words": np.array([0, -1]), "condition": np.array(condition)}
    (output,) = session.run(None, feeds)
    assert output.tolist() == ([0, 5] if condition else [6, 6])
    assert strew_onnxruntime.runs() - before == condition


def test_a_long_way_back_is_no_shape() -> None:
    """A node with more inputs than the search for sources follows."""
    many = [f"part{i}" for i in range(40)]
    nodes = [
        helper.make_node("Shape", ["data"], ["shape"]),
        *(helper.make_node("Identity", ["shape"], [part]) for part in many),
        helper.make_node("Concat", many, ["parts"], axis=0),
        gather("parts", "places", "output"),
    ]
    inputs = [value("data", "float", ["n"]), value("places", "int64", ["m"])]
    model = make_model(nodes, inputs, [value("output", "int64", None)])
    session = strew_session(model) if strew_onnxruntime.has_provider() else converted_session(model)
    assert session.run(None, {"data": np.zeros(7, np.float32), "places": np.array([39, -40])})[0].tolist() == [7, 7]
