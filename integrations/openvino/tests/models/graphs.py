"""Models of several calls, and functions that run them with OpenVINO's own kernels and with strew's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import openvino as ov
from openvino import opset15

import oracle
import strew_openvino
from cases import Array, Case, as_array, element_type, tensor

CORE = ov.Core()


def model_of(cases: Sequence[Case], constants: Sequence[int] = ()) -> tuple[ov.Model, list[Array]]:
    """A model with a branch for each call, and its inputs; `constants` are the places of inputs that are constants."""
    parameters: list[Any] = []
    inputs: list[Array] = []
    results: list[Any] = []
    for case in cases:
        arguments: list[Any] = []
        for place, array in enumerate(case.arrays):
            if place in constants:
                arguments.append(ov.op.Constant(tensor(array), shared_memory=False))
                continue
            arguments.append(opset15.parameter(list(array.shape), element_type(array.dtype)))
            parameters.append(arguments[-1])
            inputs.append(array)
        results.append(case.node(arguments))
    return ov.Model(results, parameters), inputs


def replaced(model: ov.Model) -> ov.Model:
    """A copy of a model, with strew in it."""
    copy = model.clone()
    strew_openvino.replace(copy, exact=True)
    return copy


def compiled(model: ov.Model, threads: int = 2, **settings: Any) -> ov.CompiledModel:
    """Compiles for the CPU and keeps floats: OpenVINO would otherwise compute in bfloat16 if the CPU has it."""
    fixed = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}
    return CORE.compile_model(model, "CPU", {**fixed, **settings})


def infer(model: ov.CompiledModel, inputs: Sequence[Array]) -> list[Array]:
    """Runs asynchronously: on one thread OpenVINO's synchronous inference drops the exceptions of nodes."""
    request = model.create_infer_request()
    tensors = [tensor(array) for array in inputs]
    for place, each in enumerate(tensors):
        request.set_input_tensor(place, each)
    request.start_async()
    request.wait()
    return [as_array(output) for output in request.output_tensors]


def run(model: ov.Model, inputs: Sequence[Array], threads: int = 2) -> list[Array]:
    return infer(compiled(model, threads), inputs)


def run_with_strew(model: ov.Model, inputs: Sequence[Array], threads: int = 2) -> tuple[list[Array], int]:
    """The outputs, and how many operations strew evaluated for them."""
    executable = compiled(replaced(model), threads)
    before = strew_openvino.calls()
    outputs = infer(executable, inputs)
    return outputs, strew_openvino.calls() - before


def same_bits(found: Array, expected: Array) -> bool:
    """Whether all bits are equal, except payload and sign of a NaN."""
    same = (found.dtype, found.shape) == (expected.dtype, expected.shape)
    return same and oracle.bits(found) == oracle.bits(expected)
