"""ONNX Runtime: a model of one node, in its own session and in one of strew_onnxruntime's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnxruntime
import strew_onnxruntime
from onnx import ModelProto, helper

from calls import LONG_ALONE, MOVED, Call, Operands, Operation
from guest import Side, age_with_arrays
from onnxruntime_peer import ELEMENT_TYPES, FATAL, IR_VERSION, OPSET
from right import right

# bfloat16 is no type of NumPy's arrays, by which tensors are given.
TAKEN = {dtype: weight for dtype, weight in MOVED.items() if dtype != "bfloat16"}
# ONNX Runtime refuses to combine halves.
COMBINED = {dtype: weight for dtype, weight in TAKEN.items() if dtype != "float16"}
REDUCTIONS = {"none": "none", "sum": "add", "prod": "mul", "min": "min", "max": "max"}
REDUCED = ("sum", "sum", "prod", "min", "max")
# Inputs and output stay where they are, or are given anew and made anew by each run.
BOUND = {"bound": 2}

OPERATIONS = {
    "Gather": Operation("rows", TAKEN, traits=BOUND, weight=3),
    "GatherND": Operation("tuples", TAKEN, LONG_ALONE, traits=BOUND, weight=3),
    "GatherElements": Operation("elements", TAKEN, traits=BOUND, weight=3),
    "ScatterND": Operation("tuples", TAKEN, LONG_ALONE, traits=BOUND, weight=2, scatters=True),
    "ScatterND reduced": Operation("tuples", COMBINED, LONG_ALONE, REDUCED, traits=BOUND, weight=3, scatters=True),
    "ScatterElements": Operation("elements", TAKEN, traits=BOUND, weight=2, scatters=True),
    "ScatterElements reduced": Operation("elements", COMBINED, reductions=REDUCED, traits=BOUND, weight=3, scatters=True),
}


class OnnxRuntimeGuest:
    """ONNX Runtime on the CPU. A session has threads of its own."""

    name = "onnxruntime"
    operations = OPERATIONS
    has_threads_apart = True

    def __init__(self, threads: int) -> None:
        onnxruntime.set_default_logger_severity(FATAL)
        self._threads = threads

    def versions(self) -> dict[str, str]:
        """The library's and strew's."""
        return {"onnxruntime": onnxruntime.__version__, "strew_onnxruntime": strew_onnxruntime.__version__}

    def age(self, sizes: Sequence[int]) -> None:
        """Ages with NumPy arrays."""
        age_with_arrays(sizes)

    def sides(self, call: Call, operands: Operands) -> tuple[Side, Side]:
        """Both run the same model."""
        model = model_of(call).SerializeToString()
        alone = onnxruntime.InferenceSession(model, self._options(), providers=["CPUExecutionProvider"])
        through = onnxruntime.InferenceSession(model, self._options(strew_onnxruntime.session_options()))
        return tuple(Side(runs(session, call, operands)) for session in (alone, through))

    def arrays(self, result: Any) -> list[np.ndarray]:
        """One."""
        return list(result)

    def right(self, call: Call, operands: Operands) -> list[np.ndarray]:
        """Uses NumPy: sums of ONNX Runtime lose updates on several threads."""
        return [right(call, operands)]

    def _options(self, options: onnxruntime.SessionOptions | None = None) -> onnxruntime.SessionOptions:
        options = options or onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        return options


def runs(session: onnxruntime.InferenceSession, call: Call, operands: Operands) -> Callable[[], list[np.ndarray]]:
    """A run with feeds, as in most programs, or with bound tensors."""
    feeds = {"data": operands.data, "indices": operands.indices}
    if call.scatters:
        feeds["updates"] = operands.updates
    if "bound" not in call.traits:
        return lambda: session.run(None, feeds)
    binding = session.io_binding()
    for name, array in feeds.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(array))
    output = np.empty(call.data if call.scatters else call.updates, operands.data.dtype)
    binding.bind_ortvalue_output("output", onnxruntime.OrtValue.ortvalue_from_numpy(output))

    def run() -> list[np.ndarray]:
        session.run_with_iobinding(binding)
        return [output]

    return run


def model_of(call: Call) -> ModelProto:
    """The model of one node."""
    data, index = ELEMENT_TYPES[call.dtype], ELEMENT_TYPES[call.index_dtype]
    inputs = [
        helper.make_tensor_value_info("data", data, call.data),
        helper.make_tensor_value_info("indices", index, call.indices),
    ]
    if call.scatters:
        inputs.append(helper.make_tensor_value_info("updates", data, call.updates))
    output = helper.make_tensor_value_info("output", data, call.data if call.scatters else call.updates)
    attributes: dict[str, int | str] = {"axis": call.axis} if call.family in ("rows", "elements") else {}
    if call.scatters:
        attributes["reduction"] = REDUCTIONS[call.reduction]
    operator = call.operation.partition(" ")[0]
    node = helper.make_node(operator, [argument.name for argument in inputs], ["output"], **attributes)
    graph = helper.make_graph([node], operator, inputs, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
