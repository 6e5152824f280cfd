"""Sums of gathered rows and SegmentMax: the published examples, and calls on which OpenVINO's kernels differ."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset15

import strew_openvino
from cases import BFLOAT16, Array, Case, Counted, as_array, assert_same, infer, make_model, replaced, tensor

TABLE = np.array([[-0.2, -0.6], [-0.1, -0.4], [-1.9, -1.8], [-1.0, 1.5], [0.8, -0.7]], np.float32)
HALVES = [[0.5, 0.5]] * 3
INTS = np.arange(12, dtype=np.int32).reshape(3, 4)
LEAST = np.iinfo(np.int32).min


def floats(*values: Any) -> Array:
    return np.array(values, np.float32)


def int64(*values: int) -> Array:
    return np.array(values, np.int64)


def one(value: int) -> Array:
    return np.array(value, np.int64)


def offsets(indices: Any, begins: Any, *rest: Any, reduction: str = "sum", table: Array = TABLE) -> Case:
    """A call of version 15; `rest` is the default index and weights."""
    default = [one(rest[0])] if rest else []
    weights = [np.array(rest[1], table.dtype)] if len(rest) > 1 else []
    arrays = (table, int64(*indices), int64(*begins), *default, *weights)
    return Case("EmbeddingBagOffsets-15", arrays, {"reduction": reduction})


def packed(indices: Any, *weights: Any, reduction: str = "sum") -> Case:
    arrays = (TABLE, np.array(indices, np.int64), *(np.array(each, np.float32) for each in weights))
    return Case("EmbeddingBagPacked-15", arrays, {"reduction": reduction})


def segments(indices: Any, ids: Any, count: int, *rest: Any) -> Case:
    default = [one(rest[0])] if rest else []
    weights = [floats(*rest[1])] if len(rest) > 1 else []
    return Case("EmbeddingSegmentsSum-3", (TABLE, int64(*indices), int64(*ids), one(count), *default, *weights))


def greatest(data: Any, ids: Any, *count: int, mode: str = "ZERO", dtype: Any = np.int32) -> Case:
    arrays = (np.array(data, dtype), int64(*ids), *map(one, count))
    return Case("SegmentMax-16", arrays, {"fill_mode": mode})


def run(core: ov.Core, case: Case, dynamic: bool = False, constants: tuple[int, ...] = ()) -> Array:
    compiled = core.compile_model(replaced(make_model(case, dynamic, constants)), "CPU")
    with Counted(1):
        (result,) = infer(compiled, [array for at, array in enumerate(case.arrays) if at not in constants])
    return result


WAYS = pytest.mark.parametrize("way", ["parameters", "dynamic", "a table of constants"])


def run_by(core: ov.Core, case: Case, way: str) -> Array:
    return run(core, case, way == "dynamic", (0,) if way == "a table of constants" else ())


PUBLISHED = [
    (offsets([0, 2, 3, 4], [0, 2, 2], 0, [0.5] * 4), [[-1.05, -1.2], [-0.2, -0.6], [-0.1, 0.4]]),
    (offsets([0, 2, 3, 4], [0, 2, 2], -1, [0.5, 0.2, -2, 1]), [[-0.48, -0.66], [0, 0], [2.8, -3.7]]),
    (offsets([0, 2, 3, 4], [0, 2, 2], reduction="mean"), [[-1.05, -1.2], [0, 0], [-0.1, 0.4]]),
    (packed([[0, 2], [1, 2], [3, 4]]), [[-2.1, -2.4], [-2.0, -2.2], [-0.2, 0.8]]),
    (packed([[0, 2], [1, 2], [3, 4]], HALVES), [[-1.05, -1.2], [-1.0, -1.1], [-0.1, 0.4]]),
    (packed([[0, 2], [1, 2], [3, 4]], reduction="mean"), [[-1.05, -1.2], [-1.0, -1.1], [-0.1, 0.4]]),
    (segments([0, 2, 3, 4], [0, 0, 2, 2], 3, 0, [0.5] * 4), [[-1.05, -1.2], [-0.2, -0.6], [-0.1, 0.4]]),
]


@WAYS
@pytest.mark.parametrize(("case", "expected"), PUBLISHED)
def test_published_sums(core: ov.Core, case: Case, expected: Any, way: str) -> None:
    """The documents round their numbers."""
    result = run_by(core, case, way)
    np.testing.assert_allclose(result, np.array(expected, np.float32), 1e-6, 1e-6)
    assert_same(result, case.expected())


def older(case: Case) -> Case:
    """The version before, of the same call."""
    name = {"EmbeddingBagOffsets-15": "EmbeddingBagOffsetsSum-3", "EmbeddingBagPacked-15": "EmbeddingBagPackedSum-3"}
    return Case(name[case.version], case.arrays)


@WAYS
@pytest.mark.parametrize("case", [PUBLISHED[0][0], PUBLISHED[1][0], PUBLISHED[3][0], PUBLISHED[4][0]])
def test_older_versions_give_the_same(core: ov.Core, case: Case, way: str) -> None:
    assert_same(run_by(core, older(case), way), case.expected())


@WAYS
@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (greatest([1, 2, 3, -4, -5, -6, 7, 8], [0, 0, 0, 1, 1, 3, 5, 5]), [3, -4, 0, -6, 0, 8]),
        (greatest([10, 20, 30, 40, 50], [0, 0, 2, 3, 3], 2), [20, 0]),
        (greatest([10, 20, 30, 40, 50], [0, 0, 2, 3, 3], 8), [20, 0, 30, 50, 0, 0, 0, 0]),
        (greatest([10, 20, 30, 40, 50], [0, 0, 2, 3, 3], 0), []),
        (greatest(INTS, [0, 1, 1], mode="LOWEST"), [[0, 1, 2, 3], [8, 9, 10, 11]]),
        (greatest(INTS, [0, 2, 2], 4, mode="LOWEST"), [[0, 1, 2, 3], [LEAST] * 4, [8, 9, 10, 11], [LEAST] * 4]),
    ],
)
def test_published_greatest_rows(core: ov.Core, case: Case, expected: Any, way: str) -> None:
    result = run_by(core, case, way)
    assert result.tolist() == expected
    assert_same(result, case.expected())


@WAYS
@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (offsets([0, 2, 3, 4], [0, 2, 4]), [[-2.1, -2.4], [-0.2, 0.8], [0, 0]]),
        (offsets([], [0, 0]), [[0, 0], [0, 0]]),
        (offsets([], [0, 0], 1, reduction="mean"), [[-0.1, -0.4], [-0.1, -0.4]]),
        (offsets([0, 2, 3, 4], [0, 2, 2], 0, reduction="mean"), [[-1.05, -1.2], [-0.2, -0.6], [-0.1, 0.4]]),
        (offsets([0, 2, 3, 4], [1, 2, 3]), [[-1.9, -1.8], [-1, 1.5], [0.8, -0.7]]),
        (
            segments([0, 2, 3, 4], [0, 0, 2, 2], 5, 1),
            [[-2.1, -2.4], [-0.1, -0.4], [-0.2, 0.8], [-0.1, -0.4], [-0.1, -0.4]],
        ),
        (segments([0, 2, 3, 4], [2, 2, 0, 0], 3), [[-0.2, 0.8], [0, 0], [-2.1, -2.4]]),
        (segments([0, 2, 3, 4], [0, 2, 0, 2], 3), [[-1.2, 0.9], [0, 0], [-1.1, -2.5]]),
        (segments([], [], 2, 1), [[-0.1, -0.4], [-0.1, -0.4]]),
    ],
)
def test_edges(core: ov.Core, case: Case, expected: Any, way: str) -> None:
    """OpenVINO refuses some of these, but the documents allow them: an empty bag at the end, no indices at all."""
    result = run_by(core, case, way)
    np.testing.assert_allclose(result, np.array(expected, np.float32), 1e-6, 1e-6)
    assert_same(result, case.expected())


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize(
    ("case", "shape"),
    [
        (Case("EmbeddingBagOffsets-15", (TABLE[:, 0], int64(1, 2, 4), int64(0, 2))), (2,)),
        (Case("EmbeddingBagOffsets-15", (TABLE[:0], int64(), int64(0, 0))), (2, 2)),
        (Case("EmbeddingBagOffsets-15", (TABLE, int64(), int64())), (0, 2)),
        (Case("EmbeddingBagPacked-15", (TABLE, np.zeros((3, 0), np.int64)), {"reduction": "mean"}), (3, 2)),
        (Case("EmbeddingBagPacked-15", (TABLE, np.zeros((0, 3), np.int64))), (0, 2)),
        (Case("EmbeddingSegmentsSum-3", (TABLE, int64(), int64(), one(0))), (0, 2)),
        (Case("SegmentMax-16", (TABLE[:0], int64()), {"fill_mode": "LOWEST"}), (0, 2)),
        (Case("SegmentMax-16", (TABLE[:0], int64(), one(2)), {"fill_mode": "LOWEST"}), (2, 2)),
        (Case("SegmentMax-16", (TABLE[:, :0], int64(0, 0, 1, 3, 3)), {"fill_mode": "ZERO"}), (4, 0)),
    ],
)
def test_empty_tensors(core: ov.Core, case: Case, shape: tuple[int, ...], dynamic: bool) -> None:
    """OpenVINO dies of some of them."""
    result = run(core, case, dynamic)
    assert result.shape == shape
    assert_same(result, case.expected())


@pytest.mark.parametrize(("dtype", "large"), [(np.float16, 2048), (BFLOAT16, 256)])
def test_halves_are_rounded_once(core: ov.Core, dtype: Any, large: int) -> None:
    table = np.array([[large], [1]]).astype(dtype)
    case = offsets([0, 1, 1], [0], table=table)
    result = run(core, case)
    assert result.dtype == np.dtype(dtype)
    assert result.astype(float).tolist() == [[large + 2]]


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64", "uint32"])
def test_types_stay_what_they_are(core: ov.Core, dtype: str) -> None:
    table = np.array([[2**31 + 7], [2**31 - 2], [5]]).astype(dtype)
    for case in (offsets([0, 1, 0], [0, 2], table=table), greatest(table, [0, 0, 1], dtype=dtype)):
        assert_same(run(core, case), case.expected())


def test_greatest_of_special_values(core: ov.Core) -> None:
    """OpenVINO's kernels start from the lowest finite value, and lose NaN."""
    infinity, nan = np.inf, np.nan
    data = [-infinity, nan, 1, -0.0, 0.0, 0.0, -0.0]
    case = greatest(data, [0, 1, 1, 2, 2, 3, 3], 5, mode="LOWEST", dtype=np.float32)
    result = run(core, case)
    assert_same(result, floats(-infinity, nan, 0.0, 0.0, np.finfo(np.float32).min))
    assert not np.signbit(result[2:4]).any()
    half = run(core, greatest([1, 2], [0, 2], mode="LOWEST", dtype=np.float16))
    assert half.astype(float).tolist() == [1, -65504, 2]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_many_bags_on_threads(core: ov.Core, threads: int) -> None:
    random = np.random.default_rng(5)
    table = random.standard_normal((1000, 64)).astype(np.float32)
    indices, begins = random.integers(0, 1000, 20000), np.sort(random.integers(0, 20000, 600))
    weights = random.standard_normal(20000).astype(np.float32)
    cases = [
        offsets(indices, begins, -1, weights, table=table),
        Case("EmbeddingSegmentsSum-3", (table, indices, random.integers(0, 600, 20000), one(600), one(3), weights)),
    ]
    for case in cases:
        compiled = core.compile_model(replaced(make_model(case)), "CPU", {"INFERENCE_NUM_THREADS": threads})
        assert_same(infer(compiled, case.arrays)[0], case.expected())


@pytest.mark.parametrize(
    "case",
    [
        offsets([0, 2, 3, 4], [0, 2, 5]),
        offsets([0, 2, 3, 4], [2, 0, 3]),
        offsets([0, 2, 3, 4], [-1, 2, 2]),
        offsets([0, -1, 3, 4], [0, 2, 2]),
        offsets([0, 5, 3, 4], [0, 2, 2]),
        offsets([0, 2**32, 3, 4], [0, 2, 2]),
        offsets([0, 2, 3, 4], [0, 2, 2], -2),
        offsets([0, 2, 3, 4], [0, 2, 2], 5),
        packed([[0, 2], [1, -1]]),
        packed([[0, 2], [1, 5]]),
        segments([0, 2, 3, 4], [0, 0, 2, 2], 3, -1),
        segments([0, 2, 3, 4], [0, 0, 2, -1], 3),
        segments([0, 2, 3, 4], [0, 0, 2, 3], 3),
        segments([0, 2, 3, 5], [0, 0, 2, 2], 3),
        greatest([1, 2], [-1, 0]),
        greatest([1, 2, 3], [1, 0, 1]),
        greatest([1, 2, 3], [0, 1, 1], -1),
    ],
)
def test_what_is_refused(case: Case) -> None:
    """Evaluates the model without a plugin, which might refuse in its own words."""
    model = replaced(make_model(case, dynamic=True))
    with pytest.raises(RuntimeError, match=re.escape(f"the_operation ({case.version} by strew)")):
        model.evaluate([tensor(case.arrays[0])], [tensor(array) for array in case.arrays])


def native(core: ov.Core, case: Case) -> Array:
    return infer(core.compile_model(make_model(case), "CPU", {"INFERENCE_PRECISION_HINT": "f32"}), case.arrays)[0]


@pytest.mark.parametrize("weighted", [False, True])
def test_openvinos_kernels_give_the_same_where_they_are_right(core: ov.Core, weighted: bool) -> None:
    """Sums of float32 in the order of indices, without a default."""
    random = np.random.default_rng(9)
    table = random.standard_normal((50, 33)).astype(np.float32)
    indices, begins = random.integers(0, 50, 400), np.sort(random.integers(0, 399, 60))
    weights = [random.standard_normal(400).astype(np.float32)] if weighted else []
    rest = [-1, weights[0]] if weighted else []
    ids = np.sort(random.integers(0, 70, 400))
    cases = [
        offsets(indices, begins, *rest, table=table),
        Case("EmbeddingBagPackedSum-3", (table, indices.reshape(40, 10), *(each.reshape(40, 10) for each in weights))),
        Case("EmbeddingSegmentsSum-3", (table, indices, ids, one(70), *([one(2), *weights] if weighted else []))),
        Case("SegmentMax-16", (random.standard_normal((400, 9)).astype(np.float32), ids, one(80)), {"fill_mode": "ZERO"}),
    ]
    if not weighted:
        cases.append(offsets(indices, begins, reduction="mean", table=table))
    for case in cases:
        assert_same(run(core, case), native(core, case))


def test_in_a_model_with_others(core: ov.Core) -> None:
    """A table that the model computes, and sums that it computes with."""
    inputs = [opset15.parameter([5, 2], np.float32), opset15.parameter([-1], np.int64), opset15.parameter([-1], np.int64)]
    sums = opset15.embedding_bag_offsets(opset15.relu(inputs[0]), inputs[1], inputs[2])
    model = replaced(ov.Model([opset15.add(sums, opset15.constant(np.float32(1)))], inputs, "with others"))
    case = offsets([0, 2, 3, 4], [0, 2, 2])
    with Counted(1):
        (result,) = infer(core.compile_model(model, "CPU"), case.arrays)
    assert_same(result, offsets([0, 2, 3, 4], [0, 2, 2], table=np.maximum(TABLE, 0)).expected() + np.float32(1))


def test_bool_is_openvinos() -> None:
    case = Case("SegmentMax-16", (np.array([True, False]), int64(0, 0)), {"fill_mode": "ZERO"})
    report = strew_openvino.replace(make_model(case))
    assert [node.reason for node in report.left] == ["data is boolean, of which the document has no sums"]
