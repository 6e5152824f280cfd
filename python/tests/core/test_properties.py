"""The operators on drawn shapes, layouts, dtypes and indices, against plain NumPy."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracle
import strew
from draws import (
    COMBINED,
    INTEGERS,
    MOVED,
    POLICIES,
    along,
    arrays,
    entries,
    expanded,
    fills,
    laid_out,
    reductions,
    tuples,
    values,
)
from oracle import Array, bits

# The examples are the same each time. STREW_SEED=1 in the environment draws others, STREW_EXAMPLES=10000 more.
settings.register_profile(
    "strew",
    derandomize="STREW_SEED" not in os.environ,
    max_examples=int(os.environ.get("STREW_EXAMPLES", "200")),
    deadline=None,
    database=None,
)
settings.load_profile("strew")

THREADS = st.sampled_from([None, 1, 2, 3])


@st.composite
def outputs(draw: st.DrawFn, data: Array, shape: tuple[int, ...]) -> Array | None:
    """None for a new array, or an array of some layout to write into."""
    if draw(st.booleans()):
        return None
    return draw(laid_out(np.zeros(shape, data.dtype), is_input=False))


@st.composite
def targets(draw: st.DrawFn, data: Array) -> tuple[Array, Array | None]:
    """data and the output of a scatter; some scatters are in place."""
    if draw(st.booleans()):
        inside = draw(laid_out(np.array(data), is_input=False))
        return inside, inside
    return data, draw(outputs(data, data.shape))


def check(result: Array, out: Array | None, expected: Array) -> None:
    """The result is the output, if there was one, and as expected, bit for bit."""
    assert result is out or out is None
    assert isinstance(result, np.ndarray)
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    assert bits(result) == bits(expected)


def check_gather(draw: st.DataObject, name: str, data: Array, indices: Array, **how: Any) -> None:
    """The call and the plans of a gather, into a new array or a given one."""
    how["fill_value"] = draw.draw(fills(data))
    expected = getattr(oracle, name)(data, indices, **how)
    out = draw.draw(outputs(data, expected.shape))
    threads = draw.draw(THREADS)
    check(getattr(strew, name)(data, indices, out=out, num_threads=threads, **how), out, expected)
    plan = getattr(strew, f"plan_{name}")(data, indices, out=out, **how)
    check(plan(data, indices, out=out), out, expected)
    check(plan.inspect(indices)(data, out=out), out, expected)


def check_scatter(
    draw: st.DataObject, name: str, data: Array, indices: Array, shape: tuple[int, ...], **how: Any
) -> None:
    """The call and the plans of a scatter of drawn updates, into a new array, a given one or in place."""
    updates = draw.draw(expanded(draw.draw(values(data.dtype, shape))))
    how["reduction"] = draw.draw(st.sampled_from(reductions(data.dtype, name)))
    if name != "scatter_nd":
        how["use_init_val"] = draw.draw(st.booleans())
    expected = getattr(oracle, name)(data, indices, updates, **how)
    data, out = draw.draw(targets(data))
    before = np.array(data)
    threads = draw.draw(THREADS)
    check(getattr(strew, name)(data, indices, updates, out=out, num_threads=threads, **how), out, expected)
    if out is not None:
        out[...] = before
    plan = getattr(strew, f"plan_{name}")(data, indices, updates, out=out, **how)
    check(plan(data, indices, updates, out=out), out, expected)
    if out is not None:
        out[...] = before
    check(plan.inspect(indices)(data, updates, out=out), out, expected)


@st.composite
def axes(draw: st.DrawFn, data: Array) -> tuple[int, int]:
    """An axis, and a number of batch dimensions before it."""
    axis = draw(st.integers(-data.ndim, data.ndim - 1))
    return axis, draw(st.integers(0, axis % data.ndim))


@given(st.data())
def test_gather(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(MOVED)), draw.draw(POLICIES)
    axis, batch_dims = draw.draw(axes(data))
    indices = draw.draw(along(data, axis, batch_dims, mode))
    if indices.ndim > batch_dims and draw.draw(st.booleans()):
        batch_dims -= indices.ndim
    check_gather(draw, "gather", data, indices, axis=axis, batch_dims=batch_dims, mode=mode)


@given(st.data())
def test_gather_nd(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(MOVED)), draw.draw(POLICIES)
    batch_dims = draw.draw(st.integers(0, data.ndim - 1))
    indices = draw.draw(tuples(data, batch_dims, mode))
    assume(batch_dims < indices.ndim)
    check_gather(draw, "gather_nd", data, indices, batch_dims=batch_dims, mode=mode)


@given(st.data())
def test_gather_elements(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(MOVED)), draw.draw(POLICIES)
    axis = draw.draw(st.integers(-data.ndim, data.ndim - 1))
    indices = draw.draw(entries(data, axis, mode))
    check_gather(draw, "gather_elements", data, indices, axis=axis, mode=mode)


@given(st.data())
def test_scatter(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(draw.draw(st.sampled_from([COMBINED, MOVED])))), draw.draw(POLICIES)
    axis, batch_dims = draw.draw(axes(data))
    indices = draw.draw(along(data, axis, batch_dims, mode))
    shape = oracle.along_axis(data, indices, axis, batch_dims)
    check_scatter(draw, "scatter", data, indices, shape, axis=axis, batch_dims=batch_dims, mode=mode)


@given(st.data())
def test_scatter_nd(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(draw.draw(st.sampled_from([COMBINED, MOVED])))), draw.draw(POLICIES)
    indices = draw.draw(tuples(data, 0, mode))
    shape = indices.shape[:-1] + data.shape[indices.shape[-1] :]
    check_scatter(draw, "scatter_nd", data, indices, shape, mode=mode)


@given(st.data())
def test_scatter_elements(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(draw.draw(st.sampled_from([COMBINED, MOVED])))), draw.draw(POLICIES)
    axis = draw.draw(st.integers(-data.ndim, data.ndim - 1))
    indices = draw.draw(entries(data, axis, mode))
    check_scatter(draw, "scatter_elements", data, indices, indices.shape, axis=axis, mode=mode)


# The arguments after data that an inspection replaces.
INSPECTED = {
    "embedding_bag_offsets": slice(0, 1),
    "embedding_bag_packed": slice(0, 1),
    "embedding_segments": slice(0, 2),
    "segment_reduce": slice(0, 1),
    "gather_scatter": slice(1, 3),
    "tensor_scatter": slice(0, 1),
    "slice_scatter": slice(0, 0),
}


def run_inspected(plan: strew.Plan, name: str, data: Array, rest: tuple[Any, ...], out: Array | None) -> Array:
    """Runs an inspected plan, without the arguments that its inspection replaces."""
    left = list(rest)
    del left[INSPECTED[name]]
    result = plan.inspect(*rest[INSPECTED[name]])(data, *left, out=out)
    assert isinstance(result, np.ndarray)
    return result


def check_combining(draw: st.DataObject, name: str, data: Array, *rest: Any, **how: Any) -> None:
    """The call and the plans of an operator that combines rows, into a new array or a given one; where it scatters, in
    place too."""
    expected = getattr(oracle, name)(data, *rest, **how)
    if name == "gather_scatter":
        data, out = draw.draw(targets(data))
    else:
        out = draw.draw(outputs(data, expected.shape))
    before = np.array(data)
    check(getattr(strew, name)(data, *rest, out=out, num_threads=draw.draw(THREADS), **how), out, expected)
    if out is data:
        out[...] = before
    plan = getattr(strew, f"plan_{name}")(data, *rest, out=out, **how)
    check(plan(data, *rest, out=out), out, expected)
    if out is data:
        out[...] = before
    check(run_inspected(plan, name, data, rest, out), out, expected)


@st.composite
def weights(draw: st.DrawFn, data: Array, shape: tuple[int, ...], reduction: str) -> Array | None:
    if reduction == "mean" or draw(st.booleans()):
        return None
    return draw(expanded(draw(values(data.dtype, shape))))


def bag_reductions(data: Array) -> st.SearchStrategy[str]:
    return st.sampled_from([each for each in reductions(data.dtype, "scatter") if each not in ("none", "sub")])


@given(st.data())
def test_embedding_bag_offsets(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(COMBINED)), draw.draw(POLICIES)
    reduction = draw.draw(bag_reductions(data))
    indices = draw.draw(along(data, 0, 0, mode, (draw.draw(st.integers(0, 9 if len(data) else 0)),)))
    begins = sorted(draw.draw(st.lists(st.integers(0, len(indices)), max_size=6)))
    offsets = draw.draw(expanded(np.array(begins, draw.draw(st.sampled_from(INTEGERS)))))
    default = draw.draw(st.integers(-1, len(data) - 1))
    given = draw.draw(weights(data, indices.shape, reduction))
    how = {"reduction": reduction, "default_index": default, "mode": mode}
    check_combining(draw, "embedding_bag_offsets", data, indices, offsets, given, **how)


@given(st.data())
def test_embedding_bag_packed(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(COMBINED)), draw.draw(POLICIES)
    reduction = draw.draw(bag_reductions(data))
    shape = draw.draw(st.integers(0, 4)), draw.draw(st.integers(0, 5 if len(data) else 0))
    indices = draw.draw(along(data, 0, 0, mode, shape))
    given = draw.draw(weights(data, shape, reduction))
    check_combining(draw, "embedding_bag_packed", data, indices, given, reduction=reduction, mode=mode)


@given(st.data())
def test_embedding_segments(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(COMBINED)), draw.draw(POLICIES)
    reduction = draw.draw(bag_reductions(data))
    indices = draw.draw(along(data, 0, 0, mode, (draw.draw(st.integers(0, 9 if len(data) else 0)),)))
    named = draw.draw(st.lists(st.integers(0, 4), min_size=len(indices), max_size=len(indices)))
    named = sorted(named) if draw.draw(st.booleans()) else named
    ids = draw.draw(expanded(np.array(named, draw.draw(st.sampled_from(INTEGERS)))))
    how = {"reduction": reduction, "default_index": draw.draw(st.integers(-1, len(data) - 1)), "mode": mode}
    if draw.draw(st.booleans()):
        how["num_segments"] = 5
    given = draw.draw(weights(data, indices.shape, reduction))
    check_combining(draw, "embedding_segments", data, indices, ids, given, **how)


@given(st.data())
def test_segment_reduce(draw: st.DataObject) -> None:
    data = draw.draw(arrays(COMBINED))
    named = sorted(draw.draw(st.lists(st.integers(0, 4), min_size=len(data), max_size=len(data))))
    ids = draw.draw(expanded(np.array(named, draw.draw(st.sampled_from(INTEGERS)))))
    how: dict[str, Any] = {"reduction": draw.draw(bag_reductions(data))}
    how["empty"] = draw.draw(st.sampled_from(["zero", "lowest"]))
    if draw.draw(st.booleans()):
        how["num_segments"] = 5
    check_combining(draw, "segment_reduce", data, ids, **how)


@given(st.data())
def test_gather_scatter(draw: st.DataObject) -> None:
    data, mode = draw.draw(arrays(COMBINED)), draw.draw(POLICIES)
    updates = draw.draw(expanded(draw.draw(values(data.dtype, (draw.draw(st.integers(0, 4)), *data.shape[1:])))))
    count = draw.draw(st.integers(0, 12 if len(data) and len(updates) else 0))
    indices, into = (draw.draw(along(each, 0, 0, mode, (count,))) for each in (updates, data))
    reduction = draw.draw(st.sampled_from([r for r in reductions(data.dtype, "scatter_nd") if r != "none"]))
    given = draw.draw(weights(data, (count,), reduction))
    how = {"reduction": reduction, "use_init_val": draw.draw(st.booleans()), "mode": mode}
    check_combining(draw, "gather_scatter", data, updates, indices, into, given, **how)


def check_writing(draw: st.DataObject, name: str, data: Array, *rest: Any, **how: Any) -> None:
    """The call and the plans of an operator that writes some part, into a new array, a given one or in place."""
    expected = getattr(oracle, name)(data, *rest, **how)
    data, out = draw.draw(targets(data))
    before = np.array(data)
    threads = draw.draw(THREADS)
    check(getattr(strew, name)(data, *rest, out=out, num_threads=threads, **how), out, expected)
    if out is not None:
        out[...] = before
    plan = getattr(strew, f"plan_{name}")(data, *rest, out=out, **how)
    arrays_of_it = rest[:2] if name == "tensor_scatter" else rest[:1]
    check(plan(data, *arrays_of_it, out=out), out, expected)
    if out is not None:
        out[...] = before
    check(run_inspected(plan, name, data, arrays_of_it, out), out, expected)


@given(st.data())
def test_tensor_scatter(draw: st.DataObject) -> None:
    shapes = st.lists(st.integers(0, 4), min_size=2, max_size=4).map(tuple)
    data, mode = draw.draw(arrays(MOVED, shapes)), draw.draw(POLICIES)
    axis = draw.draw(st.integers(1, data.ndim - 1))
    circular, size = draw.draw(st.booleans()), data.shape[axis]
    width = draw.draw(st.integers(0, size))
    updates = draw.draw(expanded(draw.draw(values(data.dtype, (*data.shape[:axis], width, *data.shape[axis + 1 :])))))
    begins = size if circular else size - width + 1
    if draw.draw(st.booleans()) and begins:
        indices = None
    else:
        assume(begins or not len(data))
        indices = draw.draw(along(np.empty((max(begins, 1),)), 0, 0, mode, (len(data),)))
        if mode in ("raise", "stop"):
            indices = np.where(indices < 0, 0, indices).astype(indices.dtype)
    axis -= data.ndim if draw.draw(st.booleans()) else 0
    check_writing(draw, "tensor_scatter", data, indices, updates, axis=axis, circular=circular, mode=mode)


@given(st.data())
def test_slice_scatter(draw: st.DataObject) -> None:
    data = draw.draw(arrays(MOVED))
    axes = draw.draw(st.lists(st.integers(0, data.ndim - 1), unique=True))
    ends = st.one_of(st.integers(-6, 6), st.sampled_from([2**63, -(2**63), 2**100]))
    starts, stops = ([draw.draw(ends) for _ in axes] for _ in range(2))
    steps = [draw.draw(st.sampled_from([1, 2, 3, -1, -2, 2**80, -(2**63)])) for _ in axes]
    where = [slice(None)] * data.ndim
    for axis, *part in zip(axes, starts, stops, steps):
        where[axis] = slice(*part)
    updates = draw.draw(expanded(draw.draw(values(data.dtype, data[tuple(where)].shape))))
    axes = [axis - data.ndim if draw.draw(st.booleans()) else axis for axis in axes]
    if sorted(axes) == list(range(len(axes))) and draw.draw(st.booleans()):
        order = np.argsort(axes)
        starts, stops, steps = ([each[i] for i in order] for each in (starts, stops, steps))
        check_writing(draw, "slice_scatter", data, updates, starts, stops, steps)
    else:
        check_writing(draw, "slice_scatter", data, updates, starts, stops, steps, axes)


@given(st.data())
def test_stopping_has_done_what_comes_before(draw: st.DataObject) -> None:
    """A scatter in place along an axis has applied exactly the updates before the bad index that the error names."""
    sizes = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
    data = draw.draw(laid_out(draw.draw(values(np.dtype(np.float32), draw.draw(sizes))), is_input=False))
    axis = draw.draw(st.integers(0, data.ndim - 1))
    size = data.shape[axis]
    count = draw.draw(st.integers(1, 40))
    random = np.random.default_rng(draw.draw(st.integers(0, 99)))
    indices = random.integers(-size, size, count)
    first = draw.draw(st.integers(0, count - 1))
    indices[first] = size
    indices[draw.draw(st.integers(first, count - 1))] = -size - 1
    wrong = int(indices[first])
    updates = random.standard_normal(oracle.along_axis(data, indices, axis)).astype(np.float32)
    reduction = draw.draw(st.sampled_from(["none", "sum", "max"]))
    expected = oracle.scatter(data, indices[:first], np.take(updates, range(first), axis), axis, reduction=reduction)
    with pytest.raises(strew.BoundsError) as raised:
        strew.scatter(
            data,
            indices,
            updates,
            axis=axis,
            reduction=reduction,
            mode="stop",
            out=data,
            num_threads=draw.draw(THREADS),
        )
    assert (raised.value.position, raised.value.value, raised.value.dimension) == ((first,), wrong, axis)
    assert bits(data) == bits(expected)


@given(st.data())
def test_edges_before_the_first_wrong_one_have_been_combined(draw: st.DataObject) -> None:
    """In place, with either end of an edge out of bounds: the error names the earlier edge."""
    data = draw.draw(laid_out(draw.draw(values(np.dtype(np.float32), (3, 2))), is_input=False))
    updates = draw.draw(values(np.dtype(np.float32), (4, 2)))
    count = draw.draw(st.integers(1, 40))
    random = np.random.default_rng(draw.draw(st.integers(0, 99)))
    ends = {"indices": random.integers(-4, 4, count), "targets": random.integers(-3, 3, count)}
    first = draw.draw(st.integers(0, count - 1))
    named, other = draw.draw(st.permutations(list(ends)))
    expected = oracle.gather_scatter(data, updates, ends["indices"][:first], ends["targets"][:first])
    ends[other][draw.draw(st.integers(min(first + 1, count - 1), count - 1))] = -9
    ends[named][first] = 9
    named = "indices" if ends["indices"][first] in (9, -9) else named
    with pytest.raises(strew.BoundsError) as raised:
        strew.gather_scatter(data, updates, **ends, mode="stop", out=data, num_threads=draw.draw(THREADS))
    assert (raised.value.operand, raised.value.position) == (named, (first,))
    assert bits(data) == bits(expected)


@given(st.data())
def test_an_index_out_of_bounds_is_named_and_nothing_is_written(draw: st.DataObject) -> None:
    sizes = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
    data = draw.draw(laid_out(draw.draw(values(np.dtype(np.float32), draw.draw(sizes))), is_input=False))
    indices = np.array(draw.draw(tuples(data)))
    assume(indices.size)
    bad = draw.draw(st.integers(0, indices.size - 1).map(lambda flat: np.unravel_index(flat, indices.shape)))
    size = data.shape[bad[-1]]
    least = -size if indices.dtype.kind == "i" else 0
    wrong = draw.draw(st.sampled_from([size, 100] + ([-size - 1] if least < 0 else [])))
    indices[bad] = wrong
    last = draw.draw(st.integers(0, indices.size - 1))
    if last > np.ravel_multi_index(bad, indices.shape):  # a later one, which is not to be named
        indices[np.unravel_index(last, indices.shape)] = 120
    updates = np.ones(indices.shape[:-1] + data.shape[indices.shape[-1] :], np.float32)
    before = bits(data)
    with pytest.raises(IndexError) as raised:
        strew.scatter_nd(data, indices, updates, reduction="sum", out=data, num_threads=draw.draw(THREADS))
    error = raised.value
    assert isinstance(error, strew.Error)
    place = "".join(f"[{coordinate}]" for coordinate in bad)
    assert f"indices{place} is {wrong}, outside [{least}, {size - 1}] for dimension {bad[-1]} of data" in str(error)
    assert (error.status, error.operand, error.value) == ("index_out_of_bounds", "indices", wrong)
    assert (error.dimension, error.lower, error.upper) == (bad[-1], least, size - 1)
    assert error.position == tuple(map(int, bad))
    assert bits(data) == before
    with pytest.raises(IndexError):
        strew.gather_nd(data, indices)
    with pytest.raises(strew.BoundsError) as inspecting:
        strew.plan_scatter_nd(data, indices, updates, mode=draw.draw(st.sampled_from(["raise", "stop"]))).inspect(
            indices
        )
    assert vars(inspecting.value) == vars(error)


@pytest.mark.parametrize("name", ["gather", "gather_nd", "gather_elements", "scatter", "scatter_nd", "scatter_elements"])
def test_into_an_empty_dimension_only_skipping_goes_on(name: str) -> None:
    data, indices = np.zeros((0, 2), np.float32), np.zeros((3, 2) if name.endswith("elements") else (3, 1), int)
    shape = oracle.along_axis(data, indices, 0) if name in ("gather", "scatter") else (3, 2)
    arguments = [data, indices] + [np.ones(shape, np.float32)] * name.startswith("scatter")
    function = getattr(strew, name)
    for mode in ("raise", "stop", "clip", "wrap"):
        with pytest.raises(strew.BoundsError):
            function(*arguments, mode=mode)
    if name.startswith("gather"):
        assert bits(function(*arguments, mode="fill", fill_value=5)) == bits(np.full(shape, 5, np.float32))
    else:
        assert function(*arguments, mode="fill").shape == (0, 2)


@given(st.data())
def test_shapes_that_do_not_fit_are_refused(draw: st.DataObject) -> None:
    data = np.zeros(draw.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)), np.int32)
    indices = np.zeros(draw.draw(st.lists(st.integers(0, 3), min_size=1, max_size=3)), np.int64)
    shape = tuple(draw.draw(st.lists(st.integers(0, 4), max_size=3)))
    depth = indices.shape[-1]
    fits = depth <= data.ndim and shape == indices.shape[:-1] + data.shape[depth:]
    assume(not fits)
    before = data.copy()
    with pytest.raises(ValueError) as raised:
        strew.scatter_nd(data, indices, np.ones(shape, np.int32), out=data)
    assert isinstance(raised.value, strew.Error)
    assert raised.value.status == "shape_mismatch"
    assert (data == before).all()


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["int8", "int64", "float16", "float32", "float64", "complex64"])
def test_large_scatters_are_those_of_a_loop(dtype: str, threads: int) -> None:
    """Large enough to be shared and partitioned; NumPy's ufunc.at combines one after another, too."""
    random = np.random.default_rng(1)
    shape, count = (3000, 40), 20000
    data = (random.standard_normal(shape) * 50).astype(dtype)
    rows = random.integers(-shape[0], shape[0], (count, 1)).astype(np.int32)
    updates = (random.standard_normal((count, shape[1])) * 50).astype(dtype)
    expected = data.copy()
    with np.errstate(all="ignore"):
        np.add.at(expected, rows[:, 0], updates)
    result = strew.scatter_nd(data, rows, updates, reduction="sum", num_threads=threads)
    assert bits(result) == bits(expected)

    table, longer = data.reshape(-1), random.integers(-data.size, data.size, data.size * 4)
    more = np.resize(updates.reshape(-1), longer.shape)
    expected = table.copy()
    with np.errstate(all="ignore"):
        np.add.at(expected, longer, more)
    result = strew.scatter_elements(table, longer, more, reduction="sum", num_threads=threads)
    assert bits(result) == bits(expected)
    assert bits(strew.gather_elements(table, longer, num_threads=threads)) == bits(table[longer])


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_every_index_dtype_reaches_its_ends(dtype: np.dtype[Any]) -> None:
    limits = np.iinfo(dtype)
    size = min(limits.max, 300) + 1
    data = np.arange(size)
    ends = [0, size - 1] + ([-min(size, -limits.min), -1] if limits.min else [])
    indices = np.array(ends).astype(dtype)
    assert strew.gather_elements(data, indices).tolist() == [data[end] for end in ends]
    if limits.max >= size:
        with pytest.raises(IndexError, match=str(limits.max)):
            strew.gather_elements(data, np.array([0, limits.max], dtype))


def test_the_draws_reach_what_they_are_for() -> None:
    """Layouts with every kind of stride are drawn, and rows and elements that repeat."""
    seen: set[str] = set()

    @settings(max_examples=1000)
    @given(st.data())
    def look(draw: st.DataObject) -> None:
        data = draw.draw(arrays(COMBINED))
        indices = draw.draw(tuples(data))
        strays = draw.draw(along(data, 0, 0, "clip")).astype(object)
        seen.update("far outside" for stray in strays.flat if abs(stray) > 1000)
        seen.update("outside" for stray in strays.flat if stray == data.shape[0])
        strides = [stride for stride, size in zip(data.strides, data.shape) if size > 1]
        seen.update("negative" for stride in strides if stride < 0)
        seen.update("zero" for stride in strides if stride == 0)
        if data.size > 1 and strides != sorted(strides, reverse=True):
            seen.add("permuted")
        if data.size and strides and min(map(abs, strides)) > data.itemsize:
            seen.add("gaps")
        if indices.size > 1 and len(np.unique(indices.reshape(-1, indices.shape[-1]), axis=0)) < math.prod(
            indices.shape[:-1]
        ):
            seen.add("duplicates")
        if indices.size and (indices.astype(np.int64) < 0).any():
            seen.add("counted from the end")
        seen.update(("no elements",) if not data.size else ())

    look()
    layouts = {"negative", "zero", "permuted", "gaps", "no elements"}
    assert seen == {*layouts, "duplicates", "counted from the end", "outside", "far outside"}
