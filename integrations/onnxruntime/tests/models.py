"""Models of few nodes for the tests, their operands, and sessions that run them."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper

Array = NDArray[Any]

# The names of ONNX's element types to those of NumPy; strings are arrays of objects. The oldest runtimes take no
# bfloat16 from Python.
DTYPES: dict[str, Any] = {
    "bool": np.bool_,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "uint8": np.uint8,
    "uint16": np.uint16,
    "uint32": np.uint32,
    "uint64": np.uint64,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float": np.float32,
    "double": np.float64,
    "string": np.object_,
}
if not hasattr(onnxruntime.OrtValue, "ortvalue_from_numpy_with_onnx_type"):
    del DTYPES["bfloat16"]
REDUCTIONS = ("none", "add", "mul", "min", "max")

# The newest opset that is tested, and runtimes that end before it.
RELEASE = tuple(map(int, onnxruntime.__version__.split(".")[:2]))
NEWEST_OPSET = 24 if RELEASE >= (1, 24) else 23 if RELEASE >= (1, 23) else 21

# Opsets for each version of the operators, and newer ones in which the last is in force.
OPSETS = {
    name: tuple(opset for opset in opsets if opset <= NEWEST_OPSET)
    for name, opsets in {
        "ScatterND": (11, 13, 16, 18, 21, 23, 24),
        "ScatterElements": (11, 13, 16, 18, 21, 23, 24),
        "Scatter": (9, 10),
        "GatherND": (11, 12, 13, 18, 21, 23, 24),
        "GatherElements": (11, 13, 18, 21, 23, 24),
        "Gather": (9, 10, 11, 13, 18, 21, 23, 24),
    }.items()
}

# The operators that strew serves; TensorScatter, whose indices come last, has a module of its own.
SERVED = {*OPSETS, "TensorScatter"}

# The dimensions in a model are names, so that any size will do.
Shape = Sequence[int | str]


def element_type(dtype: str) -> int:
    """The number of a type in ONNX."""
    return int(TensorProto.DataType.Value(dtype.upper()))


def reductions_of(name: str, opset: int, dtype: str) -> tuple[str, ...]:
    """The reductions of a scatter in an opset, for a type."""
    if not name.startswith("Scatter") or dtype == "string" or opset < 16:
        return ("none",)
    return REDUCTIONS[: 5 if opset >= 18 else 3]


def value(name: str, dtype: str, shape: Shape | None) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element_type(dtype), shape)


def make_model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[onnx.ValueInfoProto],
    outputs: Sequence[onnx.ValueInfoProto],
    opset: int = 18,
    **parts: Any,
) -> onnx.ModelProto:
    """A model of these nodes, for runtimes old and new; `parts` are initializer, functions and opset_imports."""
    imports = [helper.make_opsetid("", opset), *parts.pop("opset_imports", [])]
    functions = parts.pop("functions", [])
    graph = helper.make_graph(list(nodes), "graph", list(inputs), list(outputs), **parts)
    ir_version = 10 if opset >= 24 else 8
    return helper.make_model(graph, opset_imports=imports, functions=functions, ir_version=ir_version)


def one_node(
    name: str,
    opset: int = 18,
    dtype: str = "float",
    index_dtype: str = "int64",
    ranks: tuple[int, int, int] = (2, 2, 2),
    output_rank: int | None = None,
    **attributes: Any,
) -> onnx.ModelProto:
    """A model of one node, called "node", of data, indices and updates, whose result is "output"."""
    types = (dtype, index_dtype, dtype)
    names = ("data", "indices", "updates")[: 3 if name.startswith("Scatter") else 2]
    inputs = [
        value(operand, kind, [f"{operand}{d}" for d in range(rank)])
        for operand, kind, rank in zip(names, types, ranks, strict=False)
    ]
    if output_rank is None:
        output_rank = ranks[0] + ranks[1] - 1 if name == "Gather" else 2
    output = value("output", dtype, [f"output{d}" for d in range(output_rank)])
    node = helper.make_node(name, list(names), ["output"], name="node", **attributes)
    return make_model([node], inputs, [output], opset)


def served_nodes(model: onnx.ModelProto) -> int:
    """The number of nodes of a graph that strew runs: all of its types except a Gather from known values."""
    known = {tensor.name: "constant" for tensor in model.graph.initializer}
    count = 0
    for node in model.graph.node:
        inputs = [known.get(name, "values") for name in node.input if name]
        if node.op_type == "Constant":
            made = "constant"
        elif node.op_type in ("Shape", "Size"):
            made = "known"
        else:
            made = "values" if "values" in inputs or not inputs else "known"
        known |= dict.fromkeys(node.output, made)
        is_known = node.op_type == "Gather" and (inputs[0] == "known" or (inputs[0] != "values" and made == "known"))
        count += node.op_type in SERVED and node.domain == "" and not is_known
    return count


def draw(rng: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> Array:
    """Values that reveal the arithmetic: large integers that wrap, floats that round, special values."""
    count = math.prod(shape)
    if dtype == "string":
        words = [f"word {i} " * int(rng.integers(0, 4)) for i in range(count)]
        array = np.empty(count, object)
        array[:] = words
        return array.reshape(shape)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    kind = np.dtype(DTYPES[dtype])
    if kind.kind in "iu":
        return np.frombuffer(rng.bytes(count * kind.itemsize), kind).reshape(shape).copy()
    values = rng.standard_normal(count) * 2.0 ** rng.integers(-6, 7, count)
    for special in (np.nan, np.inf, -np.inf, 0.0, -0.0):
        values[rng.random(count) < 0.02] = special
    return values.astype(kind).reshape(shape)


def draw_operands(
    rng: np.random.Generator, name: str, dtype: str, index_dtype: str = "int64", axis: int = 0
) -> tuple[Array, ...]:
    """Data, indices and updates of rank 2 with duplicates and negative indices among them."""
    data = draw(rng, dtype, (7, 5))
    if name.endswith("ND"):
        indices = rng.integers(-7, 7, (11, 1))
        update_shape: tuple[int, ...] = (11, 5)
    else:
        size = data.shape[axis]
        indices = rng.integers(-size, size, (7, 4) if axis else (11, 5))
        update_shape = indices.shape
    operands = [data, indices.astype(index_dtype)]
    if name.startswith("Scatter"):
        operands.append(draw(rng, dtype, update_shape))
    return tuple(operands)


def to_value(array: Array) -> onnxruntime.OrtValue:
    """An array as the runtime's own, of bfloat16 too, for which it has no NumPy."""
    if array.dtype == ml_dtypes.bfloat16:
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(array.view(np.uint16), TensorProto.BFLOAT16)
    return onnxruntime.OrtValue.ortvalue_from_numpy(array)


def to_array(result: onnxruntime.OrtValue) -> Array:
    if result.data_type() != "tensor(bfloat16)":
        return result.numpy()
    shape = tuple(result.shape())
    memory = (ctypes.c_uint16 * math.prod(shape)).from_address(result.data_ptr()) if math.prod(shape) else ()
    return np.array(memory, np.uint16).view(ml_dtypes.bfloat16).reshape(shape)


def run(session: onnxruntime.InferenceSession, *operands: Array) -> Array:
    """The first output of a model whose inputs are these, in their order."""
    feeds = dict(zip((entry.name for entry in session.get_inputs()), operands, strict=True))
    if any(array.dtype == object for array in operands):  # strings are taken by copy alone
        return session.run(None, feeds)[0]
    return to_array(session.run_with_ort_values(None, {name: to_value(array) for name, array in feeds.items()})[0])


def quiet_options(threads: int = 1) -> onnxruntime.SessionOptions:
    """Options of a session that reports errors only by exceptions."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    return options
