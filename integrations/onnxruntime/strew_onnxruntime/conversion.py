"""Rewrites a model so that strew's custom operators run its scatters and gathers, in any ONNX Runtime from 1.18 on.

The nodes keep their names, inputs and attributes and change their domain, from ONNX's to com.strew, in subgraphs and in
functions too. A node remains ONNX's if strew does not have its version, or not the type of its data. Tensors that lie
in files of their own stay there: the files are copied if the new model lies in another folder.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import onnx
import onnx.shape_inference
from onnx import TensorProto

DOMAIN = "com.strew"
DOMAIN_VERSION = 1
ONNX_DOMAINS = ("", "ai.onnx")

# The published versions that strew has.
VERSIONS = {
    "GatherElements": (11, 13),
    "GatherND": (11, 12, 13),
    "Scatter": (9, 11),
    "ScatterElements": (11, 13, 16, 18),
    "ScatterND": (11, 13, 16, 18),
}

# The types of data for which there are custom operators: ONNX Runtime has no tensors of complex numbers.
TYPES = {
    TensorProto.BOOL,
    TensorProto.INT8,
    TensorProto.INT16,
    TensorProto.INT32,
    TensorProto.INT64,
    TensorProto.UINT8,
    TensorProto.UINT16,
    TensorProto.UINT32,
    TensorProto.UINT64,
    TensorProto.FLOAT16,
    TensorProto.BFLOAT16,
    TensorProto.FLOAT,
    TensorProto.DOUBLE,
    TensorProto.STRING,
}

# A message of protobuf, and so a model without files beside it, is not larger.
MOST_BYTES = 2**31 - 1


def convert(model: onnx.ModelProto) -> onnx.ModelProto:
    """A copy of a model in which strew's custom operators do what strew has a version for; see the module."""
    converted = onnx.ModelProto()
    converted.CopyFrom(model)
    rewrite(converted)
    return converted


def rewrite(model: onnx.ModelProto) -> int:
    """As `convert`, but changes the model itself; returns how many nodes are strew's now."""
    count = _rewrite_graph(model.graph, _with_types(model).graph, _opset(model.opset_import), {})
    if count:
        _import_domain(model.opset_import)
    for function in model.functions:
        inside = _rewrite_nodes(function.node, function.node, _opset(function.opset_import), {})
        if inside:
            _import_domain(function.opset_import)
            _import_domain(model.opset_import)
        count += inside
    return count


def convert_bytes(model: str | bytes | os.PathLike[str]) -> bytes:
    """A model as a session takes it, a path or bytes, converted, with all its tensors, as bytes."""
    loaded = onnx.load_from_string(model) if isinstance(model, bytes) else onnx.load(os.fspath(model))
    rewrite(loaded)
    if loaded.ByteSize() > MOST_BYTES:
        raise ValueError(
            "the model has more than 2 GB and cannot be converted as it loads; convert it to a file: "
            "python -m strew_onnxruntime.convert MODEL CONVERTED"
        )
    return bytes(loaded.SerializeToString())


# ---- Nodes ----------------------------------------------------------------------------------------------------------


def _opset(imports: Iterable[onnx.OperatorSetIdProto]) -> int:
    """The version of ONNX's own operators."""
    return max((entry.version for entry in imports if entry.domain in ONNX_DOMAINS), default=0)


def _import_domain(imports: Any) -> None:
    if all(entry.domain != DOMAIN for entry in imports):
        imports.add(domain=DOMAIN, version=DOMAIN_VERSION)


def _with_types(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with the types of its values, as far as ONNX can tell; one that is too large for it as it is."""
    if model.ByteSize() > MOST_BYTES:
        return model
    try:
        return onnx.shape_inference.infer_shapes(model)
    except (onnx.shape_inference.InferenceError, ValueError):
        return model


def _value_types(graph: onnx.GraphProto) -> dict[str, int]:
    values = (*graph.input, *graph.value_info, *graph.output)
    types = {value.name: value.type.tensor_type.elem_type for value in values}
    return types | {tensor.name: tensor.data_type for tensor in graph.initializer}


def _rewrite_graph(graph: onnx.GraphProto, typed: onnx.GraphProto, opset: int, outer: dict[str, int]) -> int:
    """Rewrites a graph; `typed` is the same graph with types, `outer` the types of what it sees from outside."""
    return _rewrite_nodes(graph.node, typed.node, opset, outer | _value_types(typed))


def _rewrite_nodes(
    nodes: Iterable[onnx.NodeProto], typed: Iterable[onnx.NodeProto], opset: int, types: dict[str, int]
) -> int:
    count = 0
    for node, twin in zip(nodes, typed, strict=True):
        for graph, typed_graph in zip(_subgraphs(node), _subgraphs(twin), strict=True):
            count += _rewrite_graph(graph, typed_graph, opset, types)
        count += _rewrite_node(node, opset, types)
    return count


def _subgraphs(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def _rewrite_node(node: onnx.NodeProto, opset: int, types: dict[str, int]) -> bool:
    """Whether the node is strew's now."""
    if node.domain not in ONNX_DOMAINS or node.op_type not in VERSIONS:
        return False
    version = _version_in_opset(node.op_type, opset)
    data_type = types.get(node.input[0], 0) if node.input else 0
    if version not in VERSIONS[node.op_type] or (data_type and data_type not in TYPES):
        return False
    node.domain = DOMAIN
    node.attribute.append(onnx.helper.make_attribute("version", version))
    return True


def _version_in_opset(name: str, opset: int) -> int:
    """The version of an operator that is in force; 0 if it is none."""
    try:
        return int(onnx.defs.get_schema(name, opset, "").since_version)
    except onnx.defs.SchemaError:
        return 0


# ---- Tensors in files of their own ----------------------------------------------------------------------------------


def _tensors(graph: onnx.GraphProto) -> Iterator[TensorProto]:
    yield from graph.initializer
    yield from _tensors_of_nodes(graph.node)


def _tensors_of_nodes(nodes: Iterable[onnx.NodeProto]) -> Iterator[TensorProto]:
    for node in nodes:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
        for graph in _subgraphs(node):
            yield from _tensors(graph)


def external_files(model: onnx.ModelProto) -> list[str]:
    """The files that hold tensors of the model, relative to its folder."""
    found = [*_tensors(model.graph)]
    for function in model.functions:
        found += _tensors_of_nodes(function.node)
    entries = (entry for tensor in found for entry in tensor.external_data if entry.key == "location")
    return sorted({entry.value for entry in entries})


def _copy_beside(files: Iterable[str], source: Path, target: Path) -> None:
    """Copies files that a model names to the same places in another folder."""
    for name in files:
        inside = Path(os.path.normpath(name))
        if inside.is_absolute() or inside.parts[0] == "..":
            raise ValueError(f"a tensor of the model lies in {name}, outside the model's folder; it must lie inside")
        (target / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / inside, target / inside)


def convert_file(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> int:
    """Converts a model from file to file, of any size; returns how many nodes are strew's now.

    Tensors in files of their own are not read: the files are copied if `target` lies in another folder.
    """
    model = onnx.load(os.fspath(source), load_external_data=False)
    count = rewrite(model)
    folders = Path(source).resolve().parent, Path(target).resolve().parent
    if folders[0] != folders[1]:
        _copy_beside(external_files(model), *folders)
    Path(target).write_bytes(model.SerializeToString())
    return count
