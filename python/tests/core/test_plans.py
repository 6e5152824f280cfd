"""strew.Plan: made once, run on any arrays of the same kind."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
from numpy_loops import assert_same

import strew

DATA, INDICES, UPDATES = np.arange(12.0).reshape(4, 3), np.array([[1], [3]]), np.full((2, 3), 5.0)


def test_each_function_has_a_plan() -> None:
    elements = np.array([[3, 0, 1]])
    assert_same(strew.plan_gather_nd(DATA, INDICES)(DATA, INDICES), DATA[[1, 3]])
    assert_same(strew.plan_gather_elements(DATA, elements)(DATA, elements), np.take_along_axis(DATA, elements, 0))
    expected = DATA.copy()
    expected[[1, 3]] += 5
    assert_same(strew.plan_scatter_nd(DATA, INDICES, UPDATES, reduction="sum")(DATA, INDICES, UPDATES), expected)
    plan = strew.plan_scatter_elements(DATA, elements, UPDATES[:1], axis=0, reduction="mean", use_init_val=False)
    expected = DATA.copy()
    np.put_along_axis(expected, elements, 5.0, 0)
    assert_same(plan(DATA, elements, UPDATES[:1]), expected)
    rows = INDICES[:, 0]
    assert_same(strew.plan_gather(DATA, rows, axis=1, mode="clip")(DATA, rows), DATA[:, [1, 2]])
    plan = strew.plan_scatter(DATA, rows, UPDATES, reduction="sum")
    assert_same(plan(DATA, rows, UPDATES), strew.scatter_nd(DATA, INDICES, UPDATES, reduction="sum"))
    caches, begins, windows = DATA.reshape(2, 2, 3), np.array([1, 0]), np.full((2, 1, 3), 5.0)
    expected = DATA.reshape(2, 2, 3).copy()
    expected[[0, 1], begins] = 5
    assert_same(strew.plan_tensor_scatter(caches, begins, windows, axis=1)(caches, begins, windows), expected)
    expected = DATA.copy()
    expected[3:0:-2] = UPDATES
    plan = strew.plan_slice_scatter(DATA, UPDATES, [3], [0], [-2])
    assert_same(plan(DATA, UPDATES), expected)
    assert_same(plan(DATA, updates=UPDATES, indices=None, out=None), expected)
    begins, ids = np.array([0, 1]), np.array([0, 1, 1, 2])
    assert_same(strew.plan_embedding_bag_offsets(DATA, rows, begins)(DATA, rows, begins), DATA[[1, 3]])
    assert_same(strew.plan_embedding_bag_packed(DATA, INDICES)(DATA, INDICES), DATA[[1, 3]])
    segments = strew.plan_embedding_segments(DATA, rows, begins[::-1], num_segments=3)
    assert segments.output_shape == (3, 3)
    assert_same(segments(DATA, rows, segment_ids=begins[::-1]), np.stack([DATA[3], DATA[1], DATA[1] * 0]))
    expected = np.stack([DATA[0], DATA[1] + DATA[2], DATA[3]])
    assert_same(strew.plan_segment_reduce(DATA, ids)(DATA, ids), expected)
    plan = strew.plan_gather_scatter(DATA, UPDATES, begins, rows)
    expected = DATA.copy()
    expected[[1, 3]] += UPDATES
    assert_same(plan(DATA, UPDATES, begins, rows), expected)
    assert_same(plan(DATA, indices=begins, targets=rows, updates=UPDATES, weights=None), expected)
    plan = strew.plan("ScatterNDUpdate-15", DATA, INDICES, UPDATES, reduction="max")
    assert_same(plan(DATA, INDICES, updates=UPDATES), strew.scatter_nd(DATA, INDICES, UPDATES, reduction="max"))


def test_a_plan_runs_on_other_arrays() -> None:
    plan = strew.plan_gather_nd(np.empty((4, 3)), np.zeros((2, 1), int))
    for seed in range(5):
        draw = np.random.default_rng(seed)
        data, indices = draw.random((4, 3)), draw.integers(-4, 4, (2, 1))
        assert_same(plan(data, indices), data[indices[:, 0]])
        out = np.empty((2, 3))
        assert plan(data, indices, out=out) is out
        assert_same(out, data[indices[:, 0]])


def test_planning_looks_at_no_element() -> None:
    plan = strew.plan_gather_nd(DATA, np.full((2, 1), 99))
    assert_same(plan(DATA, INDICES), DATA[[1, 3]])
    with pytest.raises(strew.BoundsError, match=r"indices\[0\]\[0\] is 99"):
        plan(DATA, np.full((2, 1), 99))


def test_a_policy_and_a_fill_are_planned() -> None:
    fill = np.full((), 7.0)
    plan = strew.plan_gather(DATA, INDICES, mode="fill", fill_value=fill)
    fill[...] = 8  # which the plan does not look at again
    for outside in (4, -5, 99):
        result = plan(DATA, np.array([[outside], [3]]))
        assert_same(result, np.stack([np.full((1, 3), 7.0), DATA[[3]]]))
    with pytest.raises(TypeError, match="takes data, indices, updates and out"):
        plan(DATA, INDICES, fill_value=fill)  # type: ignore[call-overload]
    assert_same(strew.plan("Gather-8", DATA, INDICES, axis=0)(DATA, INDICES + 1)[1], np.zeros((1, 3)))


def test_in_place() -> None:
    plan = strew.plan_scatter_nd(DATA, INDICES, UPDATES)
    data = DATA.copy()
    assert plan(data, INDICES, UPDATES, out=data) is data
    expected = DATA.copy()
    expected[[1, 3]] = 5
    assert_same(data, expected)


def test_strides_are_planned() -> None:
    plan = strew.plan_gather_nd(DATA.T, INDICES[:1], out=np.empty((4, 1)).T)
    out = np.empty((8, 1))[::2].T
    with pytest.raises(
        strew.ArgumentError, match=r"output has strides \(\d+, 2\), its plan is for \(\d+, 1\) \(in elements\)"
    ):
        plan(DATA.T, INDICES[:1], out=out)
    with pytest.raises(strew.ArgumentError, match=r"data has strides \(4, 1\), its plan is for \(1, 3\)"):
        plan(np.ascontiguousarray(DATA.T), INDICES[:1])
    assert_same(plan(DATA.T, INDICES[:1]), DATA.T[[1]])


def test_what_was_not_planned_is_refused() -> None:
    plan = strew.plan_scatter_nd(DATA, INDICES, UPDATES)
    cases: list[tuple[type[strew.Error], str, tuple[Any, ...]]] = [
        (strew.ArgumentError, r"data has shape \(4, 2\), its plan is for \(4, 3\)", (DATA[:, :2], INDICES, UPDATES)),
        (strew.ArgumentError, r"indices has shape \(2,\), its plan is for \(2, 1\)", (DATA, INDICES[:, 0], UPDATES)),
        (strew.DtypeError, "indices is of int32 .*, its plan is for int64", (DATA, INDICES.astype("i4"), UPDATES)),
        (strew.DtypeError, "updates is of float32", (DATA, INDICES, UPDATES.astype("f4"))),
    ]
    for kind, message, arguments in cases:
        with pytest.raises(kind, match=message):
            plan(*arguments)
    with pytest.raises(strew.ArgumentError, match=r"output has shape \(3, 4\)"):
        plan(DATA, INDICES, UPDATES, out=np.empty((3, 4)))
    locked = np.empty((4, 3))
    locked.flags.writeable = False
    with pytest.raises(strew.ArgumentError, match="output is read-only"):
        plan(DATA, INDICES, UPDATES, out=locked)


def test_arguments_of_a_run() -> None:
    gather: Any = strew.plan_gather_nd(DATA, INDICES)
    scatter: Any = strew.plan_scatter_nd(DATA, INDICES, UPDATES)
    assert_same(gather(indices=INDICES, data=DATA, updates=None, out=None), DATA[[1, 3]])
    window = DATA[:, :, None].copy()
    windows: Any = strew.plan_tensor_scatter(window, None, window[:, :1], axis=1)
    part: Any = strew.plan_slice_scatter(DATA, UPDATES, [0], [2])
    edges: Any = strew.plan_gather_scatter(DATA, DATA, np.zeros(1, int), np.zeros(1, int))
    one, weight = np.zeros(1, int), np.zeros(1)
    for plan, arguments, options, message in (
        (edges, (DATA, DATA, one, one, weight), {}, "gather_scatter takes no weights: it was made without"),
        (edges, (DATA, DATA, one), {}, "a plan of gather_scatter lacks its argument 'targets'"),
        (edges, (DATA, DATA, one, one), {"offsets": one}, "takes data, updates, indices, targets, weights and out"),
        (windows, (window, np.zeros(4, int), window[:, :1]), {}, "takes no indices: it was made without"),
        (part, (DATA, INDICES, UPDATES), {}, "takes 2 arguments by position, and was given 3"),
        (part, (DATA, UPDATES), {"indices": INDICES}, "plan of slice_scatter takes no indices"),
        (part, (DATA,), {}, "plan of slice_scatter lacks its argument 'updates'"),
        (gather, (DATA,), {}, "lacks its argument 'indices'"),
        (gather, (DATA, INDICES, UPDATES), {}, "plan of gather_nd takes no updates"),
        (scatter, (DATA, INDICES), {}, "plan of scatter_nd lacks its argument 'updates'"),
        (gather, (DATA, INDICES), {"data": DATA}, "has its argument 'data' twice"),
        (gather, (DATA, INDICES), {"axis": 0}, "takes data, indices, updates and out"),
        (gather, (DATA, INDICES, None, DATA), {}, "takes 3 arguments by position, and was given 4"),
    ):
        with pytest.raises(TypeError, match=message):
            plan(*arguments, **options)


def test_planning_refuses_what_calls_refuse() -> None:
    with pytest.raises(strew.ArgumentError, match="axis"):
        strew.plan_gather_elements(DATA, np.zeros((4, 3), int), axis=2)
    with pytest.raises(strew.DtypeError):
        strew.plan_scatter_nd(DATA, INDICES, UPDATES, reduction="mean")
    with pytest.raises(TypeError, match=r"plan_gather_nd\(\) lacks"):
        strew.plan_gather_nd(DATA)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        strew.Plan()


def test_what_a_plan_tells() -> None:
    plan = strew.plan_gather_nd(DATA, INDICES, num_threads=2)
    assert (plan.name, plan.output_shape, plan.num_threads, plan.scratch_size) == ("gather_nd", (2, 3), 1, 0)
    assert repr(plan) == "<strew.Plan of gather_nd, output_shape=(2, 3), num_threads=1>"
    assert strew.plan("GatherND", DATA, INDICES).name == "GatherND-13"
    data, indices = np.zeros(10_000), np.zeros(500_000, np.int64)
    large = strew.plan_scatter_elements(data, indices, np.zeros(500_000), reduction="mean", num_threads=2)
    assert large.num_threads == 2
    assert large.scratch_size > 0


def test_text_and_opaque_elements() -> None:
    words = np.array(["a", "bc", "def"])
    plan = strew.plan("GatherElements-13", words, np.array([2, 0]))
    assert plan(words, np.array([1, 1])).tolist() == ["bc", "bc"]
    days = np.zeros(3, "M8[D]")
    plan = strew.plan_scatter_elements(days, np.array([2]), days[:1])
    with pytest.raises(strew.DtypeError, match=r"updates has dtype datetime64\[s\]"):
        plan(days, np.array([2]), np.zeros(1, "M8[s]"))


def test_a_plan_outlives_its_arrays() -> None:
    data = np.arange(5.0)
    plan = strew.plan_gather_elements(data, np.array([1]))
    data.resize(0)  # which NumPy forbids while anybody holds the array
    gc.collect()
    assert plan(np.arange(5.0), np.array([4])).tolist() == [4]


def test_many_threads_run_one_plan() -> None:
    draw = np.random.default_rng(1)
    data, indices, updates = draw.random(20_000), draw.integers(0, 20_000, 300_000), draw.random(300_000)
    expected = data.copy()
    np.add.at(expected, indices, updates)
    plan = strew.plan_scatter_elements(data, indices, updates, reduction="sum", num_threads=2)
    results: list[bytes] = []

    def work() -> None:
        for _ in range(5):
            results.append(plan(data, indices, updates).tobytes())

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 30
    assert set(results) == {expected.tobytes()}


def test_a_plan_explains_itself() -> None:
    text = strew.plan_scatter_nd(DATA, INDICES, UPDATES, num_threads=1).explain()
    assert text.startswith("scatters 2 rows of 24 bytes; in place resolves all indices, then moves all rows")
