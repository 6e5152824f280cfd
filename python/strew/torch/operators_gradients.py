"""The derivatives of strew's operators for PyTorch, in both directions, made of the operators themselves.

A scatter's derivative is told by its `Partials`: which operands have a part in the result, factors of them, and by how many
the result is divided. What has no part is left out by selection: 0 times an infinite gradient would be NaN.

    grad_data    = part(of_data * grad / counts)
    grad_updates = part(of_updates * gather(grad / counts))
    tangent      = scatter(part(of_data * tangent_data), part(of_updates * tangent_updates), "sum") / counts

`PARTIALS` has them for each reduction. Where they depend on the operands they are computed by differentiable operations, so
that derivatives of derivatives need no formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from strew.torch.operators_products import call_other_products

if TYPE_CHECKING:
    from strew.torch.operators_calls import Addresses


def zeros(shape: torch.Size, like: Tensor) -> Tensor:
    """Zeros that take no memory: strew reads any strides."""
    return like.new_zeros(()).expand(shape)


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

    def untouched(self, values: Tensor) -> Tensor:
        """Values of data, and zeros where an update went to."""
        return self.addresses.scatter(values, zeros(self.updates_shape, values))

    def data_part(self, values: Tensor) -> Tensor:
        """Values of data, and zeros where it has no part in the result."""
        return values if self.use_init_val and self.reduction != "none" else self.untouched(values)


class Partials(NamedTuple):
    """How a scatter's output depends on its operands: masks of those that have a part in it (None is all), factors (None
    is 1), and by how many it is divided (None is 1)."""

    has_data: Tensor | None = None
    has_updates: Tensor | None = None
    of_data: Tensor | None = None
    of_updates: Tensor | float | None = None
    counts: Tensor | None = None

    def to_data(self, values: Tensor) -> Tensor:
        return part(scaled(values, self.of_data), self.has_data)

    def to_updates(self, values: Tensor) -> Tensor:
        return part(scaled(values, self.of_updates), self.has_updates)


def part(values: Tensor, mask: Tensor | None) -> Tensor:
    """Values where the mask is true, zeros elsewhere."""
    return values if mask is None else torch.where(mask, values, 0)


def scaled(values: Tensor, factor: Tensor | float | None) -> Tensor:
    return values if factor is None else values * factor


def partials_of_assignment(scatter: Scatter, wants_updates: bool) -> Partials:
    return Partials(has_updates=scatter.addresses.last(scatter.data_shape) if wants_updates else None)


def partials_of_sum(scatter: Scatter, wants_updates: bool) -> Partials:
    return Partials()


def partials_of_sub(scatter: Scatter, wants_updates: bool) -> Partials:
    return Partials(of_updates=-1)


def partials_of_mean(scatter: Scatter, wants_updates: bool) -> Partials:
    return Partials(counts=count(scatter, None, None))


def partials_of_extremum(scatter: Scatter, wants_updates: bool) -> Partials:
    """All operands that are the extremum have an equal share of it, and if it is NaN, all that are NaN."""
    assert scatter.data is not None and scatter.updates is not None and scatter.result is not None
    has_data = (scatter.data == scatter.result) | scatter.data.isnan()
    has_updates = (scatter.updates == scatter.addresses.gather(scatter.result)) | scatter.updates.isnan()
    return Partials(has_data, has_updates, counts=count(scatter, has_data, has_updates))


def partials_of_prod(scatter: Scatter, wants_updates: bool) -> Partials:
    """The products of all factors but one, in float64."""
    assert scatter.updates is not None
    size = scatter.data_shape.numel()
    numbers = torch.arange(size, device=scatter.updates.device)
    skipped = torch.full((), -1, dtype=torch.int64, device=scatter.updates.device)
    places = scatter.addresses.gather(numbers.reshape(scatter.data_shape), skipped).reshape(-1)
    factors = widest(scatter.updates).reshape(-1)
    if not scatter.use_init_val:
        products = call_other_products(factors.unsqueeze(1), places, size)
        return Partials(of_updates=products.reshape(scatter.updates_shape).conj())
    assert scatter.data is not None
    factors = torch.cat([widest(scatter.data).reshape(-1), factors])
    products = call_other_products(factors.unsqueeze(1), torch.cat([numbers, places]), size).squeeze(1).conj()
    return Partials(
        of_data=products[:size].reshape(scatter.data_shape),
        of_updates=products[size:].reshape(scatter.updates_shape),
    )


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
    assert scatter.addresses.indices is not None
    dtype, device = count_dtype(scatter.updates_shape.numel() + 1), scatter.addresses.indices.device
    one = torch.ones((), dtype=dtype, device=device)
    # Without use_init_val, data is the only operand of the elements that no index names, and none of the others.
    of_data = one.expand(scatter.data_shape) if data_counts is None else data_counts.to(dtype)
    if not scatter.use_init_val:
        of_data = scatter.untouched(one.expand(scatter.data_shape))
    of_updates = one.expand(scatter.updates_shape) if update_counts is None else update_counts.to(dtype)
    return scatter.addresses.scatter(of_data, of_updates, "sum")


def at_most(number: int, limit: int) -> bool:
    """Whether it is known to be so; sizes of a graph that is traced may be symbols."""
    return type(number) is int and number <= limit


def count_dtype(most: int) -> torch.dtype:
    return torch.int32 if at_most(most, 2**31 - 1) else torch.int64


def divided(values: Tensor, counts: Tensor | None, most: int) -> Tensor:
    """Values divided by counts, of which none is larger than `most`, in a dtype that holds both; rounded at the end."""
    if counts is None:
        return values
    wide = widest(values) if not at_most(most, 2**24) else unrounded(values)
    return (wide / counts.to(wide.dtype.to_real())).to(values.dtype)


def unrounded(values: Tensor) -> Tensor:
    """Values in a dtype in which more than one step is computed: halves are rounded at the end."""
    return values.float() if values.dtype in (torch.float16, torch.bfloat16) else values


def widest(values: Tensor) -> Tensor:
    return values.to(torch.complex128 if values.is_complex() else torch.float64)


def partials(scatter: Scatter, wants_updates: bool = True) -> Partials:
    return PARTIALS[scatter.reduction](scatter, wants_updates)


def scatter_gradients(
    scatter: Scatter, by: Partials, grad: Tensor, wants_data: bool, wants_updates: bool
) -> tuple[Tensor | None, Tensor | None]:
    """The gradients of data and updates, where they are wanted."""
    shared = divided(grad, by.counts, scatter.updates_shape.numel() + 1)
    return (
        scatter.data_part(by.to_data(shared)).to(grad.dtype) if wants_data else None,
        by.to_updates(scatter.addresses.gather(shared)).to(grad.dtype) if wants_updates else None,
    )


def scatter_tangent(scatter: Scatter, of_data: Tensor | None, of_updates: Tensor | None) -> Tensor:
    """The tangent of the output by those of data and updates, of which one may be None: zero."""
    if of_data is None:
        assert of_updates is not None
        of_data = zeros(scatter.data_shape, of_updates)
    if of_updates is None:
        of_updates = zeros(scatter.updates_shape, of_data)
    if scatter.reduction in LINEAR:
        return scatter.addresses.scatter(of_data, of_updates, scatter.reduction, scatter.use_init_val)
    by, dtype = partials(scatter), of_data.dtype
    of_data, of_updates = scatter.data_part(by.to_data(of_data)), by.to_updates(of_updates)
    tangent = scatter.addresses.scatter(of_data.to(of_updates.dtype), of_updates, "sum")
    return divided(tangent, by.counts, scatter.updates_shape.numel() + 1).to(dtype)


# Reductions whose result is linear in data and updates: their tangent is the same scatter of tangents.
LINEAR = ("none", "sum", "sub", "mean")
