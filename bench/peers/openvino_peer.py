"""OpenVINO: a model of one operation, compiled for the CPU, on tensors that share the operands' memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import openvino
from openvino import Type, opset15, opset16

from contenders import Formulations, PythonPeer, data_bindings
from operands import Operands
from workloads import Workload

# float64 and int64 are left out: the CPU plugin computes them in 32 bits.
DATA_TYPES = {"float16": Type.f16, "bfloat16": Type.bf16, "float32": Type.f32}
INDEX_TYPES = {"int32": Type.i32, "int64": Type.i64}


class OpenVinoPeer(PythonPeer):
    """OpenVINO on the CPU."""

    name = "OpenVINO"
    version = openvino.get_version().partition("-")[0]
    has_threads = True

    def __init__(self) -> None:
        self._core = openvino.Core()

    def formulations(self, operands: Operands, threads: int) -> Formulations:
        """A compiled model has threads of its own."""
        workload = operands.workload
        if workload.dtype not in DATA_TYPES or not is_there(workload):
            return {}
        model = self.prepare(model_of(operands))
        if model is None:
            return {}
        compiled = self._core.compile_model(model, "CPU", configuration(workload, threads))
        bindings = data_bindings(operands).items()
        return {text: inference(compiled, operands, data) for text, data in bindings}

    def prepare(self, model: openvino.Model) -> openvino.Model | None:
        """The model to compile."""
        return model


def is_there(workload: Workload) -> bool:
    """Sums of rows are by tuples, along the first axis. Gather skips bad indices. Gathered rows are combined in bags,
    in sorted segments (weights need a row for empty ones), or in order, with maxima."""
    if workload.sums_rows:
        own = {"segment_reduce": ("max",), "embedding_segments": ("sum",)}.get(workload.operator, ("sum", "mean"))
        has_reduction = workload.reduction in own
        has_weights = workload.weighted and workload.operator == "embedding_segments"
        return workload.operator != "gather_scatter" and workload.in_order and has_reduction and not has_weights
    sums_rows = workload.takes_rows and workload.reduction != "none"
    has_policy = not workload.goes_on or (workload.operator == "gather" and workload.bounds == "skip")
    if workload.reduction == "mean" and not workload.operator == "scatter_elements":
        return False
    return has_policy and workload.operator != "tensor_scatter" and not (sums_rows and workload.axis > 0)


def configuration(workload: Workload, threads: int) -> dict[str, object]:
    """One stream on so many threads. Keeps float32, which might be computed in bfloat16 otherwise."""
    properties = {"PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": threads}
    if workload.dtype == "float32":
        properties["INFERENCE_PRECISION_HINT"] = "f32"
    return properties


def inference(compiled: openvino.CompiledModel, operands: Operands, data: np.ndarray) -> Callable[[], None]:
    """A run on these arrays, which the operands keep alive. OpenVINO has no strides: indices are written out."""
    data_type, index_type = element_types(operands.workload)
    arrays = {
        "data": (data, data_type),
        "indices": (indices_of(operands), index_type),
        "updates": (operands.updates, data_type),
        "segments": (operands.segments, index_type),
        "weights": (operands.weights, data_type),
    }
    request = compiled.create_infer_request()
    for place, name in enumerate(operands.workload.inputs):
        request.set_input_tensor(place, shared_tensor(*arrays[name]))
    request.set_output_tensor(0, shared_tensor(operands.output, data_type))

    # Sharing the output avoids a copy into one more array.
    def run() -> None:
        request.infer(share_outputs=True)

    return run


def indices_of(operands: Operands) -> np.ndarray:
    """The indices, as tuples of one index if rows are summed."""
    workload, indices = operands.workload, operands.unstrided_indices
    return indices.reshape(-1, 1) if workload.takes_rows and workload.reduction != "none" else indices


def element_types(workload: Workload) -> tuple[Type, Type]:
    """The types of data and of indices."""
    return DATA_TYPES[workload.dtype], INDEX_TYPES[workload.index_dtype]


def shared_tensor(array: np.ndarray, element_type: Type) -> openvino.Tensor:
    """A tensor on the memory of an array. With a shape and a type, it reinterprets the bits."""
    return openvino.Tensor(array, openvino.Shape(array.shape), element_type)


def model_of(operands: Operands) -> openvino.Model:
    """The model of one operation."""
    workload = operands.workload
    data_type, index_type = element_types(workload)
    data = opset15.parameter(workload.data, data_type)
    if workload.sums_rows:
        return model_of_sums(operands, data)
    indices = opset15.parameter(indices_of(operands).shape, index_type)
    if workload.gathers:
        return openvino.Model([gather(workload, data, indices)], [data, indices], workload.operator)
    updates = opset15.parameter(workload.updates, data_type)
    if workload.operator == "slice_scatter":
        place = [np.array([number]) for number in (*operands.slice_attributes.values(), 1, workload.axis)]
        written = opset15.slice_scatter(data, updates, *(opset15.constant(number) for number in place))
        return openvino.Model([written], [data, updates], workload.operator)
    scattered = scatter(workload, data, indices, updates)
    return openvino.Model([scattered], [data, indices, updates], workload.operator)


def model_of_sums(operands: Operands, data: openvino.Node) -> openvino.Model:
    """EmbeddingBagOffsets-15, EmbeddingBagPacked-15, EmbeddingSegmentsSum-3 or SegmentMax-16."""
    workload, (data_type, index_type) = operands.workload, element_types(operands.workload)
    parameters = {"data": data}
    for name, array in (("indices", operands.indices), ("segments", operands.segments), ("weights", operands.weights)):
        if name in workload.inputs:
            parameters[name] = opset15.parameter(array.shape, data_type if name == "weights" else index_type)
    indices, segments, weights = (parameters.get(name) for name in ("indices", "segments", "weights"))
    count = opset15.constant(workload.rows_out, index_type)
    default = opset15.constant(-1, index_type)
    reduction = workload.reduction
    make = {
        "embedding_bag_offsets": lambda: opset15.embedding_bag_offsets(
            data, indices, segments, default, weights, reduction
        ),
        "embedding_bag_packed": lambda: opset15.embedding_bag_packed(data, indices, weights, reduction),
        "embedding_segments": lambda: opset15.embedding_segments_sum(data, indices, segments, count),
        "segment_reduce": lambda: opset16.segment_max(data, segments, count, "ZERO"),
    }[workload.operator]
    return openvino.Model([make()], list(parameters.values()), workload.operator)


def gather(workload: Workload, data: openvino.Node, indices: openvino.Node) -> openvino.Node:
    """GatherND-8, Gather-8 or GatherElements-6."""
    if workload.takes_rows:
        return opset15.gather(data, indices, opset15.constant(workload.axis), workload.batch_dims)
    if workload.takes_tuples:
        return opset15.gather_nd(data, indices, workload.batch_dims)
    return opset15.gather_elements(data, indices, workload.axis)


def scatter(
    workload: Workload, data: openvino.Node, indices: openvino.Node, updates: openvino.Node
) -> openvino.Node:
    """ScatterNDUpdate-15, ScatterUpdate-3 or ScatterElementsUpdate-12."""
    if workload.takes_rows and workload.reduction == "none":
        return opset15.scatter_update(data, indices, updates, opset15.constant(workload.axis))
    if workload.takes_tuples or workload.takes_rows:
        return opset15.scatter_nd_update(data, indices, updates, workload.reduction)
    return opset15.scatter_elements_update(data, indices, updates, workload.axis, workload.reduction)
