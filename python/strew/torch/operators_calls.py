"""How strew's operators for PyTorch are called: through its dispatcher, and below its autograd.

The four operators are two families: gather_nd and scatter_nd share batch_dims, gather_elements and scatter_elements
share axis. Gradients, jvp and vmap are the same for both, once `Addresses` has said where the updates go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

# What a kernel of the key Autograd does around the call that must not come back to it; torch.library does the same.
below_autograd = torch._C._AutoDispatchBelowAutograd

REDUCTION_ALIASES = {"add": "sum", "mul": "prod"}


def canonical(reduction: str) -> str:
    """The one name of a reduction that has two."""
    return REDUCTION_ALIASES.get(reduction, reduction)


@dataclass(frozen=True)
class Addresses:
    """The elements of data that indices name, through batch_dims (rows) or along axis (elements)."""

    indices: Tensor
    place: int

    def gather(self, data: Tensor) -> Tensor:
        """What stands there: of the shape of updates."""
        raise NotImplementedError

    def scatter(self, data: Tensor, updates: Tensor, reduction: str = "none", use_init_val: bool = True) -> Tensor:
        """data, with updates there."""
        raise NotImplementedError

    def last(self, data_shape: torch.Size, updates_shape: torch.Size) -> Tensor:
        """Which updates stay when they are assigned: a mask that broadcasts to updates."""
        raise NotImplementedError

    def unnamed(self, data_shape: torch.Size, updates_shape: torch.Size) -> Tensor:
        """Which elements of data no index names: a mask of the shape of data."""
        options = {"dtype": torch.bool, "device": self.indices.device}
        everywhere = torch.ones((), **options).expand(data_shape)
        return self.scatter(everywhere, torch.zeros((), **options).expand(updates_shape))


class RowAddresses(Addresses):
    """Tuples of coordinates: gather_nd and scatter_nd. place is batch_dims."""

    def gather(self, data: Tensor) -> Tensor:
        return torch.ops.strew.gather_nd.default(data, self.indices, self.place)

    def scatter(self, data: Tensor, updates: Tensor, reduction: str = "none", use_init_val: bool = True) -> Tensor:
        return torch.ops.strew.scatter_nd.default(data, self.indices, updates, reduction, self.place)

    def last(self, data_shape: torch.Size, updates_shape: torch.Size) -> Tensor:
        tuples = self.indices.shape[:-1]
        named = self.place + self.indices.shape[-1]
        numbers = number_each(tuples + (1,), self.indices)
        # A row of one element stands for each row of data, so that data of which all is one row has a dimension.
        owners = self.scatter(numbers.new_zeros(()).expand(data_shape[:named] + (1,)), numbers)
        return (self.gather(owners) == numbers).reshape(tuples + (1,) * (len(data_shape) - named))


class ElementAddresses(Addresses):
    """One coordinate along an axis: gather_elements and scatter_elements. place is axis."""

    def gather(self, data: Tensor) -> Tensor:
        return torch.ops.strew.gather_elements.default(data, self.indices, self.place)

    def scatter(self, data: Tensor, updates: Tensor, reduction: str = "none", use_init_val: bool = True) -> Tensor:
        return torch.ops.strew.scatter_elements.default(
            data, self.indices, updates, self.place, reduction, use_init_val
        )

    def last(self, data_shape: torch.Size, updates_shape: torch.Size) -> Tensor:
        numbers = number_each(self.indices.shape, self.indices)
        owners = self.scatter(numbers.new_zeros(()).expand(data_shape), numbers)
        return self.gather(owners) == numbers


def number_each(shape: tuple[int, ...], like: Tensor) -> Tensor:
    """0, 1, 2 and so on in row-major order."""
    count = 1
    for size in shape:
        count = count * size
    return torch.arange(count, device=like.device).reshape(shape)


def zeros(shape: torch.Size, like: Tensor) -> Tensor:
    """Zeros that take no memory: strew reads any strides."""
    return like.new_zeros(()).expand(shape)


def ones(shape: torch.Size, like: Tensor) -> Tensor:
    """Ones that take no memory."""
    return like.new_ones(()).expand(shape)


def in_functorch() -> bool:
    """Whether a transform of torch.func is at work."""
    return torch._C._are_functorch_transforms_active()


def in_forward_mode() -> bool:
    """Whether tensors may have tangents."""
    return torch.autograd.forward_ad._current_level >= 0


def call_below_autograd(operator: Any, *arguments: Any) -> Tensor:
    """The operator itself, without its gradients."""
    with below_autograd():
        return operator(*arguments)
