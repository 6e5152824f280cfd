"""The derivatives of strew's operators for PyTorch that combine rows as they gather them: bags of an embedding, edges
of a graph.

The forward pass never writes the gathered rows; nor, for sums and means, does any derivative. The gradient of the rows
is the same operator with its two lists swapped. That of the weights is products of rows, taken in blocks
(`strew::row_dots`). For other reductions derivatives write the rows, and are those of a scatter.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor
from torch import library as torch_library

from strew.torch.operators_autograd import Differentiable, call_below_autograd, operator_of
from strew.torch.operators_calls import REDUCTION_ALIASES, AxisAddresses, call_gather, call_scatter
from strew.torch.operators_gradients import (
    Scatter,
    count_dtype,
    divided,
    part,
    partials,
    scatter_gradients,
    scatter_tangent,
    unrounded,
    zeros,
)

_operators = torch.ops.strew
LINEAR = ("sum", "sub", "mean")


class Edges(NamedTuple):
    """Rows of updates, named by indices, that were combined into rows of data, named by targets."""

    indices: Tensor
    targets: Tensor
    weights: Tensor | None
    reduction: str
    use_init_val: bool
    bounds: str
    data_shape: torch.Size
    updates_shape: torch.Size
    data: Tensor | None = None
    updates: Tensor | None = None
    result: Tensor | None = None

    @property
    def sign(self) -> str:
        """The linear reduction of the rows."""
        return "sub" if self.reduction == "sub" else "sum"

    def into(self, data: Tensor, updates: Tensor, weights: Tensor | None) -> Tensor:
        """data, with other rows at the same edges."""
        return call_edges(data, updates, self.indices, self.targets, weights, self.sign, True, self.bounds)

    def back(self, grad: Tensor) -> Tensor:
        """The rows of a gradient of data, where those of updates came from."""
        weights = None if self.weights is None else conjugate(self.weights)
        start = zeros(self.updates_shape, grad)
        return call_edges(start, grad, self.targets, self.indices, weights, self.sign, True, self.bounds)

    def untouched(self, values: Tensor) -> Tensor:
        """Values of data, and zeros where a row came to."""
        indices, targets = self.places()
        nothing = zeros(indices.shape + self.data_shape[1:], values)
        return call_scatter(AxisAddresses, values, targets, nothing, 0, 0, "none", True, "skip", False)

    def places(self) -> tuple[Tensor, Tensor]:
        """indices and targets from 0 on; both out of bounds for skipped edges."""
        indices = resolved(self.indices, self.updates_shape[0], self.bounds)
        targets = resolved(self.targets, self.data_shape[0], self.bounds)
        is_skipped = (indices == self.updates_shape[0]) | (targets == self.data_shape[0])
        indices = torch.where(is_skipped, self.updates_shape[0], indices)
        return indices, torch.where(is_skipped, self.data_shape[0], targets)

    def share(self, values: Tensor) -> Tensor:
        """Values of data, divided by of how many rows the means are."""
        counts = self.counts().clamp(min=1).reshape((-1,) + (1,) * (values.dim() - 1))
        return divided(values, counts, self.targets.shape)

    def counts(self) -> Tensor:
        """How many rows went to each row of data."""
        targets = self.places()[1]
        one = torch.ones((), dtype=count_dtype(targets.shape[0]), device=targets.device)
        start, ones = zeros(self.data_shape[:1], one), one.expand(targets.shape)
        return call_scatter(AxisAddresses, start, targets, ones, 0, 0, "sum", True, "skip", False)

    def with_default(self, row: int) -> Edges:
        """The same edges, and one of weight 1 from a row of updates to each row of data without an edge."""
        size = self.data_shape[0]
        rows = numbers(size, self.targets)
        into = torch.where(self.counts() == 0, rows, size)
        weights = None if self.weights is None else torch.cat([self.weights, self.weights.new_ones(size)])
        indices, targets = self.places()
        lists = torch.cat([indices, torch.full_like(rows, row)]), torch.cat([targets, into])
        return self._replace(indices=lists[0], targets=lists[1], weights=weights)

    def rows(self, updates: Tensor, weights: Tensor | None) -> Tensor:
        """The weighted row of each edge, written and not rounded."""
        rows = unrounded(call_gather(AxisAddresses, updates, self.places()[0], 0, 0, "skip", None))
        return rows if weights is None else rows * like_rows(weights, rows)

    def as_scatter(self) -> Scatter:
        """The equal scatter of rows."""
        assert self.updates is not None and self.result is not None
        rows = self.rows(self.updates, self.weights)
        if self.reduction != "prod":
            rows = unrounded(rows.to(self.result.dtype))  # as the extremum was
        addresses = AxisAddresses(self.places()[1], (0, 0), "skip", rows.shape)
        shapes = self.data_shape, rows.shape
        data = zeros(self.data_shape, rows) if self.data is None else unrounded(self.data)
        return Scatter(addresses, self.reduction, self.use_init_val, *shapes, data, rows, unrounded(self.result))


def resolved(indices: Tensor, size: int, bounds: str, from_end: bool = True) -> Tensor:
    """Indices after the policy, from 0 on; a skipped index becomes size. Negative ones may count from the end."""
    is_beyond = indices.long() < 0 if indices.dtype == torch.uint64 else None  # beyond int64
    indices = indices.long()
    if bounds == "wrap":
        if size and is_beyond is not None:
            indices = torch.where(is_beyond, indices % size + 2**64 % size, indices)
        return indices % size if size else indices
    if is_beyond is not None:
        indices = torch.where(is_beyond, size, indices)
    from_front = torch.where((indices < 0) & (indices >= -size), indices + size, indices) if from_end else indices
    if bounds == "clamp":
        return from_front.clamp(0, size - 1) if size else from_front
    return torch.where((from_front < 0) | (from_front >= size), size, from_front)


def conjugate(tensor: Tensor) -> Tensor:
    return tensor.conj() if tensor.is_complex() else tensor


def like_rows(weights: Tensor, rows: Tensor) -> Tensor:
    return weights.reshape((-1,) + (1,) * (rows.dim() - 1))


def row_sums(rows: Tensor) -> Tensor:
    return rows.sum(tuple(range(1, rows.dim()))) if rows.dim() > 1 else rows


def edge_gradients(edges: Edges, grad: Tensor, wants: tuple[bool, bool, bool]) -> list[Tensor | None]:
    """The gradients of data, updates and weights, where they are wanted."""
    if edges.reduction not in LINEAR:
        return scattered_gradients(edges, grad, wants)
    of_data = grad if edges.use_init_val else edges.untouched(grad) if wants[0] else None
    shared = edges.share(grad) if edges.reduction == "mean" else grad
    of_weights = None
    if wants[2]:
        assert edges.updates is not None
        of_weights = call_dots(conjugate(edges.updates), shared, edges.indices, edges.targets, edges.bounds)
        of_weights = -of_weights if edges.sign == "sub" else of_weights
    return [of_data if wants[0] else None, edges.back(shared) if wants[1] else None, of_weights]


def scattered_gradients(edges: Edges, grad: Tensor, wants: tuple[bool, bool, bool]) -> list[Tensor | None]:
    """The gradients as those of the scatter of rows. Halves are rounded at the end."""
    scatter, dtype = edges.as_scatter(), grad.dtype
    by = partials(scatter)
    of_data, of_rows = scatter_gradients(scatter, by, unrounded(grad), wants[0], wants[1] or wants[2])
    of_updates = of_weights = None
    if wants[1]:
        assert of_rows is not None
        weighted = of_rows
        if edges.weights is not None:
            weighted = part(of_rows * like_rows(conjugate(edges.weights), of_rows), by.has_updates)
        start = zeros(edges.updates_shape, weighted)
        places = edges.places()[0]
        of_updates = call_scatter(AxisAddresses, start, places, weighted, 0, 0, "sum", True, "skip", False).to(dtype)
    if wants[2]:
        assert of_rows is not None and edges.updates is not None
        products = part(of_rows * conjugate(edges.rows(edges.updates, None)), by.has_updates)
        of_weights = row_sums(products).to(dtype)
    return [None if of_data is None else of_data.to(dtype), of_updates, of_weights]


def edge_tangent(edges: Edges, of_data: Tensor | None, of_updates: Tensor | None, of_weights: Tensor | None) -> Tensor:
    """The tangent of the output from those of data, updates and weights; None means zero."""
    like = next(each for each in (of_data, of_updates, of_weights) if each is not None)
    if edges.reduction not in LINEAR:
        assert edges.updates is not None
        of_rows = None if of_updates is None else edges.rows(of_updates, edges.weights)
        if of_weights is not None:
            more = edges.rows(edges.updates, of_weights)
            of_rows = more if of_rows is None else of_rows + more
        of_data = None if of_data is None else unrounded(of_data)
        return scatter_tangent(edges.as_scatter(), of_data, of_rows).to(like.dtype)
    tangent = zeros(edges.data_shape, like)
    if of_updates is not None:
        tangent = edges.into(tangent, of_updates, edges.weights)
    if of_weights is not None:
        assert edges.updates is not None
        tangent = edges.into(tangent, edges.updates, of_weights)
    if edges.reduction == "mean":
        tangent = edges.share(tangent)
    if of_data is None:
        return tangent
    return tangent + (of_data if edges.use_init_val else edges.untouched(of_data))


def kept(ctx: Any, updates: Tensor, weights: Tensor | None, data: Tensor | None, result: Tensor) -> tuple[Any, ...]:
    """The tensors that derivatives need."""
    is_linear = ctx.reduction in LINEAR
    return (
        weights,
        updates if not is_linear or weights is not None else None,
        None if is_linear else data,
        None if is_linear else result,
    )


class Edging(torch.autograd.Function):
    """gather_scatter with its derivatives."""

    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> Tensor:
        result = call_below_autograd(operator_of("gather_scatter"), *inputs)
        Edging.keep(ctx, inputs, result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        data, updates, indices, targets, weights, reduction, ctx.use_init_val, ctx.bounds = inputs
        ctx.reduction = REDUCTION_ALIASES.get(reduction, reduction)
        ctx.shapes = data.shape, updates.shape
        saved = indices, targets, *kept(ctx, updates, weights, data, output)
        ctx.save_for_backward(*saved)
        ctx.save_for_forward(*saved)

    @staticmethod
    def edges(ctx: Any) -> Edges:
        indices, targets, weights, updates, data, result = ctx.saved_tensors
        how = ctx.reduction, ctx.use_init_val, ctx.bounds
        return Edges(indices, targets, weights, *how, *ctx.shapes, data, updates, result)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        needs = ctx.needs_input_grad
        of_data, of_updates, of_weights = edge_gradients(Edging.edges(ctx), grad, (needs[0], needs[1], needs[4]))
        return of_data, of_updates, None, None, of_weights, None, None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        return edge_tangent(Edging.edges(ctx), tangents[0], tangents[1], tangents[4])


class Bags:
    """How an operator groups rows into bags. segment_reduce combines the rows of data in order."""

    name: ClassVar[str]
    data_and_weights: ClassVar[tuple[int, ...]]  # their places among the arguments; weights may be missing

    @staticmethod
    def read(inputs: tuple[Any, ...]) -> tuple[Tensor | None, Tensor | None, str, str, int]:
        """The arguments besides data and weights: indices, the list that names bags, reduction, bounds and
        default_index."""
        raise NotImplementedError

    @staticmethod
    def named(indices: Tensor, named: Tensor | None, bags: int, bounds: str) -> Tensor:
        """The bag of each index, from 0 on; the number of bags if it is in none."""
        raise NotImplementedError


class OffsetBags(Bags):
    """A bag reaches from each offset to the next."""

    name = "embedding_bag"
    data_and_weights = (0, 3)

    @staticmethod
    def read(inputs: tuple[Any, ...]) -> tuple[Tensor | None, Tensor | None, str, str, int]:
        _, indices, offsets, _, reduction, bounds, default_index = inputs
        return indices, offsets, reduction, bounds, default_index

    @staticmethod
    def named(indices: Tensor, named: Tensor | None, bags: int, bounds: str) -> Tensor:
        assert named is not None
        found = torch.searchsorted(named.long().contiguous(), numbers(indices.shape[0], indices), right=True) - 1
        return torch.where(found < 0, bags, found)


class PackedBags(Bags):
    """A bag is a row of indices."""

    name = "embedding_bag_packed"
    data_and_weights = (0, 2)

    @staticmethod
    def read(inputs: tuple[Any, ...]) -> tuple[Tensor | None, Tensor | None, str, str, int]:
        _, indices, _, reduction, bounds = inputs
        return indices, None, reduction, bounds, -1

    @staticmethod
    def named(indices: Tensor, named: Tensor | None, bags: int, bounds: str) -> Tensor:
        return numbers(bags, indices).unsqueeze(1).expand(indices.shape).reshape(-1)


class SegmentBags(Bags):
    """Each index has an id."""

    name = "embedding_segments"
    data_and_weights = (0, 4)

    @staticmethod
    def read(inputs: tuple[Any, ...]) -> tuple[Tensor | None, Tensor | None, str, str, int]:
        _, indices, segment_ids, _, _, reduction, bounds, default_index = inputs
        return indices, segment_ids, reduction, bounds, default_index

    @staticmethod
    def named(indices: Tensor, named: Tensor | None, bags: int, bounds: str) -> Tensor:
        assert named is not None
        return resolved(named, bags, bounds, from_end=False)


class SortedBags(SegmentBags):
    """Each row of data has an id."""

    name = "segment_reduce"
    data_and_weights = (0,)

    @staticmethod
    def read(inputs: tuple[Any, ...]) -> tuple[Tensor | None, Tensor | None, str, str, int]:
        _, segment_ids, _, reduction, _, bounds = inputs
        return None, segment_ids, reduction, bounds, -1


BAGS: tuple[type[Bags], ...] = (OffsetBags, PackedBags, SegmentBags, SortedBags)


class Bagging(torch.autograd.Function):
    """The operators of bags with their derivatives: those of edges from the table into bags. An empty bag gets a row of
    the table, or a constant."""

    @staticmethod
    def forward(ctx: Any, kind: type[Bags], *inputs: Any) -> Tensor:
        result = call_below_autograd(operator_of(kind.name), *inputs)
        Bagging.keep(ctx, (kind, *inputs), result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.kind, *rest = inputs
        data, weights = (*(rest[i] for i in ctx.kind.data_and_weights), None)[:2]
        indices, named, reduction, ctx.bounds, ctx.default_index = ctx.kind.read(tuple(rest))
        ctx.reduction = REDUCTION_ALIASES.get(reduction, reduction)
        ctx.shapes = output.shape, data.shape
        saved = indices, named, *kept(ctx, data, weights, None, output)
        ctx.save_for_backward(*saved)
        ctx.save_for_forward(*saved)

    @staticmethod
    def edges(ctx: Any) -> Edges:
        indices, named, weights, updates, _, result = ctx.saved_tensors
        (bags, *_), (rows, *_) = ctx.shapes
        indices = numbers(rows, named) if indices is None else indices
        places = resolved(indices.reshape(-1), rows, ctx.bounds), ctx.kind.named(indices, named, bags, ctx.bounds)
        weights = None if weights is None else weights.reshape(-1)
        edges = Edges(*places, weights, ctx.reduction, False, "skip", *ctx.shapes, None, updates, result)
        return edges if ctx.default_index < 0 else edges.with_default(ctx.default_index)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        gradients: list[Tensor | None] = [None] * len(ctx.needs_input_grad)
        places = [1 + i for i in ctx.kind.data_and_weights]
        wants = [ctx.needs_input_grad[place] for place in places]
        _, of_data, of_weights = edge_gradients(Bagging.edges(ctx), grad, (False, wants[0], any(wants[1:])))
        if of_weights is not None:
            indices = ctx.saved_tensors[0]
            of_weights = of_weights[: indices.numel()].reshape(indices.shape)  # the weights of defaults are constants
        for place, gradient in zip(places, (of_data, of_weights)):
            gradients[place] = gradient
        return tuple(gradients)

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        of_data, of_weights = (*(tangents[1 + i] for i in ctx.kind.data_and_weights), None)[:2]
        edges = Bagging.edges(ctx)
        if of_weights is not None:
            defaults = of_weights.new_zeros(edges.indices.shape[0] - of_weights.numel())
            of_weights = torch.cat([of_weights.reshape(-1), defaults])
        return edge_tangent(edges, None, of_data, of_weights)


def numbers(count: int, like: Tensor) -> Tensor:
    return torch.arange(count, device=like.device)


class Dotting(torch.autograd.Function):
    """row_dots with its derivatives."""

    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> Tensor:
        result = call_below_autograd(operator_of("row_dots"), *inputs)
        Dotting.keep(ctx, inputs, result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        *saved, ctx.bounds = inputs
        ctx.save_for_backward(*saved)
        ctx.save_for_forward(*saved)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        left, right, of_left, of_right = ctx.saved_tensors
        to_left = to_right = None
        if ctx.needs_input_grad[0]:
            start = zeros(left.shape, grad)
            to_left = call_edges(start, conjugate(right), of_right, of_left, grad, "sum", True, ctx.bounds)
        if ctx.needs_input_grad[1]:
            start = zeros(right.shape, grad)
            to_right = call_edges(start, conjugate(left), of_left, of_right, grad, "sum", True, ctx.bounds)
        return to_left, to_right, None, None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        left, right, of_left, of_right = ctx.saved_tensors
        parts = []
        if tangents[0] is not None:
            parts.append(call_dots(tangents[0], right, of_left, of_right, ctx.bounds))
        if tangents[1] is not None:
            parts.append(call_dots(left, tangents[1], of_left, of_right, ctx.bounds))
        return sum(parts[1:], parts[0])


class EdgingTransformed(Edging):
    """The same for torch.func, which wants forward and setup_context apart; that takes longer."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*inputs: Any) -> Tensor:  # type: ignore[override]
        return call_below_autograd(operator_of("gather_scatter"), *inputs)

    setup_context = staticmethod(Edging.keep)


class BaggingTransformed(Bagging):
    """The same for torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(kind: type[Bags], *inputs: Any) -> Tensor:  # type: ignore[override]
        return call_below_autograd(operator_of(kind.name), *inputs)

    setup_context = staticmethod(Bagging.keep)


class DottingTransformed(Dotting):
    """The same for torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*inputs: Any) -> Tensor:  # type: ignore[override]
        return call_below_autograd(operator_of("row_dots"), *inputs)

    setup_context = staticmethod(Dotting.keep)


def of_bags(kind: type[Bags]) -> Differentiable:
    applied = partial(Bagging.apply, kind), partial(BaggingTransformed.apply, kind)
    return Differentiable(kind.name, *applied, kind.data_and_weights)


call_edges = Differentiable("gather_scatter", Edging.apply, EdgingTransformed.apply, (0, 1, 4))
call_dots = Differentiable("row_dots", Dotting.apply, DottingTransformed.apply, (0, 1))
call_bags = {kind.name: of_bags(kind) for kind in BAGS}

# ---- What PyTorch is told of them -----------------------------------------------------------------------------------

BLOCK = 1 << 18  # elements of rows that are multiplied at a time: some caches have them


def row_dots(left: Tensor, right: Tensor, of_left: Tensor, of_right: Tensor, bounds: str = "refuse") -> Tensor:
    """The sum of left[of_left[e]] * right[of_right[e]] for each e, without the rows of all being written."""
    count, elements = of_left.shape[0], max(left.shape[1:].numel(), 1)
    result = left.new_zeros(count)
    step = max(BLOCK // elements, 1)
    for begin in range(0, count, step):
        piece = slice(begin, begin + step)
        rows = unrounded(_operators.gather(left, of_left[piece], 0, 0, bounds))
        rows = rows * _operators.gather(right, of_right[piece], 0, 0, bounds)
        result[piece] = row_sums(rows)
    if bounds == "skip":  # a skipped edge has the product 0, even if the other row is infinite
        result.masked_fill_(is_beyond(of_left, left.shape[0]) | is_beyond(of_right, right.shape[0]), 0)
    return result


def is_beyond(indices: Tensor, size: int) -> Tensor:
    """A mask of the indices that are out of bounds."""
    places = indices.long()
    lowest = 0 if indices.dtype == torch.uint64 else -size  # uint64 beyond int64 turns negative
    return (places < lowest) | (places >= size)


def looped(operator: Any) -> Callable[..., tuple[Tensor, int]]:
    """A rule for vmap: a call for each, since rows of one call may come from anywhere."""

    def rule(info: Any, in_dims: tuple[Any, ...], *arguments: Any) -> tuple[Tensor, int]:
        def at(i: int) -> list[Any]:
            return [a if d is None else a.select(d, i) for a, d in zip(arguments, in_dims)]

        return torch.stack([operator(*at(i)) for i in range(info.batch_size)]), 0

    return rule


def register(library: torch_library.Library) -> None:
    """Gives the operators their derivatives and rules, and PyTorch row_dots."""
    library.define(
        'row_dots(Tensor left, Tensor right, Tensor of_left, Tensor of_right, str bounds="refuse") -> Tensor'
    )
    library.impl("row_dots", row_dots, "CPU")
    for each in (call_edges, call_dots, *call_bags.values()):
        each.register(library)
        torch_library.register_vmap(f"strew::{each.name}", looped(operator_of(each.name)), lib=library)
