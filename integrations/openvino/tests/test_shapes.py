"""Shapes that are partly known: OpenVINO's own operations infer from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset8, opset15

from cases import MAKERS, Counted, as_array, is_replacement, replaced

SHAPES: dict[str, list[tuple[Any, ...]]] = {
    "Gather": [([-1, 3, 4], [-1, 2]), ([ov.Dimension(1, 5), 4], [2, -1]), ([3, -1], [])],
    "GatherND": [([-1, 3, 4], [-1, 2]), ([2, ov.Dimension(1, 5), 4], [2, -1, 1]), ([-1, -1], [-1, -1, 1])],
    "GatherElements": [([-1, 4], [ov.Dimension(2, 9), 4]), ([3, -1], [-1, -1]), ([3, 4], [7, 4])],
    "ScatterUpdate": [([-1, 3], [2], [2, 3]), ([4, ov.Dimension(1, 3)], [5], [5, -1])],
    "ScatterNDUpdate": [([-1, 3], [-1, 1], [-1, 3]), ([4, ov.Dimension(1, 3)], [5, 1], [5, -1])],
    "ScatterElementsUpdate": [([-1, 3], [2, -1], [2, -1]), ([ov.Dimension(4, 8), 3], [2, 3], [2, 3])],
    "SliceScatter": [([-1, 3], [2, 3], [1], [1], [1]), ([ov.Dimension(4, 8), 3], [-1, -1], [2], [2], [2], [2])],
}
OFFSETS = [([-1, 3], [-1], [-1]), ([5, ov.Dimension(1, 3)], [4], [2], [], [4])]
PACKED = [([-1, 3], [-1, 2]), ([5, 3, ov.Dimension(1, 3)], [4, -1], [4, 2])]
SHAPES |= {
    "EmbeddingBagOffsetsSum": OFFSETS,
    "EmbeddingBagOffsets": OFFSETS,
    "EmbeddingBagPackedSum": PACKED,
    "EmbeddingBagPacked": PACKED,
    "EmbeddingSegmentsSum": [([-1, 3], [-1], [-1], []), ([5, 3], [4], [4], [], [], [4])],
    "SegmentMax": [([-1, 3], [-1]), ([4, ov.Dimension(1, 3)], [4], [])],
}
FLOAT, INT = np.float32, np.int64
TYPES = {
    "SliceScatter": [FLOAT, FLOAT, INT, INT, INT, INT],
    "EmbeddingBagOffsetsSum": [FLOAT, INT, INT, INT, FLOAT],
    "EmbeddingBagOffsets": [FLOAT, INT, INT, INT, FLOAT],
    "EmbeddingBagPackedSum": [FLOAT, INT, FLOAT],
    "EmbeddingBagPacked": [FLOAT, INT, FLOAT],
    "EmbeddingSegmentsSum": [FLOAT, INT, INT, INT, INT, FLOAT],
    "SegmentMax": [FLOAT, INT, INT],
}
CASES = [
    (version, shapes)
    for version in MAKERS
    for shapes in SHAPES[version.partition("-")[0]]
    if not (version.startswith("GatherND") and len(shapes[1]) > 2)
]
BATCHED = [
    (version, *call)
    for version in ("GatherND-5", "GatherND-8")
    for call in (
        (([-1, 3, 4], [-1, 2]), 1),
        (([2, ov.Dimension(1, 5), 4], [2, -1, 1]), 1),
        (([2, ov.Dimension(1, 5), 4], [2, -1, 1]), 2),
        (([-1, 3, -1], [-1, 3, 7, 1]), 2),
        (([-1, -1], [-1, -1, 1]), 1),
    )
]


def model_of(version: str, shapes: Sequence[Any], **attributes: Any) -> ov.Model:
    types = TYPES.get(version.partition("-")[0], [FLOAT, INT, FLOAT])
    if version == "SegmentMax-16":
        attributes = {"fill_mode": "ZERO"}
    inputs = [opset15.parameter(ov.PartialShape(shape), kind) for shape, kind in zip(shapes, types)]
    return ov.Model([MAKERS[version](*inputs, **attributes)], inputs, "shapes")


@pytest.mark.parametrize(("version", "shapes"), CASES)
def test_the_output_is_what_openvino_infers(version: str, shapes: Sequence[Any]) -> None:
    model = model_of(version, shapes)
    expected = model.output().get_partial_shape()
    assert replaced(model).output().get_partial_shape() == expected


@pytest.mark.parametrize(("version", "shapes", "batch_dims"), BATCHED)
def test_of_batches_too(version: str, shapes: Sequence[Any], batch_dims: int) -> None:
    model = model_of(version, shapes, batch_dims=batch_dims)
    expected = model.output().get_partial_shape()
    assert replaced(model).output().get_partial_shape() == expected


def test_shapes_that_are_computed_by_it_are_known() -> None:
    """Models compute shapes with these operations: OpenVINO still infers them."""
    data = opset15.parameter(ov.PartialShape([2, ov.Dimension(1, 7), 5]), np.float32)
    place, ten = opset15.constant(np.array([[0]])), opset15.constant(np.array([10]))
    written = opset15.scatter_nd_update(opset15.shape_of(data), place, ten)
    axis = opset15.constant(0)
    twice = opset15.scatter_elements_update(written, opset15.constant(np.array([2])), ten, axis)
    model = ov.Model([opset15.broadcast(opset15.constant(np.float32(1)), twice)], [data], "shapes")
    assert str(model.output().get_partial_shape()) == "[10,1..7,10]"
    assert str(replaced(model, 2).output().get_partial_shape()) == "[10,1..7,10]"


def test_they_run_in_shapes_that_are_computed(core: ov.Core) -> None:
    data = opset15.parameter([-1, -1, -1], np.float32)
    picked = opset8.gather_nd(opset15.shape_of(data), opset15.constant(np.array([[2], [1]])))
    model = replaced(ov.Model([opset15.broadcast(opset15.constant(np.float32(1)), picked)], [data], "run"))
    request = core.compile_model(model, "CPU").create_infer_request()
    with Counted(1):
        request.infer([np.zeros((2, 3, 4), np.float32)])
    assert as_array(request.get_output_tensor()).shape == (4, 3)


def test_names_stay(core: ov.Core) -> None:
    inputs = [opset15.parameter([4], np.float32, name="table"), opset15.parameter([2, 1], np.int64, name="rows")]
    node = opset8.gather_nd(*inputs)
    node.set_friendly_name("picked")
    node.output(0).get_tensor().set_names({"picked:0", "other"})
    node.get_rt_info()["mine"] = "kept"
    model = replaced(ov.Model([node], inputs, "names"))
    (operation,) = filter(is_replacement, model.get_ops())
    assert operation.get_friendly_name() == "picked"
    assert operation.get_rt_info()["mine"].astype(str) == "kept"
    assert model.output("picked:0").get_names() == {"picked:0", "other"}
    assert core.compile_model(model, "CPU").output("other").get_any_name() in {"picked:0", "other"}
