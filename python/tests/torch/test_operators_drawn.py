"""Gradients of strew's own operators for PyTorch against plain loops. Operators, reductions, policies, dtypes of
indices and shapes are drawn, with empty ones; data and gradients have zeros, infinities and NaN."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import operators_oracle as oracle  # noqa: E402

import core_words as strew_torch  # noqa: E402
from torch import library as torch_library  # noqa: E402

Tensor = torch.Tensor
POLICIES = ("raise", "fill", "clip", "wrap")
INDEX_DTYPES = (torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32, torch.int64)
SPECIAL = (0.0, 0.0, 1.0, math.inf, -math.inf, math.nan)


def draw_values(draw: random.Random, *shape: int) -> Tensor:
    """Small numbers, many of them equal; half of all tensors have some that are not finite."""
    special = draw.choice((0.0, 0.2))
    numbers = [
        draw.choice(SPECIAL) if draw.random() < special else draw.choice((-2.0, -1.0, 0.5, 1.0, 3.0))
        for _ in range(torch.Size(shape).numel())
    ]
    return torch.tensor(numbers, dtype=torch.float64).reshape(shape)


def draw_indices(draw: random.Random, size: int, mode: str, *shape: int, from_end: bool = True) -> Tensor:
    """Indices in bounds, unless the mode has a policy."""
    dtype = draw.choice(INDEX_DTYPES)
    lower, upper = (-size if from_end else 0, size - 1) if mode == "raise" else (-size - 3, size + 3)
    limits = torch.iinfo(dtype)
    lower, upper = max(lower, limits.min), min(upper, limits.max)
    numbers = [draw.randint(lower, upper) for _ in range(torch.Size(shape).numel())]
    return torch.tensor(numbers, dtype=dtype).reshape(shape)


def draw_size(draw: random.Random, mode: str) -> int:
    """A size for indices to address; zero only if all indices can be skipped."""
    return draw.choice((0, 1, 2, 5) if mode == "fill" else (1, 2, 5))


def place_of(index: int, size: int, mode: str, from_end: bool = True) -> int | None:
    """The place of an index under a policy; None if it is skipped."""
    if mode == "wrap":
        return index % size if size else None
    index += size if from_end and -size <= index < 0 else 0
    if mode == "clip" and size:
        return min(max(index, 0), size - 1)
    return index if 0 <= index < size else None


def shares(reduction: str, gradient: float, operands: list[float]) -> list[float]:
    """The gradient of each operand of one element, in the order of the operands."""
    count = len(operands)
    if reduction == "none":
        return [0.0] * (count - 1) + [gradient]
    if reduction in ("sum", "mean"):
        return [gradient / count if reduction == "mean" else gradient] * count
    if reduction == "prod":
        others = [math.prod(operands[:i] + operands[i + 1 :]) for i in range(count)]
        return [gradient * other for other in others]
    has_it = [math.isnan(operand) for operand in operands]
    if not any(has_it):
        extremum = max(operands) if reduction == "max" else min(operands)
        has_it = [operand == extremum for operand in operands]
    return [gradient / sum(has_it) if has else 0.0 for has in has_it]


# ---- Scatters ----

Goes = dict[oracle.Position, oracle.Position]  # from a position of updates to one of data


def loop_of_scatter(
    data: Tensor, updates: Tensor, gradient: Tensor, goes: Goes, reduction: str, use_init_val: bool
) -> tuple[Tensor, Tensor]:
    came: dict[oracle.Position, list[oracle.Position]] = {}
    for place in oracle.positions(tuple(updates.shape)):
        if place in goes:
            came.setdefault(goes[place], []).append(place)
    of_data, of_updates = gradient.clone(), torch.zeros_like(updates)
    for target, places in came.items():
        has_data = use_init_val or reduction == "none"
        operands = [data[target].item()] * has_data + [updates[place].item() for place in places]
        kind = "sum" if reduction == "sub" else reduction
        given = shares(kind, gradient[target].item(), operands)
        of_data[target] = given.pop(0) if has_data else 0.0
        for place, share in zip(places, given):
            of_updates[place] = -share if reduction == "sub" else share
    return of_data, of_updates


def draw_scatter(draw: random.Random) -> tuple[Any, Tensor, Tensor, Goes, str, bool]:
    """A scatter as a function of data and updates, and the targets of its updates."""
    mode, reduction = draw.choice(POLICIES), draw.choice(oracle.REDUCTIONS)
    use_init_val = draw.random() < 0.5
    rows, columns, count = draw_size(draw, mode), draw.choice((0, 1, 3)), draw.choice((0, 1, 4, 9))
    how: dict[str, Any] = {"reduction": reduction, "mode": mode}
    data = draw_values(draw, rows, columns)
    goes: Goes = {}
    way = draw.choice(("axis", "elements", "nd"))
    if way == "nd":
        reduction = how["reduction"] = "sum" if reduction == "mean" else reduction
        indices = draw_indices(draw, rows, mode, count, 1)
        function, use_init_val = strew_torch.scatter_nd, True
        lists = {(i, j): indices[i, 0].item() for i in range(count) for j in range(columns)}
    else:
        how["use_init_val"] = use_init_val
        function = strew_torch.scatter if way == "axis" else strew_torch.scatter_elements
        indices = draw_indices(draw, rows, mode, *((count,) if way == "axis" else (count, columns)))
        spread = indices[:, None].expand(count, columns) if way == "axis" else indices
        lists = {(i, j): spread[i, j].item() for i in range(count) for j in range(columns)}
    for (i, j), index in lists.items():
        place = place_of(index, rows, mode)
        if place is not None:
            goes[i, j] = (place, j)
    call = lambda data, updates: function(data, indices, updates, **how)  # noqa: E731
    return call, data, draw_values(draw, count, columns), goes, reduction, use_init_val


# ---- Bags ----

Edge = tuple[int, int, int | None]  # a row of the table, the bag that it goes to, and which weight it has


def loop_of_edges(
    data: Tensor | None, table: Tensor, weights: Tensor | None, gradient: Tensor, edges: list[Edge], reduction: str
) -> list[Tensor]:
    """The gradients of data, if it takes part, of the table, and of weights if there are any."""
    of_data, of_table = gradient.clone(), torch.zeros_like(table)
    of_weights = torch.zeros_like(table[:0, :0] if weights is None else weights)
    for bag, column in oracle.positions(tuple(gradient.shape)):
        mine = [edge for edge in edges if edge[1] == bag]
        if not mine:
            continue
        scale = [1.0 if weights is None or w is None else weights[w].item() for _, _, w in mine]
        rows = [table[row, column].item() for row, _, _ in mine]
        operands = rows if weights is None else [s * row for s, row in zip(scale, rows)]
        first = [] if data is None else [data[bag, column].item()]
        kind = "sum" if reduction == "sub" else reduction
        given = shares(kind, gradient[bag, column].item(), first + operands)
        has_part = [share != 0 for share in shares(kind, 1.0, first + operands)]
        of_data[bag, column] = given.pop(0) if first else 0.0
        for (row, _, w), share, s, factor, has in zip(mine, given, scale, rows, has_part[len(first) :]):
            if kind in ("min", "max") and not has:
                continue
            share = -share if reduction == "sub" else share
            of_table[row, column] += share if weights is None else share * s
            if weights is not None and w is not None:
                of_weights[w] += share * factor
    return [of_data, of_table] + ([] if weights is None else [of_weights])


def draw_edges(draw: random.Random) -> tuple[Any, list[Tensor], list[Edge], str, bool]:
    """A gather_scatter as a function of data, updates and weights, and its edges."""
    mode, reduction = draw.choice(POLICIES), draw.choice(("sum", "sub", "prod", "min", "max"))
    use_init_val = draw.random() < 0.5
    rows, bags = draw_size(draw, mode), draw_size(draw, mode)
    columns, count = draw.choice((0, 1, 3)), draw.choice((0, 1, 7))
    indices, targets = draw_indices(draw, rows, mode, count), draw_indices(draw, bags, mode, count)
    operands = [draw_values(draw, bags, columns), draw_values(draw, rows, columns)]
    operands += [draw_values(draw, count)] if draw.random() < 0.5 else []
    edges = []
    for i, (index, target) in enumerate(zip(indices.tolist(), targets.tolist())):
        row, bag = place_of(index, rows, mode), place_of(target, bags, mode)
        if row is not None and bag is not None:
            edges.append((row, bag, i))
    how = {"reduction": reduction, "mode": mode, "use_init_val": use_init_val}

    def function(data: Tensor, updates: Tensor, weights: Tensor | None = None) -> Tensor:
        return strew_torch.gather_scatter(data, updates, indices, targets, weights, **how)

    return function, operands, edges, reduction, use_init_val


def draw_bags(draw: random.Random) -> tuple[Callable[..., Tensor], Tensor, Tensor | None, list[Edge], str]:
    mode, reduction = draw.choice(POLICIES), draw.choice(("sum", "prod", "min", "max", "mean"))
    rows, columns, count = draw_size(draw, mode), draw.choice((0, 1, 3)), draw.choice((0, 1, 5, 9))
    bags = draw_size(draw, mode)
    table = draw_values(draw, rows, columns)
    how = {"reduction": reduction, "mode": mode}
    way = draw.choice(("offsets", "packed", "segments", "sorted"))
    if way == "sorted":
        within = "raise" if mode == "wrap" else mode  # ids that wrap must be sorted all the same
        ids = draw_indices(draw, bags, within, rows, from_end=False).long().sort()[0].to(torch.int8)
        places = [place_of(each, bags, mode, from_end=False) for each in ids.tolist()]
        edges: list[Edge] = [(row, bag, None) for row, bag in enumerate(places) if bag is not None]
        reduce = lambda table: strew_torch.segment_reduce(table, ids, num_segments=bags, **how)  # noqa: E731
        return reduce, table, None, edges, reduction
    default = draw.choice((-1, 0)) if way != "packed" and rows else -1
    if way == "packed":
        indices = draw_indices(draw, rows, mode, bags, count)
        named = [bag for bag in range(bags) for _ in range(count)]
        call, rest = strew_torch.embedding_bag_packed, ()
    elif way == "offsets":
        indices = draw_indices(draw, rows, mode, count)
        offsets = sorted(draw.randint(0, count) for _ in range(bags))
        named = [sum(offset <= i for offset in offsets) - 1 for i in range(count)]
        call, rest = strew_torch.embedding_bag_offsets, (torch.tensor(offsets, dtype=draw.choice(INDEX_DTYPES)),)
    else:
        indices = draw_indices(draw, rows, mode, count)
        ids = draw_indices(draw, bags, mode, count, from_end=False)
        named = [place_of(each, bags, mode, from_end=False) for each in ids.tolist()]  # type: ignore[misc]
        call, rest = strew_torch.embedding_segments, (ids,)
        how["num_segments"] = bags
    if way != "packed":
        how["default_index"] = default
    weights = draw_values(draw, *indices.shape) if reduction != "mean" and draw.random() < 0.5 else None
    edges = []
    for i, (index, bag) in enumerate(zip(indices.reshape(-1).tolist(), named)):
        row = place_of(index, rows, mode)
        if row is not None and bag is not None and bag >= 0:
            edges.append((row, bag, i))
    if default >= 0:
        edges += [(default, bag, None) for bag in range(bags) if all(edge[1] != bag for edge in edges)]

    def function(table: Tensor, weights: Tensor | None = None) -> Tensor:
        return call(table, indices, *rest, weights, **how)

    return function, table, weights, edges, reduction


def gradients(function: Any, draw: random.Random, *operands: Tensor) -> tuple[Tensor, list[Tensor]]:
    """A gradient of the result that is drawn, and those of the operands."""
    leaves = [operand.clone().requires_grad_() for operand in operands]
    result = function(*leaves)
    gradient = draw_values(draw, *result.shape)
    return gradient, list(torch.autograd.grad(result, leaves, gradient))


def check(actual: list[Tensor], expected: list[Tensor]) -> None:
    for ours, right in zip(actual, expected):
        torch.testing.assert_close(ours.reshape(right.shape), right, equal_nan=True)


DRAWS = 20


@pytest.mark.parametrize("seed", range(6))
def test_scatters(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(DRAWS):
        function, data, updates, goes, reduction, use_init_val = draw_scatter(draw)
        gradient, actual = gradients(function, draw, data, updates)
        check(actual, list(loop_of_scatter(data, updates, gradient, goes, reduction, use_init_val)))


@pytest.mark.parametrize("seed", range(6))
def test_bags(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(DRAWS):
        function, table, weights, edges, reduction = draw_bags(draw)
        operands = (table,) if weights is None else (table, weights)
        gradient, actual = gradients(function, draw, *operands)
        flat = None if weights is None else weights.reshape(-1)
        check(actual, loop_of_edges(None, table, flat, gradient, edges, reduction)[1:])


@pytest.mark.parametrize("seed", range(6))
def test_edges(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(DRAWS):
        function, operands, edges, reduction, use_init_val = draw_edges(draw)
        gradient, actual = gradients(function, draw, *operands)
        data, table, weights = (*operands, None)[:3]
        start = data if use_init_val else None
        check(actual, loop_of_edges(start, table, weights, gradient, edges, reduction))


# ---- Tangents, batches and second derivatives of the same ----


@pytest.mark.parametrize("reduction", oracle.REDUCTIONS)
@pytest.mark.parametrize("use_init_val", [True, False])
def test_tangents_of_what_has_no_part_are_left_out(reduction: str, use_init_val: bool) -> None:
    """Each tangent is infinite by itself: the result's is where its operand has a part."""
    indices = torch.tensor([0, 0, 9, -1], dtype=torch.int8)
    data, updates = torch.tensor([2.0, 3.0, 1.0]), torch.tensor([1.0, 5.0, math.nan, 5.0])
    function = lambda d, u: strew_torch.scatter(  # noqa: E731
        d, indices, u, reduction=reduction, use_init_val=use_init_val, mode="fill"
    )
    leaves = data.clone().requires_grad_(), updates.clone().requires_grad_()
    jacobians = torch.autograd.functional.jacobian(function, leaves)
    for which, (operand, jacobian) in enumerate(zip((data, updates), jacobians)):
        for i in range(operand.numel()):
            tangents = [torch.zeros_like(data), torch.zeros_like(updates)]
            tangents[which][i] = math.inf
            _, tangent = torch.func.jvp(function, (data, updates), tuple(tangents))
            assert torch.equal(tangent.isfinite(), jacobian[:, i] == 0)


def test_second_derivatives_of_products_with_any_factors() -> None:
    inf = math.inf
    updates = torch.tensor([2.0, inf, 3.0, 0.0, 0.0, 5.0], dtype=torch.float64)
    places = torch.tensor([0, 0, 0, 1, 1, 1])
    ones = torch.ones(2, dtype=torch.float64)
    function = lambda u: strew_torch.scatter(ones, places, u, reduction="prod").sum()  # noqa: E731
    rest = torch.tensor([[0, 3, inf], [3, 0, 2], [inf, 2, 0]], dtype=torch.float64)
    zeros = torch.tensor([[0, 5, 0], [5, 0, 0], [0, 0, 0]], dtype=torch.float64)
    expected = torch.block_diag(rest, zeros)
    assert torch.equal(torch.autograd.functional.hessian(function, updates), expected)
    assert torch.equal(torch.func.hessian(function)(updates), expected)
    both = torch.stack([updates, updates.flip(0)])
    assert torch.equal(torch.vmap(torch.func.hessian(function))(both)[0], expected)


def test_a_product_that_overflows_has_a_gradient() -> None:
    for dtype, factor in ((torch.float16, 300.0), (torch.float32, 1e30)):
        updates = torch.tensor([factor, factor], dtype=dtype, requires_grad=True)
        start = torch.ones(1, dtype=dtype)
        result = strew_torch.scatter(start, torch.tensor([0, 0]), updates, reduction="prod")
        assert torch.equal(torch.autograd.grad(result, updates)[0], updates.detach())


# ---- Counts that no dtype of data or indices holds ----

COUNTS = [(torch.float16, 70_000), (torch.bfloat16, 257)]


@pytest.mark.parametrize("dtype, count", COUNTS)
@pytest.mark.parametrize("reduction", ["mean", "max"])
@pytest.mark.parametrize("way", ["segments", "bags", "packed", "axis", "elements"])
def test_gradients_are_shared_by_exact_counts(dtype: torch.dtype, count: int, reduction: str, way: str) -> None:
    rows = torch.ones(count, 1, dtype=dtype, requires_grad=True)
    nowhere, start = torch.zeros(count, dtype=torch.int8), torch.zeros(1, 1, dtype=dtype)
    every = torch.arange(count)
    result = {
        "segments": lambda: strew_torch.segment_reduce(rows, nowhere, reduction=reduction, num_segments=1),
        "bags": lambda: strew_torch.embedding_bag_offsets(rows, every, nowhere[:1], reduction=reduction),
        "packed": lambda: strew_torch.embedding_bag_packed(rows, every[None], reduction=reduction),
        "axis": lambda: strew_torch.scatter(start, nowhere, rows, reduction=reduction, use_init_val=False),
        "elements": lambda: strew_torch.scatter_elements(
            start, nowhere[:, None], rows, reduction=reduction, use_init_val=False
        ),
    }[way]()
    (gradient,) = torch.autograd.grad(result, rows, torch.ones_like(result))
    assert torch.equal(gradient, torch.full_like(gradient, 1 / count))


# ---- What the issue found ----


def test_what_was_overwritten_has_no_part() -> None:
    data, updates = torch.tensor([0.0, 9.0, 16.0], requires_grad=True), torch.tensor([0.0, 4.0], requires_grad=True)
    places = torch.tensor([0, 0])
    for how in ({}, {"reduction": "sum", "use_init_val": False}):
        infinite = torch.tensor([math.inf, 1.0, 1.0])
        result = strew_torch.scatter(data, places, updates, **how)  # type: ignore[arg-type]
        of_data, of_updates = torch.autograd.grad(result, (data, updates), infinite)
        assert of_data.tolist() == [0, 1, 1]
        assert of_updates.tolist() == ([math.inf] * 2 if how else [0, math.inf])


def test_a_weight_of_a_skipped_index_has_no_gradient() -> None:
    table, weights = torch.tensor([[1.0], [2.0]]), torch.tensor([[1.0, 2.0]], requires_grad=True)
    bag = strew_torch.embedding_bag_packed(table, torch.tensor([[0, 9]]), weights, mode="fill")
    (gradient,) = torch.autograd.grad(bag, weights, torch.full_like(bag, math.inf))
    assert gradient.tolist() == [[math.inf, 0]]


def test_skipped_factors_have_no_gradient() -> None:
    data, places = torch.tensor([2.0, 3.0]), torch.tensor([0, 9, -9])
    updates = torch.tensor([5.0, math.nan, math.nan], requires_grad=True)
    strew_torch.scatter(data, places, updates, reduction="prod", mode="fill").sum().backward()
    assert updates.grad is not None and updates.grad.tolist() == [2, 0, 0]


@pytest.mark.parametrize("mode", ["raise", "fill", "clip", "wrap"])
@pytest.mark.parametrize("circular", [True, False])
def test_windows_begin_beyond_int64(mode: str, circular: bool) -> None:
    begins = torch.tensor([2**64 - 1, 2], dtype=torch.uint64)
    if mode == "raise" and not circular:
        return
    data, updates = torch.zeros(2, 7, 1, requires_grad=True), torch.zeros(2, 3, 1, requires_grad=True)
    numbers = torch.arange(1.0, 7).reshape(2, 3, 1)
    how: dict[str, Any] = {"axis": 1, "circular": circular, "mode": mode}
    written = strew_torch.tensor_scatter(torch.zeros(2, 7, 1), begins, numbers, **how)
    result = strew_torch.tensor_scatter(data, begins, updates, **how)
    of_data, of_updates = torch.autograd.grad(result, (data, updates), written)
    is_skipped = mode == "fill" and not circular
    assert torch.equal(of_updates, numbers * torch.tensor([0.0 if is_skipped else 1.0, 1.0]).reshape(2, 1, 1))
    assert torch.equal(of_data, torch.zeros_like(data))


def test_other_products_are_an_operator_of_pytorch() -> None:
    factors = torch.rand(4, 3, 2, dtype=torch.float64, requires_grad=True)
    torch_library.opcheck(torch.ops.strew.other_products.default, (factors, torch.tensor([1, 0, -1, 1]), 2))
    products = torch.ops.strew.other_products
    for wrong in ((factors[:, :, 0], torch.zeros(4).long(), 2), (factors.float(), torch.zeros(4).long(), 2)):
        with pytest.raises(ValueError):
            products(*wrong)
    with pytest.raises(ValueError):
        products(factors, torch.zeros(4).long(), -1)


def test_what_is_selected_is_compiled_too() -> None:
    """Uses more elements than torch.where is chosen for."""
    places, data = torch.randint(0, 50, (200,)), torch.rand(50, 32)
    updates = torch.rand(200, 32, requires_grad=True)

    def function(updates: Tensor) -> Tensor:
        return strew_torch.scatter(data, places, updates, reduction="max") + strew_torch.scatter(data, places, updates)

    expected = torch.autograd.grad(function(updates).square().sum(), updates)[0]
    result = torch.compile(function, backend="aot_eager", fullgraph=True, dynamic=True)(updates)
    assert torch.equal(torch.autograd.grad(result.square().sum(), updates)[0], expected)


# ---- Under autocast ----

MIXED: dict[str, Callable[..., Tensor]] = {
    "scatter": lambda nodes, messages, at: strew_torch.scatter(nodes, at, messages, reduction="prod"),
    "scatter_nd": lambda nodes, messages, at: strew_torch.scatter_nd(nodes, at[:, None], messages, reduction="max"),
    "scatter_elements": lambda nodes, messages, at: strew_torch.scatter_elements(nodes, at[:, None], messages[:, :1]),
    "tensor_scatter": lambda nodes, messages, at: strew_torch.tensor_scatter(nodes, None, messages[:3, :1], axis=1),
    "slice_scatter": lambda nodes, messages, at: strew_torch.slice_scatter(nodes, messages[:2], [0], [2]),
    "gather_scatter": lambda nodes, messages, at: strew_torch.gather_scatter(nodes, messages, at, at),
    "weights": lambda nodes, messages, at: strew_torch.embedding_bag_offsets(nodes, at, at[:1] * 0, messages[:, 0]),
    "operator": lambda nodes, messages, at: torch.ops.strew.scatter(nodes, at, messages, reduction="sum"),
}


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.parametrize("wide", [torch.float32, torch.float64], ids=str)
def test_autocast_promotes(name: str, wide: torch.dtype) -> None:
    """The result is that of operands that were cast before, and so are the gradients, each in its own dtype."""
    at = torch.tensor([0, 2, 2, 1])
    nodes = torch.arange(6.0).reshape(3, 2).to(wide).requires_grad_()
    messages = torch.arange(8.0).reshape(4, 2).bfloat16().requires_grad_()
    expected = MIXED[name](nodes, messages.to(wide), at)
    with torch.autocast("cpu"):
        actual = MIXED[name](nodes, messages, at)
        with torch.no_grad():
            assert MIXED[name](nodes, messages, at).dtype == wide
    assert actual.dtype == wide and torch.equal(actual, expected)
    ours = torch.autograd.grad(actual.sum(), (nodes, messages), allow_unused=True)
    theirs = torch.autograd.grad(expected.sum(), (nodes, messages), allow_unused=True)
    for gradient, right, operand in zip(ours, theirs, (nodes, messages)):
        assert gradient is not None and gradient.dtype == operand.dtype and torch.equal(gradient, right)
    with pytest.raises(TypeError):
        MIXED[name](nodes, messages, at)


def test_autocast_of_what_is_filled_transformed_or_compiled() -> None:
    halves, at, number = torch.ones(3, 2).bfloat16(), torch.tensor([0, 9]), torch.tensor(0.1)
    with torch.autocast("cpu"):
        filled = strew_torch.gather(halves, at, mode="fill", fill_value=number)
        assert filled.dtype == torch.float32 and filled[1, 0] == number
        function = lambda messages: strew_torch.scatter(torch.zeros(3, 2), at[:1], messages).sum()  # noqa: E731
        assert torch.func.grad(function)(halves[:1]).dtype == torch.bfloat16
        assert torch.vmap(function)(halves[:, None]).dtype == torch.float32
        compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
        leaf = halves[:1].clone().requires_grad_()
        result = compiled(leaf)
    assert result.dtype == torch.float32
    assert torch.equal(torch.autograd.grad(result, leaf)[0], torch.ones_like(leaf))
