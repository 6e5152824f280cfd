"""Plan.inspect: indices that stay the same are inspected once. test_properties.py runs every operator so, on drawn
arrays."""

from __future__ import annotations

import gc
import sys
import threading
from typing import Any

import numpy as np
import pytest
from numpy_loops import assert_same

import strew

DATA, INDICES, UPDATES = np.arange(12.0).reshape(4, 3), np.array([[1], [3]]), np.full((2, 3), 5.0)
ROWS, IDS, BEGINS = np.array([1, 3]), np.array([2, 0]), np.array([0, 1])


def test_an_inspected_plan_needs_no_indices() -> None:
    indices = INDICES.copy()
    plan = strew.plan_gather_nd(DATA, indices)
    inspected = plan.inspect(indices)
    before = sys.getrefcount(indices)
    indices[...] = 99  # no run reads them any more
    del plan
    gc.collect()
    for factor in (1, 2):
        assert_same(inspected(DATA * factor), DATA[[1, 3]] * factor)
    out = np.empty((2, 3))
    assert inspected(DATA, out=out) is out
    assert_same(out, DATA[[1, 3]])
    assert sys.getrefcount(indices) == before


def test_in_place() -> None:
    inspected = strew.plan_scatter_nd(DATA, INDICES, UPDATES, reduction="sum").inspect(INDICES)
    data = DATA.copy()
    assert inspected(data, UPDATES, out=data) is data
    assert inspected(data, updates=UPDATES, indices=None, out=data) is data
    expected = DATA.copy()
    expected[[1, 3]] += 10
    assert_same(data, expected)


def test_what_rows_are_sorted_by_is_inspected_too() -> None:
    edges = strew.plan_gather_scatter(DATA, UPDATES, BEGINS, ROWS, BEGINS + 0.5)
    expected = strew.gather_scatter(DATA, UPDATES, BEGINS, ROWS, BEGINS + 0.5)
    assert_same(edges.inspect(BEGINS, ROWS)(DATA, UPDATES, BEGINS + 0.5), expected)
    assert_same(edges.inspect(targets=ROWS, indices=BEGINS)(DATA, UPDATES, weights=BEGINS + 0.5), expected)
    # A sum of so few is taken without scratch by one thread.
    segments = strew.plan_embedding_segments(DATA, ROWS, IDS, reduction="max", num_segments=4)
    assert segments.scratch_size > 0
    inspected = segments.inspect(ROWS, segment_ids=IDS)
    assert inspected.scratch_size == 0
    assert_same(inspected(DATA), strew.embedding_segments(DATA, ROWS, IDS, reduction="max", num_segments=4))
    ids = np.array([0, 1, 1, 3])
    assert_same(strew.plan_segment_reduce(DATA, ids).inspect(ids)(DATA), strew.segment_reduce(DATA, ids))
    bags = strew.plan_embedding_bag_offsets(DATA, ROWS, BEGINS).inspect(ROWS)
    for begins in (BEGINS, BEGINS * 0):  # which are given to each run
        assert_same(bags(DATA, begins), strew.embedding_bag_offsets(DATA, ROWS, begins))


def test_a_policy_a_fill_and_a_version_are_kept() -> None:
    strays = np.array([[1], [7]])
    fill = np.full((), 7.0)
    inspected = strew.plan_gather_nd(DATA, strays, mode="fill", fill_value=fill).inspect(strays)
    assert_same(inspected(DATA), np.stack([DATA[1], DATA[1] * 0 + 7]))
    words = np.array(["a", "bc", "def"])
    named = strew.plan("GatherElements-13", words, np.array([2, 0])).inspect(np.array([2, 0]))
    assert named.name == "GatherElements-13"
    assert named(words).tolist() == ["def", "a"]
    assert_same(strew.plan("Gather-8", DATA, ROWS + 1, axis=0).inspect(ROWS + 1)(DATA), np.stack([DATA[2], DATA[0] * 0]))


def test_without_indices_there_is_nothing_to_inspect() -> None:
    part = strew.plan_slice_scatter(DATA, UPDATES, [0], [2]).inspect()
    assert part.inspection_size == 0
    assert_same(part(DATA, UPDATES), strew.slice_scatter(DATA, UPDATES, [0], [2]))
    none = np.zeros((0, 1), int)
    nothing = strew.plan_gather_nd(DATA, none).inspect(none)
    assert nothing.inspection_size == 0
    assert nothing(DATA).shape == (0, 3)


@pytest.mark.parametrize("mode", ["raise", "stop"])
def test_the_first_bad_index_is_named_and_the_plan_stays_as_it_was(mode: Any) -> None:
    rows = np.array([1, 7, 99])
    plan = strew.plan_scatter(DATA, rows, DATA[:3], mode=mode)
    with pytest.raises(strew.BoundsError, match=r"indices\[1\] is 7, outside \[-4, 3\] for dimension 0 of data") as raised:
        plan.inspect(rows)
    assert (raised.value.operand, raised.value.position, raised.value.value) == ("indices", (1,), 7)
    assert_same(plan.inspect(rows % 4)(DATA, DATA[:3]), strew.scatter(DATA, rows % 4, DATA[:3]))


def test_segments_are_refused_as_by_a_run() -> None:
    edges = strew.plan_gather_scatter(DATA, UPDATES, BEGINS, ROWS)
    with pytest.raises(strew.BoundsError, match=r"targets\[1\] is 4"):
        edges.inspect(BEGINS, ROWS + 1)
    with pytest.raises(strew.BoundsError, match=r"indices\[1\] is 2"):
        edges.inspect(BEGINS + 1, ROWS + 1)
    ids = np.array([0, 2, 1, 3])
    with pytest.raises(strew.ArgumentError, match=r"segment_ids\[2\] is 1") as raised:
        strew.plan_segment_reduce(DATA, ids, num_segments=4).inspect(ids)
    assert raised.value.operand == "segment_ids"
    with pytest.raises(strew.BoundsError, match=r"segment_ids\[0\] is -1"):
        strew.plan_embedding_segments(DATA, ROWS, IDS, num_segments=4).inspect(ROWS, IDS - 3 * BEGINS[::-1])


def test_what_was_not_planned_is_refused() -> None:
    plan = strew.plan_gather_nd(DATA, INDICES)
    with pytest.raises(strew.ArgumentError, match=r"indices has shape \(1, 1\), its plan is for \(2, 1\)"):
        plan.inspect(INDICES[:1])
    with pytest.raises(strew.DtypeError, match="indices is of int32 .*, its plan is for int64"):
        plan.inspect(INDICES.astype("i4"))
    with pytest.raises(strew.ArgumentError, match="this plan of gather_nd has been inspected, which is done once"):
        plan.inspect(INDICES).inspect(INDICES)
    with pytest.raises(strew.ArgumentError, match=r"data has shape \(3, 3\), its plan is for \(4, 3\)"):
        plan.inspect(INDICES)(DATA[1:])
    with pytest.raises(strew.DtypeError, match="indices is of float64 .*, its plan is for int64"):
        plan.inspect([[1.0], [3.0]])


def test_arguments() -> None:
    gather: Any = strew.plan_gather_nd(DATA, INDICES)
    edges: Any = strew.plan_gather_scatter(DATA, UPDATES, BEGINS, ROWS)
    part: Any = strew.plan_slice_scatter(DATA, UPDATES, [0], [2])
    window: Any = strew.plan_tensor_scatter(DATA[:, :, None], None, DATA[:, :1, None], axis=1)
    bags: Any = strew.plan_embedding_bag_offsets(DATA, ROWS, BEGINS)
    for call, arguments, options, message in (
        (gather.inspect, (), {}, r"inspect\(\) of a plan of gather_nd lacks its argument 'indices'"),
        (gather.inspect, (INDICES,), {"indices": INDICES}, r"inspect\(\) of a plan has its argument 'indices' twice"),
        (gather.inspect, (INDICES, None), {}, r"inspect\(\) of a plan takes 1 arguments by position, and was given 2"),
        (gather.inspect, (INDICES,), {"out": DATA}, r"inspect\(\) of a plan of gather_nd takes no out$"),
        (gather.inspect, (INDICES,), {"axis": 0}, r"inspect\(\) of a plan of gather_nd takes indices, and no other"),
        (edges.inspect, (BEGINS,), {}, r"inspect\(\) of a plan of gather_scatter lacks its argument 'targets'"),
        (edges.inspect, (), {"axis": 0}, r"gather_scatter takes indices, targets, and no other argument"),
        (bags.inspect, (ROWS,), {"offsets": BEGINS}, r"inspect\(\) of a plan of embedding_bag_offsets takes no offsets$"),
        (part.inspect, (), {"axis": 0}, r"inspect\(\) of a plan of slice_scatter takes no argument"),
        (window.inspect, (ROWS,), {}, r"inspect\(\) of a plan of tensor_scatter takes no indices: it was made without"),
        (gather.inspect(INDICES), (DATA, INDICES), {}, "a plan takes 1 arguments by position, and was given 2"),
        (gather.inspect(INDICES), (DATA,), {"indices": INDICES}, "gather_nd takes no indices: it has been inspected"),
        (gather.inspect(INDICES), (DATA,), {"axis": 0}, "a plan of gather_nd takes data and out, and no other argument"),
        (gather.inspect(INDICES), (), {}, "a plan of gather_nd lacks its argument 'data'"),
        (edges.inspect(BEGINS, ROWS), (DATA, UPDATES), {"targets": ROWS}, "takes no targets: it has been inspected"),
        (edges.inspect(BEGINS, ROWS), (DATA, UPDATES, ROWS), {}, "takes no weights: it was made without"),
    ):
        with pytest.raises(TypeError, match=message):
            call(*arguments, **options)


def test_what_it_tells() -> None:
    plan = strew.plan_gather_nd(DATA, INDICES)
    inspected = plan.inspect(INDICES)
    assert inspected.inspection_size == plan.inspection_size > 0
    assert (inspected.name, inspected.output_shape, inspected.num_threads) == ("gather_nd", (2, 3), 1)
    assert repr(inspected) == "<strew.Plan of gather_nd, inspected, output_shape=(2, 3), num_threads=1>"
    tuples = np.zeros((100_000, 3), np.int64)
    cube = np.zeros((4, 4, 4))
    assert strew.plan_gather_nd(cube, tuples).inspection_size < tuples.nbytes / 5


def test_arrays_of_any_library() -> None:
    torch = pytest.importorskip("torch")
    data, indices = torch.arange(6.0).reshape(3, 2), torch.tensor([[2], [0]])
    inspected = strew.plan_gather_nd(data, indices).inspect(indices)
    result = inspected(data)
    assert torch.equal(result, data[[2, 0]])


def test_many_threads_inspect_and_run_one_plan() -> None:
    """Runs with lists of each thread's rows, and on one thread while another call has the pool."""
    draw = np.random.default_rng(1)
    data, indices, updates = draw.random(20_000), draw.integers(-20_000, 20_000, 300_000), draw.random(300_000)
    expected = data.copy()
    np.add.at(expected, indices, updates)
    plan = strew.plan_scatter_elements(data, indices, updates, reduction="sum", num_threads=2)
    shared = plan.inspect(indices)
    assert shared.num_threads == 2
    results: list[bytes] = []

    def work() -> None:
        for _ in range(3):
            results.append(shared(data, updates).tobytes())
            results.append(plan.inspect(indices)(data, updates).tobytes())

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 36
    assert set(results) == {expected.tobytes()}
