"""How strew's operators are called from Python: with autograd, torch.func and tangents, or below them.

The operators are two families of a gather and a scatter: gather_nd and scatter_nd share batch_dims, gather_elements and
scatter_elements share axis. A family and its indices are `Addresses`; all derivatives are written in their words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor, is_grad_enabled
from torch import library as torch_library
from torch.autograd import forward_ad

from strew import _torch

from strew.torch.operators_gradients import Scatter, scatter_gradients, scatter_tangent, zeros

_torch.define_operators()
_operators = torch.ops.strew

REDUCTION_ALIASES = {"add": "sum", "mul": "prod"}


@dataclass(frozen=True)
class Addresses:
    """The elements of data that indices name, through `place`: batch_dims or axis."""

    gather_operator: ClassVar[Any]
    scatter_operator: ClassVar[Any]

    indices: Tensor
    place: int

    @staticmethod
    def attributes(place: int, reduction: str, use_init_val: bool) -> tuple[Any, ...]:
        """The arguments of scatter_operator that come after updates."""
        raise NotImplementedError

    @staticmethod
    def read(attributes: tuple[Any, ...]) -> tuple[int, str, bool]:
        """place, reduction and use_init_val, of those arguments."""
        raise NotImplementedError

    def gather(self, data: Tensor) -> Tensor:
        """What stands there: a tensor of the shape of updates."""
        return gather(type(self), data, self.indices, self.place)

    def scatter(self, data: Tensor, updates: Tensor, reduction: str = "none", use_init_val: bool = True) -> Tensor:
        """data, with updates there."""
        attributes = self.attributes(self.place, reduction, use_init_val)
        return scatter(type(self), data, self.indices, updates, *attributes)

    def last(self, data_shape: torch.Size) -> Tensor:
        """Which updates stay when they are assigned: a mask that broadcasts to updates."""
        raise NotImplementedError

    def unnamed(self, data_shape: torch.Size, updates_shape: torch.Size) -> Tensor:
        """Which elements of data no index names: a mask."""
        true = torch.ones((), dtype=torch.bool, device=self.indices.device)
        return self.scatter(true.expand(data_shape), (~true).expand(updates_shape))


class RowAddresses(Addresses):
    """Rows by tuples of coordinates: place is batch_dims."""

    gather_operator = _operators.gather_nd.default
    scatter_operator = _operators.scatter_nd.default

    @staticmethod
    def attributes(place: int, reduction: str, use_init_val: bool) -> tuple[Any, ...]:
        return reduction, place

    @staticmethod
    def read(attributes: tuple[Any, ...]) -> tuple[int, str, bool]:
        reduction, place = attributes
        return place, reduction, True

    def last(self, data_shape: torch.Size) -> Tensor:
        tuples = self.indices.shape[:-1]
        named = self.place + self.indices.shape[-1]
        numbers = number_each(tuples, self.indices).unsqueeze(-1)
        # A row of one element stands for each row of data, so that data of which all is one row has a dimension.
        owners = self.scatter(zeros(data_shape[:named] + (1,), numbers), numbers)
        return (self.gather(owners) == numbers).reshape(tuples + (1,) * (len(data_shape) - named))


class ElementAddresses(Addresses):
    """Elements by one coordinate: place is axis."""

    gather_operator = _operators.gather_elements.default
    scatter_operator = _operators.scatter_elements.default

    @staticmethod
    def attributes(place: int, reduction: str, use_init_val: bool) -> tuple[Any, ...]:
        return place, reduction, use_init_val

    @staticmethod
    def read(attributes: tuple[Any, ...]) -> tuple[int, str, bool]:
        place, reduction, use_init_val = attributes
        return place, reduction, use_init_val

    def last(self, data_shape: torch.Size) -> Tensor:
        numbers = number_each(self.indices.shape, self.indices)
        return self.gather(self.scatter(zeros(data_shape, numbers), numbers)) == numbers


def number_each(shape: torch.Size, like: Tensor) -> Tensor:
    """0, 1, 2 and so on in row-major order."""
    return torch.arange(shape.numel(), device=like.device).reshape(shape)


# Whether a transform of torch.func is at work.
in_functorch: Callable[[], bool] = torch._C._are_functorch_transforms_active

# What kernels of the key Autograd do around a call that must not come back to them; PyTorch does the same.
below_autograd = torch._C._AutoDispatchBelowAutograd


def tracked(data: Tensor, updates: Tensor) -> bool:
    """Whether autograd has to hear of a call; a gather gives data twice."""
    # Tangents are not seen from the tensors.
    return forward_ad._current_level >= 0 or ((data.requires_grad or updates.requires_grad) and is_grad_enabled())


def call_below_autograd(operator: Any, *arguments: Any) -> Tensor:
    """The operator without its derivatives."""
    with below_autograd():
        return operator(*arguments)


def gather(kind: type[Addresses], data: Tensor, *rest: Any) -> Tensor:
    """The gather of a family. A function of autograd costs several times what a small call does: it is for calls that
    are tracked."""
    if in_functorch():
        return GatheringTransformed.apply(kind, data, *rest)
    if tracked(data, data):
        return Gathering.apply(kind, data, *rest)
    with below_autograd():
        return kind.gather_operator(data, *rest)


def scatter(kind: type[Addresses], data: Tensor, indices: Tensor, updates: Tensor, *attributes: Any) -> Tensor:
    """The scatter of a family."""
    if in_functorch():
        return ScatteringTransformed.apply(kind, data, indices, updates, *attributes)
    if tracked(data, updates):
        return Scattering.apply(kind, data, indices, updates, *attributes)
    with below_autograd():
        return kind.scatter_operator(data, indices, updates, *attributes)


class Gathering(torch.autograd.Function):
    """A gather with its derivatives."""

    @staticmethod
    def forward(ctx: Any, kind: type[Addresses], data: Tensor, indices: Tensor, place: int) -> Tensor:
        result = call_below_autograd(kind.gather_operator, data, indices, place)
        Gathering.keep(ctx, (kind, data, indices, place), result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.kind, data, indices, ctx.place = inputs
        ctx.save_for_backward(indices)
        ctx.save_for_forward(indices)
        ctx.data_shape = data.shape

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        addresses = ctx.kind(*ctx.saved_tensors, ctx.place)
        return None, addresses.scatter(zeros(ctx.data_shape, grad), grad, "sum"), None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        return ctx.kind(*ctx.saved_tensors, ctx.place).gather(tangents[1])


class Scattering(torch.autograd.Function):
    """A scatter with its derivatives."""

    @staticmethod
    def forward(
        ctx: Any, kind: type[Addresses], data: Tensor, indices: Tensor, updates: Tensor, *attributes: Any
    ) -> Tensor:
        result = call_below_autograd(kind.scatter_operator, data, indices, updates, *attributes)
        Scattering.keep(ctx, (kind, data, indices, updates, *attributes), result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.kind, data, indices, updates, *attributes = inputs
        ctx.place, reduction, use_init_val = ctx.kind.read(attributes)
        ctx.reduction = REDUCTION_ALIASES.get(reduction, reduction)
        ctx.use_init_val = use_init_val or ctx.reduction == "none"
        ctx.shapes = data.shape, updates.shape
        kept: tuple[Tensor, ...] = (indices,)
        if ctx.reduction == "prod":
            kept = (indices, data, updates)
        elif ctx.reduction in ("min", "max"):
            kept = (indices, data, updates, output)
        ctx.save_for_backward(*kept)
        ctx.save_for_forward(*kept)

    @staticmethod
    def done(ctx: Any) -> Scatter:
        indices, *kept = ctx.saved_tensors
        addresses = ctx.kind(indices, ctx.place)
        return Scatter(addresses, ctx.reduction, ctx.use_init_val, *ctx.shapes, *kept)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        wants = ctx.needs_input_grad
        of_data, of_updates = scatter_gradients(Scattering.done(ctx), grad, wants[1], wants[3])
        return (None, of_data, None, of_updates) + (None,) * (len(wants) - 4)

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        return scatter_tangent(Scattering.done(ctx), tangents[1], tangents[3])


class GatheringTransformed(Gathering):
    """The same for torch.func, which wants the call and what it keeps apart; that takes longer."""

    generate_vmap_rule = True

    @staticmethod
    def forward(kind: type[Addresses], data: Tensor, indices: Tensor, place: int) -> Tensor:  # type: ignore[override]
        return call_below_autograd(kind.gather_operator, data, indices, place)

    setup_context = staticmethod(Gathering.keep)


class ScatteringTransformed(Scattering):
    """The same for torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(  # type: ignore[override]
        kind: type[Addresses], data: Tensor, indices: Tensor, updates: Tensor, *attributes: Any
    ) -> Tensor:
        return call_below_autograd(kind.scatter_operator, data, indices, updates, *attributes)

    setup_context = staticmethod(Scattering.keep)


def autograd_kernel(kind: type[Addresses], operator: Any) -> Callable[..., Tensor]:
    """The kernel of an operator for the key Autograd."""
    defaults = tuple(argument.default_value for argument in operator._schema.arguments)
    is_gather = operator is kind.gather_operator
    function = Gathering if is_gather else Scattering

    def kernel(*arguments: Any) -> Tensor:
        # The dispatcher leaves out what has its default.
        arguments += defaults[len(arguments) :]
        if not tracked(arguments[0], arguments[0 if is_gather else 2]):
            return call_below_autograd(operator, *arguments)
        if in_functorch():
            # It is too late here: torch.func wants functions of autograd to be applied before its own dispatch.
            name = operator._schema.name.replace("::", ".torch.")
            raise RuntimeError(f"torch.func differentiates {name}, but not torch.ops.{operator}")
        return function.apply(kind, *arguments)

    return kernel


def register(library: torch_library.Library) -> None:
    """Gives the operators their derivatives."""
    for kind in (RowAddresses, ElementAddresses):
        for operator in (kind.gather_operator, kind.scatter_operator):
            library.impl(operator, autograd_kernel(kind, operator), "Autograd")
