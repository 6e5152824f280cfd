"""Gradients at the edges, against loops: an element that takes no part in a result has the gradient 0, whatever it
is."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax_cases import draw

import strew.jax

SCATTERS = ("scatter", "scatter_nd", "scatter_elements")
#: Places of a dimension of 3: twice, from the end, untouched, and outside.
PLACES = np.array([0, 9, -3, 2, -9], np.int8)
MODES = {"drop": lambda i, n: i + n * (i < 0) if -n <= i < n else None, "wrap": lambda i, n: i % n}
MODES["clip"] = lambda i, n: min(max(i + n * (i < 0), 0), n - 1)
ODD = (np.nan, np.inf, -np.inf, 0.0)


def scatter(name, data, updates, places=PLACES, **how):
    return getattr(strew.jax, name)(data, places[:, None] if name == "scatter_nd" else places, updates, **how)


def gradients(function, cotangent, *operands):
    return jax.jit(lambda ct, *given: jax.vjp(function, *given)[1](ct))(cotangent, *operands)


def same(found, expected):
    for each, right in zip(found, expected, strict=True):
        np.testing.assert_allclose(each, right, rtol=1e-12)


def factors_of(place, places, data, updates, reduction, use_init_val):
    """The factors of a place: (operand, position in it)."""
    named = [("updates", e) for e, each in enumerate(places) if each == place]
    if reduction == "none":
        return named[-1:] or [("data", place)]
    return [("data", place)] * (use_init_val or not named) + named


def loop(cotangent, data, updates, places, reduction, use_init_val=True):
    """The gradients of a scatter of elements to data of rank 1; None as a place is skipped."""
    found = {"data": np.zeros_like(data), "updates": np.zeros_like(updates)}
    value = {"data": data, "updates": updates}
    for place, ct in enumerate(cotangent):
        parts = factors_of(place, places, data, updates, reduction, use_init_val)
        values = [value[operand][at] for operand, at in parts]
        extreme = (np.max if reduction == "max" else np.min)(values)
        equal = [v == extreme or (np.isnan(v) and np.isnan(extreme)) for v in values]
        for i, (operand, at) in enumerate(parts):
            if reduction == "prod":
                found[operand][at] = ct * np.prod(values[:i] + values[i + 1 :]) if len(values) > 1 else ct
            elif reduction in ("min", "max"):
                found[operand][at] = ct / sum(equal) if equal[i] else 0
            elif reduction == "mean":
                found[operand][at] = ct / len(parts)
            else:
                found[operand][at] = -ct if reduction == "sub" and operand == "updates" else ct
    return found["data"], found["updates"]


def odd_draw(generator, count):
    """Numbers, some of them infinite, NaN or zero."""
    values = np.round(generator.normal(size=count), 1)
    return np.where(generator.random(count) < 0.3, generator.choice(ODD, count), values)


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("name", SCATTERS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reduction", ["none", "sum", "sub", "prod", "min", "max", "mean"])
def test_scatters_of_odd_numbers(name, mode, reduction):
    if name == "scatter_nd" and reduction == "mean":
        pytest.skip("scatter_nd has no mean")
    resolved = [MODES[mode](int(i), 3) for i in PLACES]
    for use_init_val in (True, False) if name != "scatter_nd" else (True,):
        how = {"reduction": reduction, "mode": mode} | ({} if use_init_val else {"use_init_val": False})
        function = jax.jit(
            lambda ct, d, u, how=how: jax.vjp(lambda d, u: scatter(name, d, u, **how), d, u)[1](ct)
        )
        for seed in range(30):
            generator = np.random.default_rng(seed)
            operands = [odd_draw(generator, count) for count in (3, 3, 5)]
            same(function(*operands), loop(*operands, resolved, reduction, use_init_val))


@pytest.mark.parametrize("name", SCATTERS)
def test_a_skipped_factor_of_a_product_may_be_nan(name):
    updates = np.array([5, np.nan, np.nan])
    places = np.array([0, 9, -9])

    def product(data, updates):
        return scatter(name, data, updates, places, reduction="prod", mode="drop")

    data = np.array([2.0, 3.0])
    same(gradients(product, np.ones(2), data, updates), ([5, 1], [2, 0, 0]))
    tangent = jax.jvp(product, (data, updates), (np.ones(2), np.ones(3)))[1]
    np.testing.assert_array_equal(tangent, [7, 1])
    # Skipped updates take no part in the second derivative either.
    second = jax.grad(lambda u: jax.grad(lambda d: product(d, u).sum())(data).sum())(updates)
    np.testing.assert_array_equal(second, [1, 0, 0])
    twice = jax.vmap(jax.grad(lambda d, u: product(d, u).sum(), (0, 1)))(np.stack([data, data]), np.stack([updates] * 2))
    same(twice, ([[5, 1]] * 2, [[2, 0, 0]] * 2))
    hessian = jax.hessian(lambda u: (product(data, u) ** 2).sum())(updates)
    np.testing.assert_array_equal(hessian, [[8, 0, 0], [0, 0, 0], [0, 0, 0]])


@pytest.mark.parametrize("name", SCATTERS)
def test_what_was_overwritten_has_no_part(name):
    data = np.array([4.0, 9, 16])
    for places, updates in (([0], [0.0]), ([0, 0], [-5.0, 0.0])):
        function = lambda d, u: jnp.sqrt(scatter(name, d, u, np.array(places))).sum()  # noqa: B023, E731
        of_data, of_updates = jax.grad(function, (0, 1))(data, np.array(updates))
        np.testing.assert_allclose(of_data, [0, 1 / 6, 1 / 8])
        np.testing.assert_array_equal(of_updates, [0] * (len(places) - 1) + [np.inf])


@pytest.mark.parametrize("reduction", ["sum", "prod", "max", "mean"])
def test_what_is_left_out_of_a_reduction_has_no_part(reduction):
    data, updates = np.array([np.inf, 2.0]), np.array([3.0])
    how = {"reduction": reduction, "use_init_val": False}
    function = lambda d, u: scatter("scatter", d, u, np.array([0]), **how)  # noqa: E731
    same(gradients(function, np.array([np.inf, 1]), data, updates), ([0, 1], [np.inf]))
    tangent = jax.jvp(function, (data, updates), (np.array([np.nan, 1]), np.array([5.0])))[1]
    np.testing.assert_array_equal(tangent, [5, 1])


# ---- Bags and edges ----


def test_an_infinite_cotangent_does_not_reach_what_is_skipped():
    table, weights = np.array([[1.0], [2.0], [3.0]]), np.array([1.0, np.inf, 2.0])
    places, infinite = np.array([0, 9, 2]), np.full((1, 1), np.inf)

    def packed(table, weights, reduction="sum"):
        return strew.jax.embedding_bag_packed(table, places[None], weights[None], mode="drop", reduction=reduction)

    same(gradients(packed, infinite, table, weights), ([[np.inf], [0], [np.inf]], [np.inf, 0, np.inf]))
    finite = np.ones((1, 1))
    same(gradients(lambda *o: packed(*o, "prod"), finite, table, weights), ([[6], [0], [2]], [6, 0, 3]))
    same(gradients(lambda *o: packed(*o, "max"), finite, table, weights), ([[0], [0], [2]], [0, 0, 3]))


@pytest.mark.parametrize("reduction", ["sum", "sub", "prod", "max"])
def test_an_edge_that_is_skipped_by_one_of_its_lists(reduction):
    """The source of a skipped edge may be a valid row, and its weight may be anything."""
    data, updates, weights = np.array([[2.0]]), np.array([[np.inf], [3.0]]), np.array([np.nan, 5.0, np.inf])
    sources, targets = np.array([1, 1, 9]), np.array([7, 0, 0])

    def edges(data, updates, weights):
        how = {"reduction": reduction, "mode": "drop"}
        return strew.jax.gather_scatter(data, updates, sources, targets, weights, **how)

    found = gradients(edges, np.ones((1, 1)), data, updates, weights)
    expected = {
        "sum": ([[1]], [[0], [5]], [0, 3, 0]),
        "sub": ([[1]], [[0], [-5]], [0, -3, 0]),
        "prod": ([[15]], [[0], [10]], [0, 6, 0]),
        "max": ([[0]], [[0], [5]], [0, 3, 0]),
    }[reduction]
    same(found, expected)
    # The gradient of weights, derived again.
    again = jax.grad(lambda u: jax.grad(lambda w: edges(data, u, w).sum())(weights).sum())(updates)
    np.testing.assert_array_equal(again, {"sum": 1, "sub": -1, "prod": 2, "max": 1}[reduction] * np.array([[0], [1]]))


def bag_of_each(offsets, count):
    return np.searchsorted(offsets, np.arange(count), side="right") - 1


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint64"])
@pytest.mark.parametrize("reduction", ["sum", "mean", "max", "prod"])
def test_offsets_need_not_hold_every_position(dtype, reduction):
    """The last of the bags has 200 of 300 indices: their positions do not fit int8."""
    table, offsets = draw("float64", (7, 2)), np.array([0, 3, 3, 100], dtype)
    indices = np.random.default_rng(1).integers(-7, 7, 300).astype(dtype if dtype[0] == "i" else "int8")
    cotangent = draw("float64", (4, 2), seed=2)

    def bags(table, **cast):
        return strew.jax.embedding_bag_offsets(table, indices, offsets.astype(cast.get("to", dtype)), reduction=reduction)

    found = gradients(bags, cotangent, table)
    expected = np.zeros((7, 2))
    bag = bag_of_each(offsets.astype(np.int64), 300)
    rows = table[indices]
    for b, column in itertools.product(range(4), range(2)):
        ours, ct = np.flatnonzero(bag == b), cotangent[b, column]
        for e in ours:
            values = rows[ours, column]
            share = {
                "sum": 1.0,
                "mean": 1 / len(ours),
                "max": (rows[e, column] == values.max()) / (values == values.max()).sum(),
                "prod": np.prod(rows[ours[ours != e], column]),
            }[reduction]
            expected[indices[e], column] += ct * share
    np.testing.assert_allclose(found[0], expected, rtol=1e-9)


# ---- Counts ----


@pytest.mark.parametrize("dtype, count", [("float16", 70_000), ("bfloat16", 257), ("bfloat16", 70_000)])
@pytest.mark.parametrize("way", ["offsets", "packed", "segments", "sorted", "scatter", "max", "bag of max"])
def test_a_count_is_never_a_half(way, dtype, count):
    """The gradient of a mean, and of ties, is 1 / count, rounded once."""
    zeros = np.zeros(count, np.int32)
    ones = jnp.ones(count, dtype)
    one = jnp.ones(1, dtype)
    iota = np.arange(count)
    function = {
        "offsets": lambda u: strew.jax.embedding_bag_offsets(u, iota, zeros[:1], reduction="mean"),
        "packed": lambda u: strew.jax.embedding_bag_packed(u, iota[None], reduction="mean"),
        "segments": lambda u: strew.jax.embedding_segments(u, iota, zeros, num_segments=1, reduction="mean"),
        "sorted": lambda u: strew.jax.segment_reduce(u, zeros, num_segments=1, reduction="mean"),
        "scatter": lambda u: strew.jax.scatter(one, zeros, u, reduction="mean", use_init_val=False),
        "max": lambda u: strew.jax.scatter(one, zeros, u, reduction="max", use_init_val=False),
        "bag of max": lambda u: strew.jax.embedding_bag_offsets(u, iota, zeros[:1], reduction="max"),
    }[way]
    (found,) = gradients(function, one, ones)
    assert found.dtype == jnp.dtype(dtype)
    np.testing.assert_array_equal(np.asarray(found), np.full(count, np.float32(1) / np.float32(count)).astype(dtype))
    if way != "scatter":  # whose sum is a half at each step, as its mean is
        tangent = jax.jvp(function, (ones,), (ones,))[1]
        np.testing.assert_array_equal(np.asarray(tangent), np.ones(1, dtype))


# ---- Nothing ----


@pytest.mark.parametrize("reduction", ["none", "sum", "prod", "max"])
@pytest.mark.parametrize("mode", [None, "drop", "clip", "wrap"])
@pytest.mark.parametrize("shape, count", [((0,), 0), ((0, 2), 0), ((2, 0), 3), ((3,), 0), ((3, 2), 0)])
def test_nothing_has_gradients_of_its_shape(reduction, mode, shape, count):
    data, updates = np.ones(shape), np.ones((count, *shape[1:]))
    places = np.zeros(count, np.int8)
    for name in ("scatter", "scatter_nd"):
        function = lambda d, u: scatter(name, d, u, places, reduction=reduction, mode=mode)  # noqa: B023, E731
        same(gradients(function, data, data, updates), (data, updates))
    if reduction == "none":
        function = lambda d: strew.jax.gather(d, places, mode=mode)  # noqa: E731
        assert gradients(function, updates, data)[0].shape == shape
        return
    function = lambda d, u, w: strew.jax.gather_scatter(d, u, places, places, w, reduction=reduction, mode=mode)  # noqa: E731
    found = gradients(function, data, data, updates, np.ones(count))
    assert [f.shape for f in found] == [data.shape, updates.shape, (count,)]
    begins = np.zeros(2, np.int8)
    function = lambda d: strew.jax.embedding_bag_offsets(d, places, begins, reduction=reduction, mode=mode)  # noqa: E731
    (found,) = gradients(function, np.ones((2, *shape[1:])), data)
    assert found.shape == shape
