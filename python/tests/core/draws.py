"""Strategies for hypothesis: dtypes, values, layouts in memory, and the operands of the operators."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from oracle import BFLOAT16, Array, is_float

NUMERIC = [np.dtype(code) for code in "bhilqBHILQefdFD"] + [BFLOAT16]
COMBINED = [np.dtype(bool), *NUMERIC]
MOVED = [*COMBINED, *map(np.dtype, ("S5", "U3", "V7", "M8[s]", "i4,f8"))]
INTEGERS = [np.dtype(code) for code in "bhiqBHIQ"]

SPECIAL = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.5, 3e-8])
SIZES = st.integers(0, 4)
POLICIES = st.sampled_from(["raise", "stop", "fill", "clip", "wrap"])
SHAPES = st.lists(SIZES, min_size=1, max_size=4).map(tuple)


def reductions(dtype: np.dtype[Any], operator: str) -> list[str]:
    """The reductions of a dtype."""
    if dtype.kind in "SUVM" and dtype != BFLOAT16:
        return ["none"]
    some = ["none", "sum", "sub", "prod"] + (["min", "max"] if dtype.kind != "c" else [])
    return some + (["mean"] if operator != "scatter_nd" and dtype.kind != "b" else [])


@st.composite
def values(draw: st.DrawFn, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
    """An array of some dtype, in C order, with some special values among floats."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = int(np.prod(shape))
    if is_float(dtype) or dtype.kind == "c":
        parts = random.standard_normal((2, count)) * 10.0 ** random.integers(-3, 4, (2, count))
        if draw(st.booleans()):
            parts = np.where(random.random((2, count)) < 0.3, random.choice(SPECIAL, (2, count)), parts)
        with np.errstate(all="ignore"):
            drawn = parts.T.copy().view(np.complex128) if dtype.kind == "c" else parts[0]
            return drawn.astype(dtype).reshape(shape)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    raw = random.integers(0, 256, count * dtype.itemsize, np.uint8)
    if dtype.kind == "U":
        raw = random.integers(97, 122, count * dtype.itemsize // 4, np.uint32).view(np.uint8)
    return raw.view(dtype).reshape(shape)


@st.composite
def laid_out(draw: st.DrawFn, array: Array, is_input: bool = True) -> Array:
    """The same values in another layout: permuted, with gaps, backwards, somewhere in the memory of a larger array."""
    order = draw(st.permutations(range(array.ndim)))
    steps = [draw(st.sampled_from([1, 1, 1, 2, 3, -1, -2])) for _ in order]
    around = [array.shape[dim] * abs(step) + draw(st.integers(0, 1)) for dim, step in zip(order, steps)]
    memory = np.zeros(around, array.dtype)
    view = memory[(..., *(slice(None, None, step) for step in steps))]
    view = view[(..., *(slice(0, array.shape[dim]) for dim in order))].transpose(np.argsort(order))
    view[...] = array
    if is_input and draw(st.integers(0, 3)) == 0:
        view.flags.writeable = False
    return view


@st.composite
def expanded(draw: st.DrawFn, array: Array, inner: int = 0) -> Array:
    """An input in which some dimensions, but for the inner ones, repeat one entry, by a stride of 0."""
    outer = array.shape[: array.ndim - inner]
    dims = [dim for dim, size in enumerate(outer) if size > 1 and draw(st.integers(0, 5)) == 0]
    if not dims:
        return draw(laid_out(array))
    one = array[(..., *(slice(0, 1) if dim in dims else slice(None) for dim in range(array.ndim)))]
    return np.broadcast_to(draw(laid_out(one)), array.shape)


def strayed(random: np.random.Generator, drawn: Array, dtype: np.dtype[Any]) -> Array:
    """Indices with some replaced by any value of the dtype, near or far."""
    limits = np.iinfo(dtype)
    near = random.integers(max(limits.min, -20), min(limits.max, 20), drawn.shape, endpoint=True)
    far = random.integers(limits.min, limits.max, drawn.shape, dtype, endpoint=True)
    return np.where(random.random(drawn.shape) < 0.7, drawn, np.where(random.random(drawn.shape) < 0.8, near, far))


@st.composite
def indices(draw: st.DrawFn, sizes: tuple[int, ...], shape: tuple[int, ...], mode: str = "raise") -> Array:
    """Coordinates of any integer dtype: the last dimension of shape goes over sizes, if there are several. If the
    policy goes on with bad ones, some are out of bounds."""
    dtype = draw(st.sampled_from(INTEGERS))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lowest = np.array([-size if dtype.kind == "i" else 0 for size in sizes])
    drawn = random.integers(lowest, np.maximum(sizes, 1), shape) if np.prod(shape) else np.zeros(shape)
    drawn = drawn.astype(dtype)
    if mode not in ("raise", "stop"):
        drawn = strayed(random, drawn, dtype).astype(dtype)
    return draw(expanded(drawn, inner=int(len(sizes) > 1)))


@st.composite
def tuples(draw: st.DrawFn, data: Array, batch_dims: int = 0, mode: str = "raise") -> Array:
    """Indices of gather_nd and scatter_nd for data."""
    depth = draw(st.integers(0, data.ndim - batch_dims))
    sizes = data.shape[batch_dims : batch_dims + depth]
    most = 0 if 0 in sizes else 4
    inner = draw(st.lists(st.integers(0, most), min_size=int(most == 0), max_size=2))
    return draw(indices(sizes, (*data.shape[:batch_dims], *inner, depth), mode))


@st.composite
def along(
    draw: st.DrawFn,
    data: Array,
    axis: int,
    batch_dims: int,
    mode: str = "raise",
    shape: tuple[int, ...] | None = None,
) -> Array:
    """Indices of gather and scatter for data, of the given shape if there is one."""
    size = data.shape[axis]
    if shape is not None:
        return draw(indices((size,), shape, mode))
    inner = draw(st.lists(st.integers(0, 4 if size else 0), min_size=int(size == 0), max_size=2))
    return draw(indices((size,), (*data.shape[:batch_dims], *inner), mode))


@st.composite
def entries(draw: st.DrawFn, data: Array, axis: int, mode: str = "raise") -> Array:
    """Indices of gather_elements and scatter_elements for data."""
    at = axis % data.ndim
    most = [size if dim != at else 6 if size else 0 for dim, size in enumerate(data.shape)]
    shape = tuple(draw(st.integers(0, size)) for size in most)
    return draw(indices((data.shape[at],), shape, mode))


@st.composite
def arrays(draw: st.DrawFn, dtypes: list[np.dtype[Any]], shapes: st.SearchStrategy[tuple[int, ...]] = SHAPES) -> Array:
    """An input of one of the dtypes."""
    return draw(expanded(draw(values(draw(st.sampled_from(dtypes)), draw(shapes)))))


@st.composite
def fills(draw: st.DrawFn, data: Array) -> Array | None:
    """A fill_value for a gather, or None."""
    return draw(st.one_of(st.none(), values(data.dtype, ())))
