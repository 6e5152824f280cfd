"""The execution provider: unchanged models, run by strew, against plain NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from models import DTYPES, OPSETS, Array, draw, make_model, quiet_options, reductions_of, value
from onnx import helper
from provider import STREW, Feeds, expected, name_of, native_session, profile, run, run_single, single, strew_session
from reference import same_bits

import strew_onnxruntime

pytestmark = pytest.mark.skipif(not strew_onnxruntime.has_provider(), reason="needs ONNX Runtime 1.24 or newer")

GATHERS = ("Gather", "GatherElements", "GatherND")
SCATTERS = ("ScatterElements", "ScatterND")
NUMBERS = [name for name in DTYPES if name != "string"]


def operands(kind: str, dtype: str = "float", index: str = "int64") -> Feeds:
    """Operands of a small call of rank 3: duplicates, and indices from the end."""
    rng = np.random.default_rng(7)
    is_nd = kind.endswith("ND")
    indices = rng.integers(-5, 5, (9, 1) if is_nd else (8, 4, 2))
    feeds = {"data": draw(rng, dtype, (5, 4, 3)), "indices": indices.astype(index)}
    if kind.startswith("Scatter"):
        feeds["updates"] = draw(rng, dtype, (9, 4, 3) if is_nd else indices.shape)
    return feeds


def check(kind: str, feeds: Feeds, opset: int = 18, threads: int = 2, **attributes: Any) -> None:
    output = run_single(kind, feeds, opset, threads, **attributes)
    assert same_bits(output, expected(kind, feeds, **attributes))


# ---- What each operator does -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", GATHERS)
def test_gathers(kind: str, dtype: str) -> None:
    check(kind, operands(kind, dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", SCATTERS)
def test_scatters(kind: str, dtype: str) -> None:
    for reduction in reductions_of(kind, 18, dtype):
        check(kind, operands(kind, dtype), reduction=reduction)


@pytest.mark.parametrize("kind", ("Gather", "GatherElements", "Scatter", "ScatterElements"))
def test_int32_indices(kind: str) -> None:
    check(kind, operands(kind, index="int32"), 10 if kind == "Scatter" else 18)


@pytest.mark.parametrize("axis", (-3, -1, 0, 1, 2))
@pytest.mark.parametrize("kind", ("Gather", "GatherElements", "ScatterElements"))
def test_axis(kind: str, axis: int) -> None:
    rng = np.random.default_rng(axis + 3)
    feeds = {"data": draw(rng, "float", (3, 3, 3)), "indices": rng.integers(-3, 3, (3, 3, 3))}
    if kind == "ScatterElements":
        feeds["updates"] = draw(rng, "float", (3, 3, 3))
    check(kind, feeds, axis=axis)


@pytest.mark.parametrize("batch_dims", (0, 1, 2))
def test_batch_dims(batch_dims: int) -> None:
    rng = np.random.default_rng(batch_dims)
    feeds = {"data": draw(rng, "float", (2, 3, 4, 5)), "indices": rng.integers(-2, 2, (2, 3, 4, 2))}
    check("GatherND", feeds, batch_dims=batch_dims)


@pytest.mark.parametrize("depth", (0, 1, 2, 3))
@pytest.mark.parametrize("kind", ("GatherND", "ScatterND"))
def test_depth(kind: str, depth: int) -> None:
    """Tuples of no coordinates name the whole tensor, of as many as it has dimensions an element."""
    rng = np.random.default_rng(depth)
    feeds = {"data": draw(rng, "float", (3, 4, 5)), "indices": rng.integers(-3, 3, (6, depth))}
    if kind == "ScatterND":
        feeds["updates"] = draw(rng, "float", (6, *(3, 4, 5)[depth:]))
    check(kind, feeds)


@pytest.mark.parametrize("kind", SCATTERS)
@pytest.mark.parametrize("reduction", ("add", "mul", "min", "max"))
def test_special_values(kind: str, reduction: str) -> None:
    """NaN, infinities and zeros of both signs, in any order."""
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 5e-324, 1.7e308])
    rng = np.random.default_rng(3)
    indices = rng.integers(0, 16, (200, 1) if kind == "ScatterND" else 200)
    feeds: Feeds = {"data": rng.choice(special, 16), "indices": indices, "updates": rng.choice(special, 200)}
    check(kind, feeds, reduction=reduction)


@pytest.mark.parametrize("kind", OPSETS)
def test_strings(kind: str) -> None:
    """Short ones, which lie inside their tensor, long ones, and the empty one."""
    words = np.array(["a", "", "a sentence that is longer than a string keeps inside itself", "\u00fc"], object)
    feeds = operands(kind)
    rng = np.random.default_rng(1)
    for name in set(feeds) - {"indices"}:
        feeds[name] = rng.choice(words, feeds[name].shape)
    check(kind, feeds, 10 if kind == "Scatter" else 18)


@pytest.mark.parametrize("opset", range(9, 25))
def test_opsets(opset: int) -> None:
    """Every operator that the opset has: the runtime loads no Scatter from 11 on, where it is deprecated."""
    for kind, known in OPSETS.items():
        if opset >= known[0] and (kind != "Scatter" or opset < 11):
            check(kind, operands(kind), opset)
            for reduction in reductions_of(kind, opset, "float")[1:]:
                check(kind, operands(kind), opset, reduction=reduction)


EMPTY = {
    "no indices": ("ScatterND", (3, 4), (0, 1), (0, 4)),
    "no data": ("ScatterND", (0, 4), (0, 1), (0, 4)),
    "no columns": ("ScatterND", (3, 0), (2, 1), (2, 0)),
    "no places": ("Gather", (3, 4), (2, 0), None),
    "places of no columns": ("Gather", (3, 0), (2, 2), None),
    "no rows gathered": ("GatherND", (3, 4), (0, 1), None),
    "no elements gathered": ("GatherElements", (3, 4), (0, 4), None),
    "no elements": ("ScatterElements", (3, 4), (0, 4), (0, 4)),
    "nothing at all": ("ScatterElements", (0, 4), (0, 4), (0, 4)),
}


@pytest.mark.parametrize("case", EMPTY)
def test_empty(case: str) -> None:
    kind, data, indices, updates = EMPTY[case]
    feeds = {"data": np.ones(data, np.float32), "indices": np.zeros(indices, np.int64)}
    if updates:
        feeds["updates"] = np.full(updates, 2, np.float32)
    check(kind, feeds)


@pytest.mark.parametrize("threads", (1, 2))
def test_subnormals_count(threads: int) -> None:
    """A session may flush subnormal numbers to zero in its threads: sums still count them."""
    rng = np.random.default_rng(9)
    feeds = {
        "data": np.zeros((1000, 8), np.float32),
        "indices": rng.integers(0, 1000, (50_000, 1)),
        "updates": (rng.standard_normal((50_000, 8)) * 1e-39).astype(np.float32),
    }
    exact = feeds["data"].copy()
    np.add.at(exact, feeds["indices"][:, 0], feeds["updates"])
    assert exact.any()
    options = strew_onnxruntime.session_options(quiet_options(threads), exact=True)
    options.add_session_config_entry("session.set_denormal_as_zero", "1")
    session = onnxruntime.InferenceSession(single("ScatterND", feeds, reduction="add"), options)
    assert same_bits(run(session, feeds, 1), exact)


# ---- Threads ---------------------------------------------------------------------------------------------------------


def zipf(count: int, rows: int) -> Array:
    """Indices with few frequent ones, like words."""
    return np.minimum(np.random.default_rng(5).zipf(1.2, count), rows) - 1


@pytest.mark.parametrize("threads", (1, 2, 3, 4))
@pytest.mark.parametrize("width", (1, 8))
@pytest.mark.parametrize("kind", SCATTERS)
def test_no_update_is_lost(kind: str, width: int, threads: int) -> None:
    """Issues 18048 and 23396 of ONNX Runtime: sums with duplicates differed from run to run on several threads."""
    rows, count = 1000, 100_000
    rng = np.random.default_rng(2)
    indices = zipf(count, rows)
    feeds = {
        "data": np.zeros((rows, width), np.float32),
        "indices": indices[:, None] if kind == "ScatterND" else np.repeat(indices[:, None], width, axis=1),
        "updates": rng.standard_normal((count, width)).astype(np.float32),
    }
    exact = feeds["data"].copy()
    np.add.at(exact, indices, feeds["updates"])  # one after another, in the order of indices
    session = strew_session(single(kind, feeds, reduction="add"), threads)
    for _ in range(5):
        assert same_bits(run(session, feeds, 1), exact)


@pytest.mark.parametrize("kind", GATHERS)
def test_gathers_on_threads(kind: str) -> None:
    rng = np.random.default_rng(4)
    data = rng.standard_normal((5000, 64)).astype(np.float32)
    places = rng.integers(-5000, 5000, 20_000)
    shaped = {"Gather": places, "GatherND": places[:, None]}
    indices = shaped.get(kind, np.repeat(places[:, None], 64, axis=1))
    assert np.array_equal(run_single(kind, {"data": data, "indices": indices}, threads=2), data[places])


# ---- Models ----------------------------------------------------------------------------------------------------------


def scatter(data: str, output: str, **attributes: Any) -> Any:
    return helper.make_node("ScatterND", [data, "indices", "updates"], [output], **attributes)


ROWS: Feeds = {
    "data": np.arange(12, dtype=np.float32).reshape(4, 3),
    "indices": np.array([[1], [-1], [1]]),
    "updates": np.full((3, 3), 10, np.float32),
}
ROW_INPUTS = [
    value("data", "float", ["n", 3]),
    value("indices", "int64", ["m", 1]),
    value("updates", "float", ["m", 3]),
]
ROW_OUTPUT = value("output", "float", None)


def test_profile_names_strew(tmp_path: Path) -> None:
    """The runtime reports the provider of each node: strew scatters and gathers, its own kernels do the rest; nothing
    copies between."""
    nodes = [
        helper.make_node("Abs", ["data"], ["absolute"]),
        scatter("absolute", "summed", reduction="add"),
        helper.make_node("GatherND", ["summed", "indices"], ["gathered"]),
        helper.make_node("Relu", ["gathered"], ["output"]),
    ]
    source = make_model(nodes, ROW_INPUTS, [ROW_OUTPUT])
    ran = profile(source, ROWS, tmp_path)
    assert sorted(ran) == [
        ("Abs", "CPUExecutionProvider"),
        ("GatherND", STREW),
        ("Relu", "CPUExecutionProvider"),
        ("ScatterND", STREW),
    ]


@pytest.mark.parametrize("level", list(onnxruntime.GraphOptimizationLevel.__members__))
def test_optimization_levels(level: str) -> None:
    nodes = [
        helper.make_node("Identity", ["data"], ["same"]),
        scatter("same", "summed", reduction="add"),
        helper.make_node("GatherND", ["summed", "indices"], ["output"]),
    ]
    source = make_model(nodes, ROW_INPUTS, [ROW_OUTPUT])
    chosen = strew_onnxruntime.session_options(quiet_options(), exact=True)
    chosen.graph_optimization_level = onnxruntime.GraphOptimizationLevel.__members__[level]
    output = run(onnxruntime.InferenceSession(source.SerializeToString(), chosen), ROWS, 2)
    summed = expected("ScatterND", ROWS, reduction="add")
    assert same_bits(output, summed[[1, -1, 1]])


def test_a_provider_beside_the_package() -> None:
    """Does by the runtime's own functions what the package does in one line."""
    devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == STREW]
    chosen = quiet_options()
    chosen.add_provider_for_devices(devices, {})
    source = make_model([scatter("data", "output")], ROW_INPUTS, [ROW_OUTPUT])
    session = onnxruntime.InferenceSession(source.SerializeToString(), chosen)
    assert session.get_providers() == [STREW, "CPUExecutionProvider"]
    assert same_bits(session.run(None, ROWS)[0], expected("ScatterND", ROWS))


def branch(name: str, node: Any) -> Any:
    return helper.make_graph([node], name, [], [value(node.output[0], "float", None)])


@pytest.mark.parametrize("condition", (False, True))
def test_if(condition: bool) -> None:
    """Branches see tensors from outside, which stay as they are."""
    node = helper.make_node(
        "If",
        ["condition"],
        ["chosen"],
        then_branch=branch("then", scatter("absolute", "summed", reduction="add")),
        else_branch=branch("else", scatter("absolute", "assigned")),
    )
    nodes = [
        helper.make_node("Abs", ["data"], ["absolute"]),
        node,
        helper.make_node("Sub", ["chosen", "absolute"], ["output"]),
    ]
    inputs = [*ROW_INPUTS, value("condition", "bool", [])]
    session = strew_session(make_model(nodes, inputs, [ROW_OUTPUT]))
    output = run(session, {**ROWS, "condition": np.array(condition)}, 1)
    result = expected("ScatterND", ROWS, reduction="add" if condition else "none")
    assert same_bits(output, result - ROWS["data"])


def test_loop() -> None:
    """Each round adds the updates to the result of the last one."""
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["condition_in"], ["condition_out"]),
            scatter("state_in", "state_out", reduction="add"),
        ],
        "body",
        [value("round", "int64", []), value("condition_in", "bool", []), value("state_in", "float", ["n", 3])],
        [value("condition_out", "bool", []), value("state_out", "float", ["n", 3])],
    )
    node = helper.make_node("Loop", ["rounds", "", "data"], ["output"], body=body)
    inputs = [*ROW_INPUTS, value("rounds", "int64", [])]
    session = strew_session(make_model([node], inputs, [ROW_OUTPUT]))
    output = run(session, {**ROWS, "rounds": np.array(5)}, 5)
    result = ROWS
    for _ in range(5):
        result = {**result, "data": expected("ScatterND", result, reduction="add")}
    assert same_bits(output, result["data"])


def test_local_function() -> None:
    """Nodes of a model's own function."""
    function = helper.make_function(
        "tests",
        "AddRows",
        ["data", "indices", "updates"],
        ["output"],
        [scatter("data", "output", reduction="add")],
        [helper.make_opsetid("", 18)],
    )
    node = helper.make_node("AddRows", ["data", "indices", "updates"], ["output"], domain="tests")
    imports = [helper.make_opsetid("tests", 1)]
    source = make_model([node], ROW_INPUTS, [ROW_OUTPUT], functions=[function], opset_imports=imports)
    assert same_bits(run(strew_session(source), ROWS, 1), expected("ScatterND", ROWS, reduction="add"))


def test_halves_that_the_runtime_lacks() -> None:
    """The runtime's own kernel has no sums of halves; with strew the same model runs."""
    feeds = operands("ScatterND", "float16")
    with pytest.raises(Exception, match="not supported"):
        native_session(single("ScatterND", feeds, reduction="add")).run(None, feeds)
    check("ScatterND", feeds, reduction="add")


def check_native(model: bytes, feeds: Feeds) -> None:
    """The provider leaves the node, and the session behaves as without the provider."""
    output = run(strew_session(model), feeds, 0)
    assert same_bits(output, native_session(model).run(None, feeds)[0])


@pytest.mark.parametrize("opset", (16, 18))
@pytest.mark.parametrize("kind", SCATTERS)
def test_reductions_that_strew_lacks(kind: str, opset: int) -> None:
    """The runtime's own kernel appends strings to one another, and takes the maximum in opset 16, which has none."""
    feeds = operands(kind, "string")
    check_native(single(kind, feeds, opset, reduction="add"), feeds)
    if opset == 16:
        feeds = operands(kind)
        check_native(single(kind, feeds, opset, reduction="max"), feeds)


@pytest.mark.parametrize("rank", (32, 33))
def test_ranks_that_strew_lacks(rank: int) -> None:
    shape = (2, 3) + (1,) * (rank - 2)
    feeds = {"data": draw(np.random.default_rng(rank), "float", shape), "indices": np.zeros(shape, np.int64)}
    model = single("GatherElements", feeds)
    if rank > 32:
        check_native(model, feeds)
    else:
        assert same_bits(run(strew_session(model), feeds, 1), native_session(model).run(None, feeds)[0])


def test_ranks_of_results_that_strew_lacks() -> None:
    """A GatherND of tensors of few dimensions can have a result of many. If the model does not say, strew takes and
    refuses it."""
    ones = (1,) * 18
    feeds = {"data": np.ones((2, 3, *ones), np.float32), "indices": np.zeros((*ones, 1), np.int64)}
    inputs = [value("data", "float", feeds["data"].shape), value("indices", "int64", feeds["indices"].shape)]
    node = helper.make_node("GatherND", ["data", "indices"], ["output"])
    known = make_model([node], inputs, [value("output", "float", None)])
    check_native(known.SerializeToString(), feeds)
    with pytest.raises(Exception, match="output would have rank 37; at most 32 is possible"):
        strew_session(single("GatherND", feeds)).run(None, feeds)


# ---- Refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", GATHERS + SCATTERS)
@pytest.mark.parametrize("index", (5, -6, 2**40 + 1, -(2**63)))
def test_index_out_of_bounds(kind: str, index: int) -> None:
    """The error names the node, the index and its place; nothing has changed; the session goes on."""
    feeds = operands(kind)
    session = strew_session(single(kind, feeds))
    wrong = {name: array.copy() for name, array in feeds.items()}
    last = tuple(size - 1 for size in wrong["indices"].shape)
    wrong["indices"][last] = index
    kept = {name: array.copy() for name, array in wrong.items()}
    place = "".join(f"\\[{each}\\]" for each in last)
    with pytest.raises(Exception, match=rf"the_node.*indices{place} is {index}, outside \[-5, 4\] for dimension 0"):
        session.run(None, wrong)
    assert all(same_bits(wrong[name], kept[name]) for name in wrong)
    assert same_bits(session.run(None, feeds)[0], expected(kind, feeds))


def test_shapes_that_do_not_fit() -> None:
    feeds = operands("ScatterND")
    session = strew_session(single("ScatterND", feeds))
    with pytest.raises(Exception, match="the_node.*dimension 0 of updates is 8; 9 is needed to fit indices"):
        session.run(None, {**feeds, "updates": feeds["updates"][:-1]})


@pytest.mark.parametrize("axis", (3, -4))
def test_axis_out_of_range(axis: int) -> None:
    feeds = operands("ScatterElements")
    shapeless = [value(name, name_of(array.dtype), None) for name, array in feeds.items()]
    node = helper.make_node("ScatterElements", list(feeds), ["output"], name="the_node", axis=axis)
    session = strew_session(make_model([node], shapeless, [ROW_OUTPUT]))
    with pytest.raises(Exception, match=rf"the_node.*axis is {axis}"):
        session.run(None, feeds)


def test_unknown_reduction() -> None:
    feeds = operands("ScatterND")
    with pytest.raises(Exception, match="unknown reduction average; none, add, mul, min and max are known"):
        strew_session(single("ScatterND", feeds, reduction="average"))
