"""How strew's operators are called from Python: with autograd, torch.func and tangents, or below them.

The operators are families of a gather and a scatter: gather_nd and scatter_nd share batch_dims, gather_elements and
scatter_elements axis, gather and scatter both; tensor_scatter and slice_scatter have no gather of their own. A family and
its indices are `Addresses`; all derivatives are written in their words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor
from torch import library as torch_library

from strew.torch.operators_autocast import is_casting, promoted
from strew.torch.operators_autograd import (
    below_autograd,
    call_below_autograd,
    in_functorch,
    raise_untransformed,
    tracked,
)
from strew.torch.operators_gradients import Scatter, partials, scatter_gradients, scatter_tangent, zeros

_operators = torch.ops.strew

REDUCTION_ALIASES = {"add": "sum", "mul": "prod"}


@dataclass(frozen=True)
class Addresses:
    """The elements of data that indices name. `place` holds the operator's other arguments, such as the axis."""

    gather_operator: ClassVar[Any] = None
    scatter_operator: ClassVar[Any] = None

    indices: Tensor | None
    place: tuple[Any, ...]
    bounds: str
    updates_shape: torch.Size
    is_unique: bool = False  # whether it is promised that no two updates go to one element

    def attributes(self, reduction: str, use_init_val: bool) -> tuple[Any, ...]:
        """The arguments of scatter_operator that come after updates."""
        raise NotImplementedError

    @staticmethod
    def read(attributes: tuple[Any, ...]) -> tuple[tuple[Any, ...], str, bool, str, bool]:
        """place, reduction, use_init_val, bounds and is_unique, of those arguments."""
        raise NotImplementedError

    @classmethod
    def scatter_below(cls, data: Tensor, indices: Tensor | None, updates: Tensor, *attributes: Any) -> Tensor:
        """scatter_operator without its derivatives."""
        return call_below_autograd(cls.scatter_operator, data, indices, updates, *attributes)

    @staticmethod
    def operands(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of scatter_operator as data, indices, updates, and attributes."""
        return arguments

    def gather(self, data: Tensor, fill: Tensor | None = None) -> Tensor:
        """The elements at these addresses: a tensor of the shape of updates, with zeros, or fill, if skipped."""
        return call_gather(type(self), data, self.indices, *self.place, self.bounds, fill)

    def scatter(self, data: Tensor, updates: Tensor, reduction: str = "none", use_init_val: bool = True) -> Tensor:
        """data, with updates there."""
        return call_scatter(type(self), data, self.indices, updates, *self.attributes(reduction, use_init_val))

    def row_places(self, data_shape: torch.Size) -> tuple[Tensor, int, int]:
        """The row of data that each row of updates goes to, -1 if skipped; how many rows data has, and how many
        elements each. A row is the elements that share an index."""
        return self.gather_numbers(data_shape, 1)

    def gather_numbers(self, shape: torch.Size, row: int) -> tuple[Tensor, int, int]:
        """The same for rows of this shape."""
        assert self.indices is not None
        skipped = torch.full((), -1, dtype=torch.int64, device=self.indices.device)
        return self.gather(number_each(shape, self.indices), skipped).reshape(-1), shape.numel(), row

    def last(self, data_shape: torch.Size) -> Tensor | None:
        """A mask of the updates that stay when assigned; it broadcasts to updates. None means all."""
        raise NotImplementedError


class RowAddresses(Addresses):
    """Rows by tuples of coordinates: place is batch_dims."""

    gather_operator = _operators.gather_nd.default
    scatter_operator = _operators.scatter_nd.default

    def attributes(self, reduction: str, use_init_val: bool) -> tuple[Any, ...]:
        return reduction, *self.place, self.bounds, self.is_unique

    @staticmethod
    def read(attributes: tuple[Any, ...]) -> tuple[tuple[Any, ...], str, bool, str, bool]:
        reduction, batch_dims, bounds, is_unique = attributes
        return (batch_dims,), reduction, True, bounds, is_unique

    def row_places(self, data_shape: torch.Size) -> tuple[Tensor, int, int]:
        assert self.indices is not None
        named = self.place[0] + self.indices.shape[-1]
        return self.gather_numbers(data_shape[:named] + (1,), data_shape[named:].numel())

    def last(self, data_shape: torch.Size) -> Tensor | None:
        if self.is_unique:
            return None
        assert self.indices is not None
        tuples = self.indices.shape[:-1]
        named = self.place[0] + self.indices.shape[-1]
        numbers = number_each(tuples, self.indices).unsqueeze(-1)
        # One element stands for each row of data. The dimension of size 1 is for data that is a single row.
        rows = RowAddresses(self.indices, self.place, self.bounds, numbers.shape)
        owners = rows.scatter(zeros(data_shape[:named] + (1,), numbers), numbers)
        return (rows.gather(owners) == numbers).reshape(tuples + (1,) * (len(data_shape) - named))


class ElementAddresses(Addresses):
    """Elements by one coordinate: place is axis."""

    gather_operator = _operators.gather_elements.default
    scatter_operator = _operators.scatter_elements.default

    def attributes(self, reduction: str, use_init_val: bool) -> tuple[Any, ...]:
        return *self.place, reduction, use_init_val, self.bounds, self.is_unique

    @staticmethod
    def read(attributes: tuple[Any, ...]) -> tuple[tuple[Any, ...], str, bool, str, bool]:
        axis, reduction, use_init_val, bounds, is_unique = attributes
        return (axis,), reduction, use_init_val, bounds, is_unique

    def last(self, data_shape: torch.Size) -> Tensor | None:
        if self.is_unique:
            return None
        assert self.indices is not None
        numbers = number_each(self.indices.shape, self.indices)
        return self.gather(self.scatter(zeros(data_shape, numbers), numbers)) == numbers


class AxisAddresses(Addresses):
    """Rows by one coordinate along an axis: place is axis and batch_dims."""

    gather_operator = _operators.gather.default
    scatter_operator = _operators.scatter.default

    def attributes(self, reduction: str, use_init_val: bool) -> tuple[Any, ...]:
        return *self.place, reduction, use_init_val, self.bounds, self.is_unique

    @staticmethod
    def read(attributes: tuple[Any, ...]) -> tuple[tuple[Any, ...], str, bool, str, bool]:
        axis, batch_dims, reduction, use_init_val, bounds, is_unique = attributes
        return (axis, batch_dims), reduction, use_init_val, bounds, is_unique

    def row_places(self, data_shape: torch.Size) -> tuple[Tensor, int, int]:
        axis, batch_dims = self.place[0] % len(data_shape), self.place[1]
        whole = AxisAddresses(self.indices, (axis, batch_dims), self.bounds, self.updates_shape)
        return whole.gather_numbers(data_shape[: axis + 1] + (1,), data_shape[axis + 1 :].numel())

    def last(self, data_shape: torch.Size) -> Tensor | None:
        if self.is_unique:
            return None
        assert self.indices is not None
        shape, rank = self.indices.shape, len(data_shape)
        axis = self.place[0] % rank
        batch_dims = self.place[1] + len(shape) if self.place[1] < 0 else self.place[1]
        numbers = number_each(shape, self.indices)
        # An element stands for each row of data along the axis.
        rows = AxisAddresses(self.indices, (batch_dims, batch_dims), self.bounds, shape)
        owners = rows.scatter(zeros(shape[:batch_dims] + (data_shape[axis],), numbers), numbers)
        between, after = (1,) * (axis - batch_dims), (1,) * (rank - axis - 1)
        return (rows.gather(owners) == numbers).reshape(shape[:batch_dims] + between + shape[batch_dims:] + after)


class WindowAddresses(Addresses):
    """A window for each batch, from an index on: place is axis and circular. Assigned alone, and each element once."""

    scatter_operator = _operators.tensor_scatter.default

    def attributes(self, reduction: str, use_init_val: bool) -> tuple[Any, ...]:
        return *self.place, self.bounds

    @staticmethod
    def read(attributes: tuple[Any, ...]) -> tuple[tuple[Any, ...], str, bool, str, bool]:
        axis, circular, bounds = attributes
        return (axis, circular), "none", True, bounds, True

    def last(self, data_shape: torch.Size) -> None:
        return None

    def gather(self, data: Tensor, fill: Tensor | None = None) -> Tensor:
        axis, circular = self.place
        axis %= data.dim()
        size, width = data.shape[axis], self.updates_shape[axis]
        begins, is_within = self.begins(data, size, size if circular else size - width + 1)
        places = begins.unsqueeze(-1) + torch.arange(width, device=data.device)
        if circular and size:
            places = places % size
        if is_within is not None:
            places = torch.where(is_within.unsqueeze(-1), places, size)
        return call_gather(AxisAddresses, data, places, axis, 1, "skip", fill)

    def begins(self, data: Tensor, size: int, count: int) -> tuple[Tensor, Tensor | None]:
        """The beginning of each window, from 0 on, and a mask of windows that are not skipped, or None."""
        if self.indices is None:
            return torch.zeros(data.shape[:1], dtype=torch.int64, device=data.device), None
        begins = self.indices.long()
        if self.indices.dtype == torch.uint64:  # beyond int64: keep the remainder, and stay out of bounds
            period = max(count, 1)
            begins = torch.where(begins < 0, begins % period + 2**64 % period + period, begins)
        is_within = begins >= 0 if self.place[1] else (begins >= 0) & (begins < count)
        if self.bounds == "clamp":
            begins = begins.clamp(min=0) if self.place[1] else begins.clamp(0, count - 1)
        if self.bounds == "wrap" or self.place[1]:
            begins = begins % max(count, 1)
        return begins, is_within if self.bounds == "skip" else None


class SliceAddresses(Addresses):
    """A slice: place is its starts, stops, steps and axes; there are no indices."""

    scatter_operator = _operators.slice_scatter.default

    def attributes(self, reduction: str, use_init_val: bool) -> tuple[Any, ...]:
        return self.place

    @staticmethod
    def read(attributes: tuple[Any, ...]) -> tuple[tuple[Any, ...], str, bool, str, bool]:
        return attributes, "none", True, "refuse", True

    @classmethod
    def scatter_below(cls, data: Tensor, indices: Tensor | None, updates: Tensor, *attributes: Any) -> Tensor:
        return call_below_autograd(cls.scatter_operator, data, updates, *attributes)

    @staticmethod
    def operands(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        data, updates, *attributes = arguments
        return data, None, updates, *attributes

    def last(self, data_shape: torch.Size) -> None:
        return None

    def gather(self, data: Tensor, fill: Tensor | None = None) -> Tensor:
        backwards = []
        for axis, part in slices(data.dim(), *self.place).items():
            chosen = range(*part.indices(data.shape[axis]))
            if chosen.step < 0:
                chosen = chosen[::-1]
                backwards.append(axis)
            data = data[(slice(None),) * axis + (slice(chosen.start, max(chosen.stop, 0), chosen.step),)]
        return data.flip(backwards) if backwards else data


def slices(rank: int, starts: Any, stops: Any, steps: Any, axes: Any) -> dict[int, slice]:
    """The slice of each dimension that is sliced."""
    steps, axes = steps or (1,) * len(starts), axes or range(len(starts))
    return {axis % rank: slice(*part) for axis, *part in zip(axes, starts, stops, steps)}


def number_each(shape: torch.Size, like: Tensor) -> Tensor:
    """0, 1, 2 and so on in row-major order."""
    return torch.arange(shape.numel(), device=like.device).reshape(shape)


def call_gather(kind: type[Addresses], data: Tensor, *rest: Any) -> Tensor:
    """Calls the gather of a family. Only tracked calls use a function of autograd: it costs several times a small call.
    """
    transformed = in_functorch()
    if not transformed and not tracked(data, data):
        with below_autograd():
            return kind.gather_operator(data, *rest)
    if is_casting():
        data, *rest = promoted((data, *rest))  # type: ignore[assignment]
    return (GatheringTransformed if transformed else Gathering).apply(kind, data, *rest)


def call_scatter(kind: type[Addresses], data: Tensor, indices: Tensor | None, updates: Tensor, *rest: Any) -> Tensor:
    """The scatter of a family."""
    transformed = in_functorch()
    if not transformed and not tracked(data, updates):
        return kind.scatter_below(data, indices, updates, *rest)
    if is_casting():
        data, updates = promoted((data, updates))
    return (ScatteringTransformed if transformed else Scattering).apply(kind, data, indices, updates, *rest)


class Gathering(torch.autograd.Function):
    """A gather with its derivatives. The fill of skipped positions is a constant."""

    @staticmethod
    def forward(ctx: Any, kind: type[Addresses], data: Tensor, indices: Tensor, *attributes: Any) -> Tensor:
        result = call_below_autograd(kind.gather_operator, data, indices, *attributes)
        Gathering.keep(ctx, (kind, data, indices, *attributes), result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.kind, data, indices, *place, ctx.bounds, _ = inputs
        ctx.place = tuple(place)
        ctx.save_for_backward(indices)
        ctx.save_for_forward(indices)
        ctx.shapes = data.shape, output.shape

    @staticmethod
    def addresses(ctx: Any) -> Addresses:
        return ctx.kind(*ctx.saved_tensors, ctx.place, ctx.bounds, ctx.shapes[1])

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        of_data = Gathering.addresses(ctx).scatter(zeros(ctx.shapes[0], grad), grad, "sum")
        return (None, of_data) + (None,) * (len(ctx.needs_input_grad) - 2)

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        return Gathering.addresses(ctx).gather(tangents[1])


class Scattering(torch.autograd.Function):
    """A scatter with its derivatives."""

    @staticmethod
    def forward(
        ctx: Any, kind: type[Addresses], data: Tensor, indices: Tensor | None, updates: Tensor, *attributes: Any
    ) -> Tensor:
        result = kind.scatter_below(data, indices, updates, *attributes)
        Scattering.keep(ctx, (kind, data, indices, updates, *attributes), result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.kind, data, indices, updates, *attributes = inputs
        ctx.place, reduction, use_init_val, ctx.bounds, ctx.is_unique = ctx.kind.read(tuple(attributes))
        ctx.reduction = REDUCTION_ALIASES.get(reduction, reduction)
        ctx.use_init_val = use_init_val or ctx.reduction == "none"
        ctx.shapes = data.shape, updates.shape
        kept: tuple[Tensor | None, ...] = (indices,)
        if ctx.reduction == "prod":
            kept = (indices, data, updates)
        elif ctx.reduction in ("min", "max"):
            kept = (indices, data, updates, output)
        ctx.save_for_backward(*kept)
        ctx.save_for_forward(*kept)

    @staticmethod
    def done(ctx: Any) -> Scatter:
        indices, *kept = ctx.saved_tensors
        addresses = ctx.kind(indices, ctx.place, ctx.bounds, ctx.shapes[1], ctx.is_unique)
        return Scatter(addresses, ctx.reduction, ctx.use_init_val, *ctx.shapes, *kept)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        wants = ctx.needs_input_grad
        scatter = Scattering.done(ctx)
        by = partials(scatter, wants[3])
        of_data, of_updates = scatter_gradients(scatter, by, grad, wants[1], wants[3])
        return (None, of_data, None, of_updates) + (None,) * (len(wants) - 4)

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        return scatter_tangent(Scattering.done(ctx), tangents[1], tangents[3])


class GatheringTransformed(Gathering):
    """The same for torch.func, which wants forward and setup_context apart; that takes longer."""

    generate_vmap_rule = True

    @staticmethod
    def forward(  # type: ignore[override]
        kind: type[Addresses], data: Tensor, indices: Tensor, *attributes: Any
    ) -> Tensor:
        return call_below_autograd(kind.gather_operator, data, indices, *attributes)

    setup_context = staticmethod(Gathering.keep)


class ScatteringTransformed(Scattering):
    """The same for torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(  # type: ignore[override]
        kind: type[Addresses], data: Tensor, indices: Tensor | None, updates: Tensor, *attributes: Any
    ) -> Tensor:
        return kind.scatter_below(data, indices, updates, *attributes)

    setup_context = staticmethod(Scattering.keep)


def autograd_kernel(kind: type[Addresses], operator: Any) -> Callable[..., Tensor]:
    """The kernel of an operator for the key Autograd."""
    defaults = tuple(argument.default_value for argument in operator._schema.arguments)
    is_gather = operator is kind.gather_operator
    function = Gathering if is_gather else Scattering

    def kernel(*arguments: Any) -> Tensor:
        # The dispatcher leaves out trailing arguments that have their defaults.
        arguments += defaults[len(arguments) :]
        operands = arguments if is_gather else kind.operands(arguments)
        if not tracked(operands[0], operands[0 if is_gather else 2]):
            return call_below_autograd(operator, *arguments)
        if in_functorch():
            raise_untransformed(operator)
        return function.apply(kind, *operands)

    return kernel


def register(library: torch_library.Library) -> None:
    """Gives the operators their derivatives."""
    for kind in (RowAddresses, ElementAddresses, AxisAddresses, WindowAddresses, SliceAddresses):
        for operator in filter(None, (kind.gather_operator, kind.scatter_operator)):
            library.impl(operator, autograd_kernel(kind, operator), "Autograd")
