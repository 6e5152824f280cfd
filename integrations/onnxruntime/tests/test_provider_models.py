"""The execution provider and models by others: ONNX's own tests of the operators, and issues of the runtime."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from models import SERVED, quiet_options, served_nodes
from provider import STREW, Feeds, profile, run, single, strew_session
from reference import same_bits

import strew_onnxruntime

pytestmark = pytest.mark.skipif(not strew_onnxruntime.has_provider(), reason="needs ONNX Runtime 1.24 or newer")


def node_tests() -> list[Any]:
    """ONNX's tests of nodes that contain one of the operators, also after the expansion of functions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases

        cases = collect_testcases(None)
    return [case for case in cases if case.model and served_nodes(case.model)]


CASES = node_tests()


def test_there_are_node_tests() -> None:
    """Each operator has some."""
    assert {node.op_type for case in CASES for node in case.model.graph.node} >= SERVED
    assert len(CASES) >= 40


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_node(case: Any) -> None:
    session = strew_session(case.model)
    for inputs, outputs in case.data_sets:
        feeds = {entry.name: np.asarray(array) for entry, array in zip(case.model.graph.input, inputs)}
        before = strew_onnxruntime.runs()
        results = session.run(None, feeds)
        assert strew_onnxruntime.runs() == before + served_nodes(case.model)
        for result, output in zip(results, outputs, strict=True):
            if len(case.model.graph.node) == 1:
                assert same_bits(result, np.asarray(output))
            else:  # arithmetic of the runtime's own is between
                np.testing.assert_allclose(result, output, case.rtol, case.atol)


def graph_model(rows: int, edges: int, columns: int) -> Feeds:
    """Issue 28584: the messages of a graph's edges, each added to its node: one index for a row."""
    rng = np.random.default_rng(28584)
    nodes = rng.integers(0, rows, edges)
    return {
        "data": np.zeros((rows, columns), np.float32),
        "indices": np.repeat(nodes[:, None], columns, axis=1),
        "updates": rng.standard_normal((edges, columns)).astype(np.float32),
    }


@pytest.mark.parametrize("threads", (1, 2))
def test_issue_28584(threads: int, tmp_path: Path) -> None:
    """ScatterElements(axis=0, reduction="add") of [556416, 80] and [481385, 80], of a sixteenth of the rows."""
    feeds = graph_model(34776, 30086, 80)
    exact = feeds["data"].copy()
    np.add.at(exact, feeds["indices"][:, 0], feeds["updates"])
    model = single("ScatterElements", feeds, axis=0, reduction="add")
    assert same_bits(run(strew_session(model, threads), feeds, 1), exact)
    assert profile(model, feeds, tmp_path) == [("ScatterElements", STREW)]


def test_the_runtimes_threads_work(tmp_path: Path) -> None:
    """The runtime's profile counts the work of the threads of its pool."""
    feeds = graph_model(34776, 30086, 80)
    options = strew_onnxruntime.session_options(quiet_options(2), exact=True)
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "profile")
    model = single("ScatterElements", feeds, axis=0, reduction="add")
    session = onnxruntime.InferenceSession(model, options)
    for _ in range(64):
        session.run(None, feeds)
    events = json.loads(Path(session.end_profiling()).read_text())
    ran = [event["args"] for event in events if event.get("cat") == "Node" and "provider" in event["args"]]
    assert {event["provider"] for event in ran} == {STREW}
    workers = [worker for event in ran for worker in event["thread_scheduling_stats"]["sub_threads"].values()]
    assert sum(worker["num_run"] for worker in workers) > 0
