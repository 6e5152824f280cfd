"""The shapes of what strew's operators return, for tensors that have no memory: tracing, compiling, meta."""

from __future__ import annotations

import torch
from torch import Tensor
from torch import library as torch_library

from strew.torch.operators_calls import REDUCTION_ALIASES

INDEX_DTYPES = frozenset(
    (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64)
)
REDUCTIONS = ("none", "sum", "sub", "prod", "min", "max", "mean")


def check_devices(data: Tensor, **operands: Tensor) -> None:
    """One operand of the device meta leads PyTorch here, whatever the others are of."""
    for name, operand in operands.items():
        torch._check_value(
            operand.device == data.device,
            lambda: f"{name} lies on the device {operand.device} and data on {data.device}; all must lie on one device",
        )


def check_indices(indices: Tensor) -> None:
    torch._check_type(indices.dtype in INDEX_DTYPES, lambda: f"indices are of {indices.dtype}, which is no integer")


def check_updates(data: Tensor, updates: Tensor, reduction: str) -> None:
    torch._check_type(
        updates.dtype == data.dtype, lambda: f"updates are of {updates.dtype} and data is of {data.dtype}"
    )
    torch._check_value(
        reduction in REDUCTIONS or reduction in REDUCTION_ALIASES,
        lambda: f"reduction is {reduction!r}, which is none of {', '.join(REDUCTIONS)}",
    )


def check_size(tensor: str, dimension: int, found: int, expected: int) -> None:
    torch._check(
        found == expected, lambda: f"dimension {dimension} of {tensor} is {found}, where {expected} would be right"
    )


def row_shape(data: Tensor, indices: Tensor, batch_dims: int) -> list[int]:
    """Of the rows that tuples of indices name."""
    check_indices(indices)
    torch._check_value(
        data.dim() >= 1 and indices.dim() >= 1, lambda: "data and indices need at least one dimension each"
    )
    torch._check_value(
        0 <= batch_dims < min(data.dim(), indices.dim()),
        lambda: f"batch_dims is {batch_dims}, outside [0, {min(data.dim(), indices.dim()) - 1}]",
    )
    for dimension in range(batch_dims):
        check_size("indices", dimension, indices.shape[dimension], data.shape[dimension])
    named = batch_dims + int(indices.shape[-1])
    torch._check_value(
        named <= data.dim(), lambda: f"the tuples of indices have {indices.shape[-1]} coordinates, more than data has"
    )
    return list(indices.shape[:-1]) + list(data.shape[named:])


def check_elements(data: Tensor, indices: Tensor, axis: int) -> None:
    check_indices(indices)
    rank = data.dim()
    torch._check_value(rank >= 1, lambda: "data needs at least one dimension")
    torch._check_value(-rank <= axis < rank, lambda: f"axis is {axis}, outside [{-rank}, {rank - 1}]")
    torch._check_value(indices.dim() == rank, lambda: f"indices have rank {indices.dim()}, data has {rank}")
    for dimension in range(rank):
        if dimension != axis % rank:
            torch._check(
                indices.shape[dimension] <= data.shape[dimension],
                lambda: f"dimension {dimension} of indices is larger than that of data",
            )


def gather_nd(data: Tensor, indices: Tensor, batch_dims: int = 0) -> Tensor:
    check_devices(data, indices=indices)
    return data.new_empty(row_shape(data, indices, batch_dims))


def gather_elements(data: Tensor, indices: Tensor, axis: int = 0) -> Tensor:
    check_devices(data, indices=indices)
    check_elements(data, indices, axis)
    return data.new_empty(indices.shape)


def scatter_nd(data: Tensor, indices: Tensor, updates: Tensor, reduction: str = "none", batch_dims: int = 0) -> Tensor:
    check_devices(data, indices=indices, updates=updates)
    expected = row_shape(data, indices, batch_dims)
    check_updates(data, updates, reduction)
    torch._check_type(reduction != "mean", lambda: "this operator has no reduction mean")
    torch._check_value(
        updates.dim() == len(expected), lambda: f"updates have rank {updates.dim()}, where {len(expected)} is right"
    )
    for dimension, size in enumerate(expected):
        check_size("updates", dimension, updates.shape[dimension], size)
    return data.new_empty(data.shape)


def scatter_elements(
    data: Tensor, indices: Tensor, updates: Tensor, axis: int = 0, reduction: str = "none", use_init_val: bool = True
) -> Tensor:
    check_devices(data, indices=indices, updates=updates)
    check_elements(data, indices, axis)
    check_updates(data, updates, reduction)
    torch._check_value(updates.dim() == indices.dim(), lambda: "updates and indices differ in rank")
    for dimension, size in enumerate(indices.shape):
        check_size("updates", dimension, updates.shape[dimension], size)
    return data.new_empty(data.shape)


def register(library: torch_library.Library) -> None:
    """Gives the operators their shapes."""
    for function in (gather_nd, gather_elements, scatter_nd, scatter_elements):
        torch_library.register_fake(f"strew::{function.__name__}", function, lib=library)
