"""What torch.vmap makes of strew's operators: one call, with one dimension more."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch import library as torch_library

from strew.torch.operators_calls import ElementAddresses, RowAddresses

InDims = tuple[int | None, ...]


def in_front(tensor: Tensor, dimension: int | None, size: int) -> Tensor:
    """With the mapped dimension first; a tensor without one is the same for all, which takes no memory."""
    return tensor.expand(size, *tensor.shape) if dimension is None else tensor.movedim(dimension, 0)


def gather_nd(info: Any, in_dims: InDims, data: Tensor, indices: Tensor, batch_dims: int = 0) -> tuple[Tensor, int]:
    check_range("batch_dims", batch_dims, 0, data.dim())
    indices = in_front(indices, in_dims[1], info.batch_size)
    if in_dims[0] is None and batch_dims == 0:
        return RowAddresses.gather_operator(data, indices, 0), 0
    data = in_front(data, in_dims[0], info.batch_size)
    return RowAddresses.gather_operator(data, indices, batch_dims + 1), 0


def scatter_nd(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    reduction: str = "none",
    batch_dims: int = 0,
) -> tuple[Tensor, int]:
    check_range("batch_dims", batch_dims, 0, data.dim())
    operands = mapped(info, in_dims, data, indices, updates)
    return RowAddresses.scatter_operator(*operands, reduction, batch_dims + 1), 0


def gather_elements(info: Any, in_dims: InDims, data: Tensor, indices: Tensor, axis: int = 0) -> tuple[Tensor, int]:
    operands = mapped(info, in_dims, data, indices)
    return ElementAddresses.gather_operator(*operands, after_first(axis, operands[0])), 0


def scatter_elements(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
) -> tuple[Tensor, int]:
    operands = mapped(info, in_dims, data, indices, updates)
    return ElementAddresses.scatter_operator(*operands, after_first(axis, operands[0]), reduction, use_init_val), 0


def check_range(name: str, value: int, lower: int, upper: int) -> None:
    """An attribute that is wrong for one tensor must not be right for one with a dimension more."""
    torch._check_value(lower <= value <= upper, lambda: f"{name} is {value}, outside [{lower}, {upper}]")


def mapped(info: Any, in_dims: InDims, *tensors: Tensor) -> list[Tensor]:
    """All with the mapped dimension first."""
    return [in_front(tensor, dimension, info.batch_size) for tensor, dimension in zip(tensors, in_dims)]


def after_first(axis: int, data: Tensor) -> int:
    """The same axis in data that has one dimension more in front; one that counts from the end stays."""
    rank = data.dim() - 1
    check_range("axis", axis, -rank, rank - 1)
    return axis if axis < 0 else axis + 1


def register(library: torch_library.Library) -> None:
    """Gives the operators their rules."""
    for function in (gather_nd, gather_elements, scatter_nd, scatter_elements):
        torch_library.register_vmap(f"strew::{function.__name__}", function, lib=library)
