"""PyTorch's embedding_bag, taken over: sums and means of the rows of bags, with all that PyTorch's own backward needs."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from strew.torch.operators_calls import below_autograd

# The numbers of native/torch for how a call ended.
BY_STREW, INDEX, ARGUMENTS, DTYPE, TENSOR = 0, 1, 2, 3, 5

SUM, MEAN = 0, 1
REDUCTIONS = {SUM: "sum", MEAN: "mean"}

_embedding_bag = torch.ops.strew.embedding_bag.default


class Call(NamedTuple):
    """A call of aten::_embedding_bag, and of _embedding_bag_forward_only."""

    weight: Tensor
    indices: Tensor
    offsets: Tensor
    scale_grad_by_freq: bool = False
    mode: int = SUM
    sparse: bool = False
    per_sample_weights: Tensor | None = None
    include_last_offset: bool = False
    padding_idx: int = -1


def why_not(call: Call, dtypes: frozenset[torch.dtype]) -> int:
    """The outcome of a call that PyTorch's own kernel is to do, or that of one by strew."""
    tensors = [call.weight, call.indices, call.offsets]
    tensors += [] if call.per_sample_weights is None else [call.per_sample_weights]
    if any(each.layout != torch.strided or each.is_neg() for each in tensors):
        return TENSOR
    if call.mode not in REDUCTIONS or call.weight.dim() != 2 or call.indices.dim() != 1 or call.offsets.dim() != 1:
        return ARGUMENTS
    if call.weight.dtype not in dtypes or call.indices.dtype not in (torch.int64, torch.int32):
        return DTYPE
    if call.offsets.dtype != call.indices.dtype:
        return DTYPE
    weights = call.per_sample_weights
    if weights is not None and (call.mode != SUM or weights.dtype != call.weight.dtype):
        return ARGUMENTS
    if weights is not None and weights.shape != call.indices.shape:
        return ARGUMENTS
    if not -1 <= call.padding_idx < call.weight.shape[0] or call.offsets.shape[0] < 1 + call.include_last_offset:
        return ARGUMENTS
    # What lies before the first bag, PyTorch refuses; and after the last one, it leaves out.
    if int(call.offsets[0]) != 0 or call.include_last_offset and int(call.offsets[-1]) != call.indices.shape[0]:
        return ARGUMENTS
    if call.indices.numel() and int(call.indices.min()) < 0:
        return INDEX
    return BY_STREW


def run(call: Call) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """By strew: the bags, the bag of each index, how many there are in each, and what only a maximum has."""
    offsets = call.offsets[:-1] if call.include_last_offset else call.offsets
    ends = torch.cat([offsets[1:], offsets.new_full((1,), call.indices.shape[0])])
    bag_size = ends - offsets
    indices, begins, weights = call.indices, offsets, call.per_sample_weights
    if call.padding_idx >= 0:
        kept = indices != call.padding_idx
        before = torch.nn.functional.pad(kept.cumsum(0), (1, 0))
        begins, indices = before[offsets.long()], indices[kept]
        bag_size = (before[ends.long()] - begins).to(offsets.dtype)
        weights = None if weights is None else weights[kept]
    with below_autograd():
        output = _embedding_bag(call.weight, indices, begins, weights, REDUCTIONS[call.mode], "refuse")
    max_indices = torch.empty_like(bag_size)
    if call.mode == SUM:
        bag_size = torch.zeros_like(bag_size)  # which PyTorch does not count for sums
    return output, offset2bag(call, offsets), bag_size, max_indices


def offset2bag(call: Call, offsets: Tensor) -> Tensor:
    """The bag of each index; empty where PyTorch leaves it to the backward."""
    if call.mode == SUM and is_fast_path(call):
        return call.offsets.new_empty(0)
    positions = torch.arange(call.indices.shape[0], dtype=offsets.dtype)
    return (torch.searchsorted(offsets.contiguous(), positions, right=True) - 1).to(offsets.dtype)


def is_fast_path(call: Call) -> bool:
    """Where PyTorch itself sums by its fast kernels."""
    weights = call.per_sample_weights
    return (
        call.weight.dtype in (torch.float32, torch.float16, torch.bfloat16)
        and call.weight.stride(1) == 1
        and call.padding_idx < 0
        and (weights is None or weights.stride(0) == 1)
    )
