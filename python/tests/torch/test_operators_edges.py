"""strew's operators for PyTorch that combine rows as they gather them: bags of an embedding, edges of a graph."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import library as torch_library  # noqa: E402
from torch.autograd import gradcheck, gradgradcheck  # noqa: E402

import operators_oracle as oracle  # noqa: E402

import strew  # noqa: E402
import core_words as strew_torch  # noqa: E402
from strew.torch import operators_edges  # noqa: E402

POLICIES = ["fill", "clip", "wrap"]
BAG_REDUCTIONS = ["sum", "prod", "min", "max", "mean"]
EDGE_REDUCTIONS = ["sum", "sub", "prod", "min", "max"]

INDICES, TARGETS = torch.tensor([0, 3, -1, 3, 1]), torch.tensor([2, 0, 0, -1, 2])
OFFSETS = torch.tensor([1, 3, 3])
STRAYS = torch.tensor([0, 9, -7, 3, 1])
SEGMENTS, STRAY_SEGMENTS = torch.tensor([2, 0, 0, 4, 2]), torch.tensor([2, -1, 0, 7, 2])
SORTED, STRAY_SORTED = torch.tensor([0, 0, 3, 4]), torch.tensor([-12, 0, 0, 9])


def in_bags(module: Any, way: str, data: Any, weights: Any = None, **how: Any) -> Any:
    """The operators of bags: strew's for PyTorch, or the core's."""
    is_refused = how.get("mode", "raise") == "raise"
    indices = INDICES if is_refused else STRAYS
    if way == "offsets":
        return module.embedding_bag_offsets(data, indices, OFFSETS, weights, **how)
    if way == "packed":
        return module.embedding_bag_packed(data, torch.stack([indices, indices.flip(0), indices]), weights, **how)
    if way == "segments":
        ids = SEGMENTS if is_refused else STRAY_SEGMENTS
        return module.embedding_segments(data, indices, ids, weights, num_segments=5, **how)
    return module.segment_reduce(data, SORTED if is_refused else STRAY_SORTED, num_segments=6, **how)


WAYS = {"offsets": (5,), "packed": (3, 5), "segments": (5,), "sorted": None}  # with the shapes of weights
HAVE_DEFAULT = ("offsets", "segments")  # in which some bags are empty


def same(actual: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=0)


def real(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """Values that differ by more than a finite difference, which need a gradient."""
    generator = torch.Generator().manual_seed(seed)
    count = torch.Size(shape).numel()
    spread = (torch.randperm(count, generator=generator) + 1.0 + seed * 0.37) / max(count, 1)
    return spread.to(dtype).reshape(shape).requires_grad_()


def check(function: Any, *operands: torch.Tensor) -> None:
    """Derivatives of both orders and in both directions, and batches of them."""
    assert gradcheck(
        function, operands, check_forward_ad=True, check_batched_grad=True, check_batched_forward_grad=True
    )
    assert gradgradcheck(function, operands, check_fwd_over_rev=True, check_rev_over_rev=True)


# ---- What they return ----


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_embedding_bag_is_that_of_pytorch(mode: str, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(0)
    table = torch.rand(50, 17, generator=generator).to(dtype)
    indices = torch.randint(0, 50, (300,), generator=generator)
    offsets = torch.cat([torch.zeros(1, dtype=torch.int64), torch.randint(0, 300, (40,), generator=generator).sort()[0]])
    expected = torch.nn.functional.embedding_bag(indices, table, offsets, mode=mode)
    torch.testing.assert_close(strew_torch.embedding_bag_offsets(table, indices, offsets, reduction=mode), expected)
    if mode == "sum":
        weights = torch.rand(300, generator=generator).to(dtype)
        expected = torch.nn.functional.embedding_bag(indices, table, offsets, mode=mode, per_sample_weights=weights)
        torch.testing.assert_close(strew_torch.embedding_bag_offsets(table, indices, offsets, weights), expected)


@pytest.mark.parametrize("dtype", oracle.DTYPES, ids=str)
@pytest.mark.parametrize("mode", ["raise", *POLICIES])
def test_they_are_those_of_numpy(dtype: torch.dtype, mode: Any) -> None:
    """Compares with the core's functions, which take tensors too, and are tested against plain NumPy."""
    data, updates = oracle.sample((3, 2), dtype), oracle.sample((4, 2), dtype, seed=1)
    weights, indices = oracle.sample((3, 5), dtype, seed=2), INDICES if mode == "raise" else STRAYS
    targets = TARGETS if mode == "raise" else STRAYS.flip(0)
    for given in (None, weights[0]):
        for reduction in EDGE_REDUCTIONS:
            for use_init_val in (True, False) if oracle.has(reduction, dtype) else ():
                how: Any = {"reduction": reduction, "use_init_val": use_init_val, "mode": mode}
                actual = strew_torch.gather_scatter(data, updates, indices, targets, given, **how)
                same(actual, strew.gather_scatter(data, updates, indices, targets, given, **how))
        for reduction in BAG_REDUCTIONS:
            if not oracle.has(reduction, dtype) or (reduction == "mean" and given is not None):
                continue
            for way, shape in WAYS.items():
                of_way = None if given is None or shape is None else weights[0] if way != "packed" else weights
                how = {"reduction": reduction, "mode": mode}
                for more in ({}, {"default_index": 2}) if way in HAVE_DEFAULT else ({},):
                    actual = in_bags(strew_torch, way, updates, of_way, **how, **more)
                    same(actual, in_bags(strew, way, updates, of_way, **how, **more))


@pytest.mark.parametrize("dtype", oracle.DTYPES, ids=str)
def test_empty_segments(dtype: torch.dtype) -> None:
    data = oracle.sample((4, 2), dtype)
    for empty in ("zero", "lowest"):
        actual = in_bags(strew_torch, "sorted", data, empty=empty)
        same(actual, in_bags(strew, "sorted", data, empty=empty))
        assert empty == "lowest" or not actual[1].any()


@pytest.mark.parametrize("ids", [torch.int8, torch.int64, torch.uint16, torch.uint64], ids=str)
def test_segments_are_as_many_as_are_named(ids: torch.dtype) -> None:
    data = oracle.sample((5, 2), torch.float32)
    named = torch.tensor([2, 0, 1, 1, 4]).to(ids)
    assert strew_torch.embedding_segments(data, INDICES[:1].repeat(5), named).shape == (5, 2)
    assert strew_torch.segment_reduce(data, named.long().sort()[0].to(ids)).shape == (5, 2)
    assert strew_torch.segment_reduce(data[:0], named[:0]).shape == (0, 2)
    assert strew_torch.segment_reduce(data[:0], named[:0], num_segments=3).shape == (3, 2)
    assert strew_torch.embedding_bag_packed(data, named.reshape(5, 1)[:, :0]).eq(0).all()


def test_a_layer_of_a_graph() -> None:
    generator = torch.Generator().manual_seed(0)
    nodes, weights = torch.rand(400, 16, generator=generator), torch.rand(3000, generator=generator)
    sources, targets = torch.randint(0, 400, (2, 3000), generator=generator)
    actual = strew_torch.gather_scatter(torch.zeros(400, 16), nodes, sources, targets, weights)
    torch.testing.assert_close(
        actual, torch.zeros(400, 16).index_add(0, targets, nodes[sources] * weights[:, None])
    )
    same(strew_torch.gather_scatter(nodes.new_zeros(()).expand(400, 16), nodes, sources, targets, weights), actual)


# ---- Derivatives ----


@pytest.mark.parametrize("reduction", EDGE_REDUCTIONS)
@pytest.mark.parametrize("use_init_val", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_derivatives_of_edges(reduction: str, use_init_val: bool, weighted: bool) -> None:
    how: Any = {"reduction": reduction, "use_init_val": use_init_val}
    operands = [real(3, 2), real(4, 2, seed=1)] + [real(5, seed=2)] * weighted
    check(lambda d, u, *w: strew_torch.gather_scatter(d, u, INDICES, TARGETS, *w, **how), *operands)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("reduction", BAG_REDUCTIONS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("mode", ["raise", *POLICIES])
def test_derivatives_of_bags(way: str, reduction: str, weighted: bool, mode: Any) -> None:
    shape = WAYS[way] if weighted else None
    if weighted and (reduction == "mean" or shape is None):
        return
    how: Any = {"reduction": reduction, "mode": mode}
    operands = [real(4, 2)] + ([] if shape is None else [real(*shape, seed=2)])
    check(lambda d, *w: in_bags(strew_torch, way, d, *w, **how), *operands)


@pytest.mark.parametrize("way", HAVE_DEFAULT)
@pytest.mark.parametrize("reduction", BAG_REDUCTIONS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("mode", ["raise", *POLICIES])
def test_derivatives_of_bags_with_a_default(way: str, reduction: str, weighted: bool, mode: Any) -> None:
    """Row 2 is in no bag but for being the default."""
    if weighted and reduction == "mean":
        return
    how: Any = {"reduction": reduction, "mode": mode, "default_index": 2}
    operands = [real(4, 2)] + [real(5, seed=2)] * weighted
    check(lambda d, *w: in_bags(strew_torch, way, d, *w, **how), *operands)


def test_a_default_row_has_the_gradients_of_the_empty_bags() -> None:
    data, weights = real(4, 2), real(5, seed=2)
    grad = torch.arange(1.0, 7).double().reshape(3, 2)
    for reduction in BAG_REDUCTIONS:
        given = None if reduction == "mean" else weights
        found = strew_torch.embedding_bag_offsets(data, INDICES, OFFSETS, given, reduction=reduction, default_index=2)
        same(found[1], data[2])
        (of_data,) = torch.autograd.grad(found, data, grad)
        same(of_data[2], grad[1])
        zeros = strew_torch.embedding_bag_offsets(data, INDICES, OFFSETS, given, reduction=reduction)
        (without,) = torch.autograd.grad(zeros, data, grad)
        same(of_data[[0, 1, 3]], without[[0, 1, 3]])
        assert not without[2].any()


@pytest.mark.parametrize("mode", POLICIES)
@pytest.mark.parametrize("dtype", [torch.uint8, torch.uint32, torch.uint64, torch.int64], ids=str)
def test_derivatives_by_indices_far_out_of_bounds(mode: Any, dtype: torch.dtype) -> None:
    data, weights, limits = real(5, 2), real(4, seed=2), torch.iinfo(dtype)
    far = torch.tensor([1, -1 if dtype == torch.uint64 else limits.max, limits.min, 3])
    far = far.view(torch.uint64) if dtype == torch.uint64 else far.to(dtype)
    for reduction in ("sum", "max"):
        how: Any = {"reduction": reduction, "mode": mode}
        check(lambda d, w: strew_torch.embedding_segments(d, far, far, w, num_segments=3, **how), data, weights)


@pytest.mark.parametrize("reduction", ["sum", "max"])
@pytest.mark.parametrize("mode", POLICIES)
def test_derivatives_of_edges_out_of_bounds(reduction: str, mode: Any) -> None:
    how: Any = {"reduction": reduction, "mode": mode}
    targets = STRAYS.flip(0)
    operands = real(3, 2), real(4, 2, seed=1), real(5, seed=2)
    check(lambda d, u, w: strew_torch.gather_scatter(d, u, STRAYS, targets, w, **how), *operands)


def test_complex_numbers() -> None:
    def some(*shape: int, seed: int) -> torch.Tensor:
        return torch.complex(real(*shape, seed=seed).detach(), real(*shape, seed=seed + 9).detach()).requires_grad_()

    operands = some(3, 2, seed=0), some(4, 2, seed=1), some(5, seed=2)
    function = lambda d, u, w: strew_torch.gather_scatter(d, u, INDICES, TARGETS, w)  # noqa: E731
    assert gradcheck(function, operands, check_forward_ad=True)
    assert gradgradcheck(function, operands)


def test_gradients_are_those_of_pytorch() -> None:
    generator = torch.Generator().manual_seed(0)
    table = torch.rand(50, 8, generator=generator, dtype=torch.float64).requires_grad_()
    weights = torch.rand(300, generator=generator, dtype=torch.float64).requires_grad_()
    indices = torch.randint(0, 50, (300,), generator=generator)
    offsets = torch.arange(0, 300, 7)
    ours = strew_torch.embedding_bag_offsets(table, indices, offsets, weights)
    theirs = torch.nn.functional.embedding_bag(indices, table, offsets, mode="sum", per_sample_weights=weights)
    for one, other in zip(
        torch.autograd.grad(ours.square().sum(), (table, weights)),
        torch.autograd.grad(theirs.square().sum(), (table, weights)),
    ):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("rows", [1, 3, 100])
def test_products_of_rows_are_taken_in_blocks(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(operators_edges, "BLOCK", 2 * rows)
    left, right = real(4, 2).detach(), real(3, 2, seed=1).detach()
    actual = torch.ops.strew.row_dots(left, right, INDICES, TARGETS)
    same(actual, (left[INDICES] * right[TARGETS]).sum(1))
    assert torch.ops.strew.row_dots(left, right, INDICES[:0], TARGETS[:0]).shape == (0,)


def test_gradients_of_one_operand_alone() -> None:
    data, updates, weights = real(3, 2), real(4, 2, seed=1), real(5, seed=2)
    for reduction in ("sum", "max"):
        whole = strew_torch.gather_scatter(data, updates, INDICES, TARGETS, weights, reduction=reduction).square().sum()
        expected = torch.autograd.grad(whole, (data, updates, weights))
        for place in range(3):
            operands = [each if i == place else each.detach() for i, each in enumerate((data, updates, weights))]
            alone = strew_torch.gather_scatter(
                operands[0], operands[1], INDICES, TARGETS, operands[2], reduction=reduction
            )
            (actual,) = torch.autograd.grad(alone.square().sum(), operands[place])
            torch.testing.assert_close(actual, expected[place])


def test_gradients_of_packed_weights_alone() -> None:
    data, weights = real(4, 2), real(3, 5, seed=2)
    for reduction in ("sum", "max"):
        expected = torch.autograd.grad(
            in_bags(strew_torch, "packed", data, weights, reduction=reduction).square().sum(), (data, weights)
        )
        alone = in_bags(strew_torch, "packed", data.detach(), weights, reduction=reduction)
        torch.testing.assert_close(torch.autograd.grad(alone.square().sum(), weights)[0], expected[1])


# ---- Transforms ----


@pytest.mark.parametrize("grad", [False, True])
def test_opcheck(grad: bool) -> None:
    data, updates, weights = (real(*s, seed=i).detach().requires_grad_(grad) for i, s in enumerate(((3, 2), (4, 2), (5,))))
    operators, check = torch.ops.strew, torch_library.opcheck
    for reduction in ("sum", "max"):
        check(operators.gather_scatter.default, (data, updates, INDICES, TARGETS, weights, reduction))
        check(operators.gather_scatter.default, (data, updates, STRAYS, TARGETS, None, reduction, False, "skip"))
        check(operators.embedding_bag.default, (updates, INDICES, OFFSETS, weights, reduction))
        check(operators.embedding_bag_packed.default, (updates, INDICES[None], weights[None], reduction))
        check(operators.embedding_segments.default, (updates, INDICES, SEGMENTS, 5, weights, reduction))
        check(operators.segment_reduce.default, (updates, SORTED, 6, reduction, "lowest"))
    check(operators.embedding_bag.default, (updates, STRAYS, OFFSETS, None, "mean", "clamp"))
    check(operators.embedding_bag.default, (updates, INDICES, OFFSETS, weights, "sum", "refuse", 2))
    check(operators.embedding_segments.default, (updates, STRAYS, STRAY_SEGMENTS, 5, None, "max", "skip", 2))
    check(operators.embedding_bag_packed.default, (updates, STRAYS[:, None], None, "mean", "wrap"))
    check(operators.embedding_segments.default, (updates, STRAYS, STRAY_SEGMENTS, 5, None, "prod", "skip"))
    check(operators.segment_reduce.default, (updates, STRAY_SORTED, 6, "mean", "zero", "skip"))
    check(operators.row_dots.default, (updates, data, INDICES, TARGETS))


@pytest.mark.parametrize("dynamic", [False, True])
def test_compiled_with_its_backward(dynamic: bool) -> None:
    def layer(nodes: torch.Tensor, edges: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        sums = strew_torch.gather_scatter(torch.zeros_like(nodes), nodes, edges[0], edges[1], weights)
        bags = strew_torch.embedding_bag_offsets(sums, edges[0], edges[1, :2] * 0, reduction="mean", default_index=2)
        packed = strew_torch.embedding_bag_packed(sums, edges % 4, torch.stack([weights, -weights]))
        segments = strew_torch.embedding_segments(sums, edges[0], edges[1] % 4, num_segments=edges.shape[1], default_index=1)
        reduced = strew_torch.segment_reduce(segments, edges[0].sort()[0] + 4, num_segments=8, reduction="max")
        return torch.cat([bags, packed, segments, reduced])

    torch._dynamo.reset()
    compiled = torch.compile(layer, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for size in (5, 6, 7):
        nodes, weights = real(4, 3), real(size, seed=1)
        edges = oracle.sample_indices((2, size), 4)
        actual, expected = compiled(nodes, edges, weights), layer(nodes, edges, weights)
        torch.testing.assert_close(actual, expected)
        for one, other in zip(
            torch.autograd.grad(actual.square().sum(), (nodes, weights)),
            torch.autograd.grad(expected.square().sum(), (nodes, weights)),
        ):
            torch.testing.assert_close(one, other)


def test_torch_func() -> None:
    def function(updates: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        sums = strew_torch.gather_scatter(torch.ones(3, 2).double(), updates, INDICES, TARGETS, weights)
        bags = strew_torch.embedding_bag_offsets(updates, INDICES, OFFSETS, weights, reduction="max").sum()
        packed = in_bags(strew_torch, "packed", updates, weights.expand(3, 5)).pow(2).sum()
        segments = in_bags(strew_torch, "segments", updates, weights, default_index=2).pow(2).sum()
        reduced = in_bags(strew_torch, "sorted", updates, reduction="prod").pow(2).sum()
        return (sums**3).sum() + bags + packed + segments + reduced

    updates, weights = real(4, 2).detach(), real(5, seed=2).detach()
    gradient = torch.func.grad(function, (0, 1))(updates, weights)
    leaves = updates.clone().requires_grad_(), weights.clone().requires_grad_()
    torch.testing.assert_close(gradient, torch.autograd.grad(function(*leaves), leaves))
    torch.testing.assert_close(torch.func.jacfwd(function)(updates, weights), gradient[0])
    hessian = torch.func.hessian(function)(updates, weights)
    torch.testing.assert_close(hessian, torch.autograd.functional.hessian(lambda u: function(u, weights), updates))
    many = torch.stack([updates, updates * 2])
    one_by_one = torch.stack([torch.func.grad(function)(u, weights) for u in many])
    torch.testing.assert_close(torch.vmap(torch.func.grad(function), (0, None))(many, weights), one_by_one)
    with pytest.raises(RuntimeError, match="strew.torch.embedding_bag,"):
        torch.func.grad(lambda u: torch.ops.strew.embedding_bag(u, INDICES, OFFSETS).sum())(updates)
    with pytest.raises(RuntimeError, match="strew.torch.segment_reduce"):
        torch.func.grad(lambda u: torch.ops.strew.segment_reduce(u, SORTED, 6).sum())(updates)


@pytest.mark.parametrize("default", [{}, {"default_index": 2}], ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_vmap(way: str, default: dict[str, int]) -> None:
    if default and way not in HAVE_DEFAULT:
        return
    data, shape = real(2, 4, 2).detach(), WAYS[way]
    weights = [] if shape is None else [real(*shape, 2, seed=1).detach()]
    mapped = torch.vmap(lambda d, *w: in_bags(strew_torch, way, d, *w, **default), (0, *[-1] * len(weights)))
    actual = mapped(data, *weights)
    each = [in_bags(strew_torch, way, data[i], *(w[..., i] for w in weights), **default) for i in range(2)]
    same(actual, torch.stack(each))


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize(
    "call, kind",
    [
        (lambda d, i: strew_torch.gather_scatter(d, d, i, i[:1]), ValueError),
        (lambda d, i: strew_torch.gather_scatter(d, d[:, :1], i, i), ValueError),
        (lambda d, i: strew_torch.gather_scatter(d, d, i, i, reduction="mean"), TypeError),
        (lambda d, i: strew_torch.gather_scatter(d, d, i, i, d[0, :2].long()), TypeError),
        (lambda d, i: strew_torch.embedding_bag_offsets(d, i, i, d[0, :1]), ValueError),
        (lambda d, i: strew_torch.embedding_bag_offsets(d, i, i.float()), TypeError),
        (lambda d, i: strew_torch.embedding_bag_offsets(d, i[None], i), ValueError),
        (lambda d, i: strew_torch.embedding_bag_offsets(d, i, i, default_index=-2), ValueError),
        (lambda d, i: strew_torch.embedding_segments(d, i, i, num_segments=2, default_index=len(d)), ValueError),
        (lambda d, i: strew_torch.embedding_bag_offsets(d, i, i, reduction="most"), ValueError),
        (lambda d, i: strew_torch.embedding_bag_offsets(d, i, i, mode="never"), ValueError),
        (lambda d, i: strew_torch.embedding_bag_offsets(d, i, i, d[0, :2], reduction="mean"), ValueError),
        (lambda d, i: strew_torch.embedding_bag_packed(d, i), ValueError),
        (lambda d, i: strew_torch.embedding_bag_packed(d, i[None], d[0, :2]), ValueError),
        (lambda d, i: strew_torch.embedding_bag_packed(d, i[None], d[:2, :1]), ValueError),
        (lambda d, i: strew_torch.embedding_bag_packed(d, i[None], reduction="sub"), TypeError),
        (lambda d, i: strew_torch.embedding_segments(d, i, i[:1], num_segments=2), ValueError),
        (lambda d, i: strew_torch.embedding_segments(d, i, i.float(), num_segments=2), TypeError),
        (lambda d, i: strew_torch.embedding_segments(d, i, i, num_segments=-1), ValueError),
        (lambda d, i: strew_torch.embedding_segments(d, i, i, num_segments=2, reduction="none"), TypeError),
        (lambda d, i: strew_torch.segment_reduce(d, i, num_segments=2), ValueError),
        (lambda d, i: strew_torch.segment_reduce(d[:2], i, num_segments=2, empty="least"), ValueError),
        (lambda d, i: strew_torch.segment_reduce(d[0, 0], i, num_segments=2), ValueError),
    ],
)
def test_refusals(device: str, call: Any, kind: type[Exception]) -> None:
    data, indices = torch.zeros(4, 3, device=device), torch.zeros(2, dtype=torch.int64, device=device)
    with pytest.raises((kind, RuntimeError) if device == "meta" else kind) as raised:
        call(data, indices)
    assert device == "meta" or isinstance(raised.value, strew.Error)


def test_the_first_bad_index_is_named() -> None:
    with pytest.raises(strew.BoundsError, match=r"targets\[1\] is 4, outside \[-3, 2\]") as raised:
        strew_torch.gather_scatter(torch.zeros(3, 2), torch.zeros(4, 2), INDICES, torch.tensor([0, 4, 9, 0, 0]))
    assert (raised.value.operand, raised.value.position) == ("targets", (1,))
    with pytest.raises(strew.ArgumentError, match=r"offsets\[1\] is 1, less than the 2 before it"):
        strew_torch.embedding_bag_offsets(torch.zeros(4, 2), INDICES, torch.tensor([2, 1]))
    with pytest.raises(strew.BoundsError, match=r"indices\[1\]\[0\] is 4, outside \[-4, 3\]") as raised:
        strew_torch.embedding_bag_packed(torch.zeros(4, 2), torch.tensor([[0], [4]]))
    assert raised.value.position == (1, 0)
    with pytest.raises(strew.BoundsError, match=r"segment_ids\[3\] is 4, outside \[0, 3\]"):
        strew_torch.embedding_segments(torch.zeros(4, 2), INDICES, SEGMENTS, num_segments=4)
    with pytest.raises(strew.ArgumentError, match=r"segment_ids\[1\] is 0, less than the 1 before it"):
        strew_torch.segment_reduce(torch.zeros(2, 2), torch.tensor([1, 0]))
    with pytest.raises(TypeError, match="num_segments must be an int, not float"):
        strew_torch.segment_reduce(torch.zeros(2, 2), torch.tensor([0, 1]), num_segments=2.0)
    with pytest.raises(TypeError, match="empty must be a str"):
        strew_torch.segment_reduce(torch.zeros(2, 2), torch.tensor([0, 1]), empty=0)
    with pytest.raises(ValueError, match='empty is "least", and must be zero or lowest'):
        torch.ops.strew.segment_reduce(torch.zeros(2, 2), torch.tensor([0, 1]), 2, "sum", "least")


def test_the_bits_do_not_depend_on_threads() -> None:
    generator = torch.Generator().manual_seed(0)
    nodes, weights = torch.rand(3000, 32, generator=generator), torch.rand(40000, generator=generator)
    sources, targets = torch.randint(0, 3000, (2, 40000), generator=generator)

    def results() -> list[torch.Tensor]:
        leaves = nodes.clone().requires_grad_(), weights.clone().requires_grad_()
        sums = strew_torch.gather_scatter(torch.zeros_like(nodes), leaves[0], sources, targets, leaves[1])
        bags = strew_torch.embedding_bag_offsets(leaves[0], sources, targets[:500].sort()[0], reduction="mean")
        packed = strew_torch.embedding_bag_packed(leaves[0], sources.reshape(-1, 20), leaves[1].reshape(-1, 20))
        segments = strew_torch.embedding_segments(leaves[0], sources, targets, leaves[1], num_segments=3000)
        reduced = strew_torch.segment_reduce(packed, targets[: len(packed)].sort()[0], num_segments=3000)
        whole = sums.square().sum() + bags.sum() + segments.square().sum() + reduced.square().sum()
        return [*(each.detach() for each in (sums, bags, packed, segments, reduced)), *torch.autograd.grad(whole, leaves)]

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        expected = results()
        for count in (2, 3):
            torch.set_num_threads(count)
            assert all(torch.equal(one, other) for one, other in zip(results(), expected))
    finally:
        torch.set_num_threads(before)
