"""Calls of every version that strew replaces: as arrays, as models of OpenVINO, and with expected results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
import openvino as ov
from openvino import opset1, opset3, opset4, opset5, opset6, opset7, opset8, opset12, opset15, opset16

import oracle
import strew_openvino
import sums

Array = np.ndarray[Any, Any]

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = [
    *map(np.dtype, ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")),
    *map(np.dtype, ("float16", "float32", "float64")),
    BFLOAT16,
]
REDUCTIONS = {
    "ScatterNDUpdate-15": ("none", "sum", "sub", "prod", "min", "max"),
    "ScatterElementsUpdate-12": ("none", "sum", "prod", "min", "max", "mean"),
}


def element_type(dtype: np.dtype[Any]) -> ov.Type:
    return ov.Type.bf16 if dtype == BFLOAT16 else ov.Type(dtype)


@dataclass(frozen=True)
class Case:
    """A call of one version: its arrays in the order of the operation's inputs, and its attributes."""

    version: str
    arrays: tuple[Array, ...]
    attributes: dict[str, Any] = field(default_factory=dict)

    def node(self, inputs: Sequence[Any]) -> ov.Node:
        return MAKERS[self.version](*inputs, **self.attributes)

    def expected(self) -> Array:
        """The expected result, element by element in plain NumPy."""
        if self.version == "SliceScatter-15":
            return slice_scatter(*self.arrays)
        if self.version in sums.EXPECTED:
            return sums.EXPECTED[self.version](*self.arrays, **self.attributes)
        data, indices, *updates = self.arrays
        if self.version.startswith("Gather-"):
            return gather(data, indices, **self.attributes)
        if self.version.startswith("ScatterUpdate"):
            return scatter_update(data, indices, *updates, **self.attributes)
        if self.version.startswith("GatherND"):
            gathered = oracle.gather_nd(data, indices, **self.attributes)
            return flattened(gathered, self.attributes.get("batch_dims", 0)) if self.version[-1] == "5" else gathered
        if self.version.startswith("GatherElements"):
            return oracle.gather_elements(data, indices, **self.attributes)
        if self.version.startswith("ScatterNDUpdate"):
            return oracle.scatter_nd(data, indices, *updates, **self.attributes)
        return oracle.scatter_elements(data, indices, *updates, **self.attributes)


def gather(data: Array, indices: Array, axis: int = 0, batch_dims: int = 0) -> Array:
    """Gather, with the zeros of version 8: the other versions have no index that is outside."""
    at, size = axis % data.ndim, data.shape[axis]
    batch = batch_dims + (indices.ndim if batch_dims < 0 else 0)
    out = np.zeros((*data.shape[:at], *indices.shape[batch:], *data.shape[at + 1 :]), data.dtype)
    for outer in np.ndindex(data.shape[:at]):
        for place in np.ndindex(indices.shape[batch:]):
            index = int(indices[(*outer[:batch], *place)])
            if -size <= index < size:
                out[(*outer, *place)] = data[(*outer, index)]
    return out


def scatter_update(data: Array, indices: Array, updates: Array, axis: int = 0) -> Array:
    """ScatterUpdate: the last of several updates of a place stays."""
    out = data.copy()
    for outer in np.ndindex(data.shape[: axis % data.ndim]):
        for place in np.ndindex(indices.shape):
            out[(*outer, int(indices[place]))] = updates[(*outer, *place)]
    return out


def slice_scatter(
    data: Array, updates: Array, starts: Array, stops: Array, steps: Array, axes: Array | None = None
) -> Array:
    """SliceScatter, by the slices of Python."""
    slices = [slice(None)] * data.ndim
    for at, axis in enumerate(range(len(starts)) if axes is None else axes):
        slices[axis] = slice(int(starts[at]), int(stops[at]), int(steps[at]))
    out = data.copy()
    assert out[tuple(slices)].shape == updates.shape
    out[tuple(slices)] = updates
    return out


def flattened(gathered: Array, batch_dims: int) -> Array:
    """GatherND-5 makes one dimension of those of the batch."""
    return gathered.reshape(-1, *gathered.shape[batch_dims:]) if batch_dims else gathered


def along(make: Callable[..., ov.Node]) -> Callable[..., ov.Node]:
    """Makes an operation whose last input is the axis, a constant."""
    return lambda *inputs, axis=0, **rest: make(*inputs, opset15.constant(np.int64(axis)), **rest)


MAKERS: dict[str, Callable[..., ov.Node]] = {
    "Gather-1": along(opset1.gather),
    "Gather-7": along(opset7.gather),
    "Gather-8": along(opset8.gather),
    "GatherND-5": opset5.gather_nd,
    "GatherND-8": opset8.gather_nd,
    "GatherElements-6": lambda data, indices, axis=0: opset6.gather_elements(data, indices, axis),
    "ScatterNDUpdate-3": opset4.scatter_nd_update,
    "ScatterNDUpdate-15": opset15.scatter_nd_update,
    "ScatterUpdate-3": along(opset3.scatter_update),
    "ScatterElementsUpdate-3": along(opset4.scatter_elements_update),
    "ScatterElementsUpdate-12": along(opset12.scatter_elements_update),
    "SliceScatter-15": opset15.slice_scatter,
    "EmbeddingBagOffsetsSum-3": opset3.embedding_bag_offsets_sum,
    "EmbeddingBagOffsets-15": opset15.embedding_bag_offsets,
    "EmbeddingBagPackedSum-3": opset3.embedding_bag_packed_sum,
    "EmbeddingBagPacked-15": opset15.embedding_bag_packed,
    "EmbeddingSegmentsSum-3": opset3.embedding_segments_sum,
    "SegmentMax-16": opset16.segment_max,
}


def draw(random: np.random.Generator, dtype: np.dtype[Any], shape: Sequence[int]) -> Array:
    """Elements of all sizes, special ones of floats among them."""
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    drawn = random.standard_normal(shape) * 10.0 ** random.integers(-2, 3, shape)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
    return np.where(random.random(shape) < 0.05, random.choice(special, shape), drawn).astype(dtype)


def draw_indices(random: np.random.Generator, size: int, shape: Sequence[int], dtype: type = np.int64) -> Array:
    return random.integers(-size, size, shape).astype(dtype)


def make_case(version: str, dtype: np.dtype[Any], seed: int = 0, **attributes: Any) -> Case:
    """A small call with negative and repeated indices."""
    random = np.random.default_rng(seed)
    index_type = (np.int32, np.int64)[seed % 2]
    if version.startswith("GatherND"):
        batch_dims = attributes.get("batch_dims", 0)
        data = draw(random, dtype, (2, 3, 4, 5))
        depth = 2 if batch_dims < 3 else 1
        sizes = data.shape[batch_dims : batch_dims + depth]
        indices = draw_indices(random, min(sizes), (*data.shape[:batch_dims], 6, depth), index_type)
        return Case(version, (data, indices), attributes)
    if version in sums.EXPECTED:
        inputs = sums.small_call(version, random, lambda shape: draw(random, dtype, shape), dtype, seed % 3)
        return Case(version, inputs, {"fill_mode": "LOWEST"} | attributes if version == "SegmentMax-16" else attributes)
    if version == "SliceScatter-15":
        return make_slice_case(random, draw(random, dtype, (5, 4, 6)), index_type, seed)
    axis = attributes.get("axis", 0)
    if version.startswith("Gather-") or version.startswith("ScatterUpdate"):
        return make_case_along_axis(version, random, draw(random, dtype, (5, 4, 6)), index_type, attributes)
    if "Elements" in version:
        data = draw(random, dtype, (5, 4, 6))
        # OpenVINO wants all dimensions of GatherElements but the axis to be equal.
        shape = list(data.shape) if version.startswith("Gather") else [4, 3, 5]
        shape[axis] = 9
        indices = draw_indices(random, data.shape[axis], shape, index_type)
    else:
        data = draw(random, dtype, (5, 4, 6))
        indices = draw_indices(random, 4, (7, 2), index_type)
        shape = [7, 6]
    updates = (draw(random, dtype, shape),) if version.startswith("Scatter") else ()
    return Case(version, (data, indices, *updates), attributes)


def make_case_along_axis(
    version: str, random: np.random.Generator, data: Array, index_type: type, attributes: dict[str, Any]
) -> Case:
    """For Gather-8 some indices are negative and some out of bounds; the other versions allow neither."""
    axis = attributes.get("axis", 0)
    size = data.shape[axis]
    batch_dims = attributes.get("batch_dims", 0)
    shape = (*data.shape[: batch_dims + (3 if batch_dims < 0 else 0)], 2, 3)  # -2 of the rank 3 is 1
    low, high = (-size - 2, size + 2) if version == "Gather-8" else (0, size)
    indices = random.integers(low, high, shape).astype(index_type)
    if version.startswith("Gather"):
        return Case(version, (data, indices), attributes)
    at = axis % data.ndim
    updates = draw(random, data.dtype, (*data.shape[:at], *shape, *data.shape[at + 1 :]))
    return Case(version, (data, indices, updates), attributes)


def make_slice_case(random: np.random.Generator, data: Array, index_type: type, seed: int) -> Case:
    """Forwards, backwards, and over two dimensions; the last with axes."""
    slices = [([1], [4], [2]), ([-1, -2], [-9, 99], [-2, 1]), ([9, 1], [-99, -1], [-3, 2])][seed % 3]
    axes = [] if seed % 3 < 2 else [np.array([-1, 0], index_type)]
    at = [-1, 0] if axes else range(len(slices[0]))
    shape = list(data.shape)
    for axis, start, stop, step in zip(at, *slices, strict=True):
        shape[axis] = len(range(*slice(start, stop, step).indices(data.shape[axis])))
    operands = [np.array(each, index_type) for each in slices]
    return Case("SliceScatter-15", (data, draw(random, data.dtype, shape), *operands, *axes))


def all_cases() -> Iterator[Case]:
    """Every version, dtype and reduction, each with several attributes."""
    for dtype in DTYPES:
        for version in ("GatherND-5", "GatherND-8"):
            for batch_dims in range(3):
                yield make_case(version, dtype, batch_dims, batch_dims=batch_dims)
        for version in ("Gather-7", "Gather-8"):
            for axis, batch_dims in ((1, 1), (-1, 2), (2, 1), (1, -2)):
                yield make_case(version, dtype, axis + 1, axis=axis, batch_dims=batch_dims)
        for axis in (0, 1, -1):
            for version in ("Gather-1", "Gather-7", "Gather-8", "ScatterUpdate-3"):
                yield make_case(version, dtype, axis + 1, axis=axis)
            yield make_case("GatherElements-6", dtype, axis + 1, axis=axis)
            yield make_case("ScatterElementsUpdate-3", dtype, axis + 2, axis=axis)
        yield make_case("ScatterNDUpdate-3", dtype)
        for seed in range(3):
            yield make_case("SliceScatter-15", dtype, seed)
            for version in sums.EXPECTED if dtype.kind != "b" else ():
                yield make_case(version, dtype, seed)
        if dtype.kind != "b":
            yield make_case("EmbeddingBagOffsets-15", dtype, 1, reduction="mean")
            yield make_case("EmbeddingBagPacked-15", dtype, 1, reduction="mean")
            yield make_case("SegmentMax-16", dtype, 1, fill_mode="ZERO")
        for reduction in REDUCTIONS["ScatterNDUpdate-15"]:
            for seed in range(2):
                yield make_case("ScatterNDUpdate-15", dtype, seed, reduction=reduction)
        for reduction in REDUCTIONS["ScatterElementsUpdate-12"]:
            for use_init_val in (True, False):
                if not (dtype.kind == "b" and reduction == "mean"):
                    axis = int(use_init_val)
                    yield make_case(
                        "ScatterElementsUpdate-12",
                        dtype,
                        axis,
                        axis=axis,
                        reduction=reduction,
                        use_init_val=use_init_val,
                    )


def make_model(case: Case, dynamic: bool = False, constants: Sequence[int] = ()) -> ov.Model:
    """A model of the call alone; the inputs named in `constants` are constants in it."""
    inputs = []
    for position, array in enumerate(case.arrays):
        if position in constants:
            inputs.append(opset15.constant(array))
            continue
        shape = [-1] * array.ndim if dynamic else list(array.shape)
        if position == 1 and "ND" in case.version:  # without the length of tuples the rank would not be known
            shape[-1] = array.shape[-1]
        inputs.append(opset15.parameter(shape, element_type(array.dtype)))
    node = case.node(inputs)
    node.set_friendly_name("the_operation")
    return ov.Model([node], [each for each in inputs if each.get_type_name() == "Parameter"], "model")


def tensor(array: Array) -> ov.Tensor:
    array = np.array(array, order="C")
    return ov.Tensor(array.view(np.uint16), array.shape, ov.Type.bf16) if array.dtype == BFLOAT16 else ov.Tensor(array)


def as_array(result: ov.Tensor) -> Array:
    array = np.array(result.data)
    if result.get_element_type() == ov.Type.bf16:
        return array.view(BFLOAT16)
    return array


def infer(compiled: ov.CompiledModel, arrays: Sequence[Array]) -> list[Array]:
    request = compiled.create_infer_request()
    request.infer({position: tensor(array) for position, array in enumerate(arrays)})
    return [as_array(request.get_output_tensor(position)) for position in range(len(compiled.outputs))]


def replaced(model: ov.Model, count: int = 1) -> ov.Model:
    """The model after `replace`. Checks that it has replaced `count` operations and left none."""
    report = strew_openvino.replace(model, exact=True)
    assert (len(report.replaced), len(report.left)) == (count, 0), str(report)
    return model


def is_replacement(node: ov.Node) -> bool:
    """Whether an operation is strew's, which has OpenVINO's name in an opset of its own."""
    return str(node.get_type_info().version_id).startswith("strew")


class Counted:
    """Checks that strew runs the given number of operations within."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __enter__(self) -> None:
        self.before = strew_openvino.calls()

    def __exit__(self, kind: Any, *rest: Any) -> None:
        if kind is None:
            assert strew_openvino.calls() - self.before == self.count


def assert_same(found: Array, expected: Array) -> None:
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert oracle.bits(found) == oracle.bits(expected), f"{found} is not {expected}"
