"""strew's operators for PyTorch, by PyTorch's names: functional, with gradients, on the CPU.

gather, scatter, scatter_add, scatter_reduce, index_select, index_copy, index_add, index_reduce, slice_scatter and
embedding_bag mean what they mean in torch. The others are operators of ONNX and OpenVINO, and strew's own, which keep their
names; their keywords are PyTorch's too. All do more than PyTorch's own: negative indices, every reduction, duplicates in a
defined order, policies for indices out of bounds. They leave their operands as they are, read any strides in place, and
take any dtype that strew has and indices of any integer dtype. Functions that only move elements take other dtypes too.
PyTorch's threads do the work, with the same bits for any number of them.

A refused call raises strew's exception: an IndexError, ValueError or TypeError, with strew's fields. torch.ops.strew has the
operators below these functions, by ONNX's words.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, NoReturn, SupportsIndex

import torch
from torch import Tensor
from torch import library as torch_library

import strew
from strew._names import MODES, find, find_mode
from strew.errors import rename_operands

from strew.torch import (
    operators_autograd,
    operators_batching,
    operators_calls,
    operators_edges,
    operators_former,
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
from strew.torch.operators_edges import call_bags, call_edges, is_beyond
from strew.torch.operators_former import FORMER_REDUCTIONS, renamed
from strew.typing import Empty, Mode

__all__ = [
    "embedding_bag",
    "embedding_bag_offsets",
    "embedding_bag_packed",
    "embedding_segments",
    "gather",
    "gather_elements",
    "gather_nd",
    "gather_scatter",
    "index_add",
    "index_copy",
    "index_reduce",
    "index_select",
    "scatter",
    "scatter_add",
    "scatter_elements",
    "scatter_nd",
    "scatter_reduce",
    "segment_reduce",
    "slice_scatter",
    "tensor_scatter",
]

# Registrations live as long as this object.
_library = torch_library.Library("strew", "FRAGMENT")
for part in (
    *(operators_autograd, operators_calls, operators_edges, operators_gradients),
    *(operators_shapes, operators_batching, operators_products),
):
    part.register(_library)

_is_compiling = torch.compiler.is_compiling


# ---- Operators ------------------------------------------------------------------------------------------------------


class Operator(NamedTuple):
    """An operator of torch.ops.strew."""

    compiled: Any  # for torch.compile
    eager: Any  # the same, without PyTorch's dispatcher where nothing is tracked
    function: Callable[..., Any]  # strew's own, which raises a refusal with its reason


def _operator(name: str, eager: Any, function: str = "") -> Operator:
    return Operator(getattr(torch.ops.strew, name), eager, getattr(strew, function or name))


GATHER = _operator("gather", partial(call_gather, AxisAddresses))
GATHER_ND = _operator("gather_nd", partial(call_gather, RowAddresses))
GATHER_ELEMENTS = _operator("gather_elements", partial(call_gather, ElementAddresses))
SCATTER = _operator("scatter", partial(call_scatter, AxisAddresses))
SCATTER_ND = _operator("scatter_nd", partial(call_scatter, RowAddresses))
SCATTER_ELEMENTS = _operator("scatter_elements", partial(call_scatter, ElementAddresses))
TENSOR_SCATTER = _operator("tensor_scatter", partial(call_scatter, WindowAddresses))
SLICE_SCATTER = _operator("slice_scatter", lambda x, u, *part: call_scatter(SliceAddresses, x, None, u, *map(Integers, part)))
BAG_OFFSETS = _operator("embedding_bag", call_bags["embedding_bag"], "embedding_bag_offsets")
BAG_PACKED = _operator("embedding_bag_packed", call_bags["embedding_bag_packed"])
SEGMENTS = _operator("embedding_segments", call_bags["embedding_segments"])
SEGMENT_REDUCE = _operator("segment_reduce", call_bags["segment_reduce"])
GATHER_SCATTER = _operator("gather_scatter", call_edges)

# Names of operands in refusals.
ONNX_NAMES = {"axis": "dim", "use_init_val": "include_self"}
TORCH_NAMES = ONNX_NAMES | {"data": "input", "indices": "index", "updates": "src"}
INDEX_NAMES = TORCH_NAMES | {"updates": "source"}
BAG_NAMES = {"data": "weight", "indices": "input", "weights": "per_sample_weights"}


def run(called: Operator, names: Mapping[str, str], arguments: tuple[Any, ...]) -> Tensor:
    """Calls an operator with the arguments of its schema."""
    try:
        return (called.compiled if _is_compiling() else called.eager)(*arguments)
    except Exception as error:
        _refuse(error, called, names, arguments)


# ---- Words ----------------------------------------------------------------------------------------------------------

REDUCTIONS = {
    None: "none",
    "sum": "sum",
    "add": "sum",
    "sub": "sub",
    "prod": "prod",
    "multiply": "prod",
    "mean": "mean",
    "amax": "max",
    "amin": "min",
}
"""The words of `reduce`, as the operators call them: those of torch.scatter_reduce, torch.scatter, and sub."""

BAG_MODES = {"sum": "sum", "mean": "mean", "max": "max", "amax": "max", "amin": "min", "prod": "prod"}
"""The words of embedding_bag's `mode`."""

BAG_MODE = "".join(["me", "an"])
"""Its default: an object of its own, so that a former call that gives "mean" is told from one that gives nothing."""


# ---- By PyTorch's names ---------------------------------------------------------------------------------------------


def gather(
    input: Tensor,
    dim: int,
    index: Tensor | None = None,
    *,
    mode: Mode = "raise",
    fill_value: complex | Tensor | None = None,
    **former: Any,
) -> Tensor:
    """Gathers elements, as torch.gather: output[i][j][k] = input[i][index[i][j][k]][k], here for dim 1 of rank 3.

    input       rank r >= 1; any dtype
    dim         -r <= dim < r
    index       rank r, of integers; off dim, no dimension larger than that of input. A negative one counts from the end
    mode        the policy for an index out of bounds: "raise" (or "stop"), "fill" (or "drop": write fill_value), "clip" (the
                nearest index in bounds) or "wrap" (the remainder)
    fill_value  a number that an element of input can hold, or a tensor of rank 0 with input's dtype; None means zero. It
                has no gradient

    Returns a new tensor of the shape of index. The former gather(data, indices, axis=) is index_select.
    """
    if former or index is None:
        return operators_former.gather_again(locals())
    bounds = MODES.get(mode) or find_mode(mode)
    return run(GATHER_ELEMENTS, TORCH_NAMES, (input, index, dim, bounds, fill_of(input, fill_value)))


def index_select(
    input: Tensor,
    dim: int,
    index: Tensor,
    *,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | Tensor | None = None,
) -> Tensor:
    """Gathers rows, as torch.index_select: output[p, o, t, ...] = input[p, o, index[p, t], ...], where p has batch_dims
    coordinates, o those from there to dim, and t the other coordinates of index.

    input       rank r >= 1; any dtype
    dim         -r <= dim < r
    index       any rank q, of integers; rank 0 is one index, as in PyTorch. A negative one counts from the end
    batch_dims  the number of leading dimensions that input and index share, at most min(dim, q); a negative number counts
                from q
    mode        as for gather, for each row
    fill_value  as for gather

    Returns a new tensor of the shape input.shape[:dim] + index.shape[batch_dims:] + input.shape[dim + 1:].
    """
    bounds = MODES.get(mode) or find_mode(mode)
    return run(GATHER, INDEX_NAMES, (input, _as_list(index), dim, batch_dims, bounds, fill_of(input, fill_value)))


def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor | complex | None = None,
    *,
    value: complex | None = None,
    reduce: str | None = None,
    unique_indices: bool = False,
    mode: Mode = "raise",
    **former: Any,
) -> Tensor:
    """A copy of input with elements scattered to it, as torch.scatter: output[i][index[i][j][k]][k] = src[i][j][k], here
    for dim 1 of rank 3 and each position of index in row-major order.

    input           rank r >= 1
    dim             -r <= dim < r
    index           rank r, of integers; off dim, no dimension larger than that of input. A negative one counts from the
                    end
    src             no dimension smaller than that of index, the dtype of input; or a number, which goes to every index
    value           such a number by PyTorch's other name
    reduce          None (the last of several stays), a word of scatter_reduce, "add" or "multiply"
    unique_indices  a promise that no two elements of src go to one element of input. Threads then share a scatter better,
                    and the gradient of an assignment is simpler. If you break it, those elements and their derivatives may
                    be anything
    mode            the policy for an index out of bounds: "raise" (or "stop"), "drop" (or "fill": skip the element), "clip"
                    (the nearest index in bounds) or "wrap" (the remainder)

    Differentiable by input and src. If several elements go to one, only the element that stays has a gradient.
    The former scatter(data, indices, updates, axis=) is index_copy, index_add and index_reduce.
    """
    if value is not None:
        if src is not None:
            raise TypeError("scatter() takes src or value, not both")
        src, value = value, None
    if isinstance(src, (int, float, complex)):
        src = input.new_full((), src).expand(index.shape)
    if former or src is None:
        return operators_former.scatter_again(locals())
    return scatter_reduce(input, dim, index, src, reduce, unique_indices=unique_indices, mode=mode)


def scatter_add(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    *,
    unique_indices: bool = False,
    mode: Mode = "raise",
) -> Tensor:
    """A copy of input with elements added to it, as torch.scatter_add: scatter_reduce by "sum"."""
    return scatter_reduce(input, dim, index, src, "sum", unique_indices=unique_indices, mode=mode)


def scatter_reduce(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str | None,
    *,
    include_self: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
) -> Tensor:
    """A copy of input with elements combined into it, as torch.scatter_reduce: output[i][index[i][j][k]][k] (reduce)=
    src[i][j][k], here for dim 1 of rank 3 and each position of index in row-major order.

    input, dim, index, src, unique_indices, mode
                  as for scatter
    reduce        "sum", "prod", "mean", "amax", "amin" or "sub"
    include_self  whether an element of input that index names takes part

    Differentiable by input and src. Operands that tie for a minimum or maximum, the element of input included, share its
    gradient equally.
    """
    reduction, bounds = REDUCTIONS.get(reduce) or _find_reduction(reduce), MODES.get(mode) or find_mode(mode)
    arguments = input, index, _narrowed(src, index), dim, reduction, include_self, bounds, unique_indices
    return run(SCATTER_ELEMENTS, TORCH_NAMES, arguments)


def index_copy(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    *,
    batch_dims: int = 0,
    unique_indices: bool = False,
    mode: Mode = "raise",
) -> Tensor:
    """A copy of input with rows assigned, as torch.index_copy: output[p, o, index[p, t], ...] = source[p, o, t, ...], t by
    t in order, where p has batch_dims coordinates, o those from there to dim, and t the other coordinates of index.

    input           rank r >= 1
    dim             -r <= dim < r
    index           any rank q, of integers; rank 0 is one index, as in PyTorch. A negative one counts from the end
    source          shape input.shape[:dim] + index.shape[batch_dims:] + input.shape[dim + 1:], the dtype of input
    batch_dims      as for index_select
    unique_indices  as for scatter
    mode            as for scatter, for each row

    Differentiable by input and source, as scatter.
    """
    how = {"batch_dims": batch_dims, "unique_indices": unique_indices, "mode": mode}
    return index_reduce(input, dim, index, source, None, **how)


def index_add(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    *,
    alpha: complex = 1,
    batch_dims: int = 0,
    unique_indices: bool = False,
    mode: Mode = "raise",
) -> Tensor:
    """A copy of input with alpha times rows added, as torch.index_add: index_reduce by "sum"."""
    how = {"batch_dims": batch_dims, "unique_indices": unique_indices, "mode": mode}
    return index_reduce(input, dim, index, source if alpha == 1 else source * alpha, "sum", **how)


def index_reduce(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str | None,
    *,
    include_self: bool = True,
    batch_dims: int = 0,
    unique_indices: bool = False,
    mode: Mode = "raise",
) -> Tensor:
    """A copy of input with rows combined into it, as torch.index_reduce: output[p, o, index[p, t], ...] (reduce)=
    source[p, o, t, ...], with p, o and t as for index_copy.

    input, dim, index, source, batch_dims, unique_indices, mode
                  as for index_copy
    reduce        as for scatter_reduce
    include_self  whether a row of input that index names takes part

    Differentiable by input and source, as scatter_reduce.
    """
    reduction, bounds = REDUCTIONS.get(reduce) or _find_reduction(reduce), MODES.get(mode) or find_mode(mode)
    arguments = input, _as_list(index), source, dim, batch_dims, reduction, include_self, bounds, unique_indices
    return run(SCATTER, INDEX_NAMES, arguments)


def slice_scatter(
    input: Tensor,
    src: Tensor,
    dim: int | Sequence[SupportsIndex] = 0,
    start: int | Sequence[SupportsIndex] | None = None,
    end: int | Sequence[SupportsIndex] | None = None,
    step: int | Sequence[SupportsIndex] = 1,
    **several: Any,
) -> Tensor:
    """A copy of input with a slice written, as torch.slice_scatter: output[start:end:step] = src, here for dim 0.

    input             rank r >= 1
    src               the shape of the slice of input, the dtype of input
    dim               -r <= dim < r
    start, end, step  as in Python; None means 0 for start and the size for end

    OpenVINO's SliceScatter writes slices of several dimensions: slice_scatter(input, src, starts, stops, steps=None,
    axes=None) has one int for each dimension that is sliced. None means 1 for steps, and the first dimensions for axes.

    Differentiable by input and src.
    """
    if several or hasattr(dim, "__iter__"):
        lists = {"starts": dim, "stops": start, "steps": end, "axes": None if step == 1 else step} | several
        if len(lists) > len(SLICE):
            raise TypeError(f"slice_scatter() takes starts, stops, steps and axes, and no other of {', '.join(several)}")
        part = tuple(integers(lists[name]) for name in SLICE)
    else:
        part = tuple(integers((each,)) for each in (start or 0, FURTHEST if end is None else end, step, dim))
    return run(SLICE_SCATTER, TORCH_NAMES, (input, src, *part))


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    *weights: Any,
    mode: str = BAG_MODE,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
    **former: Any,
) -> Tensor:
    """Combines the rows of bags, as torch.nn.functional.embedding_bag: output[b] = the mean of weight[input[e]] over e
    from offsets[b] to offsets[b + 1]; the last bag ends with input. The gathered rows are never written.

    input                of integers: rank 1 with offsets, or rank 2, a bag in each row. A negative one counts from the end
    weight               rank r >= 2: the table
    offsets              rank 1, of integers: where each bag begins; at least 0, not decreasing, at most the size of input
    mode                 "sum", "mean", "max", "amin" or "prod". Rows of halves are combined in float32 and rounded once
    per_sample_weights   the shape of input, the dtype of weight; None means 1. A mean takes none
    include_last_offset  whether the last offset is the end of the last bag
    padding_idx          a row that bags leave out; a mean does not count it. It costs some passes over input

    An empty bag is zeros. It refuses an index out of bounds; embedding_bag_offsets has policies for such an index, and rows
    for empty bags. Returns a new tensor of the shape (bags,) + weight.shape[1:]. Differentiable by weight and
    per_sample_weights; derivatives of sums and means do not write the gathered rows either. The former
    embedding_bag(data, indices, offsets) is embedding_bag_offsets.
    """
    if weights or former or (isinstance(weight, Tensor) and weight.dim() == 1):
        return operators_former.embedding_bag_again(locals())
    reduction, bounds = BAG_MODES.get(mode) or find("mode", mode, BAG_MODES, {}), "refuse"
    if include_last_offset and offsets is not None:
        input, per_sample_weights, offsets = _without_end(input, per_sample_weights, offsets)
    if padding_idx is not None:
        input, bounds = _without_padding(input, weight.shape[0], padding_idx)
    if offsets is None:
        return run(BAG_PACKED, BAG_NAMES, (weight, input, per_sample_weights, reduction, bounds))
    return run(BAG_OFFSETS, BAG_NAMES, (weight, input, offsets, per_sample_weights, reduction, bounds, -1))


# ---- By the names of ONNX, OpenVINO and strew -----------------------------------------------------------------------


def gather_nd(
    data: Tensor,
    indices: Tensor,
    *,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | Tensor | None = None,
    **former: Any,
) -> Tensor:
    """Gathers rows: output[p, t, ...] = data[p, *indices[p, t], ...].

    data        rank r >= 1; any dtype
    indices     rank q >= 1, of integers; the last dimension k holds tuples of k coordinates, 0 <= k <= r - batch_dims.
                A negative one counts from the end
    batch_dims  the number of leading dimensions that data and indices share, 0 <= batch_dims < min(r, q)
    mode        as for gather, for each coordinate; one bad index of a tuple fills the row
    fill_value  as for gather

    Returns a new tensor of the shape indices.shape[:-1] + data.shape[batch_dims + k:].
    """
    if former:
        return gather_nd(**renamed(gather_nd, locals()))
    bounds = MODES.get(mode) or find_mode(mode)
    return run(GATHER_ND, ONNX_NAMES, (data, indices, batch_dims, bounds, fill_of(data, fill_value)))


def gather_elements(
    data: Tensor,
    indices: Tensor,
    *,
    dim: int = 0,
    mode: Mode = "raise",
    fill_value: complex | Tensor | None = None,
    **former: Any,
) -> Tensor:
    """Gathers elements: output[i][j][k] = data[i][indices[i][j][k]][k], here for dim 1 of rank 3. It is gather by ONNX's
    name."""
    if former:
        return gather_elements(**renamed(gather_elements, locals()))
    bounds = MODES.get(mode) or find_mode(mode)
    return run(GATHER_ELEMENTS, ONNX_NAMES, (data, indices, dim, bounds, fill_of(data, fill_value)))


def scatter_nd(
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    *,
    reduce: str | None = None,
    unique_indices: bool = False,
    mode: Mode = "raise",
    **former: Any,
) -> Tensor:
    """A copy of data with rows scattered to it: output[*indices[t], ...] (reduce)= updates[t, ...], t by t in order.

    data            rank r >= 1
    indices         rank q >= 1, of integers; the last dimension k holds tuples of k coordinates, 0 <= k <= r. A negative
                    one counts from the end
    updates         the shape indices.shape[:-1] + data.shape[k:], the dtype of data
    reduce          None (the last update stays), "sum", "sub", "prod", "amin" or "amax"
    unique_indices  as for scatter
    mode            as for scatter, for each coordinate; one bad index of a tuple drops the row

    Differentiable by data and updates, as scatter_reduce.
    """
    if former:
        return scatter_nd(**renamed(scatter_nd, locals()))
    reduction, bounds = REDUCTIONS.get(reduce) or _find_reduction(reduce), MODES.get(mode) or find_mode(mode)
    return run(SCATTER_ND, ONNX_NAMES, (data, indices, updates, reduction, 0, bounds, unique_indices))


def scatter_elements(
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    *,
    dim: int = 0,
    reduce: str | None = None,
    include_self: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
    **former: Any,
) -> Tensor:
    """A copy of data with elements scattered to it: output[i][indices[i][j][k]][k] (reduce)= updates[i][j][k], here for dim
    1 of rank 3. It is scatter and scatter_reduce by ONNX's name; updates have the shape of indices."""
    if former:
        return scatter_elements(**renamed(scatter_elements, locals()))
    reduction, bounds = REDUCTIONS.get(reduce) or _find_reduction(reduce), MODES.get(mode) or find_mode(mode)
    arguments = data, indices, updates, dim, reduction, include_self, bounds, unique_indices
    return run(SCATTER_ELEMENTS, ONNX_NAMES, arguments)


def tensor_scatter(
    data: Tensor,
    indices: Tensor | None,
    updates: Tensor,
    *,
    dim: int = -2,
    circular: bool = False,
    mode: Mode = "raise",
    **former: Any,
) -> Tensor:
    """A copy of a cache with a window written for each batch: output[b, i, indices[b] + t, j] = updates[b, i, t, j], here
    for dim 2 of rank 4 and t < w.

    data      rank r >= 2: the caches, n batches in the first dimension, s rows along dim
    indices   n integers: where each window begins; None: each begins at 0
    updates   the shape of data, except w <= s at dim; the dtype of data
    dim       -r < dim < r, and not the first dimension
    circular  whether a window that goes beyond the end continues at 0. If true, any index that is not negative is valid,
              and its remainder modulo s counts. If false, indices are 0 to s - w
    mode      the policy for an index out of bounds: "raise" (or "stop"), "drop" (or "fill": skip the window), "clip" (the
              nearest valid begin) or "wrap" (the remainder modulo the number of valid begins)

    Differentiable by data and updates.
    """
    if former:
        return tensor_scatter(**renamed(tensor_scatter, locals()))
    bounds = MODES.get(mode) or find_mode(mode)
    return run(TENSOR_SCATTER, ONNX_NAMES, (data, indices, updates, dim, circular, bounds))


def embedding_bag_offsets(
    data: Tensor,
    indices: Tensor,
    offsets: Tensor,
    weights: Tensor | None = None,
    *,
    reduce: str = "sum",
    default_index: int = -1,
    mode: Mode = "raise",
) -> Tensor:
    """Combines the rows of bags: output[b] = the reduction of weights[e] * data[indices[e]] over e from offsets[b] to
    offsets[b + 1]; the last bag ends with indices. The gathered rows are never written.

    data           rank r >= 1: the table
    indices        rank 1, of integers. A negative one counts from the end
    offsets        rank 1, of integers: where each bag begins; at least 0, not decreasing, at most the number of indices
    weights        one for each index, of the dtype of data; None means 1. A mean takes no weights
    reduce         "sum", "prod", "mean", "amax" or "amin". Rows of halves are combined in float32 and rounded once
    default_index  the row of data that an empty bag gets, without a weight; -1 means zeros
    mode           as for scatter; a dropped index is in no bag

    Returns a new tensor of the shape offsets.shape + data.shape[1:]. Differentiable by data and weights, for sums and means
    without writing the gathered rows.
    """
    reduction, bounds = REDUCTIONS.get(reduce) or _find_reduction(reduce), MODES.get(mode) or find_mode(mode)
    return run(BAG_OFFSETS, ONNX_NAMES, (data, indices, offsets, weights, reduction, bounds, default_index))


def embedding_bag_packed(
    data: Tensor,
    indices: Tensor,
    weights: Tensor | None = None,
    *,
    reduce: str = "sum",
    mode: Mode = "raise",
    **former: Any,
) -> Tensor:
    """Combines the rows of bags of one size: output[b] = the reduction of weights[b, i] * data[indices[b, i]] over i.

    data     rank r >= 1: the table
    indices  rank 2, of integers: a row for each bag. A negative one counts from the end
    weights  the shape of indices, the dtype of data; None means 1. A mean takes no weights
    reduce   as for embedding_bag_offsets
    mode     as for embedding_bag_offsets; with "drop", an index out of bounds can pad bags to one size

    Returns a new tensor of the shape indices.shape[:1] + data.shape[1:]. Differentiable as embedding_bag_offsets.
    """
    if former:
        return embedding_bag_packed(**renamed(embedding_bag_packed, locals()))
    reduction, bounds = REDUCTIONS.get(reduce) or _find_reduction(reduce), MODES.get(mode) or find_mode(mode)
    return run(BAG_PACKED, ONNX_NAMES, (data, indices, weights, reduction, bounds))


def embedding_segments(
    data: Tensor,
    indices: Tensor,
    segment_ids: Tensor,
    weights: Tensor | None = None,
    *,
    reduce: str = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    mode: Mode = "raise",
    **former: Any,
) -> Tensor:
    """Combines rows by the segment that each belongs to: output[segment_ids[e]] = the reduction of weights[e] *
    data[indices[e]], e by e in order. The gathered rows are never written.

    data           rank r >= 1: the table
    indices        rank 1, of integers. A negative one counts from the end
    segment_ids    as many integers, at least 0 and below num_segments, in any order
    weights        one for each index, of the dtype of data; None means 1. A mean takes no weights
    reduce         as for embedding_bag_offsets
    num_segments   the number of rows of the output; None means the greatest id plus one, which the call then reads
    default_index  as for embedding_bag_offsets, for a segment without rows
    mode           as for embedding_bag_offsets, of indices and segment_ids

    Returns a new tensor of the shape (num_segments,) + data.shape[1:]. Differentiable as embedding_bag_offsets.
    """
    if former:
        return embedding_segments(**renamed(embedding_segments, locals()))
    reduction, bounds = REDUCTIONS.get(reduce) or _find_reduction(reduce), MODES.get(mode) or find_mode(mode)
    count = count_of(segment_ids, num_segments)
    arguments = data, indices, segment_ids, count, weights, reduction, bounds, default_index
    return run(SEGMENTS, ONNX_NAMES, arguments)


def segment_reduce(
    data: Tensor,
    segment_ids: Tensor,
    *,
    reduce: str = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    mode: Mode = "raise",
    **former: Any,
) -> Tensor:
    """Combines consecutive rows by the segment that each belongs to: output[segment_ids[e]] = the
    reduction of data[e], e by e in order. (torch.segment_reduce has lengths instead of ids.)

    data          shape (m, ...) of rank r >= 1
    segment_ids   m integers, sorted, at least 0 and below num_segments
    reduce        as for embedding_bag_offsets
    num_segments  as for embedding_segments
    empty         the value of a segment without rows: "zero", or "lowest", the least finite value of data's dtype
    mode          as for scatter, of segment_ids

    Returns a new tensor of the shape (num_segments,) + data.shape[1:]. Differentiable by data.
    """
    if former:
        return segment_reduce(**renamed(segment_reduce, locals()))
    reduction, bounds = REDUCTIONS.get(reduce) or _find_reduction(reduce), MODES.get(mode) or find_mode(mode)
    if not isinstance(empty, str):  # PyTorch's dispatcher would take bytes
        raise TypeError(f"empty must be a str, not {type(empty).__name__}")
    count = count_of(segment_ids, num_segments)
    return run(SEGMENT_REDUCE, ONNX_NAMES, (data, segment_ids, count, reduction, empty, bounds))


def gather_scatter(
    data: Tensor,
    updates: Tensor,
    indices: Tensor,
    targets: Tensor,
    weights: Tensor | None = None,
    *,
    reduce: str = "sum",
    include_self: bool = True,
    mode: Mode = "raise",
    **former: Any,
) -> Tensor:
    """A copy of data with gathered rows scattered to it, as a layer of a graph network does with its edges:
    output[targets[e]] (reduce)= weights[e] * updates[indices[e]], e by e in order. The rows of the edges are never
    written anywhere.

    data          shape (s, ...) of rank r >= 1
    updates       shape (n, ...), the rest that of data, of its dtype: the rows that are gathered
    indices       rank 1, of integers: which rows of updates. A negative one counts from the end
    targets       as many integers: into which rows of data
    weights       one for each index, of the dtype of data; None is 1
    reduce        "sum", "sub", "prod", "amin" or "amax"
    include_self  whether the row of data takes part where targets name it
    mode          as for scatter, of indices and targets

    Differentiable by data, updates and weights, for sum and sub without the rows of the edges being written.
    """
    if former:
        return gather_scatter(**renamed(gather_scatter, locals()))
    reduction, bounds = REDUCTIONS.get(reduce) or _find_reduction(reduce), MODES.get(mode) or find_mode(mode)
    return run(GATHER_SCATTER, ONNX_NAMES, (data, updates, indices, targets, weights, reduction, include_self, bounds))


# ---- Arguments ------------------------------------------------------------------------------------------------------

SLICE = ("starts", "stops", "steps", "axes")
FURTHEST = 2**63 - 1


class Integers(tuple[int, ...]):
    """A list as one argument: torch.func looks into tuples, and fails on empty ones."""


def integers(given: Any) -> tuple[int, ...]:
    """A list of a slice. As in Python, integers that are too large mean the ends."""
    if given is None:
        return ()
    return tuple(min(max(operator.index(each), -FURTHEST), FURTHEST) for each in given)


def _find_reduction(reduce: Any) -> str:
    return find("reduce", reduce, REDUCTIONS, FORMER_REDUCTIONS)


def _as_list(index: Tensor) -> Tensor:
    """To PyTorch an index of rank 0 is a list of one."""
    try:
        return index if index.dim() else index.reshape(1)
    except AttributeError:  # no tensor, which is refused
        return index


def _narrowed(src: Tensor, index: Tensor) -> Tensor:
    """The part of src that index has."""
    try:
        is_larger = src.numel() > index.numel() and src.dim() == index.dim()
        return src[tuple(map(slice, index.shape))] if is_larger else src
    except AttributeError:  # no tensor, which is refused
        return src


def _without_end(input: Tensor, weights: Tensor | None, offsets: Tensor) -> tuple[Tensor, Tensor | None, Tensor]:
    """Bags whose last one ends with input."""
    count, end = len(input), int(offsets[-1]) if len(offsets) else -1
    if not 0 <= end <= count:
        raise strew.ArgumentError(f"the last of offsets is {end}, outside [0, {count}]")
    if end < count:
        input, weights = input[:end], None if weights is None else weights[:end]
    return input, weights, offsets[:-1]


def _without_padding(input: Tensor, rows: int, padding_idx: int) -> tuple[Tensor, str]:
    """Indices whose padding is out of bounds, and the policy that drops it. Others that are out of bounds stay, and are
    refused."""
    if not -rows <= padding_idx < rows:
        raise strew.ArgumentError(f"padding_idx is {padding_idx}, outside [{-rows}, {rows - 1}]")
    if bool(is_beyond(input, rows).any()):
        return input, "refuse"
    padding = padding_idx % rows
    places = input.long()
    return torch.where((places == padding) | (places == padding - rows), rows, places), "skip"


def count_of(segment_ids: Tensor, num_segments: int | None) -> int:
    """num_segments, or if it is None one more than the greatest id."""
    if num_segments is not None:
        return num_segments
    if not isinstance(segment_ids, Tensor):
        return 0  # for the refusal
    return max(int(segment_ids.long().max()), -1) + 1 if segment_ids.numel() else 0


def fill_of(data: Tensor, fill: Any) -> Tensor | None:
    """fill_value as a tensor of one element."""
    if fill is None or isinstance(fill, Tensor) or not isinstance(data, Tensor):
        return fill
    dtype = data.dtype
    kinds: tuple[type, ...] = (bool,) if dtype == torch.bool else (int,)
    kinds += (float,) if dtype.is_floating_point else (float, complex) if dtype.is_complex else ()
    if not isinstance(fill, kinds):
        raise strew.DtypeError(f"fill_value is {fill!r}, which no element of {dtype} can be")
    if kinds == (int,) and not torch.iinfo(dtype).min <= fill <= torch.iinfo(dtype).max:
        raise strew.ArgumentError(f"fill_value is {fill!r}, which no element of {dtype} can be")
    return torch.tensor(fill, dtype=dtype, device=data.device)


# ---- Refusals -------------------------------------------------------------------------------------------------------

OPTIONAL = ("weights", "fill")
WORDS = {policy: mode for mode, policy in MODES.items()}


def _refuse(error: Exception, called: Operator, names: Mapping[str, str], arguments: tuple[Any, ...]) -> NoReturn:
    """Raises strew's error for a refused call, with its fields. PyTorch's dispatcher keeps only messages, so the call
    is repeated without it. An error with another cause is raised unchanged."""
    tensors: dict[str, Tensor] = {}
    how: dict[str, Any] = {}
    for argument, value in zip(called.compiled.default._schema.arguments, arguments):
        name, is_tensor = argument.name, "Tensor" in str(argument.type)
        if is_tensor and value is None and "Optional" in str(argument.type):
            how |= {} if name in OPTIONAL else {name: None}
        elif is_tensor and not isinstance(value, Tensor):
            raise TypeError(f"{names.get(name, name)} must be a torch.Tensor, not {type(value).__name__}") from None
        elif is_tensor:
            tensors["fill_value" if name == "fill" else name] = value
        elif name == "bounds":
            how["mode"] = WORDS.get(value, value)
        elif value != () and (name, value) != ("batch_dims", 0):  # scatter_nd has none
            how[name] = value
    if all(is_plain(tensor) for tensor in tensors.values()):
        try:
            called.function(**{name: tensor.detach() for name, tensor in tensors.items()}, **how)
        except (strew.Error, TypeError) as own:
            rename_operands(own, names)
            raise own from None
        except Exception:  # no memory, or strew cannot read a tensor: PyTorch's error says so
            pass
    raise error


def is_plain(tensor: Tensor) -> bool:
    """Whether it lies in the memory of the CPU, for strew to look at; zeros that autograd made for a tangent do not."""
    is_dense = tensor.layout == torch.strided and tensor.device.type == "cpu" and not torch._is_zerotensor(tensor)
    return is_dense and type(tensor) in (Tensor, torch.nn.Parameter) and not in_functorch()
