"""Rewrites a model so that strew's custom operators run its scatters and gathers, in any ONNX Runtime from 1.18 on.

The nodes keep their inputs and attributes and change their domain, from ONNX's to com.strew, in subgraphs too.
Functions of the model that hold such nodes are inlined first, as the runtime does, which cannot tell the types of what
follows com.strew's nodes in a function. A node remains ONNX's if strew does not run it: the library is asked. Tensors
that lie in files of their own stay there: the files are copied if the new model lies in another folder.
"""

from __future__ import annotations

import enum
import filecmp
import functools
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import onnx
import onnx.checker
import onnx.inliner
import onnx.shape_inference
from onnx import TensorProto

from strew_onnxruntime.native import UNKNOWN, serves

DOMAIN = "com.strew"
DOMAIN_VERSION = 1
ONNX_DOMAINS = ("", "ai.onnx")

# The limit of a message of protobuf, and so of a model without other files.
MOST_BYTES = 2**31 - 1


def convert(model: onnx.ModelProto, *, exact: bool = False) -> onnx.ModelProto:
    """A copy of a model in which strew's custom operators replace the nodes that strew serves; see the module."""
    converted = onnx.ModelProto()
    converted.CopyFrom(model)
    rewrite(converted, exact=exact)
    return converted


def rewrite(model: onnx.ModelProto, *, exact: bool = False) -> int:
    """As `convert`, but changes the model itself; returns the number of strew's nodes."""
    _refuse_namesakes(model)
    _inline(model)
    choice = Choice(_opset(model.opset_import), exact)
    count = _rewrite_graph(model.graph, _with_types(model).graph, choice, {})
    if count:
        _import_domain(model.opset_import, DOMAIN, DOMAIN_VERSION)
    return count


def convert_bytes(model: str | bytes | os.PathLike[str], *, exact: bool = False) -> bytes:
    """A model as a session takes it, a path or bytes, converted, with all its tensors, as bytes."""
    loaded = onnx.load_from_string(model) if isinstance(model, bytes) else onnx.load(os.fspath(model))
    rewrite(loaded, exact=exact)
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


def _import_domain(imports: Any, domain: str, version: int) -> None:
    if all(entry.domain != domain for entry in imports):
        imports.add(domain=domain, version=version)


def _with_types(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with the types of its values, as far as ONNX infers them; unchanged if it is too large for that."""
    if model.ByteSize() > MOST_BYTES:
        return model
    try:
        return onnx.shape_inference.infer_shapes(model)
    except (onnx.shape_inference.InferenceError, onnx.checker.ValidationError, ValueError):
        return model


class Made(enum.IntEnum):
    """The sources of a value."""

    CONSTANT = 0  # an initializer that nothing can change, or a Constant
    OF_CONSTANTS = 1  # computed from such alone
    OF_SHAPES = 2  # computed from shapes and constants
    OF_VALUES = 3  # known only in a run


class Known(NamedTuple):
    """The known facts of a value: its element type, its rank and its bytes. Type and rank are 0 if unknown."""

    element_type: int = 0
    rank: int = 0
    made: Made = Made.OF_VALUES
    bytes: int = UNKNOWN


class Choice(NamedTuple):
    """The criteria by which a node becomes strew's."""

    opset: int
    exact: bool = False  # also take nodes that the runtime runs as well


def _bytes(element_type: int, sizes: Sequence[int | None]) -> int:
    """The bytes of a tensor; unknown for a scalar, and if a size is None."""
    known = [size for size in sizes if size is not None]
    if not known or len(known) < len(sizes) or element_type in (TensorProto.UNDEFINED, TensorProto.STRING):
        return UNKNOWN
    return min(UNKNOWN, math.prod(known) * onnx.helper.tensor_dtype_to_np_dtype(element_type).itemsize)


def _known_value(value: onnx.ValueInfoProto) -> Known:
    tensor = value.type.tensor_type
    sizes = [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]
    return Known(tensor.elem_type, len(sizes), bytes=_bytes(tensor.elem_type, sizes))


def _known_values(graph: onnx.GraphProto) -> dict[str, Known]:
    values = (*graph.input, *graph.value_info, *graph.output)
    known = {value.name: _known_value(value) for value in values}
    inputs = {value.name for value in graph.input}  # a caller may give another value for an initializer
    return known | {
        tensor.name: Known(
            tensor.data_type,
            len(tensor.dims),
            Made.OF_VALUES if tensor.name in inputs else Made.CONSTANT,
            _bytes(tensor.data_type, tensor.dims),
        )
        for tensor in graph.initializer
    }


def _made(node: onnx.NodeProto, known: dict[str, Known]) -> Made:
    """The sources of a node's results. A node with graphs inside may use more than its inputs."""
    if node.domain in ONNX_DOMAINS and node.op_type in ("Shape", "Size"):
        return Made.OF_SHAPES
    if node.domain in ONNX_DOMAINS and node.op_type == "Constant":
        return Made.CONSTANT
    inputs = [known.get(name, Known()).made for name in node.input if name]
    if not inputs or any(True for _ in _subgraphs(node)):
        return Made.OF_VALUES
    return max(Made.OF_CONSTANTS, *inputs)


def _rewrite_graph(graph: onnx.GraphProto, typed: onnx.GraphProto, choice: Choice, outer: dict[str, Known]) -> int:
    """Rewrites a graph; `typed` is the same graph with types, `outer` the types of outer values."""
    return _rewrite_nodes(graph.node, typed.node, choice, outer | _known_values(typed))


def _rewrite_nodes(
    nodes: Iterable[onnx.NodeProto], typed: Iterable[onnx.NodeProto], choice: Choice, known: dict[str, Known]
) -> int:
    count = 0
    for node, twin in zip(nodes, typed, strict=True):
        for graph, typed_graph in zip(_subgraphs(node), _subgraphs(twin), strict=True):
            count += _rewrite_graph(graph, typed_graph, choice, known)
        count += _rewrite_node(node, choice, known)
        made = _made(node, known)
        known |= {name: known.get(name, Known())._replace(made=made) for name in node.output}
    return count


def _subgraphs(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def _rewrite_node(node: onnx.NodeProto, choice: Choice, known: dict[str, Known]) -> bool:
    """Whether the node is strew's now."""
    if not _is_served(node, choice, known):
        return False
    node.domain = DOMAIN
    node.attribute.append(onnx.helper.make_attribute("version", _version_in_opset(node.op_type, choice.opset)))
    return True


def _is_served(node: onnx.NodeProto, choice: Choice, known: dict[str, Known]) -> bool:
    """Whether strew runs the node, as far as is known."""
    if node.domain not in ONNX_DOMAINS or _is_known_before(node, known):
        return False
    operands = [known.get(name, Known()) for name in (*node.input, *node.output)]
    element_type = operands[0].element_type if operands else 0
    reduction = next((entry.s for entry in node.attribute if entry.name == "reduction"), None)
    version = _version_in_opset(node.op_type, choice.opset)
    rank = max((each.rank for each in operands), default=0)
    moved = UNKNOWN if choice.exact else min(UNKNOWN, sum(each.bytes for each in operands[1:]))
    return serves(node.op_type, version, element_type, reduction, rank, moved)


def _is_known_before(node: onnx.NodeProto, known: dict[str, Known]) -> bool:
    """Whether a node is a Gather whose data the runtime knows before it runs: of shapes, or of weights in other types.

    The runtime infers shapes through its own Gather, folds it, and has faster ways for quantised weights in front of
    it.
    """
    if node.op_type != "Gather":
        return False
    data, indices = (known.get(name, Known()).made for name in node.input[:2])
    return data < Made.OF_VALUES and (data > Made.CONSTANT or indices < Made.OF_VALUES)


@functools.cache
def _version_in_opset(name: str, opset: int) -> int:
    """The version of an operator that is in force; 0 if there is none."""
    try:
        return int(onnx.defs.get_schema(name, opset, "").since_version)
    except onnx.defs.SchemaError:
        return 0


# ---- Functions of the model ------------------------------------------------------------------------------------------


def _refuse_namesakes(model: onnx.ModelProto) -> None:
    """The runtime would call strew's operators instead of functions of their names."""
    for function in model.functions:
        if function.domain == DOMAIN:
            raise ValueError(
                f"the model has a function {DOMAIN}.{function.name} of its own, but the domain is that of strew's "
                "operators; give the function another domain"
            )


def _all_nodes(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.NodeProto]:
    """The nodes, and those of their subgraphs."""
    for node in nodes:
        yield node
        for graph in _subgraphs(node):
            yield from _all_nodes(graph.node)


def _functions_for_strew(model: onnx.ModelProto) -> list[onnx.FunctionProto]:
    """The functions that hold nodes which strew may run, and those that call such functions."""
    found: dict[tuple[str, str], onnx.FunctionProto] = {}
    size = -1
    while size < len(found):
        size = len(found)
        for function in model.functions:
            opset = _opset(function.opset_import)
            if any(
                (node.domain, node.op_type) in found or _is_served(node, Choice(opset), {})
                for node in _all_nodes(function.node)
            ):
                found[function.domain, function.name] = function
    return [*found.values()]


def _inline(model: onnx.ModelProto) -> None:
    """Inlines functions that hold such nodes. If ONNX cannot inline one, its nodes stay ONNX's."""
    functions = _functions_for_strew(model)
    if not functions or model.ByteSize() > MOST_BYTES:
        return
    names = [(function.domain, function.name) for function in functions]
    try:
        inlined = onnx.inliner.inline_selected_functions(model, names)
    except (RuntimeError, onnx.checker.ValidationError):  # functions of another opset than the model's, or recursive
        return
    model.CopyFrom(inlined)
    for function in functions:
        for entry in function.opset_import:
            if entry.domain not in ONNX_DOMAINS:
                _import_domain(model.opset_import, entry.domain, entry.version)


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


def _copies(files: Iterable[str], source: Path, target: Path) -> list[tuple[Path, Path]]:
    """The files that a model names in one folder, with their places in another, where no file of others may be."""
    copies = []
    for name in files:
        inside = Path(os.path.normpath(name))
        if not inside.name or inside.is_absolute() or inside.parts[0] == "..":
            raise ValueError(f"a tensor of the model lies in {name!r}, which is no file inside the model's folder")
        copies.append((source / inside, target / inside))
    return [copy for copy in copies if not _is_there(*copy)]


def _is_there(file: Path, copy: Path) -> bool:
    """Whether a file need not be copied, since its place has the same."""
    if not copy.exists():
        return False
    if not filecmp.cmp(file, copy, shallow=False):
        raise ValueError(f"{copy} exists and is not {file}, which would be copied there; choose another folder")
    return True


def _check_target(target: Path, tensors: Iterable[Path]) -> None:
    """The model that is written must take the place of a model at most."""
    if target.exists() and not target.is_file():
        raise ValueError(f"{target} is not a file; name one for the converted model")
    if target.resolve() in [tensor.resolve() for tensor in tensors]:
        raise ValueError(f"{target} holds tensors of the model; choose another name for the converted model")


def _place(target: Path, write: Callable[[Path], Any]) -> None:
    """Writes a file of that name elsewhere and moves it to its place; the old file stays until then."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".strew-", dir=target.parent) as folder:
        written = Path(folder) / target.name
        write(written)
        if target.exists():
            shutil.copymode(target, written)
        os.replace(written, target)


def convert_file(source: str | os.PathLike[str], target: str | os.PathLike[str], *, exact: bool = False) -> int:
    """Converts a model from file to file, of any size; returns how many nodes are strew's now.

    Tensors in files of their own are not read: the files are copied if `target` lies in another folder. No file of
    others is overwritten. The formats are those of the files' endings, as `onnx.load` and `onnx.save` have them.
    """
    folders = Path(source).parent.resolve(), Path(target).parent.resolve()
    written = folders[1] / Path(target).name  # a link to another place gives way to the model
    model = onnx.load(os.fspath(source), load_external_data=False)
    if not model.HasField("graph"):
        raise ValueError(f"{source} is not a model of ONNX: it has no graph")
    files = external_files(model)
    count = rewrite(model, exact=exact)
    _check_target(written, [folder / name for folder in folders for name in files])
    copies = [] if folders[0] == folders[1] else _copies(files, *folders)
    for file, copy in copies:
        _place(copy, functools.partial(shutil.copyfile, file))
    _place(written, functools.partial(onnx.save, model))
    return count
