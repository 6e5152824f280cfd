"""Short operations, which OpenVINO runs as fast: it keeps them, unless exact is set or it would lose part of the
values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset8, opset15

import strew_openvino
from cases import Array, Case, Counted, assert_same, infer, make_model, replaced

REASON = "it is short, and OpenVINO begins sooner: with exact strew runs it"


def floats(*shape: int) -> Array:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def below(size: int, *shape: int) -> Array:
    return np.random.default_rng(1).integers(0, size, shape).astype(np.int32)


def one(value: int) -> Array:
    return np.array([value])


SLICE = (one(1), one(3), one(1))
SEGMENTS = np.array(20, np.int32)
SHORT = [
    Case("Gather-1", (floats(5, 4), below(5, 6))),
    Case("Gather-7", (floats(5, 4), below(4, 5, 6)), {"axis": 1, "batch_dims": 1}),
    Case("Gather-8", (floats(5, 4), below(5, 1023))),
    Case("Gather-8", (floats(5), below(5, 4095))),
    Case("Gather-8", (floats(5, 4).astype(np.int8), below(4, 800)), {"axis": -1}),
    Case("GatherND-5", (floats(5, 4), below(4, 6, 2))),
    Case("GatherND-5", (floats(5, 4), below(4, 6, 2).astype(np.int64))),
    Case("GatherND-8", (floats(5, 400), below(5, 1023, 1))),
    Case("GatherElements-6", (floats(5, 4), below(5, 200, 4))),
    Case("EmbeddingBagPacked-15", (floats(5, 4), below(5, 255, 4)), {"reduction": "mean"}),
    Case("EmbeddingBagPackedSum-3", (floats(5, 4), below(5, 3, 4))),
    *(Case("EmbeddingSegmentsSum-3", (floats(9, 4), below(9, n), np.sort(below(20, n)), SEGMENTS)) for n in (1, 2, 204)),
    Case("SliceScatter-15", (floats(5, 4), floats(2, 4), *SLICE)),
    *(Case("Gather-8", (floats(5, 4).astype(kind), below(5, 6))) for kind in ("float16", "int16")),
    Case("GatherND-8", (floats(1023, 4).astype(np.float16), below(5, 6, 1))),
]
# Enough rows for strew to make up for its later start, types that OpenVINO narrows, and kernels that are slower or
# wrong.
STREWS = [
    Case("Gather-8", (floats(5, 4), below(5, 1024))),
    Case("Gather-8", (floats(5), below(5, 4096))),
    Case("Gather-8", (floats(1024, 5), below(5, 4)), {"axis": 1}),
    Case("GatherND-8", (floats(5, 4), below(5, 1024, 1))),
    Case("GatherND-8", (floats(2), np.zeros((2, 0), np.int32))),
    Case("GatherElements-6", (floats(5, 4), below(5, 256, 4))),
    Case("EmbeddingBagPackedSum-3", (floats(5, 4), below(5, 256, 4))),
    Case("SliceScatter-15", (floats(2**21), floats(2), *SLICE)),
    Case("Gather-8", (np.array([5, 6], np.int32), np.array([1, 2], np.int32))),
    *(Case("GatherND-8", (floats(5, 4).astype(kind), below(5, 6, 1))) for kind in ("int64", "float64", "uint32")),
    Case("GatherND-8", (floats(1024, 4).astype(np.float16), below(5, 6, 1))),
    Case("ScatterUpdate-3", (floats(5, 4), below(5, 1), floats(1, 4))),
    Case("ScatterNDUpdate-15", (floats(5, 4), below(5, 1, 1), floats(1, 4))),
    Case("ScatterElementsUpdate-12", (floats(5, 4), below(5, 1, 1), floats(1, 1))),
    Case("EmbeddingBagOffsets-15", (floats(5, 4), below(5, 6), np.array([0, 6], np.int32))),
    Case("EmbeddingSegmentsSum-3", (floats(5, 4), below(5, 205), np.sort(below(20, 205)), SEGMENTS)),
    Case("EmbeddingBagPackedSum-3", (floats(5, 4).astype(np.float16), below(5, 3, 4))),
    Case("SegmentMax-16", (np.array([-np.inf], np.float32), np.zeros(1, np.int32)), {"fill_mode": "LOWEST"}),
]


def constants_of(case: Case) -> Sequence[int]:
    places = {"SliceScatter-15": (2, 3, 4), "EmbeddingSegmentsSum-3": (3,)}
    return places.get(case.version, ())


def run(core: ov.Core, model: ov.Model, case: Case, constants: Sequence[int]) -> Array:
    given = [array for place, array in enumerate(case.arrays) if place not in constants]
    return infer(core.compile_model(model, "CPU"), given)[0]


def is_left(model: ov.Model) -> bool:
    report = strew_openvino.replace(model)
    assert len(report.replaced) + len(report.left) == 1
    assert all(node.reason == REASON for node in report.left)
    return bool(report.left)


@pytest.mark.parametrize("case", SHORT, ids=lambda case: case.version)
def test_short_ones_are_openvinos_unless_exact_is_asked_for(core: ov.Core, case: Case) -> None:
    constants = constants_of(case)
    model = make_model(case, constants=constants)
    assert is_left(model)
    with Counted(0):
        assert_same(run(core, model, case, constants), case.expected())
    with Counted(1):
        assert_same(run(core, replaced(model), case, constants), case.expected())


@pytest.mark.parametrize("case", STREWS, ids=lambda case: f"{case.version}-{case.arrays[0].dtype}")
def test_others_are_strews(core: ov.Core, case: Case) -> None:
    constants = constants_of(case)
    model = make_model(case, constants=constants)
    assert not is_left(model)
    with Counted(1):
        assert_same(run(core, model, case, constants), case.expected())


def test_a_slice_that_is_not_known_is_strews(core: ov.Core) -> None:
    case = Case("SliceScatter-15", (floats(5, 4), floats(2, 4), *(part.astype(np.int32) for part in SLICE)))
    model = make_model(case)
    assert not is_left(model)
    assert_same(run(core, model, case, ()), case.expected())


@pytest.mark.parametrize("constants", [(), (0,)])
def test_data_of_64_bits_is_strews(constants: Sequence[int]) -> None:
    case = Case("GatherND-8", (floats(5, 4).astype(np.int64), below(5, 6, 1)))
    assert not is_left(make_model(case, constants=constants))


@pytest.mark.parametrize("reverse", [False, True])
def test_what_openvino_has_computed_is_narrow_already(reverse: bool) -> None:
    rows, indices = opset15.parameter([4, 3], np.int64), opset15.parameter([2, 1], np.int64)
    computed = opset15.add(rows, rows)
    given = rows if reverse else computed
    model = ov.Model([opset8.gather_nd(given, indices), computed], [rows, indices], "computed")
    assert is_left(model) != reverse


@pytest.mark.parametrize(
    ("data", "indices", "left"),
    [
        ([-1, -1], [6, 1], True),  # as many rows as there are indices
        ([5, 4], [ov.Dimension(0, 1023), 1], True),
        ([5, 4], [ov.Dimension(0, 1024), 1], False),
        ([5, 4], [ov.Dimension(3), 1], True),
        ([5, 4], [-1, 1], False),
        ([5, 4], [6, -1], False),
    ],
)
def test_shapes_that_are_not_known_count_as_long_as_they_may_be(data: Any, indices: Any, left: bool) -> None:
    inputs = [opset15.parameter(ov.PartialShape(data), np.float32)]
    inputs.append(opset15.parameter(ov.PartialShape(indices), np.int32))
    assert is_left(ov.Model([opset8.gather_nd(*inputs)], inputs, "dynamic")) == left


def test_an_axis_that_is_an_input_leaves_nothing_known() -> None:
    inputs = [opset15.parameter([3, 4], np.float32), opset15.parameter([2], np.int32), opset15.parameter([], np.int32)]
    assert not is_left(ov.Model([opset8.gather(*inputs)], inputs, "axis"))


def test_exact_is_a_word() -> None:
    model = make_model(SHORT[0])
    with pytest.raises(TypeError):
        strew_openvino.replace(model, True)  # type: ignore[misc]
