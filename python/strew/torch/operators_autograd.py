"""Connects strew's operators to autograd: a function with derivatives for tracked calls, another one for torch.func,
and the operator itself below them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, is_grad_enabled
from torch import library as torch_library
from torch.autograd import forward_ad

from strew import _torch

from strew.torch.operators_autocast import autocast_kernel, is_casting, promoted

_torch.define_operators()
_operators = torch.ops.strew

# Whether a transform of torch.func is at work.
in_functorch: Callable[[], bool] = torch._C._are_functorch_transforms_active

# Kernels of the key Autograd use it around calls that must not come back to them, as PyTorch's do.
below_autograd = torch._C._AutoDispatchBelowAutograd


def tracked(data: Tensor, updates: Tensor) -> bool:
    """Whether autograd has to hear of a call; a gather gives data twice."""
    # Tangents are not seen from the tensors.
    return forward_ad._current_level >= 0 or ((data.requires_grad or updates.requires_grad) and is_grad_enabled())


def call_below_autograd(operator: Any, *arguments: Any) -> Tensor:
    """The operator without its derivatives."""
    with below_autograd():
        return operator(*arguments)


def operator_of(name: str) -> Any:
    return getattr(_operators, name).default


class Differentiable(NamedTuple):
    """An operator, and which of its arguments may have gradients."""

    name: str
    apply: Callable[..., Tensor]
    apply_transformed: Callable[..., Tensor]
    tensors: tuple[int, ...]

    def is_tracked(self, inputs: tuple[Any, ...]) -> bool:
        return any(tracked(inputs[i], inputs[i]) for i in self.tensors if inputs[i] is not None)

    def __call__(self, *inputs: Any) -> Tensor:
        transformed = in_functorch()
        if not transformed and not self.is_tracked(inputs):
            return call_below_autograd(operator_of(self.name), *inputs)
        apply = self.apply_transformed if transformed else self.apply
        return apply(*(promoted(inputs) if is_casting() else inputs))

    def kernel(self) -> Callable[..., Tensor]:
        """The kernel of the operator for the key Autograd."""
        operator = operator_of(self.name)
        defaults = tuple(argument.default_value for argument in operator._schema.arguments)

        def kernel(*arguments: Any) -> Tensor:
            # The dispatcher leaves out trailing arguments that have their defaults.
            arguments += defaults[len(arguments) :]
            if not self.is_tracked(arguments):
                return call_below_autograd(operator, *arguments)
            if in_functorch():
                raise_untransformed(operator)
            return self.apply(*arguments)

        return kernel

    def register(self, library: torch_library.Library) -> None:
        library.impl(operator_of(self.name), self.kernel(), "Autograd")


def raise_untransformed(operator: Any) -> None:
    """torch.func wants functions of autograd to be applied before its own dispatch: in a kernel it is too late."""
    name = operator._schema.name.replace("::", ".torch.")
    raise RuntimeError(f"torch.func differentiates {name}, but not torch.ops.{operator}")


FUNCTIONS = (
    *("gather", "gather_nd", "gather_elements"),
    *("scatter", "scatter_nd", "scatter_elements", "tensor_scatter", "slice_scatter"),
    *("embedding_bag", "embedding_bag_packed", "embedding_segments", "segment_reduce", "gather_scatter"),
)


def register(library: torch_library.Library) -> None:
    """Gives the operators their casts."""
    for operator in map(operator_of, FUNCTIONS):
        library.impl(operator, autocast_kernel(operator), "AutocastCPU")
