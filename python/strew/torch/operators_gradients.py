"""The derivatives of strew's operators for PyTorch, in both directions, made of the operators themselves.

A scatter's derivative is told by its partial derivatives, elementwise: `of_data` those of each element of the result by
that of data, `of_updates` those of the element that each update went to by the update.

    grad_data    = of_data * grad
    grad_updates = of_updates * gather(grad)
    tangent      = scatter(of_data * tangent_data, of_updates * tangent_updates, "sum")

`partials` knows them for each reduction. Where they depend on the operands they are computed by differentiable
operations, so that derivatives of derivatives need no formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

if TYPE_CHECKING:
    from strew.torch.operators_calls import Addresses


def zeros(shape: torch.Size, like: Tensor) -> Tensor:
    """Zeros that take no memory: strew reads any strides."""
    return like.new_zeros(()).expand(shape)


def ones(shape: torch.Size, like: Tensor) -> Tensor:
    """Ones that take no memory."""
    return like.new_ones(()).expand(shape)


class Scatter(NamedTuple):
    """A scatter that was done. A tensor that its derivative does not need may be None."""

    addresses: Addresses
    reduction: str
    use_init_val: bool
    data_shape: torch.Size
    updates_shape: torch.Size
    data: Tensor | None = None
    updates: Tensor | None = None
    result: Tensor | None = None

    def unnamed(self, like: Tensor) -> Tensor:
        """Which elements of data no update went to."""
        return self.addresses.unnamed(self.data_shape, like)


class Partials(NamedTuple):
    """The partial derivatives of a scatter's output: None is 1 everywhere."""

    of_data: Tensor | None
    of_updates: Tensor | None


def partials(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    """Those of one reduction, in the dtype of `like` or as masks."""
    of_data, of_updates = PARTIALS[scatter.reduction](scatter, like, wants_data, wants_updates)
    if wants_data and not scatter.use_init_val:
        of_data = scatter.unnamed(like)
    return Partials(of_data, of_updates)


def partials_of_assignment(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    last = scatter.addresses.last(scatter.data_shape) if wants_updates else None
    return Partials(scatter.unnamed(like) if wants_data else None, last)


def partials_of_sum(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    return Partials(None, None)


def partials_of_sub(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    return Partials(None, -like.new_ones(()))


def partials_of_mean(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    counts = count(scatter, like, None, None)
    share = counts.to(like.dtype).reciprocal()
    return Partials(share, scatter.addresses.gather(share) if wants_updates else None)


def partials_of_extremum(scatter: Scatter, like: Tensor, wants_data: bool, wants_updates: bool) -> Partials:
    """All operands that are the extremum have an equal share of it, and if it is NaN, all that are NaN."""
    assert scatter.data is not None and scatter.updates is not None and scatter.result is not None
    data_has_it = (scatter.data == scatter.result) | scatter.data.isnan()
    update_has_it = (scatter.updates == scatter.addresses.gather(scatter.result)) | scatter.updates.isnan()
    share = count(scatter, like, data_has_it, update_has_it).to(like.dtype).reciprocal()
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


def count(scatter: Scatter, like: Tensor, data_counts: Tensor | None, update_counts: Tensor | None) -> Tensor:
    """How many operands of each output element count; None is all of them."""
    one = torch.ones((), dtype=torch.int32, device=like.device)
    # Without use_init_val, data is the only operand of the elements that no index names, and none of the others.
    of_data = one.expand(scatter.data_shape) if data_counts is None else data_counts.int()
    if not scatter.use_init_val:
        of_data = scatter.unnamed(like).int()
    of_updates = one.expand(scatter.updates_shape) if update_counts is None else update_counts.int()
    return scatter.addresses.scatter(of_data, of_updates, "sum")


def scaled(tensor: Tensor, factor: Tensor | None) -> Tensor:
    """The product; a factor of None is 1."""
    if factor is None:
        return tensor
    return tensor * (factor.conj() if factor.is_complex() else factor)


def scatter_gradients(
    scatter: Scatter, grad: Tensor, wants_data: bool, wants_updates: bool
) -> tuple[Tensor | None, Tensor | None]:
    """The gradients of data and updates, where they are wanted."""
    of_data, of_updates = partials(scatter, grad, wants_data, wants_updates)
    return (
        scaled(grad, of_data) if wants_data else None,
        scaled(scatter.addresses.gather(grad), of_updates) if wants_updates else None,
    )


def scatter_tangent(scatter: Scatter, of_data: Tensor | None, of_updates: Tensor | None) -> Tensor:
    """The tangent of the output by those of data and updates, of which one may be None: zero."""
    wants_data, wants_updates = of_data is not None, of_updates is not None
    if of_data is None:
        assert of_updates is not None
        of_data = zeros(scatter.data_shape, of_updates)
    if of_updates is None:
        of_updates = zeros(scatter.updates_shape, of_data)
    if scatter.reduction in LINEAR:
        return scatter.addresses.scatter(of_data, of_updates, scatter.reduction, scatter.use_init_val)
    by_data, by_updates = partials(scatter, of_data, wants_data, wants_updates)
    of_data = of_data if by_data is None else of_data * by_data
    of_updates = of_updates if by_updates is None else of_updates * by_updates
    return scatter.addresses.scatter(of_data, of_updates, "sum")


# Reductions whose result is linear in data and updates: their tangent is the same scatter of tangents.
LINEAR = ("none", "sum", "sub", "mean")
