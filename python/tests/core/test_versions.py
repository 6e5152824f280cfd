"""run(): every published version by name, under its own rules."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import numpy_loops
import pytest
from numpy_loops import assert_same, dtype_of, has, numbers

import strew
from strew.typing import OperatorInfo

def key_of(entry: OperatorInfo) -> str:
    """The name that run() takes. ONNX and OpenVINO both have a Gather-1."""
    is_shared = entry["name"] == "Gather-1" and entry["collection"] == "ONNX"
    return f"ONNX:{entry['name']}" if is_shared else entry["name"]


OPERATORS = {key_of(entry): entry for entry in strew.operators()}
EVERY = pytest.mark.parametrize("name", OPERATORS)

# The versions whose indices name rows or elements one by one, and the parameters that others have.
INDEXED = pytest.mark.parametrize(
    "name", [name for name, entry in OPERATORS.items() if entry["operator"] in numpy_loops.INDEXED]
)
SLICE = ("starts", "stops", "steps", "axes", "offsets", "segment_ids", "empty")
COMBINING = ("embedding_bag_offsets", "embedding_bag_packed", "embedding_segments", "segment_reduce")
DATA_SHAPE = (3, 4, 2)


def call_of(name: str, dtype: Any = np.float32) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """The arrays of a call of this version, its required attributes, and the function that does the same."""
    kind = OPERATORS[name]["operator"]
    draw = np.random.default_rng(1)
    data = numbers(1, DATA_SHAPE, np.dtype(dtype))
    index_dtype = OPERATORS[name]["index_dtypes"][-1]
    if kind in ("gather", "scatter"):
        indices = draw.integers(0, 3, (2, 2)).astype(index_dtype)
        updates = numbers(2, (2, 2, 4, 2), data.dtype)
    elif kind.endswith("_nd"):
        indices = draw.integers(0, 3, (4, 1)).astype(index_dtype)
        updates = numbers(2, (4, 4, 2), data.dtype)
    elif kind == "tensor_scatter":
        indices = draw.integers(0, 3, 3).astype(index_dtype)
        updates = numbers(2, (3, 2, 2), data.dtype)
    else:
        indices = draw.integers(0, 3, (3, 4, 2)).astype(index_dtype)
        updates = numbers(2, (3, 4, 2), data.dtype)
    if kind in COMBINING:
        return call_of_combining(name, kind, data, index_dtype)
    if kind == "slice_scatter":
        part = {"starts": [-1], "stops": np.array([-4]), "steps": (-2,), "axes": [1]}
        return {"data": data, "updates": updates[:, ::2].copy()}, part, numpy_loops.slice_scatter
    arrays = {"data": data, "indices": indices}
    if "scatter" in kind:
        arrays["updates"] = updates
    required = dict.fromkeys(OPERATORS[name]["required"], 0)
    return arrays, required, getattr(numpy_loops, kind)


def call_of_combining(name: str, kind: str, data: Any, index_dtype: str) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """The function takes a version's required attributes by the same names. The reduction is the first one of the
    version."""
    segments = np.array([0, 2, 2], index_dtype)
    given: dict[str, Any] = {}
    if kind == "embedding_bag_offsets":
        given["offsets"] = np.array([0, 1, 1], index_dtype)
    elif kind != "embedding_bag_packed":
        given["segment_ids"] = segments
    if kind == "segment_reduce":
        given["empty"] = "zero"
    arrays = {"data": data}
    if kind != "segment_reduce":
        arrays["indices"] = np.array([2, 0, 2], index_dtype)
    if kind == "embedding_bag_packed":
        arrays["indices"] = arrays["indices"].reshape(3, 1)
    function = getattr(numpy_loops, kind)
    first = OPERATORS[name]["reductions"][0]
    return arrays, given, lambda **how: function(**{"reduction": first, **how})


def slice_of(required: dict[str, Any]) -> dict[str, Any]:
    """The required attributes that the function takes too. axes are 0."""
    return {name: value for name, value in required.items() if name in SLICE}


def test_there_are_those_of_both_collections() -> None:
    assert len(OPERATORS) == len(strew.operators()) == 37
    assert {entry["collection"] for entry in OPERATORS.values()} == {"OpenVINO", "ONNX"}
    entry = OPERATORS["ScatterElementsUpdate-12"]
    assert entry["version"] == 12
    assert entry["operator"] == "scatter_elements"
    assert entry["attributes"] == ("axis", "reduction", "use_init_val")
    assert entry["required"] == ("axis",)
    assert entry["reductions"] == ("none", "sum", "prod", "min", "max", "mean")
    assert entry["index_dtypes"] == numpy_loops.INTEGERS
    assert entry["data_dtypes"] == ("bool", *numpy_loops.INTEGERS, *numpy_loops.FLOATS, *numpy_loops.COMPLEX)
    assert (entry["axis_is_input"], entry["refuses_negative_indices"]) == (True, False)
    assert (entry["flattens_batch"], entry["deprecated"], entry["zero_outside"]) == (False, False, False)
    assert OPERATORS["GatherND-5"]["flattens_batch"]
    assert OPERATORS["Scatter-11"]["deprecated"]
    assert OPERATORS["Gather-8"]["zero_outside"]
    assert OPERATORS["Gather-8"]["operator"] == OPERATORS["ONNX:Gather-1"]["operator"] == "gather"


@EVERY
def test_every_version(name: str) -> None:
    arrays, required, function = call_of(name)
    expected = function(**arrays, **slice_of(required))
    assert_same(strew.run(name, **arrays, **required), expected)
    out = np.empty_like(expected)
    positional = [arrays.get(place) for place in ("data", "indices", "updates")]
    assert strew.run(name, *positional, out=out, num_threads=1, **required) is out
    assert_same(out, expected)
    plan = strew.plan(name, **arrays, **required)
    segments = {place: required[place] for place in ("offsets", "segment_ids") if place in required}
    assert_same(plan(**arrays, **segments), expected)


@EVERY
def test_every_data_dtype(name: str) -> None:
    for dtype in numpy_loops.DTYPES:
        arrays, required, function = call_of(name, dtype_of(dtype))
        if dtype in OPERATORS[name]["data_dtypes"] and (name != "SegmentMax-16" or has(dtype_of(dtype), "max")):
            expected = function(**arrays, **slice_of(required))
            assert_same(strew.run(name, **arrays, **required), expected)
        else:
            with pytest.raises(strew.DtypeError):
                strew.run(name, **arrays, **required)


@EVERY
def test_text_moves_where_the_version_has_strings(name: str) -> None:
    arrays, required, function = call_of(name)
    for dtype in ("S3", "U2"):
        arrays = {place: a.astype(dtype) if place != "indices" else a for place, a in arrays.items()}
        if "string" in OPERATORS[name]["data_dtypes"]:
            assert_same(strew.run(name, **arrays, **required), function(**arrays, **slice_of(required)))
            assert_same(strew.plan(name, **arrays, **required)(**arrays), function(**arrays, **slice_of(required)))
        else:
            with pytest.raises(strew.DtypeError):
                strew.run(name, **arrays, **required)
    days = {place: a.astype("i8").view("M8[D]") if place != "indices" else a for place, a in call_of(name)[0].items()}
    with pytest.raises(strew.DtypeError):  # opaque elements are in no version
        strew.run(name, **days, **required)


@EVERY
def test_every_reduction(name: str) -> None:
    if not OPERATORS[name]["reductions"]:
        with pytest.raises(strew.ArgumentError, match="reduction"):
            strew.run(name, **call_of(name)[0], reduction="none", **call_of(name)[1])
        return
    arrays, required, function = call_of(name)
    for reduction in numpy_loops.REDUCTIONS:
        if reduction in OPERATORS[name]["reductions"]:
            assert has(arrays["data"].dtype, reduction)
            result = strew.run(name, **arrays, reduction=reduction, **required)  # type: ignore[arg-type]
            assert_same(result, function(**arrays, **slice_of(required), reduction=reduction))
        else:
            with pytest.raises(strew.DtypeError) as caught:
                strew.run(name, **arrays, reduction=reduction, **required)  # type: ignore[arg-type]
            assert caught.value.status == "unsupported_reduction"


@INDEXED
def test_negative_indices(name: str) -> None:
    arrays, required, function = call_of(name)
    dtype = "int64" if "int64" in OPERATORS[name]["index_dtypes"] else "int32"
    arrays["indices"] = arrays["indices"].astype(dtype) - 3
    texts = {place: a.astype("S2") if place != "indices" else a for place, a in arrays.items()}
    for given in (arrays, texts) if "string" in OPERATORS[name]["data_dtypes"] else (arrays,):
        if OPERATORS[name]["refuses_negative_indices"]:
            with pytest.raises(strew.BoundsError, match=r"outside \[0, 2\]"):
                strew.run(name, **given, **required)
        else:
            assert_same(strew.run(name, **given, **required), function(**given))


@EVERY
def test_attributes_that_the_version_has_not(name: str) -> None:
    arrays, required, _ = call_of(name)
    values = {"axis": 0, "batch_dims": 0, "reduction": "none", "use_init_val": True, "circular": True}
    values |= {"num_segments": 3, "default_index": 0, "empty": "zero"}
    for attribute, value in values.items():
        if attribute not in OPERATORS[name]["attributes"]:
            with pytest.raises(strew.ArgumentError) as caught:
                strew.run(name, **arrays, **{**required, attribute: value})
            assert caught.value.operand == attribute
    if "slice" not in OPERATORS[name]["attributes"]:
        with pytest.raises(strew.ArgumentError, match="slice was given") as caught:
            strew.run(name, **arrays, **required, starts=[0], stops=[1])
        assert caught.value.operand == "slice"
    for attribute in OPERATORS[name]["required"]:
        if attribute in ("offsets", "segment_ids"):
            required = {place: value for place, value in required.items() if place != attribute}
            with pytest.raises(strew.ArgumentError, match=f"{name} needs {attribute}"):
                strew.run(name, **arrays, **required)
            return
        with pytest.raises(strew.ArgumentError, match=f"{attribute} is required"):
            strew.run(name, **arrays)


@pytest.mark.parametrize("dtype", ["f4", "S3"])
@pytest.mark.parametrize("name", ["GatherND-5", "GatherND-8"])
def test_batches_are_one_dimension_in_gather_nd_5(name: str, dtype: str) -> None:
    data = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5).astype(dtype)
    indices = np.random.default_rng(3).integers(0, 4, (2, 3, 6, 1))
    expected = numpy_loops.gather_nd(data, indices, 2)
    if name == "GatherND-5":
        expected = expected.reshape(6, 6, 5)
    assert_same(strew.run(name, data, indices, batch_dims=2), expected)
    out = np.empty((*expected.shape[:-1], 10), dtype)[..., ::-2]
    assert_same(np.ascontiguousarray(strew.run(name, data, indices, batch_dims=2, out=out)), expected)
    out = np.empty((12, *expected.shape[1:]), dtype)[::2] if name == "GatherND-5" else np.empty_like(expected)
    assert_same(
        np.ascontiguousarray(strew.plan(name, data, indices, batch_dims=2, out=out)(data, indices, out=out)), expected
    )


@pytest.mark.parametrize("axis", [1, np.int64(1), np.array(1), np.array([-2], np.int8), np.array([1], np.uint64)])
def test_an_axis_that_is_an_input(axis: Any) -> None:
    arrays, _, function = call_of("ScatterElementsUpdate-12")
    assert_same(strew.run("ScatterElementsUpdate-12", **arrays, axis=axis), function(**arrays, axis=1))
    assert_same(strew.plan("ScatterElementsUpdate-12", **arrays, axis=axis)(**arrays), function(**arrays, axis=1))


@pytest.mark.parametrize("axis", [np.array([0, 1]), np.array([[0]]), np.array(1.0), np.array(5)])
def test_an_axis_that_is_none(axis: Any) -> None:
    with pytest.raises(strew.Error) as caught:
        strew.run("ScatterElementsUpdate-12", **call_of("ScatterElementsUpdate-12")[0], axis=axis)
    assert caught.value.operand == "axis"


def test_use_init_val() -> None:
    arrays, _, function = call_of("ScatterElementsUpdate-12")
    result = strew.run("ScatterElementsUpdate-12", **arrays, axis=0, reduction="mean", use_init_val=False)
    assert_same(result, function(**arrays, reduction="mean", use_init_val=False))


@INDEXED
def test_every_policy(name: str) -> None:
    arrays, required, function = call_of(name)
    dtype = "int64" if "int64" in OPERATORS[name]["index_dtypes"] else "int32"
    least = 0 if OPERATORS[name]["refuses_negative_indices"] else -7
    arrays["indices"] = np.random.default_rng(4).integers(least, 7, arrays["indices"].shape).astype(dtype)
    fill: Any = {"fill_value": np.float32(9)} if OPERATORS[name]["operator"].startswith("gather") else {}
    texts = {place: a.astype("S2") if place != "indices" else a for place, a in arrays.items()}
    for mode in ("fill", "clip", "wrap"):
        expected = function(**arrays, mode=mode, **fill)
        assert_same(strew.run(name, **arrays, mode=mode, **fill, **required), expected)
        assert_same(strew.plan(name, **arrays, mode=mode, **fill, **required)(**arrays), expected)
        if "string" in OPERATORS[name]["data_dtypes"]:
            assert_same(strew.run(name, **texts, mode=mode, **required), function(**texts, mode=mode))
    with pytest.raises(strew.BoundsError):
        strew.run(name, **arrays, mode="stop", **required)
    for none in (None, "raise"):
        for given in (arrays, texts) if "string" in OPERATORS[name]["data_dtypes"] else (arrays,):
            if OPERATORS[name]["zero_outside"]:
                assert_same(strew.run(name, **given, mode=none, **required), function(**given, mode="fill"))
            else:
                with pytest.raises(strew.BoundsError):
                    strew.run(name, **given, mode=none, **required)


@pytest.mark.parametrize("mode", ["clip", "wrap", "fill"])
def test_a_version_that_refuses_negative_indices_has_them_outside(mode: Any) -> None:
    data, indices = np.arange(3.0), np.array([-1, -5, 4])
    expected = {"clip": [0, 0, 2], "wrap": [2, 1, 1], "fill": [9, 9, 9]}[mode]
    assert strew.run("Gather-7", data, indices, axis=0, mode=mode, fill_value=9.0).tolist() == expected


@pytest.mark.parametrize("dtype", ["f4", "S3"])
@pytest.mark.parametrize("name", ["Gather-7", "Gather-8"])
def test_batches_of_gather(name: str, dtype: str) -> None:
    data = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5).astype(dtype)
    indices = np.random.default_rng(5).integers(0, 4, (2, 3, 6))
    for batch_dims in (1, 2, -1, -2):
        batch = indices if batch_dims in (2, -1) else indices[:, 0] if batch_dims == 1 else indices[:, :2]
        expected = numpy_loops.gather(data, batch, 2, batch_dims)
        assert_same(strew.run(name, data, batch, axis=np.array([2]), batch_dims=batch_dims), expected)


def test_one_name_of_both_collections() -> None:
    data, indices = np.arange(3.0), np.array([-1])
    assert strew.run("ONNX:Gather-1", data, indices).tolist() == [2]
    with pytest.raises(strew.ArgumentError, match="axis is required"):
        strew.run("Gather-1", data, indices)
    with pytest.raises(strew.BoundsError):
        strew.run("OpenVINO:Gather-1", data, indices, axis=0)
    with pytest.raises(strew.ArgumentError, match=r"GatherElements-13, ONNX:Gather-1, Gather-11"):
        strew.run("OpenVINO:Gather-99", data, indices)


def test_bags() -> None:
    data, indices = np.arange(12, dtype=np.float32).reshape(4, 3), np.array([0, 3, 3, 1])
    weights, offsets, ids = np.array([1, 2, 3, 4], np.float32), np.array([0, 3, 3]), np.array([0, 0, 0, 2])
    loops = numpy_loops
    expected = loops.embedding_bag_offsets(data, indices, offsets, weights)
    for name in ("EmbeddingBagOffsets-15", "EmbeddingBagOffsetsSum-3"):
        assert_same(strew.run(name, data, indices, offsets=offsets, weights=weights), expected)
        expected_with = loops.embedding_bag_offsets(data, indices, offsets, default_index=2)
        assert_same(strew.run(name, data, indices, offsets=offsets, default_index=2), expected_with)
    means = strew.run("EmbeddingBagOffsets-15", data, indices, offsets=offsets, reduction="mean")
    assert_same(means, loops.embedding_bag_offsets(data, indices, offsets, reduction="mean"))
    packed = indices.reshape(2, 2)
    expected = loops.embedding_bag_packed(data, packed, weights.reshape(2, 2))
    for name in ("EmbeddingBagPacked-15", "EmbeddingBagPackedSum-3"):
        assert_same(strew.run(name, data, packed, weights=weights.reshape(2, 2)), expected)
    expected = loops.embedding_segments(data, indices, ids, weights, num_segments=4)
    assert_same(
        strew.run("EmbeddingSegmentsSum-3", data, indices, segment_ids=ids, weights=weights, num_segments=4), expected
    )
    for empty in ("zero", "lowest"):
        expected = loops.segment_reduce(data, ids, "max", num_segments=4, empty=empty)
        assert_same(strew.run("SegmentMax-16", data, segment_ids=ids, num_segments=4, empty=empty), expected)
    assert_same(strew.run("SegmentMax-16", data, segment_ids=ids, num_segments=1, empty="zero"), expected[:1])
    for name in ("EmbeddingBagOffsets-15", "EmbeddingSegmentsSum-3"):
        segments = {"offsets": offsets} if "Bag" in name else {"segment_ids": ids}
        with pytest.raises(strew.BoundsError, match=r"indices\[0\] is -4, outside \[0, 3\]"):
            strew.run(name, data, indices - 4, **segments)
    with pytest.raises(strew.ArgumentError, match="EmbeddingBagOffsets-15 takes no segment_ids"):
        strew.run("EmbeddingBagOffsets-15", data, indices, segment_ids=ids)
    with pytest.raises(strew.ArgumentError, match="takes no fill_value: it combines"):
        strew.run("EmbeddingBagPacked-15", data, packed, fill_value=0)


def test_windows() -> None:
    caches, windows = np.zeros((3, 5), np.float32).reshape(3, 5, 1), np.ones((3, 2, 1), np.float32)
    indices = np.array([3, 1, 0])
    assert_same(
        strew.run("TensorScatter", caches, indices, windows), numpy_loops.tensor_scatter(caches, indices, windows)
    )
    expected = numpy_loops.tensor_scatter(caches, indices + 9, windows, 1, circular=True)
    assert_same(strew.run("TensorScatter-24", caches, indices + 9, windows, axis=1, circular=True), expected)
    assert_same(
        strew.plan("TensorScatter-24", caches, None, windows)(caches, None, windows),
        numpy_loops.tensor_scatter(caches, None, windows),
    )
    with pytest.raises(strew.BoundsError, match=r"indices\[0\] is 4, outside \[0, 3\]"):
        strew.run("TensorScatter-24", caches, indices + 1, windows)
    with pytest.raises(strew.BoundsError, match=r"indices\[2\] is -1"):
        strew.run("TensorScatter-24", caches, indices - 1, windows, circular=True)
    for mode in ("fill", "clip", "wrap"):
        expected = numpy_loops.tensor_scatter(caches, indices - 2, windows, mode=mode)
        assert_same(strew.run("TensorScatter-24", caches, indices - 2, windows, mode=mode), expected)


def test_slices_of_tensors() -> None:
    """OpenVINO has starts and the others as tensors."""
    data, updates = np.zeros((3, 4)), np.ones((3, 2))
    result = strew.run(
        "SliceScatter-15", data, updates=updates, starts=np.array([3]), stops=np.array([-9]), steps=[-2], axes=[-1]
    )
    assert_same(result, numpy_loops.slice_scatter(data, updates, [3], [-9], [-2], [-1]))
    plan = strew.plan("SliceScatter", data, updates=updates, starts=[0], stops=[2], axes=[1])
    assert (plan.name, plan.output_shape) == ("SliceScatter-15", (3, 4))
    assert_same(plan(data, updates), numpy_loops.slice_scatter(data, updates, [0], [2], axes=[1]))
    with pytest.raises(strew.ArgumentError, match="SliceScatter-15 takes no indices"):
        strew.run("SliceScatter-15", data, np.array([0]), updates, starts=[0], stops=[2])
    with pytest.raises(strew.ArgumentError, match="a slice needs stops"):
        strew.run("SliceScatter-15", data, updates=updates, starts=[0])
    with pytest.raises(strew.ArgumentError, match="slice is required"):
        strew.run("SliceScatter-15", data, updates=updates)


def test_updates_of_one_element_may_have_any_rank_in_openvino() -> None:
    data, indices = np.zeros(3, np.float32), np.array([1])
    for updates in (np.float32(5), np.full((1,), 5, np.float32), np.full((1, 1), 5, np.float32)):
        assert strew.run("ScatterNDUpdate-15", data, indices, updates).tolist() == [0, 5, 0]


def test_a_name_without_a_number_is_the_newest() -> None:
    arrays = call_of("ScatterND-18")[0]
    assert_same(strew.run("ScatterND", **arrays, reduction="max"), strew.run("ScatterND-18", **arrays, reduction="max"))


def test_wrong_names() -> None:
    data: Any = np.zeros((2, 2))
    with pytest.raises(
        strew.ArgumentError, match="no operator is named 'GatherND-99'; there are ScatterNDUpdate-3, "
    ) as e:
        strew.run("GatherND-99", data, data)
    assert e.value.operand == "operator"
    with pytest.raises(TypeError, match="name must be a str, not ndarray"):
        strew.run(data, data, data)
    with pytest.raises(strew.ArgumentError, match="GatherND-8 takes no updates: it gathers"):
        strew.run("GatherND-8", data, data.astype(int), data)
    with pytest.raises(strew.ArgumentError, match="ScatterND-18 needs updates: it scatters"):
        strew.run("ScatterND-18", data, data.astype(int))
    with pytest.raises(strew.ArgumentError, match="ScatterND-18 needs indices"):
        strew.run("ScatterND-18", data, updates=data)


def test_bfloat16_by_name() -> None:
    data = np.ones(3, ml_dtypes.bfloat16)
    assert_same(strew.run("GatherElements-13", data, np.array([1])), data[:1])
    with pytest.raises(strew.DtypeError, match="bfloat16"):
        strew.run("GatherElements-11", data, np.array([1]))
