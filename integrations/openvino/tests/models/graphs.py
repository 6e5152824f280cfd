"""Models of the family's operators, and how they are run with OpenVINO's own kernels and with strew's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
import openvino as ov
import strew_openvino
from openvino import opset1
from openvino.utils.node_factory import NodeFactory

Array = np.ndarray[Any, Any]

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)

# the first operator set with each version
OPSETS = {
    "GatherND-5": "opset5",
    "GatherND-8": "opset8",
    "GatherElements-6": "opset6",
    "ScatterNDUpdate-3": "opset4",
    "ScatterNDUpdate-15": "opset15",
    "ScatterElementsUpdate-3": "opset3",
    "ScatterElementsUpdate-12": "opset12",
}


@dataclass(frozen=True)
class Call:
    """One operator of one published version, with its inputs: data, indices, updates where it has them."""

    operator: str
    inputs: tuple[Array, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    axis: int | None = None  # ScatterElementsUpdate has it as an input

    def node(self, arguments: Sequence[ov.Node]) -> ov.Node:
        ports = [argument.output(0) for argument in arguments]
        if self.axis is not None:
            ports.append(opset1.constant(np.int64(self.axis)).output(0))
        name = self.operator.split("-")[0]
        return NodeFactory(OPSETS[self.operator]).create(name, ports, dict(self.attributes))


def element_type(array: Array) -> ov.Type:
    return ov.Type.bf16 if array.dtype == BFLOAT16 else ov.Type(array.dtype)


def tensor(array: Array) -> ov.Tensor:
    """An array as OpenVINO's, in the same memory; NumPy's bfloat16 is not known to OpenVINO."""
    if array.dtype == BFLOAT16:
        return ov.Tensor(array.view(np.uint16), array.shape, ov.Type.bf16)
    return ov.Tensor(array, shared_memory=True)


def array_of(result: ov.Tensor) -> Array:
    data = result.data.copy()
    return data.view(BFLOAT16) if result.element_type == ov.Type.bf16 else data


def model_of(calls: Sequence[Call], dynamic: bool = False, constants: Sequence[int] = ()) -> tuple[ov.Model, list[Array]]:
    """A model with a branch for each call, and its inputs; `constants` are the places of inputs that are constants."""
    parameters: list[Any] = []
    inputs: list[Array] = []
    results: list[Any] = []
    for call in calls:
        arguments: list[ov.Node] = []
        for place, array in enumerate(call.inputs):
            if place in constants:
                arguments.append(ov.op.Constant(tensor(array)))
                continue
            shape = [-1] * array.ndim if dynamic else list(array.shape)
            arguments.append(opset1.parameter(shape, element_type(array)))
            parameters.append(arguments[-1])
            inputs.append(array)
        results.append(call.node(arguments))
    return ov.Model(results, parameters), inputs


def replaced(model: ov.Model) -> ov.Model:
    """A copy of a model, with strew in it."""
    copy = model.clone()
    strew_openvino.replace(copy)
    return copy


def compiled(model: ov.Model, threads: int = 2, **settings: Any) -> ov.CompiledModel:
    """On the CPU, with floats as they are: OpenVINO would otherwise compute in bfloat16 where the CPU has it."""
    fixed = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}
    return ov.Core().compile_model(model, "CPU", {**fixed, **settings})


def infer(model: ov.CompiledModel, inputs: Sequence[Array]) -> list[Array]:
    """Started and waited for: on one thread a synchronous inference of OpenVINO's forgets what its nodes throw."""
    request = model.create_infer_request()
    for place, array in enumerate(inputs):
        request.set_input_tensor(place, tensor(array))
    request.start_async()
    request.wait()
    return [array_of(output) for output in request.output_tensors]


def run(model: ov.Model, inputs: Sequence[Array], threads: int = 2) -> list[Array]:
    return infer(compiled(model, threads), inputs)


def run_with_strew(model: ov.Model, inputs: Sequence[Array], threads: int = 2) -> tuple[list[Array], int]:
    """The outputs, and how many operations strew evaluated for them."""
    executable = compiled(replaced(model), threads)
    before = strew_openvino.calls()
    outputs = infer(executable, inputs)
    return outputs, strew_openvino.calls() - before


def same_bits(got: Array, expected: Array) -> bool:
    """Equal to the last bit; of a NaN neither payload nor sign is looked at."""
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    equal = np.ascontiguousarray(got).view(np.uint8) == np.ascontiguousarray(expected).view(np.uint8)
    bits = equal.reshape(*got.shape, -1).all(axis=-1) if got.size else np.array(True)
    if expected.dtype.kind == "f" or expected.dtype == BFLOAT16:
        bits = bits | (np.isnan(got) & np.isnan(expected))
    return bool(bits.all())
