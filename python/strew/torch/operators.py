"""strew's own operators for PyTorch, also as torch.ops.strew: functional, with gradients, on the CPU.

They do what `strew.gather_nd` and so on do, which is more than PyTorch's own can say: rows by index or by tuples of
coordinates, negative indices, every reduction, duplicates in a defined order, five policies for indices out of bounds. All
operands are left as they are. Any strides are read in place, any dtype that strew has is taken (and others of whole bytes
where nothing is computed), indices may have any integer dtype, and PyTorch's threads do the work, with the same bits for
any number of them.

What a call refuses is raised as strew raises it: IndexError, ValueError or TypeError, with strew's fields.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NoReturn, SupportsIndex

import torch
from torch import Tensor
from torch import library as torch_library

import strew

from strew.torch import (
    operators_autograd,
    operators_batching,
    operators_calls,
    operators_edges,
    operators_gradients,
    operators_products,
    operators_shapes,
)
from strew.torch.operators_autograd import in_functorch
from strew.torch.operators_calls import (
    AxisAddresses,
    ElementAddresses,
    RowAddresses,
    SliceAddresses,
    WindowAddresses,
    call_gather,
    call_scatter,
)
from strew.torch.operators_edges import call_bags, call_edges
from strew.typing import Bounds, Empty

__all__ = [
    "embedding_bag",
    "embedding_bag_packed",
    "embedding_segments",
    "gather",
    "gather_elements",
    "gather_nd",
    "gather_scatter",
    "scatter",
    "scatter_elements",
    "scatter_nd",
    "segment_reduce",
    "slice_scatter",
    "tensor_scatter",
]

# What is registered with it lives as long as it does.
_library = torch_library.Library("strew", "FRAGMENT")
for part in (
    *(operators_autograd, operators_calls, operators_edges, operators_gradients),
    *(operators_shapes, operators_batching, operators_products),
):
    part.register(_library)

_operators = torch.ops.strew
_is_compiling = torch.compiler.is_compiling


def gather(
    data: Tensor,
    indices: Tensor,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Tensor | None = None,
) -> Tensor:
    """Gathers rows along an axis: output[p, o, t, ...] = data[p, o, indices[p, t], ...], where p has batch_dims
    coordinates, o those from there to the axis, and t the rest of indices'.

    data        rank r >= 1; any dtype
    indices     any rank q >= 0, of integers. A negative one counts from the end
    axis        -r <= axis < r
    batch_dims  how many first dimensions data and indices share, at most min(axis, q); a negative one counts from q
    bounds      what becomes of an index out of bounds: "refuse" (or "stop"), "skip" (fill is written in place of the
                row), "clamp" (the nearest within) or "wrap" (its remainder)
    fill        a number that data's elements can be, or a tensor of rank 0 and data's dtype; None is zero. A constant:
                it has no gradient

    Returns a new tensor of the shape data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis + 1:].
    """
    try:
        check_names(bounds=bounds)
        attributes = axis, batch_dims, bounds, fill_of(data, fill)
        if _is_compiling():
            return _operators.gather(data, indices, *attributes)
        return call_gather(AxisAddresses, data, indices, *attributes)
    except Exception as error:
        how = {"axis": axis, "batch_dims": batch_dims, "bounds": bounds, "fill": fill}
        _refuse(error, strew.gather, {"data": data, "indices": indices}, **how)


def gather_nd(
    data: Tensor,
    indices: Tensor,
    *,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Tensor | None = None,
) -> Tensor:
    """Gathers rows: output[p, t, ...] = data[p, *indices[p, t], ...].

    data        rank r >= 1; any dtype
    indices     rank q >= 1, of integers; the last dimension k holds tuples of k coordinates, 0 <= k <= r - batch_dims.
                A negative one counts from the end
    batch_dims  0 <= batch_dims < min(r, q): how many first dimensions data and indices share
    bounds      as for gather, of each coordinate; to skip, one of a tuple is enough
    fill        as for gather

    Returns a new tensor of the shape indices.shape[:-1] + data.shape[batch_dims + k:].
    """
    try:
        check_names(bounds=bounds)
        attributes = batch_dims, bounds, fill_of(data, fill)
        if _is_compiling():
            return _operators.gather_nd(data, indices, *attributes)
        return call_gather(RowAddresses, data, indices, *attributes)
    except Exception as error:
        how = {"batch_dims": batch_dims, "bounds": bounds, "fill": fill}
        _refuse(error, strew.gather_nd, {"data": data, "indices": indices}, **how)


def gather_elements(
    data: Tensor,
    indices: Tensor,
    *,
    axis: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Tensor | None = None,
) -> Tensor:
    """Gathers elements: output[i][j][k] = data[i][indices[i][j][k]][k], here for axis 1 of rank 3.

    data     rank r >= 1; any dtype
    indices  rank r, of integers; off the axis, no dimension larger than that of data. A negative one counts from the
             end
    axis     -r <= axis < r
    bounds   as for gather, for each element
    fill     as for gather

    Returns a new tensor of the shape of indices.
    """
    try:
        check_names(bounds=bounds)
        attributes = axis, bounds, fill_of(data, fill)
        if _is_compiling():
            return _operators.gather_elements(data, indices, *attributes)
        return call_gather(ElementAddresses, data, indices, *attributes)
    except Exception as error:
        how = {"axis": axis, "bounds": bounds, "fill": fill}
        _refuse(error, strew.gather_elements, {"data": data, "indices": indices}, **how)


def scatter(
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    bounds: Bounds = "refuse",
) -> Tensor:
    """A copy of data with rows scattered to it along an axis: output[p, o, indices[p, t], ...] (reduction)=
    updates[p, o, t, ...], t by t in order, where p has batch_dims coordinates, o those from there to the axis, and t the
    rest of indices'.

    data            rank r >= 1
    indices         any rank q >= 0, of integers. A negative one counts from the end
    updates         shape data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis + 1:], the dtype of data
    axis            -r <= axis < r
    batch_dims      how many first dimensions data and indices share, at most min(axis, q); a negative one counts from q
    reduction       "none" (the last update stays), "sum", "sub", "prod", "min", "max" or "mean"
    use_init_val    whether the row of data takes part in a reduction of a row that indices name
    unique_indices  a promise that no two updates go to one element, by which threads share a scatter better, and the
                    gradient of an assignment is simpler. Where it is broken, those elements, and what derivatives of
                    theirs are, may be anything
    bounds          what becomes of an index out of bounds: "refuse" (or "stop"), "skip" (the update is left out),
                    "clamp" (the nearest within) or "wrap" (its remainder)

    Differentiable by data and updates, as scatter_nd.
    """
    try:
        check_names(reduction=reduction, bounds=bounds)
        attributes = axis, batch_dims, reduction, use_init_val, bounds, unique_indices
        if _is_compiling():
            return _operators.scatter(data, indices, updates, *attributes)
        return call_scatter(AxisAddresses, data, indices, updates, *attributes)
    except Exception as error:
        how = {"axis": axis, "batch_dims": batch_dims, "reduction": reduction, "bounds": bounds}
        how |= {"use_init_val": use_init_val, "unique_indices": unique_indices}
        _refuse(error, strew.scatter, {"data": data, "indices": indices, "updates": updates}, **how)


def scatter_nd(
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    *,
    reduction: str = "none",
    unique_indices: bool = False,
    bounds: Bounds = "refuse",
) -> Tensor:
    """A copy of data with rows scattered to it: output[*indices[t], ...] (reduction)= updates[t, ...], t by t in order.

    data            rank r >= 1
    indices         rank q >= 1, of integers; the last dimension k holds tuples of k coordinates, 0 <= k <= r. A negative
                    one counts from the end
    updates         the shape indices.shape[:-1] + data.shape[k:], the dtype of data
    reduction       "none" (the last update stays), "sum", "sub", "prod", "min" or "max"
    unique_indices  as for scatter
    bounds          as for scatter, of each coordinate; to skip, one of a tuple is enough

    Differentiable by data and updates. A minimum or maximum that several operands have, data's element among them,
    gives each an equal share of its gradient, as torch.scatter_reduce does.
    """
    try:
        check_names(reduction=reduction, bounds=bounds)
        attributes = reduction, 0, bounds, unique_indices
        if _is_compiling():
            return _operators.scatter_nd(data, indices, updates, *attributes)
        return call_scatter(RowAddresses, data, indices, updates, *attributes)
    except Exception as error:
        how = {"reduction": reduction, "unique_indices": unique_indices, "bounds": bounds}
        _refuse(error, strew.scatter_nd, {"data": data, "indices": indices, "updates": updates}, **how)


def scatter_elements(
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    *,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    bounds: Bounds = "refuse",
) -> Tensor:
    """A copy of data with elements scattered to it: output[i][indices[i][j][k]][k] (reduction)= updates[i][j][k], here
    for axis 1 of rank 3 and each position of indices in row-major order.

    data            rank r >= 1
    indices         rank r, of integers; off the axis, no dimension larger than that of data. A negative one counts from
                    the end
    updates         the shape of indices, the dtype of data
    axis            -r <= axis < r
    reduction       "none" (the last update stays), "sum", "sub", "prod", "min", "max" or "mean"
    use_init_val    whether the element of data takes part in a reduction of an element that indices name
    unique_indices  as for scatter
    bounds          as for scatter, for each element

    Differentiable by data and updates, as scatter_nd.
    """
    try:
        check_names(reduction=reduction, bounds=bounds)
        attributes = axis, reduction, use_init_val, bounds, unique_indices
        if _is_compiling():
            return _operators.scatter_elements(data, indices, updates, *attributes)
        return call_scatter(ElementAddresses, data, indices, updates, *attributes)
    except Exception as error:
        how = {"axis": axis, "reduction": reduction, "use_init_val": use_init_val, "bounds": bounds}
        how["unique_indices"] = unique_indices
        _refuse(error, strew.scatter_elements, {"data": data, "indices": indices, "updates": updates}, **how)


def tensor_scatter(
    data: Tensor,
    indices: Tensor | None,
    updates: Tensor,
    *,
    axis: int = -2,
    circular: bool = False,
    bounds: Bounds = "refuse",
) -> Tensor:
    """A copy of a cache with a window written for each batch: output[b, i, indices[b] + t, j] = updates[b, i, t, j], here
    for axis 2 of rank 4 and t < w.

    data      rank r >= 2: n batches, the first dimension, of caches that have s rows along the axis
    indices   n integers: where each window begins; None: each begins at 0
    updates   the shape of data, but for w <= s at the axis, the dtype of data
    axis      -r < axis < r, and not the first dimension
    circular  whether a window goes on at 0 where it would go beyond. If so, an index is any that is not negative, of
              which its remainder modulo s counts; if not, it is from 0 to s - w
    bounds    what becomes of an index out of bounds: "refuse" (or "stop"), "skip" (the window is left out), "clamp" or
              "wrap" (its remainder modulo the number of begins)

    Differentiable by data and updates.
    """
    try:
        check_names(bounds=bounds)
        if _is_compiling():
            return _operators.tensor_scatter(data, indices, updates, axis, circular, bounds)
        return call_scatter(WindowAddresses, data, indices, updates, axis, circular, bounds)
    except Exception as error:
        tensors = {"data": data, "indices": indices, "updates": updates}
        if indices is None:
            del tensors["indices"]
        _refuse(error, _tensor_scatter, tensors, axis=axis, circular=circular, bounds=bounds)


def _tensor_scatter(data: Any, *rest: Any, **how: Any) -> Any:
    return strew.tensor_scatter(data, *(rest if len(rest) == 2 else (None, *rest)), **how)


def slice_scatter(
    data: Tensor,
    updates: Tensor,
    starts: Sequence[SupportsIndex],
    stops: Sequence[SupportsIndex],
    steps: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
) -> Tensor:
    """A copy of data with a slice written: output[starts[0]:stops[0]:steps[0], ...] = updates.

    data     rank r >= 1
    updates  what the slice of data has, dimension by dimension, the dtype of data
    starts, stops, steps
             one int for each dimension that is sliced, as in Python; None for steps is 1 for each
    axes     which dimensions, each once; None is the first ones

    Differentiable by data and updates.
    """
    try:
        part = tuple(integers(name, given) for name, given in zip(SLICE, (starts, stops, steps, axes)))
        if _is_compiling():
            return _operators.slice_scatter(data, updates, *part)
        return call_scatter(SliceAddresses, data, None, updates, *map(Integers, part))
    except Exception as error:
        how = {"starts": starts, "stops": stops, "steps": steps, "axes": axes}
        _refuse(error, strew.slice_scatter, {"data": data, "updates": updates}, **how)


def embedding_bag(
    data: Tensor,
    indices: Tensor,
    offsets: Tensor,
    weights: Tensor | None = None,
    *,
    reduction: str = "sum",
    default_index: int = -1,
    bounds: Bounds = "refuse",
) -> Tensor:
    """Combines the rows of bags: output[b] = the reduction of weights[e] * data[indices[e]] over e from offsets[b] to
    offsets[b + 1], the last bag's to the end. The rows are never written anywhere.

    data           rank r >= 1: the table
    indices        rank 1, of integers. A negative one counts from the end
    offsets        rank 1, of integers: where bags begin, at least 0, not decreasing, at most as many as indices
    weights        one for each index, of the dtype of data; None is 1. Not beside a mean
    reduction      "sum", "prod", "min", "max" or "mean". Rows of halves are combined in float32 and rounded once
    default_index  the row of data that an empty bag is given, without a weight; -1 is zeros
    bounds         as for scatter: what is skipped is in no bag

    Returns a new tensor of the shape offsets.shape + data.shape[1:]. Differentiable by data and weights, for sums and means
    without the rows being written.
    """
    try:
        check_names(reduction=reduction, bounds=bounds)
        attributes = weights, reduction, bounds, default_index
        if _is_compiling():
            return _operators.embedding_bag(data, indices, offsets, *attributes)
        return call_bags["embedding_bag"](data, indices, offsets, *attributes)
    except Exception as error:
        tensors = {"data": data, "indices": indices, "offsets": offsets}
        tensors |= {} if weights is None else {"weights": weights}
        how = {"reduction": reduction, "default_index": default_index, "bounds": bounds}
        _refuse(error, strew.embedding_bag_offsets, tensors, **how)


def embedding_bag_packed(
    data: Tensor,
    indices: Tensor,
    weights: Tensor | None = None,
    *,
    reduction: str = "sum",
    bounds: Bounds = "refuse",
) -> Tensor:
    """Combines the rows of bags of one size: output[b] = the reduction of weights[b, i] * data[indices[b, i]] over i.

    data       rank r >= 1: the table
    indices    rank 2, of integers: a row for each bag. A negative one counts from the end
    weights    the shape of indices, the dtype of data; None is 1. Not beside a mean
    reduction  as for embedding_bag
    bounds     as for embedding_bag: with "skip", an index outside can pad bags to one size

    Returns a new tensor of the shape indices.shape[:1] + data.shape[1:]. Differentiable as embedding_bag.
    """
    try:
        check_names(reduction=reduction, bounds=bounds)
        if _is_compiling():
            return _operators.embedding_bag_packed(data, indices, weights, reduction, bounds)
        return call_bags["embedding_bag_packed"](data, indices, weights, reduction, bounds)
    except Exception as error:
        tensors = {"data": data, "indices": indices}
        tensors |= {} if weights is None else {"weights": weights}
        _refuse(error, strew.embedding_bag_packed, tensors, reduction=reduction, bounds=bounds)


def embedding_segments(
    data: Tensor,
    indices: Tensor,
    segment_ids: Tensor,
    weights: Tensor | None = None,
    *,
    reduction: str = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    bounds: Bounds = "refuse",
) -> Tensor:
    """Combines rows by the segment that each belongs to: output[segment_ids[e]] = the reduction of weights[e] *
    data[indices[e]], e by e in order. The rows are never written anywhere.

    data           rank r >= 1: the table
    indices        rank 1, of integers. A negative one counts from the end
    segment_ids    as many integers, at least 0 and below num_segments, in any order
    weights        one for each index, of the dtype of data; None is 1. Not beside a mean
    reduction      as for embedding_bag
    num_segments   how many rows the output has; None is one more than the greatest id, which is read for it
    default_index  as for embedding_bag, of a segment that no id names
    bounds         as for embedding_bag, of indices and segment_ids

    Returns a new tensor of the shape (num_segments,) + data.shape[1:]. Differentiable as embedding_bag.
    """
    try:
        check_names(reduction=reduction, bounds=bounds)
        attributes = count_of(segment_ids, num_segments), weights, reduction, bounds, default_index
        if _is_compiling():
            return _operators.embedding_segments(data, indices, segment_ids, *attributes)
        return call_bags["embedding_segments"](data, indices, segment_ids, *attributes)
    except Exception as error:
        tensors = {"data": data, "indices": indices, "segment_ids": segment_ids}
        tensors |= {} if weights is None else {"weights": weights}
        how = {"reduction": reduction, "num_segments": num_segments, "bounds": bounds}
        how["default_index"] = default_index
        _refuse(error, strew.embedding_segments, tensors, **how)


def segment_reduce(
    data: Tensor,
    segment_ids: Tensor,
    *,
    reduction: str = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    bounds: Bounds = "refuse",
) -> Tensor:
    """Combines rows that lie one after the other by the segment that each belongs to: output[segment_ids[e]] = the
    reduction of data[e], e by e in order.

    data          shape (m, ...) of rank r >= 1
    segment_ids   m integers, sorted, at least 0 and below num_segments
    reduction     as for embedding_bag
    num_segments  as for embedding_segments
    empty         what a segment that none names is: "zero", or "lowest", the least of data's dtype that is finite
    bounds        as for scatter, of segment_ids

    Returns a new tensor of the shape (num_segments,) + data.shape[1:]. Differentiable by data.
    """
    try:
        check_names(reduction=reduction, empty=empty, bounds=bounds)
        attributes = count_of(segment_ids, num_segments), reduction, empty, bounds
        if _is_compiling():
            return _operators.segment_reduce(data, segment_ids, *attributes)
        return call_bags["segment_reduce"](data, segment_ids, *attributes)
    except Exception as error:
        how = {"reduction": reduction, "num_segments": num_segments, "empty": empty, "bounds": bounds}
        _refuse(error, strew.segment_reduce, {"data": data, "segment_ids": segment_ids}, **how)


def count_of(segment_ids: Tensor, num_segments: int | None) -> int:
    """How many segments there are."""
    if num_segments is not None:
        return num_segments
    return max(int(segment_ids.long().max()), -1) + 1 if segment_ids.numel() else 0


def gather_scatter(
    data: Tensor,
    updates: Tensor,
    indices: Tensor,
    targets: Tensor,
    weights: Tensor | None = None,
    *,
    reduction: str = "sum",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
) -> Tensor:
    """A copy of data with gathered rows scattered to it, as a layer of a graph network does with its edges:
    output[targets[e]] (reduction)= weights[e] * updates[indices[e]], e by e in order. The rows of the edges are never
    written anywhere.

    data          shape (s, ...) of rank r >= 1
    updates       shape (n, ...), the rest that of data, of its dtype: the rows that are gathered
    indices       rank 1, of integers: which rows of updates. A negative one counts from the end
    targets       as many integers: into which rows of data
    weights       one for each index, of the dtype of data; None is 1
    reduction     "sum", "sub", "prod", "min" or "max"
    use_init_val  whether the row of data takes part in a reduction of a row that targets name
    bounds        as for scatter, of indices and targets

    Differentiable by data, updates and weights, for sum and sub without the rows of the edges being written.
    """
    try:
        check_names(reduction=reduction, bounds=bounds)
        attributes = weights, reduction, use_init_val, bounds
        if _is_compiling():
            return _operators.gather_scatter(data, updates, indices, targets, *attributes)
        return call_edges(data, updates, indices, targets, *attributes)
    except Exception as error:
        tensors = {"data": data, "updates": updates, "indices": indices, "targets": targets}
        tensors |= {} if weights is None else {"weights": weights}
        how = {"reduction": reduction, "use_init_val": use_init_val, "bounds": bounds}
        _refuse(error, strew.gather_scatter, tensors, **how)


SLICE = ("starts", "stops", "steps", "axes")
FURTHEST = 2**63 - 1


class Integers(tuple[int, ...]):
    """One argument: torch.func looks into tuples, and stumbles over empty ones."""


def integers(name: str, given: Any) -> tuple[int, ...]:
    """A list of a slice, of which numbers that are too large name the ends, as in Python."""
    if given is None:
        return ()
    return tuple(min(max(operator.index(each), -FURTHEST), FURTHEST) for each in given)


def check_names(**names: Any) -> None:
    """PyTorch's dispatcher would take bytes for a str."""
    for name, value in names.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")


def fill_of(data: Tensor, fill: Any) -> Tensor | None:
    """fill as a tensor of one element."""
    if fill is None or isinstance(fill, Tensor):
        return fill
    dtype = data.dtype
    kinds = (bool,) if dtype == torch.bool else (int,)
    kinds += (float,) if dtype.is_floating_point else (float, complex) if dtype.is_complex else ()
    if not isinstance(fill, kinds):
        raise TypeError(f"fill is {fill!r}, which no element of {dtype} can be")
    if kinds == (int,) and not torch.iinfo(dtype).min <= fill <= torch.iinfo(dtype).max:
        raise ValueError(f"fill is {fill!r}, which no element of {dtype} can be")
    return torch.tensor(fill, dtype=dtype, device=data.device)


def _refuse(error: Exception, function: Any, tensors: dict[str, Any], **attributes: Any) -> NoReturn:
    """Raises what strew says of a call that was refused, with its fields: by doing it again without PyTorch's
    dispatcher, which knows messages alone. What has another reason is raised as it is."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} must be a torch.Tensor, not {type(tensor).__name__}") from None
    if all(is_plain(tensor) for tensor in tensors.values()):
        try:
            function(*(tensor.detach() for tensor in tensors.values()), **attributes)
        except (strew.Error, TypeError) as own:
            raise own from None
        except Exception:  # no memory, or nothing that strew can look at: PyTorch has said it already
            pass
    raise error


def is_plain(tensor: Tensor) -> bool:
    """Whether it lies in the memory of the CPU, for strew to look at; zeros that autograd made for a tangent do not."""
    is_dense = tensor.layout == torch.strided and tensor.device.type == "cpu" and not torch._is_zerotensor(tensor)
    return is_dense and type(tensor) in (Tensor, torch.nn.Parameter) and not in_functorch()
