"""A call keeps no memory, no reference to its operands and no buffer, whether it succeeds or is refused."""

from __future__ import annotations

import array
import ctypes
import gc
import os
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strew

# Warnings of former words would be kept by pytest.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

CALLS = 4000  # of each case: more than 100,000 together

data = np.arange(24, dtype=np.float32).reshape(6, 4)
indices = np.array([[5], [0], [-1]])
updates = np.ones((3, 4), np.float32)
entries = np.array([[0, 1, 2, 3]])
one_row = np.ones((1, 4), np.float32)
out = np.zeros_like(data)
fixed = np.zeros_like(data)
fixed.flags.writeable = False
axis = np.array(0)
text = np.array(["one", "two", "three", "four", "five", "six"])
swapped = data.astype(data.dtype.newbyteorder())
packed = np.zeros(6, np.dtype([("byte", "i1"), ("float", "f4")]))["float"]
gather_plan = strew.plan_gather_nd(data, indices)
scatter_plan = strew.plan_scatter_elements(data, entries, one_row, reduction="mean", out=data)
buffer = array.array("f", range(6))
places = array.array("q", [5, 0])
rows = np.array([5, 0, -1])
strays = np.array([5, 70, -1])
fill = np.float32(7)
data_of_bytes = np.zeros(3, np.int8)
fill_plan = strew.plan_gather(data, strays, mode="fill", fill_value=fill)

caches = np.zeros((2, 5, 3), np.float32)
begins = np.array([1, 2])
windows = np.ones((2, 2, 3), np.float32)
window_plan = strew.plan_tensor_scatter(caches, begins, windows, out=caches)
slice_from, slice_to = np.array([0]), np.array([1])

bag_begins, bag_ids, rows_of_any_order = np.array([0, 2]), np.array([0, 2, 2]), np.array([3, 0, 1])
row_weights = np.ones(3, np.float32)
gather_inspected = gather_plan.inspect(indices)
edge_plan = strew.plan_gather_scatter(data, updates, bag_ids, rows, row_weights)


class Exchanged:
    """An array that has only DLPack."""

    def __init__(self, owner: np.ndarray[Any, Any]) -> None:
        self.owner = owner

    def __dlpack__(self, **how: Any) -> Any:
        return self.owner.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.owner.__dlpack_device__()


class Broken(Exchanged):
    """An array whose exchange fails."""

    def __dlpack__(self, **how: Any) -> Any:
        raise RuntimeError("no exchange today")


class Elsewhere(Exchanged):
    """An array that claims to be on a CUDA device."""

    def __dlpack__(self, **how: Any) -> Any:
        capsule = self.owner.__dlpack__(**how)
        get_name, get_pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
        get_name.argtypes, get_name.restype = [ctypes.py_object], ctypes.c_char_p
        get_pointer.argtypes, get_pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
        name = get_name(capsule)
        tensor = get_pointer(capsule, name) + (32 if name == b"dltensor_versioned" else 0)
        ctypes.c_int32.from_address(tensor + 8).value = 2  # after the pointer to the data
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0


class Odd(Exchanged):
    """An array that exchanges something else."""

    def __dlpack__(self, **how: Any) -> Any:
        return object()


exchanged = Exchanged(data)
broken, elsewhere, odd = Broken(data), Elsewhere(data), Odd(data)

RUNS: dict[str, Callable[[], Any]] = {
    "gather": lambda: strew.gather(data, rows),
    "gather into out": lambda: strew.gather(data, rows, axis=0, mode="clip", out=out[:3]),
    "gather with a fill": lambda: strew.gather(data, strays, mode="fill", fill_value=fill),
    "gather with a number": lambda: strew.gather(data, strays, mode="fill", fill_value=7.0),
    "gather of text with a fill": lambda: strew.gather(text, strays, mode="fill", fill_value=text[:1].reshape(())),
    "scatter": lambda: strew.scatter(data, rows, updates, reduction="sum"),
    "scatter of unique rows": lambda: strew.scatter(data, rows[:2], updates[:2], unique_indices=True),
    "scatter in place": lambda: strew.scatter(out, strays, updates, reduction="mean", mode="fill", out=out),
    "gather_nd": lambda: strew.gather_nd(data, indices),
    "gather_elements into out": lambda: strew.gather_elements(data, entries, out=out[:1]),
    "scatter_nd": lambda: strew.scatter_nd(data, indices, updates, reduction="sum"),
    "scatter_nd in place": lambda: strew.scatter_nd(out, indices, updates, out=out),
    "a mean, which has scratch": lambda: strew.scatter_elements(data, entries, one_row, reduction="mean"),
    "strings": lambda: strew.gather_nd(text, indices),
    "a buffer": lambda: strew.gather_elements(buffer, places),
    "DLPack": lambda: strew.gather_nd(exchanged, indices),
    "a version": lambda: strew.run("ScatterElementsUpdate-12", data, entries, one_row, axis=axis),
    "a version that fills": lambda: strew.run("Gather-8", data, strays, axis=axis, fill_value=fill),
    "a plan with a fill made": lambda: strew.plan_gather(data, strays, mode="fill", fill_value=fill),
    "a plan with a fill run": lambda: fill_plan(data, strays),
    "a plan made": lambda: strew.plan_gather_nd(data, indices),
    "a plan of a version made": lambda: strew.plan("GatherND-8", data, indices, batch_dims=0),
    "a plan run": lambda: gather_plan(data, indices),
    "a plan run into out": lambda: scatter_plan(out, entries, one_row, out=out),
    "tensor_scatter": lambda: strew.tensor_scatter(caches, begins, windows, circular=True),
    "tensor_scatter in place": lambda: strew.tensor_scatter(caches, None, windows, out=caches),
    "a plan of tensor_scatter run": lambda: window_plan(caches, begins, windows, out=caches),
    "slice_scatter": lambda: strew.slice_scatter(data, one_row, [1], [2], axes=[0]),
    "slice_scatter in place": lambda: strew.slice_scatter(out, one_row, slice_from, slice_to, (1,), out=out),
    "a plan of slice_scatter made": lambda: strew.plan_slice_scatter(data, one_row, [-1], [2**70]),
    "a version of slices": lambda: strew.run("SliceScatter-15", data, None, one_row, starts=slice_from, stops=[1]),
    "bags": lambda: strew.embedding_bag_offsets(data, rows, bag_begins, row_weights),
    "bags into out": lambda: strew.embedding_bag_offsets(data, rows, bag_begins, reduction="mean", out=out[:2]),
    "bags of one size": lambda: strew.embedding_bag_packed(data, indices, reduction="max"),
    "segments in any order": lambda: strew.embedding_segments(data, rows, rows_of_any_order, row_weights),
    "segments": lambda: strew.segment_reduce(updates, bag_ids, num_segments=4, empty="lowest", reduction="max"),
    "edges": lambda: strew.gather_scatter(data, updates, bag_ids, rows, row_weights),
    "edges in place": lambda: strew.gather_scatter(out, updates, bag_ids, rows, out=out),
    "a plan of edges made": lambda: strew.plan_gather_scatter(data, updates, bag_ids, rows, row_weights),
    "a plan of edges run": lambda: edge_plan(data, updates, bag_ids, rows, row_weights),
    "a plan inspected": lambda: gather_plan.inspect(indices),
    "a plan with a fill inspected": lambda: fill_plan.inspect(indices=strays),
    "a plan of edges inspected": lambda: edge_plan.inspect(bag_ids, targets=rows),
    "an inspected plan run": lambda: gather_inspected(data),
    "an inspected plan run into out": lambda: gather_inspected(data, out=out[:3]),
    "a version of bags": lambda: strew.run("EmbeddingBagOffsets-15", data, bag_ids, offsets=bag_begins),
    "a version of segments": lambda: strew.run("SegmentMax-16", updates, segment_ids=bag_ids, empty="zero"),
    "lists": lambda: strew.gather([[1.0], [2.0]], [0, 1]),
    "updates of a list": lambda: strew.scatter(data[0], [0, 1], [5, True]),
    "former words": lambda: strew.gather(data, strays, bounds="skip", fill=7.0),
    "info": strew.info,
    "operators": strew.operators,
}

REFUSALS: dict[str, tuple[type[Exception], Callable[[], Any]]] = {
    "an index": (IndexError, lambda: strew.gather_nd(data, indices + 9)),
    "an index along an axis": (IndexError, lambda: strew.gather(data, strays)),
    "an index that stops": (IndexError, lambda: strew.scatter(out, strays, updates, mode="stop", out=out)),
    "a policy that is none": (ValueError, lambda: strew.gather(data, rows, mode="ignore")),
    "a policy that is no text": (TypeError, lambda: strew.gather(data, rows, mode=axis)),
    "a fill of another dtype": (TypeError, lambda: strew.gather(data, rows, fill_value=axis)),
    "a fill of another shape": (ValueError, lambda: strew.gather(data, rows, fill_value=one_row)),
    "a fill of a number that is none": (TypeError, lambda: strew.gather(data, rows, fill_value=1j)),
    "a fill that is too large": (ValueError, lambda: strew.gather(rows, rows, fill_value=2**70)),
    "a fill that is none": (TypeError, lambda: strew.gather(data, rows, fill_value="none")),
    "a list of nothing known": (TypeError, lambda: strew.gather([None], rows)),
    "a list whose rows differ": (ValueError, lambda: strew.gather([[1], [1, 2]], rows)),
    "a list with a number that is too large": (ValueError, lambda: strew.scatter(data_of_bytes, [0], [300])),
    "a former word twice": (TypeError, lambda: strew.gather(data, rows, mode="fill", bounds="skip")),
    "a fill of a scatter": (ValueError, lambda: strew.run("ScatterND-18", data, indices, updates, fill_value=fill)),
    "a plan with a fill that does not fit": (
        ValueError,
        lambda: strew.plan_gather(data, rows, axis=2, mode="fill", fill_value=fill),
    ),
    "an index of a plan": (IndexError, lambda: gather_plan(data, indices + 9)),
    "a shape": (ValueError, lambda: strew.scatter_nd(data, indices, one_row)),
    "another dtype": (TypeError, lambda: strew.scatter_nd(data, indices, updates.astype(np.float64))),
    "indices of floats": (TypeError, lambda: strew.gather_nd(data, indices.astype(np.float32))),
    "a reduction of strings": (TypeError, lambda: strew.scatter_nd(text, indices, text[:3], reduction="sum")),
    "a reduction that is none": (ValueError, lambda: strew.scatter_nd(data, indices, updates, reduction="most")),
    "a version that is none": (ValueError, lambda: strew.run("GatherND-99", data, indices)),
    "an attribute": (ValueError, lambda: strew.run("GatherND-8", data, indices, axis=1)),
    "an axis": (ValueError, lambda: strew.gather_elements(data, entries, axis=7)),
    "a promise": (TypeError, lambda: strew.scatter(data, rows, updates, unique_indices="yes")),
    "an axis that is no integer": (TypeError, lambda: strew.gather_elements(data, entries, axis="first")),
    "threads": (ValueError, lambda: strew.gather_nd(data, indices, num_threads=0)),
    "an output that is read-only": (ValueError, lambda: strew.scatter_nd(data, indices, updates, out=fixed)),
    "an output that overlaps": (ValueError, lambda: strew.gather_elements(out, entries, out=out[1:2])),
    "an output of another shape": (ValueError, lambda: strew.gather_nd(data, indices, out=out)),
    "the byte order": (TypeError, lambda: strew.gather_nd(swapped, indices)),
    "strides between elements": (ValueError, lambda: strew.gather_nd(packed, indices)),
    "an object": (TypeError, lambda: strew.gather_nd(object(), indices)),
    "None": (TypeError, lambda: strew.gather_nd(data, None)),
    "a missing argument": (TypeError, lambda: strew.scatter_nd(data, indices)),
    "an unknown argument": (TypeError, lambda: strew.gather_nd(data, indices, axes=1)),
    "an exchange that fails": (RuntimeError, lambda: strew.gather_nd(broken, indices)),
    "an exchange of something else": (BufferError, lambda: strew.gather_nd(odd, indices)),
    "a device": (Exception, lambda: strew.gather_nd(elsewhere, indices)),
    "a window that does not fit": (IndexError, lambda: strew.tensor_scatter(caches, begins + 4, windows)),
    "a plan that was made without indices": (TypeError, lambda: window_plan(caches, None, windows)),
    "circular that is no bool": (TypeError, lambda: strew.tensor_scatter(caches, begins, windows, circular=2)),
    "a slice that lacks its stops": (ValueError, lambda: strew.slice_scatter(data, one_row, [1], None)),
    "a slice of lists that differ": (ValueError, lambda: strew.slice_scatter(data, one_row, [1], [1, 2])),
    "a slice of too many lists": (ValueError, lambda: strew.slice_scatter(data, one_row, [1] * 40, [2] * 40)),
    "a slice of no list": (TypeError, lambda: strew.slice_scatter(data, one_row, 1, 2)),
    "a slice of floats": (TypeError, lambda: strew.slice_scatter(data, one_row, [1.5], [2])),
    "a slice of text": (TypeError, lambda: strew.slice_scatter(data, one_row, "1", [2])),
    "a step of 0": (ValueError, lambda: strew.slice_scatter(data, one_row, [1], [2], [0])),
    "a version that needs indices": (ValueError, lambda: strew.run("GatherND-8", data)),
    "a version that has no indices": (
        ValueError,
        lambda: strew.run("SliceScatter-15", data, rows, one_row, starts=[0], stops=[1]),
    ),
    "offsets that decrease": (ValueError, lambda: strew.embedding_bag_offsets(data, rows, bag_begins[::-1])),
    "an index of a bag": (IndexError, lambda: strew.embedding_bag_packed(data, indices + 9)),
    "a target": (IndexError, lambda: strew.gather_scatter(out, updates, bag_ids, strays, out=out)),
    "weights of another dtype": (TypeError, lambda: strew.embedding_bag_offsets(data, rows, bag_begins, rows)),
    "weights beside a mean": (
        ValueError,
        lambda: strew.embedding_bag_offsets(data, rows, bag_begins, row_weights, reduction="mean"),
    ),
    "segments that are not sorted": (ValueError, lambda: strew.segment_reduce(updates, rows_of_any_order)),
    "too few segments": (IndexError, lambda: strew.segment_reduce(updates, bag_ids, num_segments=1)),
    "another number of segments than out has": (
        ValueError,
        lambda: strew.segment_reduce(updates, bag_ids, num_segments=3, out=out),
    ),
    "empty that is none": (ValueError, lambda: strew.segment_reduce(updates, bag_ids, empty="nothing")),
    "empty that is no text": (TypeError, lambda: strew.segment_reduce(updates, bag_ids, empty=0)),
    "num_segments that is no integer": (TypeError, lambda: strew.segment_reduce(updates, bag_ids, num_segments=1.5)),
    "offsets of a gather": (ValueError, lambda: strew.run("GatherND-8", data, indices, offsets=bag_begins)),
    "weights of a gather": (ValueError, lambda: strew.run("GatherND-8", data, indices, weights=row_weights)),
    "a plan of edges that lacks its weights": (TypeError, lambda: edge_plan(data, updates, bag_ids, rows)),
    "a plan of edges that is given more": (TypeError, lambda: edge_plan(data, updates, bag_ids, rows, axis=1)),
    "an index that is inspected": (IndexError, lambda: gather_plan.inspect(indices + 9)),
    "a target that is inspected": (IndexError, lambda: edge_plan.inspect(bag_ids, strays)),
    "an inspection of another shape": (ValueError, lambda: gather_plan.inspect(indices[1:])),
    "an inspection of a list": (ValueError, lambda: gather_plan.inspect([5])),
    "an inspection that lacks its indices": (TypeError, lambda: edge_plan.inspect(targets=rows)),
    "an inspection that is given more": (TypeError, lambda: edge_plan.inspect(bag_ids, rows, axis=1)),
    "an inspection of an inspected plan": (ValueError, lambda: gather_inspected.inspect(indices)),
    "an inspected plan with indices": (TypeError, lambda: gather_inspected(data, indices)),
    "a plan of another shape": (ValueError, lambda: gather_plan(data[1:], indices)),
    "a plan that does not fit": (ValueError, lambda: strew.plan_scatter_nd(data, indices, one_row)),
}


def refused(kind: type[Exception], call: Callable[[], Any]) -> Callable[[], None]:
    """A call that has to raise."""

    def run() -> None:
        try:
            call()
        except kind:
            return
        raise AssertionError("it was not refused")

    return run


CASES = RUNS | {f"refused: {name}": refused(*case) for name, case in REFUSALS.items()}
OPERANDS = [data, indices, updates, entries, one_row, out, fixed, axis, text, swapped, packed, buffer, places]
OPERANDS += [bag_begins, bag_ids, rows_of_any_order, row_weights, edge_plan]
OPERANDS += [caches, begins, windows, window_plan, slice_from, slice_to]
OPERANDS += [rows, strays, fill, fill_plan, exchanged, broken, elsewhere, odd, gather_plan, scatter_plan, gather_inspected]


def references() -> list[int]:
    """The reference count of each operand."""
    return [sys.getrefcount(operand) for operand in OPERANDS]


def kept(call: Callable[[], Any], calls: int) -> int:
    """The bytes that calls have left behind in Python's allocators, and NumPy's."""
    for _ in range(20):
        call()
    gc.collect()
    tracemalloc.start()
    try:
        for _ in range(20):
            call()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(calls):
            call()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def resident() -> int:
    """The bytes of memory that this process has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(call: Callable[[], Any], calls: int) -> int:
    """The growth of the process during calls. One-time allocations happen in the first rounds."""
    before = resident()
    for _ in range(calls):
        call()
    return resident() - before


@pytest.mark.parametrize("name", CASES)
def test_no_reference_is_kept(name: str) -> None:
    CASES[name]()
    gc.collect()
    before = references()
    for _ in range(50):
        CASES[name]()
    gc.collect()
    assert references() == before


@pytest.mark.parametrize("name", CASES)
def test_no_memory_is_kept(name: str) -> None:
    calls = 500
    assert kept(CASES[name], calls) < 8 * calls


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much memory a process has in /proc")
def test_the_process_does_not_grow() -> None:
    """Covers memory from neither Python nor NumPy, such as the library's scratch."""
    grown = {name: min(growth(call, CALLS // 4) for _ in range(4)) for name, call in CASES.items()}
    leaks = {name: size for name, size in grown.items() if size >= 32 * (CALLS // 4)}
    assert leaks == {}


def test_a_leak_is_found() -> None:
    """The checks above find a leak, so their silence means something."""
    held: list[Any] = []
    before = references()
    assert kept(lambda: held.append(strew.gather_nd(data, indices)), 500) >= 8 * 500
    held.append(data)
    assert references() != before


def test_a_buffer_is_released() -> None:
    """An array of the standard library cannot grow while its buffer is held."""
    grows = array.array("f", [1, 2, 3])
    assert strew.gather_elements(grows, np.array([2])).tolist() == [3]
    grows.append(4)
    with pytest.raises(IndexError):
        strew.gather_elements(grows, np.array([9]))
    grows.append(5)
    assert strew.gather_elements(grows, np.array([4])).tolist() == [5]


def test_a_result_lives_longer_than_what_it_was_made_of() -> None:
    source = np.arange(1000.0)
    result = strew.gather_elements(source, np.arange(1000))
    plan = strew.plan_gather_elements(source, np.arange(1000))
    del source
    gc.collect()
    assert result.tolist() == plan(result, np.arange(1000)).tolist() == list(range(1000))


def test_torch_tensors_are_given_back() -> None:
    torch = pytest.importorskip("torch")
    tensor, where = torch.arange(24.0).reshape(6, 4), torch.tensor([[5], [0]])
    before = sys.getrefcount(tensor), sys.getrefcount(where)
    for _ in range(100):
        strew.gather_nd(tensor, where)
        with pytest.raises(IndexError):
            strew.gather_nd(tensor, where + 9)
    assert (sys.getrefcount(tensor), sys.getrefcount(where)) == before
    assert kept(lambda: strew.gather_nd(tensor, where), 500) < 8 * 500
