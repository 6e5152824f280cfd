"""The derivatives of strew's operators for PyTorch, of any order and in both directions, made of the operators.

A scatter is linear in each of its operands, or piecewise so. Its derivative is therefore told by its partial
derivatives, elementwise: with `of_data` and `of_updates` those of an output element by the operands that reach it,

    grad_data    = of_data * grad            tangent = scatter sum of of_updates * tangent_updates
    grad_updates = of_updates * gather(grad)           to of_data * tangent_data

`partials` knows them for each reduction. They are computed by differentiable operations wherever they depend on the
operands differentiably, so that derivatives of derivatives need no formula.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from .operators_calls import (
    Addresses,
    ElementAddresses,
    RowAddresses,
    call_below_autograd,
    canonical,
    in_forward_mode,
    in_functorch,
    ones,
    zeros,
)


class Scatter(NamedTuple):
    """A scatter that was done. A tensor that its derivative does not need may be None."""

    addresses: Addresses
    reduction: str
    use_init_val: bool
    data_shape: torch.Size
    updates_shape: torch.Size
    data: Tensor | None
    updates: Tensor | None
    result: Tensor | None

    def unnamed(self) -> Tensor:
        return self.addresses.unnamed(self.data_shape, self.updates_shape)


class Partials(NamedTuple):
    """The partial derivatives of a scatter's output: None is 1 everywhere."""

    of_data: Tensor | None
    of_updates: Tensor | None


def partials(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    """Those of one reduction, in the dtype of `like` or as masks."""
    of_data, of_updates = PARTIALS[scatter.reduction](scatter, like, wants_data, wants_updates)
    if wants_data and not scatter.use_init_val:
        of_data = scatter.unnamed()
    return Partials(of_data, of_updates)


def partials_of_assignment(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    last = scatter.addresses.last(scatter.data_shape, scatter.updates_shape) if wants_updates else None
    return Partials(scatter.unnamed() if wants_data else None, last)


def partials_of_sum(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    return Partials(None, None)


def partials_of_sub(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    return Partials(None, -like.new_ones(()))


def partials_of_mean(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    counts = count(scatter, None, None)
    share = counts.to(like.dtype).reciprocal()
    return Partials(share, scatter.addresses.gather(share) if wants_updates else None)


def partials_of_extremum(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    """All operands that are the extremum have an equal share of it."""
    assert scatter.data is not None and scatter.updates is not None and scatter.result is not None
    data_has_it = scatter.data == scatter.result
    update_has_it = scatter.updates == scatter.addresses.gather(scatter.result)
    share = count(scatter, data_has_it, update_has_it).to(like.dtype).reciprocal()
    return Partials(
        data_has_it * share if wants_data else None,
        update_has_it * scatter.addresses.gather(share) if wants_updates else None,
    )


def partials_of_prod(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    """The products of all factors but one.

    Where no factor is zero that is product / factor. Zeros are kept apart: the product of the others, times that of
    the zeros, which is written as a polynomial in their power sums, so that it is 0 but has the right derivatives.
    """
    assert scatter.updates is not None
    of_data = None
    if wants_data:
        of_data = scatter.addresses.scatter(ones(scatter.data_shape, like), scatter.updates, "prod")
    if not wants_updates:
        return Partials(of_data, None)
    gather, updates = scatter.addresses.gather, scatter.updates
    data = scatter.data if scatter.use_init_val else ones(scatter.data_shape, like)
    assert data is not None

    def reduce(of_data: Tensor, of_updates: Tensor, reduction: str) -> Tensor:
        return scatter.addresses.scatter(of_data, of_updates, reduction)

    data_is_zero, update_is_zero = data == 0, updates == 0
    nonzero_data, nonzero_updates = data.masked_fill(data_is_zero, 1), updates.masked_fill(update_is_zero, 1)
    zero_data, zero_updates = data.masked_fill(~data_is_zero, 0), updates.masked_fill(~update_is_zero, 0)
    product = reduce(nonzero_data, nonzero_updates, "prod")
    zero_count = reduce(data_is_zero.int(), update_is_zero.int(), "sum")
    sums = reduce(zero_data, zero_updates, "sum")
    squares = reduce(zero_data.square(), zero_updates.square(), "sum")
    of_zeros = (zero_count == 0) + (zero_count == 1) * sums + (zero_count == 2) * ((sums.square() - squares) / 2)
    gathered_count = gather(zero_count)
    of_other_zeros = (gathered_count == 1) + (gathered_count == 2) * (gather(sums) - zero_updates)
    of_updates = torch.where(
        update_is_zero, gather(product) * of_other_zeros, gather(product * of_zeros) / nonzero_updates
    )
    return Partials(of_data, of_updates)


PARTIALS = {
    "none": partials_of_assignment,
    "sum": partials_of_sum,
    "sub": partials_of_sub,
    "prod": partials_of_prod,
    "min": partials_of_extremum,
    "max": partials_of_extremum,
    "mean": partials_of_mean,
}


def count(scatter: Scatter, data_counts: Tensor | None, update_counts: Tensor | None) -> Tensor:
    """How many operands of each output element count; None is all of them."""
    options = {"dtype": torch.int32, "device": scatter.addresses.indices.device}
    one = torch.ones((), **options)
    # Without use_init_val, data is the only operand of the elements that no index names, and none of the others.
    of_data = one.expand(scatter.data_shape) if data_counts is None else data_counts.int()
    if not scatter.use_init_val:
        of_data = scatter.unnamed().int()
    of_updates = one.expand(scatter.updates_shape) if update_counts is None else update_counts.int()
    return scatter.addresses.scatter(of_data, of_updates, "sum")


def scaled(tensor: Tensor, factor: Tensor | None) -> Tensor:
    """The product; a factor of None is 1."""
    if factor is None:
        return tensor
    return tensor * (factor.conj() if factor.is_complex() else factor)


def scatter_gradients(scatter: Scatter, grad: Tensor, wants: tuple[bool, bool]) -> tuple[Tensor | None, Tensor | None]:
    """The gradients of data and updates."""
    of_data, of_updates = partials(scatter, grad, *wants)
    return (
        scaled(grad, of_data) if wants[0] else None,
        scaled(scatter.addresses.gather(grad), of_updates) if wants[1] else None,
    )


LINEAR = ("none", "sum", "sub", "mean")


def scatter_tangent(scatter: Scatter, of_data: Tensor | None, of_updates: Tensor | None, like: Tensor) -> Tensor:
    """The tangent of the output, by those of data and updates, of which one may be None: zero."""
    wants = (of_data is not None, of_updates is not None)
    of_data = zeros(scatter.data_shape, like) if of_data is None else of_data
    of_updates = zeros(scatter.updates_shape, like) if of_updates is None else of_updates
    if scatter.reduction in LINEAR:
        return scatter.addresses.scatter(of_data, of_updates, scatter.reduction, scatter.use_init_val)
    by_data, by_updates = partials(scatter, like, *wants)
    of_data = of_data if by_data is None else of_data * by_data
    of_updates = of_updates if by_updates is None else of_updates * by_updates
    return scatter.addresses.scatter(of_data, of_updates, "sum")


class Gathering(torch.autograd.Function):
    """A gather with its derivatives."""

    @staticmethod
    def forward(ctx: Any, kind: type[Addresses], operator: Any, data: Tensor, indices: Tensor, place: int) -> Tensor:
        result = call_below_autograd(operator, data, indices, place)
        Gathering.keep(ctx, (kind, operator, data, indices, place), result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.kind, _, data, indices, ctx.place = inputs
        ctx.save_for_backward(indices)
        ctx.save_for_forward(indices)
        ctx.data_shape = data.shape

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        addresses = ctx.kind(*ctx.saved_tensors, ctx.place)
        return None, None, addresses.scatter(zeros(ctx.data_shape, grad), grad, "sum"), None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        return ctx.kind(*ctx.saved_tensors, ctx.place).gather(tangents[2])


class Scattering(torch.autograd.Function):
    """A scatter with its derivatives. The attributes are those of the operator, after updates."""

    @staticmethod
    def forward(
        ctx: Any, kind: type[Addresses], operator: Any, data: Tensor, indices: Tensor, updates: Tensor, *attributes: Any
    ) -> Tensor:
        result = call_below_autograd(operator, data, indices, updates, *attributes)
        Scattering.keep(ctx, (kind, operator, data, indices, updates, *attributes), result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.kind, _, data, indices, updates, *attributes = inputs
        ctx.place, ctx.reduction, ctx.use_init_val = attributes_of(ctx.kind, attributes)
        kept: tuple[Tensor | None, ...] = (None, None, None)
        if ctx.reduction == "prod":
            kept = (data, updates, None)
        elif ctx.reduction in ("min", "max"):
            kept = (data, updates, output)
        ctx.save_for_backward(indices, *kept)
        ctx.save_for_forward(indices, *kept)
        ctx.shapes = data.shape, updates.shape

    @staticmethod
    def done(ctx: Any) -> Scatter:
        indices, *kept = ctx.saved_tensors
        return Scatter(ctx.kind(indices, ctx.place), ctx.reduction, ctx.use_init_val, *ctx.shapes, *kept)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        wants = ctx.needs_input_grad[2], ctx.needs_input_grad[4]
        of_data, of_updates = scatter_gradients(Scattering.done(ctx), grad, wants)
        return (None, None, of_data, None, of_updates) + (None,) * (len(ctx.needs_input_grad) - 5)

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        like = tangents[2] if tangents[2] is not None else tangents[4]
        assert like is not None
        return scatter_tangent(Scattering.done(ctx), tangents[2], tangents[4], like)


def attributes_of(kind: type[Addresses], attributes: list[Any]) -> tuple[int, str, bool]:
    """place, reduction and use_init_val, of the attributes that the operator has."""
    if kind is RowAddresses:
        reduction, place = attributes
        return place, canonical(reduction), True
    place, reduction, use_init_val = attributes
    return place, canonical(reduction), use_init_val


class GatheringTransformed(Gathering):
    """The same for torch.func, which wants the call and what it keeps apart; that is slower."""

    generate_vmap_rule = True

    @staticmethod
    def forward(kind: type[Addresses], operator: Any, data: Tensor, indices: Tensor, place: int) -> Tensor:
        return call_below_autograd(operator, data, indices, place)

    setup_context = staticmethod(Gathering.keep)


class ScatteringTransformed(Scattering):
    """The same for torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(
        kind: type[Addresses], operator: Any, data: Tensor, indices: Tensor, updates: Tensor, *attributes: Any
    ) -> Tensor:
        return call_below_autograd(operator, data, indices, updates, *attributes)

    setup_context = staticmethod(Scattering.keep)


def tracked(*tensors: Tensor) -> bool:
    """Whether autograd has to hear of a call, transforms of torch.func aside."""
    if torch.is_grad_enabled():
        for tensor in tensors:
            if tensor.requires_grad:
                return True
    return in_forward_mode()


def gather_with_gradients(kind: type[Addresses], operator: Any, *arguments: Any) -> Tensor:
    """A gather that is tracked, or transformed."""
    return (GatheringTransformed if in_functorch() else Gathering).apply(kind, operator, *arguments)


def scatter_with_gradients(kind: type[Addresses], operator: Any, *arguments: Any) -> Tensor:
    """A scatter that is tracked, or transformed."""
    return (ScatteringTransformed if in_functorch() else Scattering).apply(kind, operator, *arguments)


def autograd_kernel(kind: type[Addresses], operator: Any) -> Any:
    """The kernel of an operator for the key Autograd."""
    defaults = tuple(argument.default_value for argument in operator._schema.arguments)
    is_gather = "updates" not in [argument.name for argument in operator._schema.arguments]
    with_gradients = gather_with_gradients if is_gather else scatter_with_gradients

    def kernel(*arguments: Any) -> Tensor:
        # The dispatcher leaves out what has its default.
        arguments += defaults[len(arguments) :]
        tensors = (arguments[0],) if is_gather else (arguments[0], arguments[2])
        if in_functorch() or tracked(*tensors):
            return with_gradients(kind, operator, *arguments)
        return call_below_autograd(operator, *arguments)

    return kernel


def register(library: torch.library.Library) -> None:
    """Gives the operators their derivatives."""
    operators = torch.ops.strew
    for kind, names in ((RowAddresses, ("gather_nd", "scatter_nd")),
                        (ElementAddresses, ("gather_elements", "scatter_elements"))):
        for name in names:
            operator = getattr(operators, name).default
            library.impl(name, autograd_kernel(kind, operator), "Autograd")
