"""The torch.vmap rules of strew's operators: one call, with one dimension more."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch import library as torch_library

from strew.torch.operators_calls import (
    AxisAddresses,
    ElementAddresses,
    RowAddresses,
    SliceAddresses,
    WindowAddresses,
)

InDims = tuple[int | None, ...]


def in_front(tensor: Tensor, dimension: int | None, size: int) -> Tensor:
    """Moves the mapped dimension to the front; expands a tensor without one, which takes no memory."""
    return tensor.expand(size, *tensor.shape) if dimension is None else tensor.movedim(dimension, 0)


def gather(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    indices: Tensor,
    axis: int = 0,
    batch_dims: int = 0,
    bounds: str = "refuse",
    fill: Tensor | None = None,
) -> tuple[Tensor, int]:
    check_fill(in_dims[5:])
    rank, of_indices = mapped_rank(data, in_dims[0]), mapped_rank(indices, in_dims[1])
    axis, batch_dims = from_front("axis", axis, rank), batch_of(batch_dims, of_indices)
    if in_dims[0] is None and batch_dims == 0:
        indices = in_front(indices, in_dims[1], info.batch_size)
        return AxisAddresses.gather_operator(data, indices, axis, 0, bounds, fill), axis
    data = in_front(data, in_dims[0], info.batch_size)
    if in_dims[1] is None and batch_dims == 0:
        return AxisAddresses.gather_operator(data, indices, axis + 1, 0, bounds, fill), 0
    indices = in_front(indices, in_dims[1], info.batch_size)
    return AxisAddresses.gather_operator(data, indices, axis + 1, batch_dims + 1, bounds, fill), 0


def gather_nd(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    indices: Tensor,
    batch_dims: int = 0,
    bounds: str = "refuse",
    fill: Tensor | None = None,
) -> tuple[Tensor, int]:
    check_fill(in_dims[4:])
    check_range("batch_dims", batch_dims, 0, data.dim())
    indices = in_front(indices, in_dims[1], info.batch_size)
    if in_dims[0] is None and batch_dims == 0:
        return RowAddresses.gather_operator(data, indices, 0, bounds, fill), 0
    data = in_front(data, in_dims[0], info.batch_size)
    return RowAddresses.gather_operator(data, indices, batch_dims + 1, bounds, fill), 0


def gather_elements(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    indices: Tensor,
    axis: int = 0,
    bounds: str = "refuse",
    fill: Tensor | None = None,
) -> tuple[Tensor, int]:
    check_fill(in_dims[4:])
    operands = mapped(info, in_dims, data, indices)
    return ElementAddresses.gather_operator(*operands, after_first(axis, operands[0]), bounds, fill), 0


def scatter(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    bounds: str = "refuse",
    unique_indices: bool = False,
) -> tuple[Tensor, int]:
    axis = from_front("axis", axis, mapped_rank(data, in_dims[0])) + 1
    batch_dims = batch_of(batch_dims, mapped_rank(indices, in_dims[1]))
    data, updates = in_front(data, in_dims[0], info.batch_size), in_front(updates, in_dims[2], info.batch_size)
    if in_dims[1] is not None or batch_dims > 0:
        indices, batch_dims = in_front(indices, in_dims[1], info.batch_size), batch_dims + 1
    attributes = axis, batch_dims, reduction, use_init_val, bounds, unique_indices
    return AxisAddresses.scatter_operator(data, indices, updates, *attributes), 0


def scatter_nd(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    reduction: str = "none",
    batch_dims: int = 0,
    bounds: str = "refuse",
    unique_indices: bool = False,
) -> tuple[Tensor, int]:
    check_range("batch_dims", batch_dims, 0, data.dim())
    operands = mapped(info, in_dims, data, indices, updates)
    attributes = reduction, batch_dims + 1, bounds, unique_indices
    return RowAddresses.scatter_operator(*operands, *attributes), 0


def scatter_elements(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    bounds: str = "refuse",
    unique_indices: bool = False,
) -> tuple[Tensor, int]:
    operands = mapped(info, in_dims, data, indices, updates)
    attributes = after_first(axis, operands[0]), reduction, use_init_val, bounds, unique_indices
    return ElementAddresses.scatter_operator(*operands, *attributes), 0


def tensor_scatter(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    indices: Tensor | None,
    updates: Tensor,
    axis: int = -2,
    circular: bool = False,
    bounds: str = "refuse",
) -> tuple[Tensor, int]:
    """The batches of all are batches of one."""
    rank = mapped_rank(data, in_dims[0])
    check_range("axis", axis, 1 - rank, rank - 1)
    operands = mapped(info, in_dims, data, indices, updates)
    flat = [None if operand is None else operand.flatten(0, 1) for operand in operands]
    result = WindowAddresses.scatter_operator(*flat, axis, circular, bounds)
    return result.unflatten(0, operands[0].shape[:2]), 0


def slice_scatter(
    info: Any,
    in_dims: InDims,
    data: Tensor,
    updates: Tensor,
    starts: list[int],
    stops: list[int],
    steps: list[int] | None = None,
    axes: list[int] | None = None,
) -> tuple[Tensor, int]:
    operands = mapped(info, in_dims, data, updates)
    axes = [after_first(axis, operands[0]) for axis in axes or range(len(starts))]
    return SliceAddresses.scatter_operator(*operands, starts, stops, steps or [], axes), 0


def check_range(name: str, value: int, lower: int, upper: int) -> None:
    """An attribute that is wrong for one tensor must not be right for one with a dimension more."""
    torch._check_value(lower <= value <= upper, lambda: f"{name} is {value}, outside [{lower}, {upper}]")


def check_fill(in_dims: InDims) -> None:
    torch._check_value(not any(d is not None for d in in_dims), lambda: "fill is one element, the same for all of vmap")


def mapped_rank(tensor: Tensor, dimension: int | None) -> int:
    """The rank of each of those that are mapped over."""
    return tensor.dim() - (dimension is not None)


def from_front(name: str, axis: int, rank: int) -> int:
    check_range(name, axis, -rank, rank - 1)
    return axis + rank if axis < 0 else axis


def batch_of(batch_dims: int, rank: int) -> int:
    """batch_dims, counted from the front; a negative one counts from the rank of indices."""
    check_range("batch_dims", batch_dims, -rank, rank)
    return batch_dims + rank if batch_dims < 0 else batch_dims


def mapped(info: Any, in_dims: InDims, *tensors: Any) -> list[Any]:
    """All with the mapped dimension first."""
    return [
        None if tensor is None else in_front(tensor, dimension, info.batch_size)
        for tensor, dimension in zip(tensors, in_dims)
    ]


def after_first(axis: int, data: Tensor) -> int:
    """The same axis once data has one dimension more in front. A negative axis stays as it is."""
    rank = data.dim() - 1
    check_range("axis", axis, -rank, rank - 1)
    return axis if axis < 0 else axis + 1


def register(library: torch_library.Library) -> None:
    """Gives the operators their rules."""
    rules = (gather, gather_nd, gather_elements, scatter, scatter_nd, scatter_elements, tensor_scatter, slice_scatter)
    for function in rules:
        torch_library.register_vmap(f"strew::{function.__name__}", function, lib=library)
