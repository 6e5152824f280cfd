"""ONNX Runtime: a model of one node, its inputs and its output bound to the operands' memory."""

from __future__ import annotations

from functools import partial

import numpy as np
import onnxruntime
from onnx import ModelProto, TensorProto, helper

from contenders import Formulations, PythonPeer, data_bindings
from operands import Operands
from workloads import Workload

# The last operator set that changed the scatters, the one that has TensorScatter, and the versions of the file format
# that came with them.
OPSET, IR_VERSION = 18, 8
OPSET_OF_WINDOWS, IR_VERSION_OF_WINDOWS = 24, 11
# Refusals are raised, and need not be printed as well.
FATAL = 4

# bfloat16 is left out: NumPy's arrays, by which memory is bound, lack it.
ELEMENT_TYPES = {
    "float16": TensorProto.FLOAT16,
    "float32": TensorProto.FLOAT,
    "float64": TensorProto.DOUBLE,
    "bool": TensorProto.BOOL,
    **{name: getattr(TensorProto, name.upper()) for name in ("int8", "uint8", "int16", "uint16")},
    **{name: getattr(TensorProto, name.upper()) for name in ("int32", "uint32", "int64", "uint64")},
}
REDUCTIONS = {"none": "none", "sum": "add", "prod": "mul", "min": "min", "max": "max"}


class OnnxRuntimePeer(PythonPeer):
    """ONNX Runtime on the CPU."""

    name = "ONNX Runtime"
    version = onnxruntime.__version__
    has_threads = True

    def __init__(self) -> None:
        onnxruntime.set_default_logger_severity(FATAL)

    def formulations(self, operands: Operands, threads: int) -> Formulations:
        """A session has threads of its own."""
        workload = operands.workload
        if not has(workload):
            return {}
        session = self.start_session(workload, threads)
        bindings = {text: bind(session, operands, data) for text, data in data_bindings(operands).items()}
        return {text: partial(session.run_with_iobinding, binding) for text, binding in bindings.items()}

    def start_session(self, workload: Workload, threads: int) -> onnxruntime.InferenceSession:
        """A session that runs a workload on so many threads."""
        model = model_of(workload).SerializeToString()
        options = with_threads(onnxruntime.SessionOptions(), threads)
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def with_threads(options: onnxruntime.SessionOptions, threads: int) -> onnxruntime.SessionOptions:
    """The same, for so many threads."""
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return options


def has(workload: Workload) -> bool:
    """ONNX's tuples are 64-bit. A scatter along the first axis is one by tuples; ONNX has none along other axes, none
    of a slice, and no policies. It refuses to sum float16 by tuples, and crashes if it does so on several threads at
    once."""
    by_tuples = workload.operator in ("scatter", "scatter_nd")
    if workload.dtype not in ELEMENT_TYPES or workload.reduction not in REDUCTIONS or workload.goes_on:
        return False
    if (workload.takes_tuples or workload.operator == "scatter") and workload.index_dtype != "int64":
        return False
    if workload.sums_rows or (by_tuples and workload.reduction != "none" and workload.dtype == "float16"):
        return False
    along_first_axis = workload.gathers or not workload.takes_rows or workload.axis == 0
    return along_first_axis and workload.operator != "slice_scatter"


def bind(session: onnxruntime.InferenceSession, operands: Operands, data: np.ndarray) -> onnxruntime.IOBinding:
    """Binds arrays, which the operands keep alive. ONNX Runtime has no strides: expanded indices are written out."""
    arrays = arrays_of(operands, data)
    binding = session.io_binding()
    for argument in session.get_inputs():
        value = onnxruntime.OrtValue.ortvalue_from_numpy(arrays[argument.name])
        binding.bind_ortvalue_input(argument.name, value)
    binding.bind_ortvalue_output("output", onnxruntime.OrtValue.ortvalue_from_numpy(operands.output))
    return binding


def arrays_of(operands: Operands, data: np.ndarray) -> dict[str, np.ndarray]:
    """The inputs of the model."""
    indices = operands.unstrided_indices
    arrays = {"data": data, "indices": indices.reshape(-1, 1) if scatters_rows(operands.workload) else indices}
    return arrays if operands.workload.gathers else {**arrays, "updates": operands.updates}


def model_of(workload: Workload) -> ModelProto:
    """The model of one node."""
    data, index = ELEMENT_TYPES[workload.dtype], ELEMENT_TYPES[workload.index_dtype]
    inputs = [
        helper.make_tensor_value_info("data", data, workload.data),
        helper.make_tensor_value_info("indices", index, (*workload.indices, *(1,) * scatters_rows(workload))),
    ]
    if not workload.gathers:
        inputs.append(helper.make_tensor_value_info("updates", data, workload.updates))
    output = helper.make_tensor_value_info("output", data, workload.output)
    operator, attributes = node_of(workload)
    names = ["data", "updates", "indices"] if workload.takes_windows else [argument.name for argument in inputs]
    node = helper.make_node(operator, names, ["output"], **attributes)
    graph = helper.make_graph([node], workload.operator, inputs, [output])
    opset, version = (OPSET_OF_WINDOWS, IR_VERSION_OF_WINDOWS) if workload.takes_windows else (OPSET, IR_VERSION)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=version)


def scatters_rows(workload: Workload) -> bool:
    """Whether it is written as a scatter of tuples of one index."""
    return workload.operator == "scatter"


def node_of(workload: Workload) -> tuple[str, dict[str, int | str]]:
    """ONNX's name and attributes of a workload."""
    reduction = REDUCTIONS[workload.reduction]
    return {
        "gather": ("Gather", {"axis": workload.axis}),
        "scatter": ("ScatterND", {"reduction": reduction}),
        "tensor_scatter": ("TensorScatter", {"axis": workload.axis}),
        "gather_nd": ("GatherND", {"batch_dims": workload.batch_dims}),
        "gather_elements": ("GatherElements", {"axis": workload.axis}),
        "scatter_nd": ("ScatterND", {"reduction": reduction}),
        "scatter_elements": ("ScatterElements", {"axis": workload.axis, "reduction": reduction}),
    }[workload.operator]
