"""The execution provider and memory: it scatters in place exactly if nothing else reads data."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import onnxruntime
import pytest
from models import Array, make_model, quiet_options, to_value, value
from onnx import helper, numpy_helper
from provider import Feeds, expected, run, single, strew_session
from reference import same_bits

import strew_onnxruntime

pytestmark = pytest.mark.skipif(not strew_onnxruntime.has_provider(), reason="needs ONNX Runtime 1.24 or newer")

SUM = {"reduction": "add"}


def feeds(rows: int = 50, updates: int = 20) -> Feeds:
    rng = np.random.default_rng(11)
    return {
        "data": rng.standard_normal((rows, 3)).astype(np.float32),
        "indices": rng.integers(-rows, rows, (updates, 1)),
        "updates": rng.standard_normal((updates, 3)).astype(np.float32),
    }


def inputs(*names: str, rows: int | str = "n") -> list[Any]:
    known = {
        "data": value("data", "float", [rows, 3]),
        "indices": value("indices", "int64", ["m", 1]),
        "updates": value("updates", "float", ["m", 3]),
    }
    return [known[name] for name in names]


ALL = ("data", "indices", "updates")
OUTPUT = value("output", "float", ["n", 3])


def add(data: str, output: str) -> Any:
    return helper.make_node("ScatterND", [data, "indices", "updates"], [output], **SUM)


def added(given: Feeds, times: int = 1) -> Array:
    for _ in range(times):
        given = {**given, "data": expected("ScatterND", given, **SUM)}
    return given["data"]


def runs_in_place(session: onnxruntime.InferenceSession, given: Feeds, nodes: int) -> tuple[Array, int]:
    before = strew_onnxruntime.runs_in_place()
    output = run(session, given, nodes)
    return output, strew_onnxruntime.runs_in_place() - before


@pytest.mark.parametrize("rows", ("n", 50))
def test_intermediates_in_place(rows: int | str) -> None:
    """Between the model's input, which is the user's, and its output, another tensor, nothing is copied."""
    nodes = [
        helper.make_node("Neg", ["data"], ["a"]),
        add("a", "b"),
        add("b", "c"),
        add("c", "d"),
        helper.make_node("Neg", ["d"], ["output"]),
    ]
    session = strew_session(make_model(nodes, inputs(*ALL, rows=rows), [OUTPUT]))
    given = feeds()
    kept = given["data"].copy()
    for _ in range(3):
        output, in_place = runs_in_place(session, given, 3)
        assert in_place == 3
        assert same_bits(output, -added({**given, "data": -kept}, 3))
        assert same_bits(given["data"], kept)


@pytest.mark.parametrize("has_name", (False, True))
def test_dimensions_need_a_name(has_name: bool) -> None:
    """Rows that are chosen at run time: the runtime knows that data and output are of one size if it has a name, which
    its symbolic_shape_infer gives it; otherwise they are copied."""
    nodes = [
        helper.make_node("Compress", ["data", "keep"], ["a"], axis=0),
        add("a", "b"),
        add("b", "c"),
        helper.make_node("Neg", ["c"], ["output"]),
    ]
    given = feeds(50) | {"keep": np.ones(50, bool)}
    named = [value(name, "float", ["chosen", 3]) for name in ("a", "b", "c")] if has_name else []
    operands = [*inputs(*ALL), value("keep", "bool", ["n"])]
    model = make_model(nodes, operands, [value("output", "float", None)], value_info=named)
    output, in_place = runs_in_place(strew_session(model), given, 2)
    assert in_place == (2 if has_name else 0)
    assert same_bits(output, -added({name: given[name] for name in ALL}, 2))


def test_inputs_and_outputs_are_copied_once() -> None:
    """The user's input is not written; the result of the last scatter lies in the output that the user gets."""
    session = strew_session(make_model([add("data", "a"), add("a", "b"), add("b", "output")], inputs(*ALL), [OUTPUT]))
    given = feeds()
    kept = given["data"].copy()
    output, in_place = runs_in_place(session, given, 3)
    assert in_place == 1
    assert same_bits(output, added(given, 3))
    assert same_bits(given["data"], kept)


def test_constants_stay() -> None:
    """An initialiser is data of every run: it is copied."""
    given = feeds()
    nodes = [add("data", "a"), helper.make_node("Neg", ["a"], ["output"])]
    constant = numpy_helper.from_array(given.pop("data"), "data")
    model = make_model(nodes, inputs("indices", "updates"), [OUTPUT], initializer=[constant])
    session = strew_session(model)
    right = -added({"data": numpy_helper.to_array(constant), **given})
    for _ in range(3):
        output, in_place = runs_in_place(session, given, 1)
        assert in_place == 0
        assert same_bits(output, right)


@pytest.mark.parametrize("reads_first", (False, True))
def test_data_that_others_read(reads_first: bool) -> None:
    """A tensor that another node reads, before or after, is not written."""
    readers = [add("a", "b"), helper.make_node("Neg", ["a"], ["c"])]
    nodes = [
        helper.make_node("Abs", ["data"], ["a"]),
        *(reversed(readers) if reads_first else readers),
        helper.make_node("Sub", ["b", "c"], ["output"]),
    ]
    given = feeds()
    output = run(strew_session(make_model(nodes, inputs(*ALL), [OUTPUT])), given, 1)
    absolute = np.abs(given["data"])
    assert same_bits(output, added({**given, "data": absolute}) + absolute)


def test_two_scatters_of_the_same_data() -> None:
    nodes = [
        helper.make_node("Abs", ["data"], ["a"]),
        add("a", "b"),
        helper.make_node("ScatterND", ["a", "indices", "updates"], ["c"], reduction="mul"),
        helper.make_node("Sub", ["b", "c"], ["output"]),
    ]
    given = feeds()
    output = run(strew_session(make_model(nodes, inputs(*ALL), [OUTPUT])), given, 2)
    absolute = {**given, "data": np.abs(given["data"])}
    assert same_bits(output, added(absolute) - expected("ScatterND", absolute, reduction="mul"))


def test_data_that_is_an_output_too() -> None:
    nodes = [helper.make_node("Abs", ["data"], ["a"]), add("a", "output")]
    model = make_model(nodes, inputs(*ALL), [OUTPUT, value("a", "float", ["n", 3])])
    given = feeds()
    output, absolute = strew_session(model).run(None, given)
    assert same_bits(absolute, np.abs(given["data"]))
    assert same_bits(output, added({**given, "data": absolute}))


def test_updates_that_are_the_data() -> None:
    """One tensor in two places: it is not written while it is read."""
    nodes = [
        helper.make_node("Neg", ["data"], ["a"]),
        helper.make_node("ScatterND", ["a", "indices", "a"], ["b"], **SUM),
        helper.make_node("Neg", ["b"], ["output"]),
    ]
    given = feeds(20, 20)
    del given["updates"]
    output = run(strew_session(make_model(nodes, inputs("data", "indices"), [OUTPUT])), given, 1)
    negative = -given["data"]
    assert same_bits(output, -added({"data": negative, "indices": given["indices"], "updates": negative}))


@pytest.mark.parametrize("with_arena", (False, True))
def test_scratch(with_arena: bool) -> None:
    """A call that is faster with scratch, which the session's allocator gives, with an arena and without."""
    rng = np.random.default_rng(6)
    given = {
        "data": np.zeros(300_000, np.float32),
        "indices": rng.integers(0, 300_000, 1_000_000),
        "updates": rng.standard_normal(1_000_000).astype(np.float32),
    }
    exact = given["data"].copy()
    np.add.at(exact, given["indices"], given["updates"])
    options = strew_onnxruntime.session_options(quiet_options(2), exact=True)
    options.enable_cpu_mem_arena = with_arena
    session = onnxruntime.InferenceSession(single("ScatterElements", given, reduction="add"), options)
    for _ in range(3):
        assert same_bits(run(session, given, 1), exact)


# ---- Bound tensors ---------------------------------------------------------------------------------------------------


def bound(session: onnxruntime.InferenceSession, given: Feeds, output: onnxruntime.OrtValue) -> Any:
    binding = session.io_binding()
    for name, array in given.items():
        binding.bind_ortvalue_input(name, output if name == "data" else to_value(array))
    binding.bind_ortvalue_output("output", output)
    return binding


def test_one_tensor_bound_to_both() -> None:
    """Data and output are one tensor of the user's: it is written in place, run after run."""
    session = strew_session(make_model([add("data", "output")], inputs(*ALL), [OUTPUT]))
    given = feeds()
    table = given["data"].copy()
    binding = bound(session, given, onnxruntime.OrtValue.ortvalue_from_numpy(table))
    before = strew_onnxruntime.runs_in_place()
    for times in (1, 2, 3):
        session.run_with_iobinding(binding)
        assert same_bits(table, added(given, times))
    assert strew_onnxruntime.runs_in_place() == before + 3


def test_a_refused_run_leaves_a_bound_tensor() -> None:
    session = strew_session(make_model([add("data", "output")], inputs(*ALL), [OUTPUT]))
    given = feeds()
    table = given["data"].copy()
    given["indices"][-1] = 50
    binding = bound(session, given, onnxruntime.OrtValue.ortvalue_from_numpy(table))
    with pytest.raises(Exception, match=r"indices\[19\]\[0\] is 50, outside \[-50, 49\]"):
        session.run_with_iobinding(binding)
    assert same_bits(table, given["data"])


def test_an_output_in_the_updates() -> None:
    """strew refuses an output bound to memory that is read, and writes nothing."""
    session = strew_session(make_model([add("data", "output")], inputs(*ALL), [OUTPUT]))
    given = feeds(20, 20)
    kept = given["updates"].copy()
    binding = session.io_binding()
    values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in given.items()}
    for name, tensor in values.items():
        binding.bind_ortvalue_input(name, tensor)
    binding.bind_ortvalue_output("output", values["updates"])
    with pytest.raises(Exception, match="output overlaps updates"):
        session.run_with_iobinding(binding)
    assert same_bits(given["updates"], kept)


# ---- Several at once -------------------------------------------------------------------------------------------------


def test_sessions_and_runs_at_once() -> None:
    """Two sessions with different numbers of threads, each run by several threads."""
    model = make_model([helper.make_node("Neg", ["data"], ["a"]), add("a", "output")], inputs(*ALL), [OUTPUT])
    sessions = [strew_session(model, threads) for threads in (1, 2)]
    cases = [feeds(1000 + 10 * i, 5000) for i in range(4)]
    results = [added({**case, "data": -case["data"]}) for case in cases]

    def job(number: int) -> bool:
        output = sessions[number % 2].run(None, cases[number % 4])[0]
        return same_bits(output, results[number % 4])

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(job, range(80)))


def test_parallel_execution() -> None:
    """Nodes that are run side by side by the runtime."""
    model = make_model([add("data", "output")], inputs(*ALL), [OUTPUT])
    options = strew_onnxruntime.session_options(exact=True)
    options.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL
    options.inter_op_num_threads = 2
    given = feeds(2000, 8000)
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    assert same_bits(run(session, given, 1), added(given))


def test_sessions_come_and_go() -> None:
    model = make_model([add("data", "output")], inputs(*ALL), [OUTPUT])
    given = feeds()
    for _ in range(30):
        assert same_bits(run(strew_session(model), given, 1), added(given))
