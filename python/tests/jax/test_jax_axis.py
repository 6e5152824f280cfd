"""Operators along an axis, windows, and policies for indices out of bounds: against the core's functions for NumPy,
which are tested against loops, and against JAX's own indexing."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from jax_cases import ARITHMETIC, INTEGERS, MOVED, OUTSIDE, draw, draw_indices, supported

import strew
import strew.jax

BOTH = ("fwd", "rev")
REDUCTIONS = ["none", "sum", "sub", "prod", "min", "max", "mean"]
MODES = {"drop": "fill", "clip": "clip", "wrap": "wrap"}
SIZE = 3


def same(found, expected):
    """Compares bits, but any NaN equals any other in floats of eight bits."""
    found = np.asarray(found)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if found.dtype.name.startswith("float8"):
        found, expected = found.astype(np.float32), expected.astype(np.float32)
    np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))


# ---- What they return ----


@pytest.mark.parametrize("dtype", ARITHMETIC + MOVED)
def test_gather(dtype):
    data = draw(dtype, (3, 2, 4))
    for axis, indices in ((0, draw_indices(-3, 3, (5,))), (-1, draw_indices(-4, 4, (2, 3))), (1, np.int8(-2))):
        same(strew.jax.gather(data, indices, axis=axis), np.take(data, indices, axis))
    batches = draw_indices(-4, 4, (3, 2, 5))
    same(strew.jax.gather(data, batches, axis=2, batch_dims=2), np.take_along_axis(data, batches % 4, 2))
    same(strew.jax.gather(data, batches, axis=2, batch_dims=-1), np.take_along_axis(data, batches % 4, 2))


@pytest.mark.parametrize("use_init_val", [True, False])
@pytest.mark.parametrize("dtype, reduction", supported(REDUCTIONS))
def test_scatter(dtype, reduction, use_init_val):
    data, updates = draw(dtype, (3, 4, 2)), draw(dtype, (3, 2, 5, 2), seed=2)
    indices = draw_indices(-4, 4, (2, 5))
    how = {"axis": 1, "reduction": reduction, "use_init_val": use_init_val}
    same(strew.jax.scatter(data, indices, updates, **how), strew.scatter(data, indices, updates, **how))
    batches = draw_indices(-4, 4, (3, 5))
    how["batch_dims"] = 1
    found = strew.jax.scatter(data, batches, updates[:, 0], **how)
    same(found, strew.scatter(data, batches, updates[:, 0], **how))


@pytest.mark.parametrize("dtype", ["float32", "int8", "complex64", *MOVED])
@pytest.mark.parametrize("circular", [False, True])
def test_tensor_scatter(dtype, circular):
    data, updates = draw(dtype, (3, 2, 5, 2)), draw(dtype, (3, 2, 3, 2), seed=2)
    indices = np.array([0, 2, 1]) + 9 * circular
    expected = data.copy()
    for batch, begin in enumerate(indices):
        expected[batch, :, (begin + np.arange(3)) % 5] = np.moveaxis(updates[batch], 1, 0)
    same(strew.jax.tensor_scatter(data, indices, updates, circular=circular), expected)
    expected = data.copy()
    expected[:, :, :3] = updates
    same(jax.jit(lambda d, u: strew.jax.tensor_scatter(d, None, u, axis=2))(data, updates), expected)


def test_in_place():
    """A donated cache keeps its memory."""
    append = jax.jit(lambda c, i, w: strew.jax.tensor_scatter(c, i, w, circular=True), donate_argnums=0)
    cache = jnp.zeros((4, 1000, 64))
    before = cache.unsafe_buffer_pointer()
    cache = append(cache, np.arange(4), np.ones((4, 1, 64)))
    assert cache.unsafe_buffer_pointer() == before
    np.testing.assert_array_equal(np.asarray(cache)[:, :, 0].argmax(1), np.arange(4))


# ---- Indices out of bounds ----


def take(data, indices, axis, mode, fill_value=None):
    """JAX's own indexing; only jax.numpy.take wraps."""
    if mode == "wrap":
        return np.asarray(jnp.take(data, indices, axis, mode="wrap"))
    where = (slice(None),) * axis + (indices,)
    return np.asarray(jnp.asarray(data).at[where].get(mode=mode, fill_value=fill_value))


@pytest.mark.parametrize("dtype", ARITHMETIC + ["float8_e5m2", "float8_e4m3fn"])
@pytest.mark.parametrize("mode", ["fill", "drop", "clip", "wrap"])
def test_gathers_in_the_modes_of_jax(dtype, mode):
    data, indices = draw(dtype, (4, 3)), np.array([0, 3, 4, -4, -5, 99, -99])
    for axis in (0, 1):
        same(strew.jax.gather(data, indices, axis=axis, mode=mode), take(data, indices, axis, mode))
    rows = take(data, indices, 0, mode)
    same(strew.jax.gather_nd(data, indices[:, None], mode=mode), rows)
    same(strew.jax.gather_elements(data, np.stack([indices] * 3, 1), mode=mode), rows)
    if mode in ("fill", "drop"):
        value = draw(dtype, (), seed=7)[()]
        same(strew.jax.gather(data, indices, mode=mode, fill_value=value), take(data, indices, 0, mode, value))
        same(strew.jax.gather_nd(data, indices[:, None], mode=mode, fill_value=True), take(data, indices, 0, mode, True))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reduction, method", [("sum", "add"), ("max", "max"), ("prod", "multiply")])
def test_scatters_in_the_modes_of_jax(mode, reduction, method):
    data, indices = np.round(draw("float32", (4, 3))), np.array([0, 3, 4, -4, -5, 99, -99])
    updates = np.round(draw("float32", (7, 3), seed=2))
    # Its scatters do not wrap.
    where, kept = (indices % 4, None) if mode == "wrap" else (indices, mode)
    expected = np.asarray(getattr(jnp.asarray(data).at[where], method)(updates, mode=kept))
    how = {"reduction": reduction, "mode": mode}
    np.testing.assert_array_equal(strew.jax.scatter(data, indices, updates, **how), expected)
    np.testing.assert_array_equal(strew.jax.scatter_nd(data, indices[:, None], updates, **how), expected)
    elements = np.stack([indices] * 3, 1)
    np.testing.assert_array_equal(strew.jax.scatter_elements(data, elements, updates, **how), expected)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("mode", MODES)
def test_indices_of_every_dtype_out_of_bounds(mode, dtype):
    limits = np.iinfo(dtype)
    data = draw("float32", (5, 6))
    indices = np.array([limits.max, limits.min, limits.max - 1, 4, 5], dtype)
    fill = np.float32(0.5)
    given = {"fill_value": fill} if mode == "drop" else {}
    expected = strew.gather(data, indices, mode=MODES[mode], fill_value=fill)
    same(strew.jax.gather(data, indices, mode=mode, **given), expected)
    caches = np.stack([data] * 5)
    found = strew.jax.tensor_scatter(caches, indices, data[:, None, :2] + caches[:, :, :2], axis=2, mode=mode)
    expected = strew.tensor_scatter(caches, indices, data[:, None, :2] + caches[:, :, :2], axis=2, mode=MODES[mode])
    same(found, expected)


def test_modes_of_lax():
    data, indices = draw("float32", (4,)), np.array([9, 1])
    modes = jax.lax.GatherScatterMode
    same(strew.jax.gather(data, indices, mode=modes.CLIP), data[[3, 1]])
    assert np.isnan(strew.jax.gather(data, indices, mode=modes.FILL_OR_DROP)[0])
    for mode in (None, "raise", "promise_in_bounds", modes.PROMISE_IN_BOUNDS):
        with pytest.raises(OUTSIDE, match=r"gather: indices\[0\] is 9, outside \[-4, 3\]"):
            jax.block_until_ready(strew.jax.gather(data, indices, mode=mode, exact=mode is None))
    with pytest.raises(ValueError, match="mode is 'one_hot', which is none of raise, promise_in_bounds, fill"):
        strew.jax.gather(data, indices, mode=modes.ONE_HOT)


DATA, ROWS = np.zeros((4, 3), np.float32), np.zeros(5, np.int32)
UPDATES = np.zeros((5, 3), np.float32)


@pytest.mark.parametrize(
    "kind, message, call",
    [
        (ValueError, "gather: mode is 'ignore'", lambda s: s.gather(DATA, ROWS, mode="ignore")),
        (TypeError, "scatter: mode is of type int", lambda s: s.scatter(DATA, ROWS, UPDATES, mode=1)),
        (ValueError, "fill_value is given, which needs", lambda s: s.gather(DATA, ROWS, fill_value=1)),
        (TypeError, "fill_value is 1j", lambda s: s.gather(DATA, ROWS, mode="fill", fill_value=1j)),
        (TypeError, "fill_value is array", lambda s: s.gather(DATA, ROWS, mode="fill", fill_value=DATA)),
        (ValueError, "fill_value is 300", lambda s: s.gather(ROWS.astype("i1"), ROWS, mode="fill", fill_value=300)),
        (ValueError, "axis is 2, outside", lambda s: s.gather(DATA, ROWS, axis=2)),
        (ValueError, "batch_dims is 2, outside", lambda s: s.gather(DATA, ROWS, batch_dims=2)),
        (TypeError, "gather: indices is float32", lambda s: s.gather(DATA, DATA)),
        (ValueError, "scatter: dimension 0 of updates is 4; 5 is needed", lambda s: s.scatter(DATA, ROWS, DATA)),
        (ValueError, "tensor_scatter: updates", lambda s: s.tensor_scatter(DATA[None], ROWS[:1], DATA)),
        (ValueError, "axis is 0", lambda s: s.tensor_scatter(DATA, ROWS[:4], DATA, axis=0)),
        (TypeError, "indices is of type list", lambda s: s.tensor_scatter(DATA, [0], DATA, axis=1)),
        (ValueError, "slice_scatter: dimension 0 of updates", lambda s: s.slice_scatter(DATA, DATA, [0], [2])),
        (ValueError, "slice_scatter: stops has 2 entries", lambda s: s.slice_scatter(DATA, DATA, [0], [4, 3])),
        (ValueError, "slice_scatter: .* 0", lambda s: s.slice_scatter(DATA, DATA, [0], [4], [0])),
        (ValueError, "slice_scatter: ", lambda s: s.slice_scatter(DATA, DATA, [0] * 40, [4] * 40)),
        (TypeError, "starts is of type str", lambda s: s.slice_scatter(DATA, DATA, "0", [4])),
        (TypeError, "steps is of type list", lambda s: s.slice_scatter(DATA, DATA, [0], [4], [1.0])),
        (TypeError, "circular is of type ndarray", lambda s: s.tensor_scatter(DATA, ROWS, DATA, circular=DATA)),
    ],
)
def test_refused_when_tracing(kind, message, call):
    for function in (lambda: call(strew.jax), jax.jit(lambda: call(strew.jax))):
        with pytest.raises(kind, match=message):
            function()


def test_what_is_known_when_tracing():
    for attribute in ("mode", "fill_value"):
        with pytest.raises(TypeError, match=f"{attribute} is traced"):
            jax.jit(lambda v: strew.jax.gather(DATA, ROWS, **{attribute: v}))(0)


def test_windows_out_of_bounds():
    caches, windows = np.zeros((2, 5, 1), np.float32), np.ones((2, 2, 1), np.float32)
    for indices, circular, message in (
        ([0, 4], False, r"tensor_scatter: indices\[1\] is 4, outside \[0, 3\]"),
        ([-1, 0], True, r"tensor_scatter: indices\[0\] is -1"),
    ):
        with pytest.raises(OUTSIDE, match=message):
            jax.block_until_ready(
                strew.jax.tensor_scatter(caches, np.array(indices), windows, circular=circular, mode="raise")
            )


# ---- Slices ----

SLICES = [
    ([1], [3]),
    ([0, -9], [9, -1], [2, 1]),
    ([-1], [-9], [-2], [1]),
    ([-1, 2], [-(10**30), 3], [-1, 1], [-1, 0]),
    ([2], [2]),
    ([], []),
]


@pytest.mark.parametrize("part", SLICES, ids=str)
def test_slice_scatter(part):
    starts, stops, steps, axes = (*part, None, None)[:4]
    where = [slice(None)] * 2
    for axis, *one in zip(axes or range(len(starts)), starts, stops, steps or [1] * len(starts)):
        where[axis] = slice(*one)
    for dtype in ("float64", "int8", "bool", "complex64", "float8_e5m2"):
        expected = draw(dtype, (3, 5))
        data, updates = expected.copy(), draw(dtype, expected[tuple(where)].shape, seed=2)
        expected[tuple(where)] = updates
        found = np.asarray(jax.jit(lambda d, u: strew.jax.slice_scatter(d, u, *part))(data, updates))
        np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))
    data, updates = draw("float64", (3, 5)), draw("float64", updates.shape, seed=2)
    check_grads(lambda d, u: strew.jax.slice_scatter(d, u, *part), (data, updates), 2, BOTH)
    check_vmap(lambda d, u: strew.jax.slice_scatter(d, u, *part), (data, updates))


def test_slices_are_written_in_place():
    write = jax.jit(lambda d, u: strew.jax.slice_scatter(d, u, [3], [5]), donate_argnums=0)
    data = jnp.zeros((1000, 64))
    before = data.unsafe_buffer_pointer()
    data = write(data, np.ones((2, 64)))
    assert data.unsafe_buffer_pointer() == before


# ---- Derivatives ----


@pytest.mark.parametrize("use_init_val", [True, False])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_derivatives_along_an_axis(reduction, use_init_val):
    data, updates = draw("float64", (3, 2, 4, 2)), draw("float64", (3, 2, 5, 2), seed=2)
    how = {"axis": 2, "batch_dims": 1, "reduction": reduction, "use_init_val": use_init_val}
    for mode, indices in (("raise", draw_indices(-4, 4, (3, 5))), ("drop", draw_indices(-7, 7, (3, 5)))):
        function = jax.jit(lambda d, u: strew.jax.scatter(d, indices, u, mode=mode, **how))
        check_grads(function, (data, updates), 1 if reduction == "prod" else 2, BOTH)
    check_grads(lambda d: strew.jax.gather(d, draw_indices(-4, 4, (3, 5)), axis=2, batch_dims=1), (data,), 2, BOTH)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_derivatives_of_what_is_out_of_bounds(mode, reduction):
    data, indices = draw("float64", (4, 2)), np.array([[0, 4], [3, -5], [9, 1], [-9, 1], [1, 1]], np.int8)
    updates = draw("float64", (5, 2), seed=2)
    how = {"mode": mode, "reduction": reduction}
    check_grads(jax.jit(lambda d, u: strew.jax.scatter_elements(d, indices, u, **how)), (data, updates), 1, BOTH)
    check_grads(jax.jit(lambda d, u: strew.jax.scatter(d, indices[:, 0], u, **how)), (data, updates), 1, BOTH)
    if reduction != "mean":
        function = jax.jit(lambda d, u: strew.jax.scatter_nd(d, indices, u, **how))
        check_grads(function, (data, updates[:, 0]), 1, BOTH)
    fill = {"fill_value": 2.5} if mode == "drop" else {}
    for gather in (strew.jax.gather, strew.jax.gather_elements, strew.jax.gather_nd):
        check_grads(lambda d: gather(d, indices, mode=mode, **fill), (data,), 2, BOTH)


@pytest.mark.parametrize("dtype", ["uint8", "uint32", "uint64", "int64"])
def test_derivatives_by_indices_far_out_of_bounds(dtype):
    data, updates = draw("float64", (4,)), draw("float64", (4,), seed=2)
    limits = np.iinfo(dtype)
    indices = np.array([1, limits.max, limits.min, 3], dtype)
    for mode, policy in MODES.items():
        found = jax.grad(lambda u: (strew.jax.scatter(data, indices, u, reduction="prod", mode=mode) ** 2).sum())(updates)
        places = strew.gather(np.arange(4), indices, mode=policy, fill_value=-1)

        def plain(updates):
            product = list(data)
            for place, update in zip(places, updates):
                if place >= 0:
                    product[place] = product[place] * update
            return sum(factor**2 for factor in product)

        np.testing.assert_allclose(found, jax.grad(plain)(updates), rtol=1e-12)


@pytest.mark.parametrize("circular", [False, True])
@pytest.mark.parametrize("axis", [1, -1])
@pytest.mark.parametrize("mode", ["raise", *MODES])
def test_derivatives_of_windows(mode, axis, circular):
    data = draw("float64", (3, 4, 5))
    updates = draw("float64", (3, 2, 5) if axis == 1 else (3, 4, 2), seed=2)
    for dtype in ("int8", "uint32") if mode != "raise" else ("int64",):
        indices = np.array([0, 2, 1] if mode == "raise" else [9, 2, 200]).astype(dtype)
        how = {"axis": axis, "circular": circular, "mode": mode}
        check_grads(lambda d, u: strew.jax.tensor_scatter(d, indices, u, **how), (data, updates), 2, BOTH)


# ---- vmap ----


def batched(array, dimension, seed):
    """An array like this one with a batch along a dimension; the array itself if the dimension is None."""
    if dimension is None:
        return array
    other = np.stack([np.roll(array, shift + seed) for shift in range(SIZE)])
    return np.moveaxis(other, 0, dimension)


def check_vmap(function, operands):
    """vmap of a function over every choice of no dimension, the first and the last one."""
    function = jax.jit(function)
    for dimensions in itertools.product(*([None, 0, np.ndim(operand)] for operand in operands)):
        if all(dimension is None for dimension in dimensions):
            continue
        arrays = [batched(x, d, seed) for seed, (x, d) in enumerate(zip(operands, dimensions))]
        found = jax.jit(jax.vmap(function, dimensions))(*arrays)
        expected = [
            function(*(x if d is None else np.moveaxis(x, d, 0)[i] for x, d in zip(arrays, dimensions)))
            for i in range(SIZE)
        ]
        np.testing.assert_array_equal(found, np.stack(expected), err_msg=str(dimensions))


@pytest.mark.parametrize("axis, batch_dims", [(0, 0), (-1, 0), (1, 1), (-1, -1)])
def test_vmap_along_an_axis(axis, batch_dims):
    data, indices = draw("float32", (2, 3)), draw_indices(-4, 4, (2, 4))
    updates = strew.gather(data, indices, axis=axis, batch_dims=batch_dims, mode="clip") * 2
    how = {"axis": axis, "batch_dims": batch_dims}
    check_vmap(lambda d, i: strew.jax.gather(d, i, mode="fill", fill_value=5, **how), (data, indices))
    check_vmap(lambda d, i, u: strew.jax.scatter(d, i, u, reduction="sum", mode="drop", **how), (data, indices, updates))


@pytest.mark.parametrize("mode", MODES)
def test_vmap_out_of_bounds(mode):
    data, indices = draw("float32", (3, 3)), draw_indices(-9, 9, (4, 3))
    fill = {"fill_value": 5} if mode == "drop" else {}
    check_vmap(lambda d, i: strew.jax.gather_nd(d, i[:, :2], mode=mode, **fill), (data, indices))
    check_vmap(lambda d, i: strew.jax.gather_elements(d, i, mode=mode, **fill), (data, indices))
    updates = draw("float32", (4, 3), seed=2)
    check_vmap(lambda d, i, u: strew.jax.scatter_nd(d, i[:, :1], u, mode=mode), (data, indices, updates))
    check_vmap(lambda d, i, u: strew.jax.scatter_elements(d, i, u, mode=mode), (data, indices, updates))


@pytest.mark.parametrize("circular", [False, True])
def test_vmap_of_windows(circular):
    data, updates = draw("float32", (2, 5, 2)), draw("float32", (2, 3, 2), seed=2)
    indices = draw_indices(-3, 9, (2,))
    check_vmap(
        lambda d, i, u: strew.jax.tensor_scatter(d, i, u, circular=circular, mode="clip"), (data, indices, updates)
    )


def test_gradients_and_batches_in_either_order():
    data, updates = draw("float64", (SIZE, 4, 2)), draw("float64", (SIZE, 4, 3), seed=2)
    indices = draw_indices(-3, 3, (SIZE, 3))

    def loss(data, updates, indices):
        return (strew.jax.scatter(data, indices, updates, axis=1, reduction="sum", mode="drop") ** 2).sum()

    gradients = jax.grad(loss, (0, 1))
    within = jax.jit(jax.vmap(gradients))(data, updates, indices)
    outside = jax.jit(jax.grad(lambda d, u: jax.vmap(loss)(d, u, indices).sum(), (0, 1)))(data, updates)
    one_by_one = [np.stack(x) for x in zip(*(gradients(data[i], updates[i], indices[i]) for i in range(SIZE)))]
    for found in (within, outside):
        for a, b in zip(found, one_by_one):
            np.testing.assert_allclose(a, b, rtol=1e-12)
