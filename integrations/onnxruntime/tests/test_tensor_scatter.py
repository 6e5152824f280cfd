"""TensorScatter: windows written into caches, in every type that the runtime passes, by both ways."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import strew_onnxruntime
from onnx import helper

import models
from models import Array
from provider import STREW, native_session, profile
from reference import same_bits, tensor_scatter

OPSET = 24
HAS_OPSET = models.NEWEST_OPSET >= OPSET
HAS_KERNEL = models.RELEASE >= (1, 32)  # the runtime's own; earlier releases know the operator but have no kernel

# Types that only TensorScatter has: elements of a byte, and two to a byte.
BYTES = ("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0")
PACKED = ("int4", "uint4", "float4e2m1")
NEW_TYPES = [
    dtype for dtype in (*BYTES, *PACKED) if HAS_OPSET and (dtype != "float8e8m0" or models.RELEASE >= (1, 32))
]

Session = onnxruntime.InferenceSession


def model_of(
    dtype: str = "float", rank: int = 3, with_indices: bool = True, domain: str = "", **attributes: Any
) -> onnx.ModelProto:
    """A node of the operator, of any size."""
    names = ("data", "updates", "indices")[: 3 if with_indices else 2]
    ranks = {"data": rank, "updates": rank, "indices": 1}
    inputs = [
        models.value(name, "int64" if name == "indices" else dtype, [f"{name}{d}" for d in range(ranks[name])])
        for name in names
    ]
    node = helper.make_node("TensorScatter", list(names), ["output"], name="node", domain=domain, **attributes)
    output = models.value("output", dtype, [f"output{d}" for d in range(rank)])
    imports = [helper.make_opsetid(domain, 1)] if domain else []
    return models.make_model([node], inputs, [output], 18 if domain else OPSET, opset_imports=imports)


def by_provider(**model: Any) -> Session:
    source = model_of(**model).SerializeToString()
    return Session(source, strew_onnxruntime.session_options(models.quiet_options(2), exact=True))


def by_converter(**model: Any) -> Session:
    converted = strew_onnxruntime.convert(model_of(**model), exact=True)
    assert [node.domain for node in converted.graph.node] == ["com.strew"]
    return custom(converted)


def by_own_node(**model: Any) -> Session:
    """Uses an opset that every runtime knows."""
    return custom(model_of(domain="com.strew", **model))


def custom(model: onnx.ModelProto) -> Session:
    options = models.quiet_options(2)
    options.register_custom_ops_library(strew_onnxruntime.extension_path())
    return Session(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


WAYS = [by_provider, by_converter, by_own_node] if HAS_OPSET else [by_own_node]
OPENERS = pytest.mark.parametrize("open_session", WAYS)
Opener = Callable[..., Session]


def run(session: Session, *operands: Array, nodes: int = 1) -> Array:
    before = strew_onnxruntime.runs()
    result = models.run(session, *operands)
    assert strew_onnxruntime.runs() == before + nodes
    return result


def check(
    open_session: Opener, data: Array, updates: Array, *indices: Array, dtype: str = "float", **rest: Any
) -> None:
    session = open_session(dtype=dtype, rank=data.ndim, with_indices=bool(indices), **rest)
    result = run(session, data, updates, *indices)
    assert same_bits(result, tensor_scatter(data, updates, *indices, **rest))


# ---- Results --------------------------------------------------------------------------------------------------------

ROWS = [[1, 2, 3, 4, 5], [5, 6, 7, 8, 9], [8, 7, 6, 5, 4], [4, 3, 2, 1, 0]]


def rows_of(*numbers: int) -> list[list[int]]:
    return [[number] * 5 for number in numbers]


PUBLISHED = [  # data, updates, indices, mode, result
    (
        [[ROWS], [ROWS]],
        [[rows_of(5)], [rows_of(1)]],
        [1, 2],
        "linear",
        [[[ROWS[0], *rows_of(5), *ROWS[2:]]], [[*ROWS[:2], *rows_of(1), ROWS[3]]]],
    ),
    (
        [[ROWS], [ROWS]],
        [[rows_of(5, 6)], [rows_of(1, 2)]],
        [1, 3],
        "circular",
        [[[ROWS[0], *rows_of(5, 6), ROWS[3]]], [[*rows_of(2), *ROWS[1:3], *rows_of(1)]]],
    ),
    (
        [ROWS] * 3,
        [rows_of(4, 5), rows_of(6, 7), rows_of(2, 3)],
        [1, 2, 0],
        "linear",
        [[ROWS[0], *rows_of(4, 5), ROWS[3]], [*ROWS[:2], *rows_of(6, 7)], [*rows_of(2, 3), *ROWS[2:]]],
    ),
]


@OPENERS
@pytest.mark.parametrize(("data", "updates", "indices", "mode", "expected"), PUBLISHED)
def test_published_examples(
    open_session: Opener, data: Any, updates: Any, indices: Any, mode: str, expected: Any
) -> None:
    cache, window = np.array(data, np.float32), np.array(updates, np.float32)
    result = run(open_session(rank=cache.ndim, mode=mode), cache, window, np.array(indices))
    assert same_bits(result, np.array(expected, np.float32))
    assert same_bits(result, tensor_scatter(cache, window, np.array(indices), mode=mode))


CACHE = np.arange(8, dtype=np.float32).reshape(2, 4, 1)
TWO = np.array([[[101], [102]], [[201], [202]]], np.float32)
FOUR = np.array([[[101], [102], [151], [152]], [[201], [202], [251], [252]]], np.float32)


@OPENERS
@pytest.mark.parametrize(
    ("updates", "indices", "mode", "expected"),
    [
        (TWO, [0, 2], "linear", [101, 102, 2, 3, 4, 5, 201, 202]),
        (TWO, None, "linear", [101, 102, 2, 3, 201, 202, 6, 7]),
        (TWO, None, "circular", [101, 102, 2, 3, 201, 202, 6, 7]),
        (TWO, [3, 0], "circular", [102, 1, 2, 101, 201, 202, 6, 7]),
        (TWO, [7, 4], "circular", [102, 1, 2, 101, 201, 202, 6, 7]),
        (TWO, [0, 2**62], "circular", [101, 102, 2, 3, 201, 202, 6, 7]),
        (FOUR, [1, 3], "circular", [152, 101, 102, 151, 202, 251, 252, 201]),
        (FOUR, [0, 0], "linear", [101, 102, 151, 152, 201, 202, 251, 252]),
        (TWO[:, :0], [4, 0], "linear", [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_windows(open_session: Opener, updates: Array, indices: Any, mode: str, expected: list[int]) -> None:
    given = [] if indices is None else [np.array(indices)]
    session = open_session(with_indices=bool(given), axis=1, mode=mode)
    assert run(session, CACHE, updates, *given).ravel().tolist() == expected


@OPENERS
@pytest.mark.parametrize("mode", ["linear", "circular"])
@pytest.mark.parametrize("dtype", models.DTYPES)
def test_types(open_session: Opener, dtype: str, mode: str) -> None:
    rng = np.random.default_rng(len(dtype))
    data, updates = models.draw(rng, dtype, (3, 2, 6, 4)), models.draw(rng, dtype, (3, 2, 4, 4))
    indices = rng.integers(0, 3 if mode == "linear" else 20, 3)
    check(open_session, data, updates, indices, dtype=dtype, mode=mode)
    check(open_session, data, updates, dtype=dtype, mode=mode)


@OPENERS
@pytest.mark.parametrize(("rank", "axis"), [(2, 1), (2, -1), (3, 1), (3, 2), (4, 1), (4, 2), (4, -1), (4, -3), (5, 3)])
def test_axes(open_session: Opener, rank: int, axis: int) -> None:
    rng = np.random.default_rng(rank)
    shape = tuple(rng.integers(3, 6, rank))
    window = [*shape]
    window[axis] = 2
    data, updates = models.draw(rng, "int32", shape), models.draw(rng, "int32", tuple(window))
    indices = rng.integers(0, 9, shape[0])
    check(open_session, data, updates, indices, dtype="int32", axis=axis, mode="circular")


def value_of(elements: Array, dtype: str) -> onnxruntime.OrtValue:
    """A tensor of bytes, or of two elements to a byte, the first in the low bits."""
    packed = elements.reshape(-1).copy()
    if dtype in PACKED:
        packed[: len(packed) // 2] = packed[::2] | packed[1::2] << 4
    return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(
        packed.reshape(elements.shape), models.element_type(dtype)
    )


def elements_of(value: onnxruntime.OrtValue, dtype: str) -> Array:
    shape = tuple(value.shape())
    count = math.prod(shape) // (2 if dtype in PACKED else 1)
    found = np.array((ctypes.c_uint8 * count).from_address(value.data_ptr()))
    if dtype in PACKED:
        found = np.stack([found & 15, found >> 4], axis=-1)
    return found.reshape(shape)


@OPENERS
@pytest.mark.parametrize("mode", ["linear", "circular"])
@pytest.mark.parametrize("dtype", NEW_TYPES)
def test_float8_and_packed_types(open_session: Opener, dtype: str, mode: str) -> None:
    """The runtime has no kernel of its own for them."""
    rng = np.random.default_rng(3)
    most = 16 if dtype in PACKED else 256
    data, updates = (rng.integers(0, most, shape).astype(np.uint8) for shape in ((3, 5, 4), (3, 2, 4)))
    indices = np.array([3, 0, 2])
    session = open_session(dtype=dtype, mode=mode)
    feeds = {"data": value_of(data, dtype), "updates": value_of(updates, dtype)}
    feeds["indices"] = onnxruntime.OrtValue.ortvalue_from_numpy(indices)
    before = strew_onnxruntime.runs()
    (result,) = session.run_with_ort_values(None, feeds)
    assert strew_onnxruntime.runs() == before + 1
    assert same_bits(elements_of(result, dtype), tensor_scatter(data, updates, indices, mode=mode))


@OPENERS
@pytest.mark.parametrize("dtype", [dtype for dtype in NEW_TYPES if dtype in PACKED])
def test_rows_of_half_bytes_are_refused(open_session: Opener, dtype: str) -> None:
    sizes = {"data": 4, "updates": 2}
    feeds = {name: value_of(np.zeros((2, size, 3), np.uint8), dtype) for name, size in sizes.items()}
    feeds["indices"] = onnxruntime.OrtValue.ortvalue_from_numpy(np.array([0, 1]))
    with pytest.raises(Exception, match="TensorScatter-24 of strew: data has rows of 3 packed elements, not whole bytes"):
        open_session(dtype=dtype).run_with_ort_values(None, feeds)


@OPENERS
@pytest.mark.parametrize("shapes", [((0, 4, 2), (0, 1, 2)), ((2, 4, 0), (2, 1, 0)), ((2, 0, 3), (2, 0, 3))])
def test_empty_caches(open_session: Opener, shapes: tuple[tuple[int, ...], ...]) -> None:
    check(open_session, *(np.zeros(shape, np.float32) for shape in shapes), np.zeros(shapes[0][0], np.int64))


@OPENERS
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_large_cache_on_threads(open_session: Opener, threads: int) -> None:
    rng = np.random.default_rng(threads)
    data, updates = rng.standard_normal((8, 4, 256, 64), np.float32), rng.standard_normal((8, 4, 130, 64), np.float32)
    indices = rng.integers(0, 256, 8)
    expected = data.copy()
    for batch, begin in enumerate(indices):
        expected[batch][:, (begin + np.arange(130)) % 256] = updates[batch]
    assert same_bits(run(open_session(rank=4, mode="circular"), data, updates, indices), expected)


@pytest.mark.skipif(not HAS_KERNEL, reason="the runtime has no kernel of its own to compare with")
@pytest.mark.parametrize("mode", ["linear", "circular"])
@pytest.mark.parametrize("dtype", ["float", "float16", "bfloat16", "int8", "int64", "double", "bool"])
def test_the_runtimes_kernel_says_the_same(dtype: str, mode: str) -> None:
    rng = np.random.default_rng(11)
    data, updates = models.draw(rng, dtype, (3, 2, 6, 4)), models.draw(rng, dtype, (3, 2, 2, 4))
    indices = rng.integers(0, 5 if mode == "linear" else 9, 3)
    model = {"dtype": dtype, "rank": 4, "mode": mode}
    native = models.run(native_session(model_of(**model).SerializeToString()), data, updates, indices)
    assert same_bits(run(by_provider(**model), data, updates, indices), native)


# ---- Places ---------------------------------------------------------------------------------------------------------


def caches(domain: str) -> onnx.ModelProto:
    """A model that computes a cache, writes two windows into it, and returns it."""
    nodes = [
        helper.make_node("Neg", ["data"], ["c0"]),
        helper.make_node("TensorScatter", ["c0", "updates", "indices"], ["c1"], domain=domain),
        helper.make_node("TensorScatter", ["c1", "updates"], ["c2"], domain=domain),
        helper.make_node("Neg", ["c2"], ["output"]),
    ]
    shapes = {"data": ["n", 8, 4], "updates": ["n", 2, 4], "indices": ["n"]}
    inputs = [models.value(name, "int64" if name == "indices" else "float", shape) for name, shape in shapes.items()]
    imports = [helper.make_opsetid(domain, 1)] if domain else []
    outputs = [models.value("output", "float", ["n", 8, 4])]
    return models.make_model(nodes, inputs, outputs, 18 if domain else OPSET, opset_imports=imports)


def open_caches(way: str) -> Session:
    if way == "own":
        return custom(caches("com.strew"))
    if way == "converter":
        return custom(strew_onnxruntime.convert(caches(""), exact=True))
    return Session(caches("").SerializeToString(), strew_onnxruntime.session_options(models.quiet_options(2), exact=True))


@pytest.mark.parametrize("way", ["provider", "converter", "own"] if HAS_OPSET else ["own"])
def test_a_cache_that_is_computed_is_written_in_place(way: str) -> None:
    rng = np.random.default_rng(1)
    data, updates = rng.standard_normal((3, 8, 4), np.float32), rng.standard_normal((3, 2, 4), np.float32)
    indices = np.array([6, 0, 3])
    before = strew_onnxruntime.runs_in_place()
    result = run(open_caches(way), data, updates, indices, nodes=2)
    assert strew_onnxruntime.runs_in_place() - before == 2
    assert same_bits(result, -tensor_scatter(tensor_scatter(-data, updates, indices), updates))


def bound(session: Session, cache: onnxruntime.OrtValue, updates: Array, indices: Array) -> None:
    binding = session.io_binding()
    binding.bind_ortvalue_input("data", cache)
    binding.bind_ortvalue_input("updates", models.to_value(updates))
    binding.bind_ortvalue_input("indices", models.to_value(indices))
    binding.bind_ortvalue_output("output", cache)
    session.run_with_iobinding(binding)


@OPENERS
def test_a_cache_bound_as_input_and_output(open_session: Opener) -> None:
    """Writes token after token, around the end; a refused one changes nothing."""
    rng = np.random.default_rng(2)
    data = rng.standard_normal((2, 3, 5, 4), np.float32)
    cache, expected = onnxruntime.OrtValue.ortvalue_from_numpy(data), data.copy()
    session = open_session(rank=4, mode="circular")
    before = strew_onnxruntime.runs_in_place()
    for token in range(12):
        updates, indices = rng.standard_normal((2, 3, 1, 4), np.float32), np.array([token, token + 3])
        bound(session, cache, updates, indices)
        expected = tensor_scatter(expected, updates, indices, mode="circular")
        assert same_bits(cache.numpy(), expected)
    assert strew_onnxruntime.runs_in_place() - before == 12
    with pytest.raises(Exception, match=r"indices\[1\] is -1"):
        bound(session, cache, updates, np.array([0, -1]))
    assert same_bits(cache.numpy(), expected)


@OPENERS
def test_an_input_of_the_model_is_not_written(open_session: Opener) -> None:
    data = CACHE.copy()
    before = strew_onnxruntime.runs_in_place()
    run(open_session(axis=1), data, TWO, np.array([0, 1]))
    assert same_bits(data, CACHE)
    assert strew_onnxruntime.runs_in_place() == before


@pytest.mark.skipif(not HAS_OPSET, reason="the runtime does not know the operator")
def test_the_profile_names_strew(tmp_path: Path) -> None:
    feeds = {"data": CACHE, "updates": TWO, "indices": np.array([0, 2])}
    assert profile(model_of(axis=1), feeds, tmp_path) == [("TensorScatter", STREW)]


# ---- Refusals -------------------------------------------------------------------------------------------------------


@OPENERS
@pytest.mark.parametrize(
    ("indices", "mode", "sentence"),
    [
        ([3, 0], "linear", r"indices\[0\] is 3, outside \[0, 2\]"),
        ([0, 4], "linear", r"indices\[1\] is 4, outside \[0, 2\]"),
        ([0, 2**62], "linear", rf"indices\[1\] is {2**62}, outside \[0, 2\]"),
        ([-1, 0], "linear", r"indices\[0\] is -1, outside \[0, 2\]"),
        ([0, -1], "circular", r"indices\[1\] is -1, outside \[0, "),
    ],
)
def test_an_index_outside_is_refused(open_session: Opener, indices: list[int], mode: str, sentence: str) -> None:
    session = open_session(axis=1, mode=mode)
    with pytest.raises(Exception, match=f"TensorScatter-24 of strew: {sentence}"):
        models.run(session, CACHE, TWO, np.array(indices))
    assert run(session, CACHE, TWO, np.array([0, 2])).ravel().tolist() == [101, 102, 2, 3, 4, 5, 201, 202]


@OPENERS
def test_shapes_that_do_not_fit_are_refused(open_session: Opener) -> None:
    session = open_session(axis=1)
    for updates, indices in ((TWO[:, :, [0, 0]], [0, 0]), (np.repeat(FOUR, 2, 1), [0, 0]), (TWO, [0, 0, 0])):
        with pytest.raises(Exception, match="TensorScatter-24 of strew"):
            models.run(session, CACHE, updates, np.array(indices))


@OPENERS
@pytest.mark.parametrize("axis", [0, 3, -3, -4])
def test_an_axis_that_is_none_is_refused(open_session: Opener, axis: int) -> None:
    """Refused when the model is read, if the runtime knows the shapes, otherwise when it runs."""
    with pytest.raises(Exception, match="axis"):
        models.run(open_session(axis=axis), CACHE, TWO, np.array([0, 0]))


@OPENERS
def test_an_unknown_mode_is_refused(open_session: Opener) -> None:
    with pytest.raises(Exception, match="unknown mode spiral; linear and circular are known"):
        open_session(mode="spiral")


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ({"mode": 1}, "com.strew.TensorScatter: the attribute mode must be a string"),
        ({"reduction": "add"}, "no reduction add"),
        ({"batch_dims": 1}, "com.strew.TensorScatter: TensorScatter-24 has no attribute batch_dims"),
        ({"version": 23}, "version is 23, which strew does not have; it has 24"),
    ],
)
def test_attributes_that_are_wrong_are_refused_as_a_model_is_read(attributes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Exception, match=sentence):
        by_own_node(**attributes)


def test_other_operators_have_no_mode() -> None:
    model = models.one_node("ScatterND")
    node = model.graph.node[0]
    node.domain = "com.strew"
    node.attribute.append(helper.make_attribute("mode", "linear"))
    model.opset_import.add(domain="com.strew", version=1)
    with pytest.raises(Exception, match="com.strew.ScatterND: ScatterND-18 has no attribute mode"):
        custom(model)
