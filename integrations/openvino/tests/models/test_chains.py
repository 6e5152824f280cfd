"""Models drawn at random: several of the operators in a chain, with elementwise operations between them.

A chain is drawn once and written twice, with OpenVINO's operations and as ONNX. Its numbers are small integers, which
every dtype and every order of a sum represents exactly, and an assignment names each place once. So the results with and
without strew must equal NumPy's. Zeros may differ in their sign: the maximum of OpenVINO and of NumPy leaves it open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import openvino as ov
import pytest
from openvino import opset15
from openvino.utils.node_factory import NodeFactory

import oracle
import strew_openvino
from cases import Array, Case, element_type, gather, make_model
from models import graphs

CHAINS = 150
DTYPES = (np.float32, np.float32, np.float16, np.float64, np.int32, np.int64)
INDEX_DTYPES = (np.int32, np.int64)

# the names of each operator in OpenVINO and ONNX, newest versions
OPENVINO = {
    "gather": "Gather-8",
    "gather_nd": "GatherND-8",
    "gather_elements": "GatherElements-6",
    "scatter_nd": "ScatterNDUpdate-15",
    "scatter_elements": "ScatterElementsUpdate-12",
}
ONNX = {
    "gather": "Gather",
    "gather_nd": "GatherND",
    "gather_elements": "GatherElements",
    "scatter_nd": "ScatterND",
    "scatter_elements": "ScatterElements",
}
ONNX_REDUCTIONS = {"none": "none", "sum": "add", "prod": "mul", "min": "min", "max": "max"}
ELEMENTWISE: dict[str, Callable[[Array, Array], Array]] = {"Add": np.add, "Mul": np.multiply, "Max": np.maximum}


@dataclass
class Step:
    """An operation of the chain: its first input is the result of the step before, the others are its own."""

    name: str
    operands: list[Array]
    attributes: dict[str, Any] = field(default_factory=dict)
    constant: bool = False  # its operands are constants of the model, not inputs

    def run(self, data: Array) -> Array:
        if self.name in ELEMENTWISE:
            return ELEMENTWISE[self.name](data, self.operands[0]).astype(data.dtype)
        if self.name == "gather":
            return gather(data, *self.operands, **self.attributes)
        return np.asarray(getattr(oracle, self.name)(data, *self.operands, **self.attributes))


@dataclass
class Chain:
    data: Array
    steps: list[Step]

    def inputs(self) -> list[Array]:
        return [self.data, *(operand for step in self.steps if not step.constant for operand in step.operands)]

    def expected(self) -> Array:
        data = self.data
        for step in self.steps:
            data = step.run(data)
        return data

    def family(self) -> list[Step]:
        return [step for step in self.steps if step.name in OPENVINO]


# -- drawing ----------------------------------------------------------------------------------------------------------


def draw_values(random: np.random.Generator, shape: tuple[int, ...], dtype: Any, low: int = -4, high: int = 5) -> Array:
    return np.asarray(random.integers(low, high, shape)).astype(dtype)


def draw_index(random: np.random.Generator, size: int, shape: tuple[int, ...]) -> Array:
    return np.asarray(random.integers(-size, size, shape))


def draw_gather(random: np.random.Generator, data: Array, index_dtype: Any) -> Step:
    axis = int(random.integers(-data.ndim, data.ndim))
    shape = tuple(random.integers(1, 5, random.integers(1, 3)))
    return Step("gather", [draw_index(random, data.shape[axis], shape).astype(index_dtype)], {"axis": axis})


def draw_gather_nd(random: np.random.Generator, data: Array, index_dtype: Any) -> Step:
    batch_dims = int(random.integers(0, data.ndim))
    depth = int(random.integers(1, data.ndim - batch_dims + 1))
    # rank 2 at least, for the steps after it
    middle = tuple(random.integers(1, 5, max(1, 2 - batch_dims - (data.ndim - batch_dims - depth))))
    shape = (*data.shape[:batch_dims], *middle)
    sizes = data.shape[batch_dims : batch_dims + depth]
    indices = np.stack([draw_index(random, size, shape) for size in sizes], axis=-1)
    return Step("gather_nd", [indices.astype(index_dtype)], {"batch_dims": batch_dims})


def draw_gather_elements(random: np.random.Generator, data: Array, index_dtype: Any) -> Step:
    axis = int(random.integers(-data.ndim, data.ndim))
    shape = list(data.shape)
    shape[axis] = int(random.integers(1, 7))
    return Step(
        "gather_elements", [draw_index(random, data.shape[axis], tuple(shape)).astype(index_dtype)], {"axis": axis}
    )


def draw_reduction(random: np.random.Generator) -> str:
    return str(random.choice(list(ONNX_REDUCTIONS)))


def updates_of(random: np.random.Generator, reduction: str, shape: tuple[int, ...], dtype: Any) -> Array:
    """Factors are signs and zeros, so that products stay small."""
    return draw_values(random, shape, dtype, *((-1, 2) if reduction == "prod" else ()))


def draw_scatter_nd(random: np.random.Generator, data: Array, index_dtype: Any) -> Step:
    reduction = draw_reduction(random)
    depth = int(random.integers(1, data.ndim + 1))
    sizes = data.shape[:depth]
    rows = int(np.prod(sizes))
    count = int(random.integers(1, 7))
    flat = random.permutation(rows)[:count] if reduction == "none" else random.integers(0, rows, count)
    indices = np.stack(np.unravel_index(flat, sizes), axis=-1)
    indices -= np.array(sizes) * random.integers(0, 2, indices.shape)
    updates = updates_of(random, reduction, (len(flat), *data.shape[depth:]), data.dtype)
    return Step("scatter_nd", [indices.astype(index_dtype), updates], {"reduction": reduction})


def draw_scatter_elements(random: np.random.Generator, data: Array, index_dtype: Any) -> Step:
    reduction = draw_reduction(random)
    axis = int(random.integers(-data.ndim, data.ndim))
    shape = [int(random.integers(1, size + 1)) for size in data.shape]
    size = data.shape[axis]
    if reduction == "none":
        order = random.random((*data.shape[: axis % data.ndim], size, *data.shape[axis % data.ndim + 1 :])).argsort(
            axis
        )
        indices = order[tuple(map(slice, shape))]
        indices -= size * random.integers(0, 2, indices.shape)
    else:
        indices = draw_index(random, size, tuple(shape))
    updates = updates_of(random, reduction, tuple(shape), data.dtype)
    return Step("scatter_elements", [indices.astype(index_dtype), updates], {"axis": axis, "reduction": reduction})


def draw_elementwise(random: np.random.Generator, data: Array, _: Any) -> Step:
    name = str(random.choice(list(ELEMENTWISE)))
    operand = draw_values(random, (), data.dtype, *((-1, 3) if name == "Mul" else ()))
    return Step(name, [operand], constant=True)


DRAWS = (draw_gather, draw_gather_nd, draw_gather_elements, draw_scatter_nd, draw_scatter_elements, draw_elementwise)


def draw_chain(seed: int) -> Chain:
    random = np.random.default_rng(seed)
    dtype = DTYPES[random.integers(len(DTYPES))]
    data = draw_values(random, tuple(random.integers(1, 6, random.integers(2, 4))), dtype)
    chain = Chain(data, [])
    while len(chain.steps) < random.integers(4, 8) or len(chain.family()) < 3:
        draw = DRAWS[random.integers(len(DRAWS))]
        # the ONNX operators of tuples have int64 alone
        index_dtype = np.int64 if "nd" in draw.__name__ else INDEX_DTYPES[random.integers(len(INDEX_DTYPES))]
        step = draw(random, chain.expected(), index_dtype)
        step.constant = step.constant or bool(random.integers(3) == 0)
        chain.steps.append(step)
    return chain


# -- writing ----------------------------------------------------------------------------------------------------------


def dims_of(step: Step | None, operand: Array, dynamic: bool) -> list[int | None]:
    """None for sizes that are known only at run time; the length of a tuple, which determines ranks, is always
    known."""
    if not dynamic:
        return list(operand.shape)
    tuples = step is not None and step.name.endswith("_nd") and operand is step.operands[0]
    return [None] * (operand.ndim - tuples) + list(operand.shape[operand.ndim - tuples :])


def parameter(step: Step | None, operand: Array, dynamic: bool) -> Any:
    dims = [-1 if size is None else size for size in dims_of(step, operand, dynamic)]
    return opset15.parameter(dims, element_type(operand.dtype))


def as_openvino(chain: Chain, dynamic: bool) -> ov.Model:
    parameters = [parameter(None, chain.data, dynamic)]
    node: Any = parameters[0]
    for step in chain.steps:
        operands = []
        for operand in step.operands:
            if step.constant:
                operands.append(opset15.constant(operand))
            else:
                operands.append(parameter(step, operand, dynamic))
                parameters.append(operands[-1])
        node = openvino_node(step, [node, *operands])
    return ov.Model([node], parameters)


def openvino_node(step: Step, arguments: list[Any]) -> Any:
    if step.name in ELEMENTWISE:
        return NodeFactory("opset15").create(
            {"Mul": "Multiply", "Max": "Maximum"}.get(step.name, step.name),
            [argument.output(0) for argument in arguments],
            {},
        )
    return Case(OPENVINO[step.name], (), step.attributes).node(arguments)


def as_onnx(chain: Chain, dynamic: bool) -> ov.Model:
    names = iter(f"t{number}" for number in range(1000))

    def value(step: Step | None, array: Array, name: str) -> onnx.ValueInfoProto:
        dtype = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
        return onnx.helper.make_tensor_value_info(name, dtype, dims_of(step, array, dynamic))

    flowing = next(names)
    inputs, constants, nodes = [value(None, chain.data, flowing)], [], []
    for step in chain.steps:
        operands = [next(names) for _ in step.operands]
        for name, operand in zip(operands, step.operands):
            if step.constant:
                constants.append(onnx.numpy_helper.from_array(operand, name))
            else:
                inputs.append(value(step, operand, name))
        attributes = dict(step.attributes)
        if "reduction" in attributes:
            attributes["reduction"] = ONNX_REDUCTIONS[attributes["reduction"]]
        made = next(names)
        nodes.append(onnx.helper.make_node(ONNX.get(step.name, step.name), [flowing, *operands], [made], **attributes))
        flowing = made
    dtype = onnx.helper.np_dtype_to_tensor_dtype(chain.data.dtype)
    outputs = [onnx.helper.make_tensor_value_info(flowing, dtype, [None] * chain.expected().ndim)]
    graph = onnx.helper.make_graph(nodes, "chain", inputs, outputs, constants)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8)
    onnx.checker.check_model(model)
    return graphs.CORE.read_model(model.SerializeToString())


def same_values(got: Array, expected: Array) -> bool:
    return got.dtype == expected.dtype and np.array_equal(got, expected)


# -- with and without -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [as_openvino, as_onnx])
@pytest.mark.parametrize("seed", range(CHAINS))
def test_with_and_without(seed: int, write: Callable[[Chain, bool], ov.Model]) -> None:
    chain = draw_chain(seed)
    model = write(chain, bool(seed % 2))
    expected = chain.expected()
    (native,) = graphs.run(model, chain.inputs())
    assert same_values(native, expected), "what NumPy makes of the chain is not what OpenVINO makes of it"

    copy = model.clone()
    report = strew_openvino.replace(copy, exact=True)
    assert len(report.replaced) + len(report.left) == len(chain.family())
    if chain.data.dtype in (np.float32, np.int32):
        left = {node.reason for node in report.left}
        assert left <= {"indices are one constant, for which OpenVINO need not copy"}
    executable = graphs.compiled(copy, threads=1 + seed % 2)
    before = strew_openvino.calls()
    (output,) = graphs.infer(executable, chain.inputs())
    assert strew_openvino.calls() - before == len(report.replaced)
    assert same_values(output, expected)


@pytest.mark.parametrize("streams", [1, 2])
def test_streams_share_a_model(streams: int) -> None:
    """Requests in flight at the same time, each with numbers of its own."""
    chain = next(chain for chain in map(draw_chain, range(1000)) if chain.data.dtype == np.float32)
    model = graphs.replaced(as_openvino(chain, dynamic=False))
    executable = graphs.compiled(model, NUM_STREAMS=streams)
    variants = [Chain(chain.data + number, chain.steps) for number in range(20)]
    results: dict[int, Array] = {}
    queue = ov.AsyncInferQueue(executable, 4)
    queue.set_callback(lambda request, number: results.update({number: request.get_output_tensor(0).data.copy()}))
    for number in range(200):
        queue.start_async(dict(enumerate(variants[number % 20].inputs())), number)
    queue.wait_all()
    expected = [variant.expected() for variant in variants]
    assert all(same_values(results[number], expected[number % 20]) for number in range(200))


def test_a_dynamic_model_takes_one_size_after_another() -> None:
    """One compiled model: sizes grow, shrink and become 0."""
    empty = np.zeros((1, 3), np.float32), np.zeros((1, 1), np.int64), np.zeros((1, 3), np.float32)
    model = make_model(Case("ScatterNDUpdate-15", empty, {"reduction": "sum"}), dynamic=True)
    executable = graphs.compiled(graphs.replaced(model))
    random = np.random.default_rng(5)
    before = strew_openvino.calls()
    sizes = [(5, 2), (1, 1), (7, 40), (2, 0), (300, 1000), (3, 3)]
    for rows, count in sizes:
        data = draw_values(random, (rows, 3), np.float32)
        indices = draw_index(random, rows, (count, 1))
        updates = draw_values(random, (count, 3), np.float32)
        (output,) = graphs.infer(executable, [data, indices, updates])
        assert graphs.same_bits(output, oracle.scatter_nd(data, indices, updates, "sum"))
    assert strew_openvino.calls() - before == len(sizes)
