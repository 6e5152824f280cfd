"""The node tests of the onnx package, read by OpenVINO's ONNX frontend and run with strew."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
import pytest

import strew_openvino
from cases import Array
from models import graphs

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # cases of other operators divide by zero while they are made
    from onnx.backend.test.loader import load_model_tests

    CASES = load_model_tests(kind="node")

FAMILY = {"Gather", "GatherND", "GatherElements", "ScatterND", "ScatterElements", "Scatter"}
OPSETS = range(11, 24)


def family_nodes(model: onnx.ModelProto) -> list[onnx.NodeProto]:
    """The nodes of the family. A Gather among other nodes is mostly one of shapes, which OpenVINO keeps."""
    alone = len(model.graph.node) == 1
    return [node for node in model.graph.node if node.op_type in FAMILY and (alone or node.op_type != "Gather")]


def accepts(node: onnx.NodeProto, opset: int) -> bool:
    """Whether an opset has the operator with the attributes, and the values of them, that a node has."""
    try:
        schema = onnx.defs.get_schema(node.op_type, opset)
    except onnx.defs.SchemaError:
        return False
    if schema.deprecated or any(attribute.name not in schema.attributes for attribute in node.attribute):
        return False
    reductions = {attribute.s.decode() for attribute in node.attribute if attribute.name == "reduction"}
    return opset >= 18 or not reductions & {"min", "max"}


def stamped(model: onnx.ModelProto, opset: int) -> onnx.ModelProto:
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    copy.opset_import[0].version = opset
    copy.ir_version = min(copy.ir_version, onnx.helper.find_min_ir_version_for(copy.opset_import))
    return copy


def variants() -> Iterator[Any]:
    """Cases of one node in every opset that has the same version; those of more nodes in their own opset."""
    for case in CASES:
        if case.model is None or not family_nodes(case.model):
            continue
        own = case.model.opset_import[0].version
        alone = len(case.model.graph.node) == 1
        for opset in sorted({own, *OPSETS}) if alone else [own]:
            if opset == own or accepts(case.model.graph.node[0], opset):
                yield pytest.param(case, opset, id=f"{case.name}-opset{opset}")


def arrays(values: Any) -> list[Array]:
    """The arrays of a data set, also from onnx's serialised form."""
    proto = onnx.TensorProto
    return [onnx.numpy_helper.to_array(each) if isinstance(each, proto) else np.asarray(each) for each in values]


def test_every_operator_and_every_opset_is_there() -> None:
    seen: dict[str, set[int]] = {name: set() for name in FAMILY}
    for variant in variants():
        case, opset = variant.values
        for node in family_nodes(case.model):
            seen[node.op_type].add(opset)
    assert seen.pop("Scatter") == {10}  # deprecated in 11
    assert all(opsets >= set(OPSETS) for opsets in seen.values()), seen


@pytest.mark.parametrize(("case", "opset"), list(variants()))
def test_node(case: Any, opset: int) -> None:
    proto = stamped(case.model, opset)
    onnx.checker.check_model(proto)
    model = graphs.CORE.read_model(proto.SerializeToString())
    report = strew_openvino.replace(model, exact=True)
    assert len(report.replaced) + len(report.left) >= len(family_nodes(proto))
    if len(proto.graph.node) == 1:
        assert [str(node) for node in report.left] == []

    executable = graphs.compiled(model, threads=1 + opset % 2)
    for inputs, outputs in case.data_sets:
        before = strew_openvino.calls()
        got = graphs.infer(executable, arrays(inputs))
        assert strew_openvino.calls() == before + len(report.replaced)
        for result, expected in zip(got, arrays(outputs)):
            if len(proto.graph.node) == 1:
                assert graphs.same_bits(result, expected)
            else:
                np.testing.assert_allclose(result, expected, case.rtol, case.atol)


@pytest.mark.parametrize(("case", "opset"), [each for each in variants() if len(each.values[0].model.graph.node) > 1])
def test_the_rest_of_a_model_is_as_it_was(case: Any, opset: int) -> None:
    """Checks that results with and without strew have the same bits."""
    model = graphs.CORE.read_model(case.model.SerializeToString())
    for inputs, _ in case.data_sets:
        native = graphs.run(model, arrays(inputs))
        with_strew, _ = graphs.run_with_strew(model, arrays(inputs))
        for left, right in zip(native, with_strew):
            assert graphs.same_bits(right, left)
