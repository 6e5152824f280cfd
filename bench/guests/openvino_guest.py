"""OpenVINO: a model of one operation, unchanged and after strew_openvino.replace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import metadata
from typing import Any

import ml_dtypes
import numpy as np
import openvino
import strew_openvino
from openvino import Type, opset15

from calls import Call, Operands, Operation
from guest import Side
from openvino_peer import INDEX_TYPES, shared_tensor
from right import right, segments_of

# The CPU plugin computes float64 and int64 in 32 bits, so that its own results would be of another call.
DATA_TYPES = {
    "float16": Type.f16, "bfloat16": Type.bf16, "float32": Type.f32,
    "int32": Type.i32, "uint8": Type.u8, "int8": Type.i8,
}  # fmt: skip
TAKEN = {"float32": 6, "float16": 2, "bfloat16": 1, "int32": 2, "uint8": 1, "int8": 1}
COMBINED = {"float32": 6, "float16": 2, "int32": 2}
FLOATS_OF_BAGS = {"float32": 4, "float16": 1}
INT_FIRST = {"int32": 1, "int64": 1}
REDUCED = ("sum", "sum", "prod", "min", "max")
# The output is where it was, or made anew by each run.
BOUND = {"bound": 2}


def only_sums(call: Call, trait: str) -> bool:
    """Weights are those of sums."""
    return trait == "weighted" and call.reduction != "sum"


def operation(family: str, dtypes: dict[str, int] = TAKEN, **others: Any) -> Operation:
    """An operation of OpenVINO."""
    return Operation(family, dtypes, INT_FIRST, traits=BOUND | others.pop("traits", {}), **others)


OPERATIONS = {
    "Gather": operation("rows", weight=3),
    "GatherND": operation("tuples", weight=3),
    "GatherElements": operation("elements", weight=3),
    "ScatterUpdate": operation("rows", weight=2, scatters=True),
    "ScatterNDUpdate": operation("tuples", scatters=True),
    "ScatterNDUpdate reduced": operation("tuples", COMBINED, reductions=REDUCED, weight=2, scatters=True),
    "ScatterElementsUpdate": operation("elements", scatters=True),
    "ScatterElementsUpdate reduced": operation(
        "elements", COMBINED, reductions=REDUCED, weight=2, scatters=True
    ),
    "ScatterElementsUpdate mean": operation("elements", {"float32": 1}, reductions=("mean",), scatters=True),
    "EmbeddingBagOffsets": operation(
        "bags", FLOATS_OF_BAGS, reductions=("sum", "sum", "mean"), traits={"weighted": 4}, lacks=only_sums, weight=2
    ),
    "EmbeddingSegmentsSum": operation("bags", FLOATS_OF_BAGS, reductions=("sum",)),
}


class OpenVinoGuest:
    """OpenVINO on the CPU. A compiled model has threads of its own."""

    name = "openvino"
    operations = OPERATIONS
    has_threads_apart = True

    def __init__(self, threads: int) -> None:
        self._core = openvino.Core()
        self._threads = threads

    def versions(self) -> dict[str, str]:
        """The library's and strew's."""
        version = openvino.get_version().partition("-")[0]
        return {"openvino": version, "strew_openvino": metadata.version("strew-openvino")}

    def age(self, sizes: Sequence[int]) -> None:
        """Every second one stays until all are made."""
        kept = [openvino.Tensor(Type.u8, openvino.Shape([size])) for size in sizes][::2]
        for tensor in kept:
            tensor.data[:] = 1
        del kept, tensor

    def sides(self, call: Call, operands: Operands) -> tuple[Side, Side]:
        """The same model twice."""
        model, replaced = model_of(call, operands), model_of(call, operands)
        strew_openvino.replace(replaced)
        return tuple(Side(inference(self._compiled(some, call), call, operands)) for some in (model, replaced))

    def _compiled(self, model: openvino.Model, call: Call) -> openvino.CompiledModel:
        """Compiles for one stream of so many threads, and keeps floats, which could be computed in bfloat16
        otherwise."""
        properties = {"PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": self._threads}
        if call.dtype == "float32":
            properties["INFERENCE_PRECISION_HINT"] = "f32"
        return self._core.compile_model(model, "CPU", properties)

    def arrays(self, result: Any) -> list[np.ndarray]:
        """The one result; bfloat16 by its bits."""
        data = result.data
        if result.element_type == Type.bf16:
            return [np.array(data).view(np.uint16).view(ml_dtypes.bfloat16)]
        return [np.array(data)]

    def right(self, call: Call, operands: Operands) -> list[np.ndarray]:
        """Uses NumPy: OpenVINO's own results differ from the specification in places."""
        return [right(call, operands)]


def given(call: Call, operands: Operands) -> dict[str, np.ndarray]:
    """The arrays for a run, in the order of the model's inputs; bfloat16 by its bits."""
    arrays = {"data": operands.data, "indices": operands.indices}
    if call.scatters:
        arrays["updates"] = operands.updates
    if call.bags:
        segments = call.operation == "EmbeddingSegmentsSum"
        arrays["segments"] = segments_of(call, operands) if segments else operands.offsets
    if "weighted" in call.traits:
        arrays["weights"] = operands.weights
    return {name: array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array for name, array in arrays.items()}


def type_of(name: str, call: Call) -> Type:
    """The type of an input."""
    return INDEX_TYPES[call.index_dtype] if name in ("indices", "segments") else DATA_TYPES[call.dtype]


def inference(compiled: openvino.CompiledModel, call: Call, operands: Operands) -> Callable[[], openvino.Tensor]:
    """A run on these arrays, and its output. A tensor does not keep the array that it shares memory with: the run does."""
    request = compiled.create_infer_request()
    arrays = given(call, operands)
    for place, (name, array) in enumerate(arrays.items()):
        request.set_input_tensor(place, shared_tensor(array, type_of(name, call)))
    if "bound" in call.traits:
        output = (call.bags, *call.data[1:]) if call.bags else call.data if call.scatters else call.updates
        arrays["output"] = np.empty(output, np.uint16 if call.dtype == "bfloat16" else call.dtype)
        request.set_output_tensor(0, shared_tensor(arrays["output"], DATA_TYPES[call.dtype]))

    return partial(infer, request, arrays)


def infer(request: openvino.InferRequest, arrays: dict[str, np.ndarray]) -> openvino.Tensor:
    """Runs. Not to share the output would be to copy it into one more array."""
    request.infer(share_outputs=True)
    return request.get_output_tensor(0)


def model_of(call: Call, operands: Operands) -> openvino.Model:
    """The model of one operation."""
    shapes = {name: array.shape for name, array in given(call, operands).items()}
    nodes = {name: opset15.parameter(shape, type_of(name, call)) for name, shape in shapes.items()}
    made = MAKE[call.operation.partition(" ")[0]](call, *nodes.values())
    return openvino.Model([made], list(nodes.values()), call.operation)


def bag(call: Call, *nodes: openvino.Node) -> openvino.Node:
    """EmbeddingBagOffsets-15: an empty bag is zeros."""
    data, indices, offsets, *weights = nodes
    default = opset15.constant(-1, INDEX_TYPES[call.index_dtype])
    return opset15.embedding_bag_offsets(data, indices, offsets, default, weights[0] if weights else None, call.reduction)


def segments_sum(call: Call, *nodes: openvino.Node) -> openvino.Node:
    """EmbeddingSegmentsSum-3, without a default: an empty segment is zeros."""
    return opset15.embedding_segments_sum(*nodes, opset15.constant(call.bags, INDEX_TYPES[call.index_dtype]))


MAKE: dict[str, Callable[..., openvino.Node]] = {
    "Gather": lambda call, x, i: opset15.gather(x, i, opset15.constant(call.axis)),
    "GatherND": lambda call, x, i: opset15.gather_nd(x, i),
    "GatherElements": lambda call, x, i: opset15.gather_elements(x, i, call.axis),
    "ScatterUpdate": lambda call, x, i, v: opset15.scatter_update(x, i, v, opset15.constant(call.axis)),
    "ScatterNDUpdate": lambda call, x, i, v: opset15.scatter_nd_update(x, i, v, call.reduction),
    "ScatterElementsUpdate": lambda call, x, i, v: opset15.scatter_elements_update(x, i, v, call.axis, call.reduction),
    "EmbeddingBagOffsets": bag,
    "EmbeddingSegmentsSum": segments_sum,
}
