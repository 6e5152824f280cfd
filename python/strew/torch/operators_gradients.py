"""The derivatives of strew's operators for PyTorch, in both directions. They call the operators themselves.

`Partials` describe a scatter's derivative: which operands take part in the result, their factors, and the counts that divide
the result. Operands that take no part are masked: 0 times an infinite gradient would be NaN.

    grad_data    = part(of_data * grad / counts)
    grad_updates = part(of_updates * gather(grad / counts))
    tangent      = scatter(part(of_data * tangent_data), part(of_updates * tangent_updates), "sum") / counts

`PARTIALS` has them for each reduction. If they depend on the operands, differentiable operations compute them, so that
derivatives of derivatives need no formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor
from torch import library as torch_library

from strew.torch.operators_autograd import call_below_autograd, in_functorch, operator_of, tracked
from strew.torch.operators_products import call_other_products

if TYPE_CHECKING:
    from strew.torch.operators_calls import Addresses


def zeros(shape: torch.Size, like: Tensor) -> Tensor:
    """Zeros that take no memory: strew reads any strides."""
    return like.new_zeros(()).expand(shape)


class Scatter(NamedTuple):
    """A finished scatter. A tensor that its derivative does not need may be None."""

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
    """How a scatter's output depends on its operands: masks of those that take part (None means all), factors (None
    means 1), and the counts that divide it (None means 1)."""

    has_data: Tensor | None = None
    has_updates: Tensor | None = None
    of_data: Tensor | None = None
    of_updates: Tensor | float | None = None
    counts: Tensor | None = None

    def to_data(self, values: Tensor) -> Tensor:
        return part(scaled(values, self.of_data), self.has_data)

    def to_updates(self, values: Tensor) -> Tensor:
        return part(scaled(values, self.of_updates), self.has_updates)

    def conjugate(self) -> Partials:
        """The partials for gradients, if these are for tangents."""
        if not isinstance(self.of_updates, Tensor):
            return self
        of_data = None if self.of_data is None else self.of_data.conj()
        return self._replace(of_data=of_data, of_updates=self.of_updates.conj())


BITS = {torch.float16: torch.int16, torch.bfloat16: torch.int16, torch.float32: torch.int32, torch.float64: torch.int64}
FEW = 4096  # elements, for which PyTorch's dispatcher takes longer than where does


def part(values: Tensor, mask: Tensor | None) -> Tensor:
    """Values where the mask is true, zeros elsewhere."""
    if mask is None:
        return values
    is_small = at_most(values.numel(), FEW) or values.dtype not in BITS
    if is_small or in_functorch() or tracked(values, values):
        return torch.where(mask, values, 0)
    return call_below_autograd(operator_of("selected"), values, mask)


def selected(values: Tensor, mask: Tensor) -> Tensor:
    """The same without derivatives, and branch-free: torch.where branches for each element and takes several times as
    long."""
    bits = BITS[values.dtype]
    return (values.view(bits) & mask.to(bits).neg_()).view(values.dtype).contiguous()


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
    places, size, columns = scatter.addresses.row_places(scatter.data_shape)
    factors = widest(scatter.updates).reshape(places.shape[0], columns, 1)
    if not scatter.use_init_val:
        products = call_other_products(factors, places, size)
        return Partials(of_updates=products.reshape(scatter.updates_shape))
    assert scatter.data is not None
    factors = torch.cat([widest(scatter.data).reshape(size, columns, 1), factors])
    places = torch.cat([torch.arange(size, device=places.device), places])
    products = call_other_products(factors, places, size)
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
    """How many operands each output element combines; None counts all of them."""
    assert scatter.addresses.indices is not None
    dtype, device = count_dtype(scatter.updates_shape.numel() + 1), scatter.addresses.indices.device
    one = torch.ones((), dtype=dtype, device=device)
    # Without use_init_val, data is an operand only of the elements that no index names.
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


def divided(values: Tensor, counts: Tensor | None, shape: torch.Size) -> Tensor:
    """Values divided by counts of updates of this shape, in a dtype that holds both; rounded at the end."""
    if counts is None:
        return values
    wide = unrounded(values) if at_most(shape.numel() + 1, 2**24) else widest(values)
    return (wide / counts.to(wide.dtype.to_real())).to(values.dtype)


def unrounded(values: Tensor) -> Tensor:
    """Values in a dtype in which more than one step is computed: halves are rounded at the end."""
    return values.float() if values.dtype in (torch.float16, torch.bfloat16) else values


def in_dtype(values: Tensor, dtype: torch.dtype) -> Tensor:
    return values if values.dtype == dtype else values.to(dtype)


def widest(values: Tensor) -> Tensor:
    return values.to(torch.complex128 if values.is_complex() else torch.float64)


def partials(scatter: Scatter, wants_updates: bool = True) -> Partials:
    return PARTIALS[scatter.reduction](scatter, wants_updates)


def scatter_gradients(
    scatter: Scatter, by: Partials, grad: Tensor, wants_data: bool, wants_updates: bool
) -> tuple[Tensor | None, Tensor | None]:
    """The gradients of data and updates, where they are wanted."""
    shared, by = divided(grad, by.counts, scatter.updates_shape), by.conjugate()
    return (
        in_dtype(scatter.data_part(by.to_data(shared)), grad.dtype) if wants_data else None,
        in_dtype(by.to_updates(scatter.addresses.gather(shared)), grad.dtype) if wants_updates else None,
    )


def scatter_tangent(scatter: Scatter, of_data: Tensor | None, of_updates: Tensor | None) -> Tensor:
    """The tangent of the output from those of data and updates. One of them may be None: zero."""
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
    return in_dtype(divided(tangent, by.counts, scatter.updates_shape), dtype)


# Reductions whose result is linear in data and updates: their tangent is the same scatter of tangents.
LINEAR = ("none", "sum", "sub", "mean")


def register(library: torch_library.Library) -> None:
    """Gives PyTorch the operator that selects."""
    library.define("selected(Tensor values, Tensor mask) -> Tensor")
    library.impl("selected", selected, "CPU")
    torch_library.register_fake("strew::selected", lambda values, mask: values.new_empty(values.shape), lib=library)
