"""Bags of an embedding and edges of a graph: beside the core's functions for NumPy, which are held to loops, and beside
what JAX itself makes of them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from jax_cases import OUTSIDE, draw, supported

import strew
import strew.jax
from strew.jax import _edges

BOTH = ("fwd", "rev")
MODES = {None: "refuse", "drop": "skip", "clip": "clamp", "wrap": "wrap"}
INDICES, TARGETS = np.array([0, 3, -1, 3, 1]), np.array([2, 0, 0, -1, 2])
STRAYS = np.array([0, 9, -7, 3, 1])
OFFSETS = np.array([1, 3, 3])


def same(found, expected):
    found = np.asarray(found)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))


def lists(mode):
    return (INDICES, TARGETS) if mode is None else (STRAYS, STRAYS[::-1].copy())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype, reduction", supported(["sum", "sub", "prod", "min", "max"]))
def test_gather_scatter(dtype, reduction, weighted):
    data, updates, weights = draw(dtype, (3, 2)), draw(dtype, (4, 2), seed=2), draw(dtype, (5,), seed=3)
    given = [weights] if weighted else []
    for mode, bounds in MODES.items():
        indices, targets = lists(mode)
        for use_init_val in (True, False):
            how = {"reduction": reduction, "use_init_val": use_init_val}
            found = strew.jax.gather_scatter(data, updates, indices, targets, *given, mode=mode, **how)
            same(found, strew.gather_scatter(data, updates, indices, targets, *given, bounds=bounds, **how))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype, reduction", supported(["sum", "prod", "min", "max", "mean"]))
def test_embedding_bag(dtype, reduction, weighted):
    data, weights = draw(dtype, (4, 2)), draw(dtype, (5,), seed=3)
    given = [weights] if weighted and reduction != "mean" else []
    for mode, bounds in MODES.items():
        indices = lists(mode)[0]
        found = strew.jax.embedding_bag(data, indices, OFFSETS, *given, reduction=reduction, mode=mode)
        same(found, strew.embedding_bag_offsets(data, indices, OFFSETS, *given, reduction=reduction, bounds=bounds))


def test_a_layer_of_a_graph():
    """As JAX's segment_sum has it, with its gradient."""
    generator = np.random.default_rng(0)
    nodes, weights = generator.normal(size=(40, 8)), generator.normal(size=300)
    sources, targets = generator.integers(0, 40, (2, 300))

    def ours(nodes, weights):
        return strew.jax.gather_scatter(jnp.zeros((40, 8)), nodes, sources, targets, weights)

    def theirs(nodes, weights):
        return jax.ops.segment_sum(nodes[sources] * weights[:, None], targets, 40)

    np.testing.assert_allclose(ours(nodes, weights), theirs(nodes, weights), rtol=1e-12)
    for argument in (0, 1):
        found, expected = (
            jax.grad(lambda n, w: (layer(n, w) ** 3).sum(), argument)(nodes, weights) for layer in (ours, theirs)
        )
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_in_place():
    add = jax.jit(lambda d, u, i, t: strew.jax.gather_scatter(d, u, i, t), donate_argnums=0)
    data = jnp.zeros((1000, 64))
    before = data.unsafe_buffer_pointer()
    data = add(data, np.ones((4, 64)), INDICES, TARGETS)
    assert data.unsafe_buffer_pointer() == before


# ---- Derivatives ----


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reduction, use_init_val", [("sum", True), ("sub", True), ("sum", False), ("max", True)])
def test_derivatives_of_edges(reduction, use_init_val, mode):
    indices, targets = lists(mode)
    operands = draw("float64", (3, 2)), draw("float64", (4, 2), seed=2), draw("float64", (5,), seed=3)
    how = {"reduction": reduction, "use_init_val": use_init_val, "mode": mode}
    function = jax.jit(lambda d, u, w: strew.jax.gather_scatter(d, u, indices, targets, w, **how))
    check_grads(function, operands, 2 if reduction != "max" else 1, BOTH)
    function = jax.jit(lambda d, u: strew.jax.gather_scatter(d, u, indices, targets, **how))
    check_grads(function, operands[:2], 1, BOTH)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reduction", ["sum", "mean", "max", "prod"])
def test_derivatives_of_bags(reduction, mode):
    indices = lists(mode)[0]
    operands = (draw("float64", (4, 2)), draw("float64", (5,), seed=3))[: 1 if reduction == "mean" else 2]
    how = {"reduction": reduction, "mode": mode}
    function = jax.jit(lambda d, *w: strew.jax.embedding_bag(d, indices, OFFSETS, *w, **how))
    check_grads(function, operands, 2 if reduction in ("sum", "mean") else 1, BOTH)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_products_of_rows_are_taken_in_blocks(monkeypatch, rows):
    monkeypatch.setattr(_edges, "BLOCK", 2 * rows)
    updates, weights = draw("float64", (4, 2)), draw("float64", (5,), seed=3)
    found = jax.grad(lambda w: (strew.jax.gather_scatter(jnp.zeros((3, 2)), updates, INDICES, TARGETS, w) ** 2).sum())
    sums = strew.gather_scatter(np.zeros((3, 2)), updates, INDICES, TARGETS, weights)
    np.testing.assert_allclose(found(weights), 2 * (updates[INDICES] * sums[TARGETS]).sum(1), rtol=1e-12)


def test_half_sums_keep_their_dtype():
    data = draw("bfloat16", (4, 2))
    for reduction in ("sum", "mean", "max"):
        gradient = jax.grad(lambda d: strew.jax.embedding_bag(d, INDICES, OFFSETS, reduction=reduction).sum())(data)
        assert gradient.dtype == data.dtype


# ---- vmap ----


def test_vmap():
    data, updates, weights = draw("float64", (3, 2)), draw("float64", (4, 2), seed=2), draw("float64", (5,), seed=3)
    many, lists_of_two = np.stack([updates, updates * 2]), np.stack([INDICES, INDICES[::-1]])
    for in_dims, operands in (
        ((None, 0, None, None), (data, many, INDICES, weights)),
        ((None, None, 0, None), (data, updates, lists_of_two, weights)),
        ((None, 0, 0, 0), (data, many, lists_of_two, np.stack([weights, -weights]))),
    ):

        def function(data, updates, indices, weights):
            return strew.jax.gather_scatter(data, updates, indices, TARGETS, weights)

        found = jax.jit(jax.vmap(function, in_dims))(*operands)
        expected = [
            function(*(x if d is None else np.take(x, i, d) for x, d in zip(operands, in_dims))) for i in range(2)
        ]
        np.testing.assert_array_equal(found, np.stack(expected))

    def loss(updates, indices):
        return (strew.jax.embedding_bag(updates, indices, OFFSETS, weights) ** 2).sum()

    found = jax.jit(jax.vmap(jax.grad(loss)))(many, lists_of_two)
    expected = [jax.grad(loss)(u, i) for u, i in zip(many, lists_of_two)]
    np.testing.assert_allclose(found, np.stack(expected), rtol=1e-12)


# ---- What is refused ----

TABLE, LIST = np.zeros((4, 3), np.float32), np.zeros(2, np.int32)


@pytest.mark.parametrize(
    "kind, message, call",
    [
        (TypeError, "weights is of type list", lambda s: s.embedding_bag(TABLE, LIST, LIST, [1.0])),
        (TypeError, "weights", lambda s: s.embedding_bag(TABLE, LIST, LIST, LIST)),
        (ValueError, "weights", lambda s: s.embedding_bag(TABLE, LIST, LIST, TABLE[0])),
        (ValueError, "mean", lambda s: s.embedding_bag(TABLE, LIST, LIST, TABLE[0, :2], reduction="mean")),
        (TypeError, "no reduction none", lambda s: s.embedding_bag(TABLE, LIST, LIST, reduction="none")),
        (TypeError, "no reduction mean", lambda s: s.gather_scatter(TABLE, TABLE, LIST, LIST, reduction="mean")),
        (ValueError, "targets", lambda s: s.gather_scatter(TABLE, TABLE, LIST, LIST[:1])),
        (ValueError, "updates", lambda s: s.gather_scatter(TABLE, TABLE[:, :2], LIST, LIST)),
    ],
)
def test_refused_when_tracing(kind, message, call):
    with pytest.raises(kind, match=message):
        call(strew.jax)


def test_refused_when_running():
    for call, message in (
        (lambda: strew.jax.gather_scatter(TABLE, TABLE, LIST, LIST + 4), r"gather_scatter: targets\[0\] is 4, outside"),
        (lambda: strew.jax.embedding_bag(TABLE, LIST - 5, LIST), r"indices\[0\] is -5, outside \[-4, 3\]"),
        (lambda: strew.jax.embedding_bag(TABLE, LIST, np.array([1, 0])), r"offsets\[1\] is 0, less than the 1"),
    ):
        with pytest.raises(OUTSIDE, match=message):
            jax.block_until_ready(call())
