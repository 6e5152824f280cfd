"""Bags of an embedding and edges of a graph: against the core's functions for NumPy, which are tested against loops,
and against the same in JAX's own operations."""

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
MODES = {None: "raise", "drop": "fill", "clip": "clip", "wrap": "wrap"}
INDICES, TARGETS = np.array([0, 3, -1, 3, 1]), np.array([2, 0, 0, -1, 2])
STRAYS = np.array([0, 9, -7, 3, 1])
OFFSETS = np.array([1, 3, 3])
SEGMENTS, STRAY_SEGMENTS = np.array([2, 0, 0, 4, 2]), np.array([2, -1, 0, 7, 2], np.int8)
SORTED, STRAY_SORTED = np.array([0, 0, 3, 4]), np.array([-12, 0, 0, 9])
#: The ways in which operators group rows into bags, with the shapes of weights.
WAYS = {"offsets": (5,), "packed": (3, 5), "segments": (5,), "sorted": None}
#: The ways with empty bags, which default_index can fill.
HAVE_DEFAULT = ("offsets", "segments")


def in_bags(module, way, data, weights=None, **how):
    """The operators of bags: of JAX's module, or the core's."""
    is_refused = how.get("mode") in (None, "raise")
    indices = INDICES if is_refused else STRAYS
    if way == "offsets":
        return module.embedding_bag_offsets(data, indices, OFFSETS, weights, **how)
    if way == "packed":
        return module.embedding_bag_packed(data, np.stack([indices, indices[::-1], indices]), weights, **how)
    if way == "segments":
        ids = SEGMENTS if is_refused else STRAY_SEGMENTS
        return module.embedding_segments(data, indices, ids, weights, num_segments=5, **how)
    return module.segment_reduce(data, SORTED if is_refused else STRAY_SORTED, num_segments=6, **how)


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
    for mode, of_core in MODES.items():
        indices, targets = lists(mode)
        for use_init_val in (True, False):
            how = {"reduction": reduction, "use_init_val": use_init_val}
            found = strew.jax.gather_scatter(data, updates, indices, targets, *given, mode=mode, **how)
            same(found, strew.gather_scatter(data, updates, indices, targets, *given, mode=of_core, **how))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype, reduction", supported(["sum", "prod", "min", "max", "mean"]))
def test_bags(way, dtype, reduction):
    data, shape = draw(dtype, (4, 2)), WAYS[way]
    weights = [] if shape is None or reduction == "mean" else [draw(dtype, shape, seed=3)]
    for mode, of_core in MODES.items():
        for given in ([], weights):
            found = in_bags(strew.jax, way, data, *given, reduction=reduction, mode=mode)
            same(found, in_bags(strew, way, data, *given, reduction=reduction, mode=of_core))


@pytest.mark.parametrize("way", HAVE_DEFAULT)
@pytest.mark.parametrize("dtype, reduction", supported(["sum", "max", "mean"]))
def test_bags_with_a_default(way, dtype, reduction):
    data = draw(dtype, (4, 2))
    weights = [] if reduction == "mean" else [draw(dtype, (5,), seed=3)]
    for mode, of_core in MODES.items():
        how = {"reduction": reduction, "default_index": 2}
        found = in_bags(strew.jax, way, data, *weights, mode=mode, **how)
        same(found, in_bags(strew, way, data, *weights, mode=of_core, **how))
    same(found[1], data[2])


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "bfloat16", "float32", "complex64"])
def test_empty_segments(dtype):
    data = draw(dtype, (4, 2))
    for empty in ("zero", "lowest"):
        found = in_bags(strew.jax, "sorted", data, empty=empty)
        same(found, in_bags(strew, "sorted", data, empty=empty))
        assert empty == "lowest" or not np.asarray(found)[1].any()


def test_segments_are_as_many_as_are_named():
    for ids in (SORTED, jnp.array(SORTED, jnp.uint8)):
        assert strew.jax.segment_reduce(TABLE, ids).shape == (5, 3)
        assert strew.jax.embedding_segments(TABLE, INDICES[:4], ids).shape == (5, 3)
        assert jax.jit(lambda i: strew.jax.segment_reduce(TABLE, i, num_segments=7))(ids).shape == (7, 3)
    assert strew.jax.segment_reduce(TABLE[:0], SORTED[:0]).shape == (0, 3)
    assert not np.asarray(strew.jax.embedding_bag_packed(TABLE + 1, np.zeros((2, 0), np.int32))).any()


def test_a_layer_of_a_graph():
    """JAX's segment_sum gives the same, with its gradient."""
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


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reduction", ["sum", "mean", "max", "prod"])
def test_derivatives_of_bags(way, reduction, mode):
    shape = None if reduction == "mean" else WAYS[way]
    operands = [draw("float64", (4, 2))] + ([] if shape is None else [draw("float64", shape, seed=3)])
    how = {"reduction": reduction, "mode": mode}
    function = jax.jit(lambda d, *w: in_bags(strew.jax, way, d, *w, **how))
    check_grads(function, operands, 2 if reduction in ("sum", "mean") else 1, BOTH)


@pytest.mark.parametrize("way", HAVE_DEFAULT)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reduction", ["sum", "mean", "max", "prod"])
def test_derivatives_of_bags_with_a_default(way, reduction, mode):
    """Row 2 is in no bag but for being the default."""
    operands = [draw("float64", (4, 2))] + ([] if reduction == "mean" else [draw("float64", (5,), seed=3)])
    how = {"reduction": reduction, "mode": mode, "default_index": 2}
    function = jax.jit(lambda d, *w: in_bags(strew.jax, way, d, *w, **how))
    check_grads(function, operands, 2 if reduction in ("sum", "mean") else 1, BOTH)


def test_a_default_row_has_the_gradients_of_the_empty_bags():
    data, weights, grad = draw("float64", (4, 2)), draw("float64", (5,), seed=3), np.arange(1.0, 7).reshape(3, 2)
    for reduction in ("sum", "prod", "min", "max", "mean"):
        given = [] if reduction == "mean" else [weights]

        def function(data, **how):
            return strew.jax.embedding_bag_offsets(data, INDICES, OFFSETS, *given, reduction=reduction, **how)

        found, without = (
            np.asarray(jax.vjp(lambda d: function(d, **how), data)[1](grad)[0]) for how in ({"default_index": 2}, {})
        )
        np.testing.assert_array_equal(found[2], grad[1])
        np.testing.assert_allclose(found[[0, 1, 3]], without[[0, 1, 3]], rtol=1e-12)
        assert not without[2].any()


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
        gradient = jax.grad(lambda d: strew.jax.embedding_bag_offsets(d, INDICES, OFFSETS, reduction=reduction).sum())(data)
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
        return (strew.jax.embedding_bag_offsets(updates, indices, OFFSETS, weights) ** 2).sum()

    found = jax.jit(jax.vmap(jax.grad(loss)))(many, lists_of_two)
    expected = [jax.grad(loss)(u, i) for u, i in zip(many, lists_of_two)]
    np.testing.assert_allclose(found, np.stack(expected), rtol=1e-12)


@pytest.mark.parametrize("way", WAYS)
def test_vmap_of_bags(way):
    data, shape = draw("float64", (2, 4, 2)), WAYS[way]
    weights = [] if shape is None else [draw("float64", (*shape, 2), seed=3)]
    found = jax.jit(jax.vmap(lambda d, *w: in_bags(strew.jax, way, d, *w), (0, *[-1] * len(weights))))(data, *weights)
    each = [in_bags(strew.jax, way, data[i], *(w[..., i] for w in weights)) for i in range(2)]
    np.testing.assert_array_equal(found, np.stack(each))


@pytest.mark.parametrize("way", HAVE_DEFAULT)
def test_vmap_of_a_default(way):
    data = draw("float64", (2, 4, 2))
    found = jax.jit(jax.vmap(lambda d: in_bags(strew.jax, way, d, default_index=2)))(data)
    np.testing.assert_array_equal(found, np.stack([in_bags(strew.jax, way, each, default_index=2) for each in data]))
    np.testing.assert_array_equal(found[:, 1], data[:, 2])


# ---- What is refused ----

TABLE, LIST = np.zeros((4, 3), np.float32), np.zeros(2, np.int32)


@pytest.mark.parametrize(
    "kind, message, call",
    [
        (TypeError, "weights is of type list", lambda s: s.embedding_bag_offsets(TABLE, LIST, LIST, [1.0])),
        (TypeError, "weights", lambda s: s.embedding_bag_offsets(TABLE, LIST, LIST, LIST)),
        (ValueError, "weights", lambda s: s.embedding_bag_offsets(TABLE, LIST, LIST, TABLE[0])),
        (ValueError, "mean", lambda s: s.embedding_bag_offsets(TABLE, LIST, LIST, TABLE[0, :2], reduction="mean")),
        (TypeError, "no reduction none", lambda s: s.embedding_bag_offsets(TABLE, LIST, LIST, reduction="none")),
        (TypeError, "no reduction mean", lambda s: s.gather_scatter(TABLE, TABLE, LIST, LIST, reduction="mean")),
        (ValueError, "targets", lambda s: s.gather_scatter(TABLE, TABLE, LIST, LIST[:1])),
        (ValueError, "updates", lambda s: s.gather_scatter(TABLE, TABLE[:, :2], LIST, LIST)),
        (
            ValueError,
            r"default_index is 4, outside \[-1, 3\]",
            lambda s: s.embedding_bag_offsets(TABLE, LIST, LIST, default_index=4),
        ),
        (ValueError, "default_index is -2", lambda s: s.embedding_segments(TABLE, LIST, LIST, default_index=-2)),
        (ValueError, "embedding_bag_packed: indices", lambda s: s.embedding_bag_packed(TABLE, LIST)),
        (ValueError, "weights", lambda s: s.embedding_bag_packed(TABLE, LIST[None], TABLE[:1, :1])),
        (TypeError, "weights is of type list", lambda s: s.embedding_bag_packed(TABLE, LIST[None], [[1.0]])),
        (ValueError, "segment_ids", lambda s: s.embedding_segments(TABLE, LIST, LIST[:1])),
        (ValueError, "segment_count is -1", lambda s: s.embedding_segments(TABLE, LIST, LIST, num_segments=-1)),
        (TypeError, "num_segments is of type float", lambda s: s.embedding_segments(TABLE, LIST, LIST, num_segments=2.0)),
        (ValueError, "segment_ids", lambda s: s.segment_reduce(TABLE, LIST)),
        (TypeError, "segment_ids is of type list", lambda s: s.segment_reduce(TABLE, [0, 0, 1, 1])),
        (ValueError, "empty is 'least'", lambda s: s.segment_reduce(TABLE[:2], LIST, empty="least")),
        (TypeError, "empty is of type int", lambda s: s.segment_reduce(TABLE[:2], LIST, empty=0)),
    ],
)
def test_refused_when_tracing(kind, message, call):
    with pytest.raises(kind, match=message):
        call(strew.jax)


def test_traced_ids_do_not_say_how_many_there_are():
    with pytest.raises(TypeError, match="segment_reduce: segment_ids are traced.*pass num_segments"):
        jax.jit(lambda ids: strew.jax.segment_reduce(TABLE, ids))(SORTED)


def test_refused_when_running():
    for call, message in (
        (lambda: strew.jax.gather_scatter(TABLE, TABLE, LIST, LIST + 4), r"gather_scatter: targets\[0\] is 4, outside"),
        (lambda: strew.jax.embedding_bag_offsets(TABLE, LIST - 5, LIST), r"indices\[0\] is -5, outside \[-4, 3\]"),
        (lambda: strew.jax.embedding_bag_offsets(TABLE, LIST, np.array([1, 0])), r"offsets\[1\] is 0, less than the 1"),
        (lambda: strew.jax.embedding_bag_packed(TABLE, LIST[None] + 4), r"packed: indices\[0\]\[0\] is 4, outside"),
        (lambda: strew.jax.embedding_segments(TABLE, LIST, LIST + 3, num_segments=3), r"segment_ids\[0\] is 3, outside"),
        (lambda: strew.jax.segment_reduce(TABLE[:2], np.array([1, 0])), r"segment_ids\[1\] is 0, less than the 1"),
    ):
        with pytest.raises(OUTSIDE, match=message):
            jax.block_until_ready(call())
