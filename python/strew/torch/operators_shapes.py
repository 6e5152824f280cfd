"""The output shapes of strew's operators, for tensors without memory: tracing, compiling, meta."""

from __future__ import annotations

import torch
from torch import Tensor
from torch import library as torch_library

from strew.torch.operators_calls import REDUCTION_ALIASES, slices

INDEX_DTYPES = frozenset(
    (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64)
)
POLICIES = ("refuse", "stop", "skip", "clamp", "wrap")
REDUCTIONS = ("none", "sum", "sub", "prod", "min", "max", "mean")


def check_devices(data: Tensor, **operands: Tensor) -> None:
    """PyTorch comes here if any operand is on the device meta, so check them all."""
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


def check_bounds(bounds: str, data: Tensor | None = None, fill: Tensor | None = None) -> None:
    torch._check_value(bounds in POLICIES, lambda: f"bounds is {bounds!r}, which is none of {', '.join(POLICIES)}")
    if data is not None and fill is not None:
        torch._check_type(
            fill.dtype == data.dtype and fill.dim() == 0, lambda: "fill must be of rank 0 and have the dtype of data"
        )


def check_size(tensor: str, dimension: int, found: int, expected: int) -> None:
    torch._check(
        found == expected, lambda: f"dimension {dimension} of {tensor} is {found}, where {expected} would be right"
    )


def row_shape(data: Tensor, indices: Tensor, batch_dims: int) -> list[int]:
    """The shape of the rows that tuples of indices name."""
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


def axis_shape(data: Tensor, indices: Tensor, axis: int, batch_dims: int) -> list[int]:
    """The shape of the rows that indices name along an axis."""
    check_indices(indices)
    rank, of_indices = data.dim(), indices.dim()
    torch._check_value(rank >= 1, lambda: "data needs at least one dimension")
    torch._check_value(-rank <= axis < rank, lambda: f"axis is {axis}, outside [{-rank}, {rank - 1}]")
    axis %= rank
    most = min(axis, of_indices)
    torch._check_value(
        -of_indices <= batch_dims <= most and (batch_dims >= 0 or batch_dims + of_indices <= most),
        lambda: f"batch_dims is {batch_dims}, outside [{-of_indices}, {most}]",
    )
    batch_dims += of_indices if batch_dims < 0 else 0
    for dimension in range(batch_dims):
        check_size("indices", dimension, indices.shape[dimension], data.shape[dimension])
    return list(data.shape[:axis]) + list(indices.shape[batch_dims:]) + list(data.shape[axis + 1 :])


def check_shape(updates: Tensor, expected: list[int]) -> None:
    torch._check_value(
        updates.dim() == len(expected), lambda: f"updates have rank {updates.dim()}, where {len(expected)} is right"
    )
    for dimension, size in enumerate(expected):
        check_size("updates", dimension, updates.shape[dimension], size)


def gather(
    data: Tensor,
    indices: Tensor,
    axis: int = 0,
    batch_dims: int = 0,
    bounds: str = "refuse",
    fill: Tensor | None = None,
) -> Tensor:
    check_devices(data, indices=indices)
    check_bounds(bounds, data, fill)
    return data.new_empty(axis_shape(data, indices, axis, batch_dims))


def gather_nd(
    data: Tensor, indices: Tensor, batch_dims: int = 0, bounds: str = "refuse", fill: Tensor | None = None
) -> Tensor:
    check_devices(data, indices=indices)
    check_bounds(bounds, data, fill)
    return data.new_empty(row_shape(data, indices, batch_dims))


def gather_elements(
    data: Tensor, indices: Tensor, axis: int = 0, bounds: str = "refuse", fill: Tensor | None = None
) -> Tensor:
    check_devices(data, indices=indices)
    check_bounds(bounds, data, fill)
    check_elements(data, indices, axis)
    return data.new_empty(indices.shape)


def scatter(
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    bounds: str = "refuse",
    unique_indices: bool = False,
) -> Tensor:
    check_devices(data, indices=indices, updates=updates)
    check_bounds(bounds)
    expected = axis_shape(data, indices, axis, batch_dims)
    check_updates(data, updates, reduction)
    check_shape(updates, expected)
    return data.new_empty(data.shape)


def scatter_nd(
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    reduction: str = "none",
    batch_dims: int = 0,
    bounds: str = "refuse",
    unique_indices: bool = False,
) -> Tensor:
    check_devices(data, indices=indices, updates=updates)
    check_bounds(bounds)
    expected = row_shape(data, indices, batch_dims)
    check_updates(data, updates, reduction)
    torch._check_type(reduction != "mean", lambda: "this operator has no reduction mean")
    check_shape(updates, expected)
    return data.new_empty(data.shape)


def scatter_elements(
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    bounds: str = "refuse",
    unique_indices: bool = False,
) -> Tensor:
    check_devices(data, indices=indices, updates=updates)
    check_bounds(bounds)
    check_elements(data, indices, axis)
    check_updates(data, updates, reduction)
    check_shape(updates, list(indices.shape))
    return data.new_empty(data.shape)


def tensor_scatter(
    data: Tensor,
    indices: Tensor | None,
    updates: Tensor,
    axis: int = -2,
    circular: bool = False,
    bounds: str = "refuse",
) -> Tensor:
    check_devices(data, updates=updates, **({} if indices is None else {"indices": indices}))
    check_bounds(bounds)
    rank = data.dim()
    torch._check_value(rank >= 2, lambda: "data needs at least two dimensions")
    torch._check_value(-rank < axis < rank and axis != 0, lambda: f"axis is {axis}, and must not be the first")
    if indices is not None:
        check_indices(indices)
        torch._check_value(indices.dim() == 1, lambda: f"indices have rank {indices.dim()}, where 1 is right")
        check_size("indices", 0, indices.shape[0], data.shape[0])
    check_updates(data, updates, "none")
    expected = list(data.shape)
    if updates.dim() == rank:
        width = updates.shape[axis]
        torch._check(width <= data.shape[axis], lambda: f"updates have {width} rows along the axis, more than data")
        expected[axis] = width
    check_shape(updates, expected)
    return data.new_empty(data.shape)


def slice_scatter(
    data: Tensor,
    updates: Tensor,
    starts: list[int],
    stops: list[int],
    steps: list[int] | None = None,
    axes: list[int] | None = None,
) -> Tensor:
    check_devices(data, updates=updates)
    check_updates(data, updates, "none")
    rank, count = data.dim(), len(starts)
    for given in (stops, steps or starts, axes or starts):
        torch._check_value(len(given) == count, lambda: "a slice must have one entry for each dimension of it")
    sliced = axes or range(count)
    torch._check_value(
        all(-rank <= axis < rank for axis in sliced) and len({axis % rank for axis in sliced}) == count,
        lambda: f"the axes of the slice are {list(sliced)}, and must be dimensions of data, each once",
    )
    torch._check_value(0 not in (steps or ()), lambda: "a step of the slice is 0")
    expected = list(data.shape)
    for axis, part in slices(rank, starts, stops, steps, axes).items():
        expected[axis] = len(range(*part.indices(int(data.shape[axis]))))
    check_shape(updates, expected)
    return data.new_empty(data.shape)


def check_list(name: str, given: Tensor, count: int | None = None, rank: int = 1) -> None:
    torch._check_type(given.dtype in INDEX_DTYPES, lambda: f"{name} are of {given.dtype}, which is no integer")
    torch._check_value(given.dim() == rank, lambda: f"{name} have rank {given.dim()}, where {rank} is right")
    if count is not None:
        check_size(name, 0, given.shape[0], count)


def check_combined(
    data: Tensor, indices: Tensor, weights: Tensor | None, reduction: str, bounds: str, rank: int = 1
) -> None:
    check_bounds(bounds)
    torch._check_value(data.dim() >= 1, lambda: "data needs at least one dimension")
    check_list("indices", indices, rank=rank)
    check_updates(data, data, reduction)
    if weights is not None:
        check_devices(data, weights=weights)
        torch._check_type(weights.dtype == data.dtype, lambda: f"weights are of {weights.dtype}, data of {data.dtype}")
        torch._check_value(reduction != "mean", lambda: "weights and a mean do not go together")
        torch._check_value(weights.dim() == rank, lambda: f"weights have rank {weights.dim()}, where {rank} is right")
        for dimension in range(rank):
            check_size("weights", dimension, weights.shape[dimension], indices.shape[dimension])


def check_default(data: Tensor, default_index: int) -> None:
    if default_index != -1:
        torch._check_value(
            0 <= default_index < data.shape[0],
            lambda: f"default_index is {default_index}, outside [-1, {data.shape[0] - 1}]",
        )


def bags_like(data: Tensor, count: int, reduction: str) -> Tensor:
    """The result: one row of data for each bag."""
    torch._check_type(reduction not in ("none", "sub"), lambda: f"this operator has no reduction {reduction}")
    torch._check_value(count >= 0, lambda: f"num_segments is {count}, less than 0")
    return data.new_empty([count, *data.shape[1:]])


def embedding_bag(
    data: Tensor,
    indices: Tensor,
    offsets: Tensor,
    weights: Tensor | None = None,
    reduction: str = "sum",
    bounds: str = "refuse",
    default_index: int = -1,
) -> Tensor:
    check_devices(data, indices=indices, offsets=offsets)
    check_combined(data, indices, weights, reduction, bounds)
    check_default(data, default_index)
    check_list("offsets", offsets)
    return bags_like(data, offsets.shape[0], reduction)


def embedding_bag_packed(
    data: Tensor, indices: Tensor, weights: Tensor | None = None, reduction: str = "sum", bounds: str = "refuse"
) -> Tensor:
    check_devices(data, indices=indices)
    check_combined(data, indices, weights, reduction, bounds, rank=2)
    return bags_like(data, indices.shape[0], reduction)


def embedding_segments(
    data: Tensor,
    indices: Tensor,
    segment_ids: Tensor,
    num_segments: int,
    weights: Tensor | None = None,
    reduction: str = "sum",
    bounds: str = "refuse",
    default_index: int = -1,
) -> Tensor:
    check_devices(data, indices=indices, segment_ids=segment_ids)
    check_combined(data, indices, weights, reduction, bounds)
    check_default(data, default_index)
    check_list("segment_ids", segment_ids, indices.shape[0])
    return bags_like(data, num_segments, reduction)


def segment_reduce(
    data: Tensor,
    segment_ids: Tensor,
    num_segments: int,
    reduction: str = "sum",
    empty: str = "zero",
    bounds: str = "refuse",
) -> Tensor:
    check_devices(data, segment_ids=segment_ids)
    check_bounds(bounds)
    check_updates(data, data, reduction)
    torch._check_value(data.dim() >= 1, lambda: "data needs at least one dimension")
    torch._check_value(empty in ("zero", "lowest"), lambda: f"empty is {empty!r}, and must be zero or lowest")
    check_list("segment_ids", segment_ids, data.shape[0])
    return bags_like(data, num_segments, reduction)


def gather_scatter(
    data: Tensor,
    updates: Tensor,
    indices: Tensor,
    targets: Tensor,
    weights: Tensor | None = None,
    reduction: str = "sum",
    use_init_val: bool = True,
    bounds: str = "refuse",
) -> Tensor:
    check_devices(data, updates=updates, indices=indices, targets=targets)
    check_combined(data, indices, weights, reduction, bounds)
    check_list("targets", targets, indices.shape[0])
    check_updates(data, updates, reduction)
    torch._check_type(reduction not in ("none", "mean"), lambda: f"this operator has no reduction {reduction}")
    torch._check_value(updates.dim() == data.dim(), lambda: f"updates have rank {updates.dim()}, data {data.dim()}")
    for dimension in range(1, data.dim()):
        check_size("updates", dimension, updates.shape[dimension], data.shape[dimension])
    return data.new_empty(data.shape)


def row_dots(left: Tensor, right: Tensor, of_left: Tensor, of_right: Tensor, bounds: str = "refuse") -> Tensor:
    return left.new_empty([of_left.shape[0]])


def register(library: torch_library.Library) -> None:
    """Gives the operators their shapes."""
    shapes = (gather, gather_nd, gather_elements, scatter, scatter_nd, scatter_elements, tensor_scatter, slice_scatter)
    bags = embedding_bag, embedding_bag_packed, embedding_segments, segment_reduce
    for function in (*shapes, *bags, gather_scatter, row_dots):
        torch_library.register_fake(f"strew::{function.__name__}", function, lib=library)
