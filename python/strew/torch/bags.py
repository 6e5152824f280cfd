"""PyTorch's embedding_bag, taken over: sums and means of the rows of bags, with all that PyTorch's own backward needs."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from strew.torch.operators_calls import below_autograd

# The numbers of native/torch for how a call ended.
BY_STREW, INDEX, ARGUMENTS, DTYPE, TENSOR, FASTER = 0, 1, 2, 3, 5, 9

SUM, MEAN = 0, 1
REDUCTIONS = {SUM: "sum", MEAN: "mean"}

# So many bytes of rows PyTorch has summed before Python has looked at the arguments. It is slower at means.
LEAST_BYTES = {SUM: 1 << 18, MEAN: 1 << 15}

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
    if call.indices.numel() * call.weight.shape[-1] * call.weight.element_size() < LEAST_BYTES.get(call.mode, 0):
        return FASTER
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
    return BY_STREW


# Where PyTorch refuses a negative index, and strew counts it from the end: as an unsigned one it is out of bounds.
UNSIGNED = {torch.int64: torch.uint64, torch.int32: torch.uint32}


def run(call: Call) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """By strew: the bags, the bag of each index, how many there are in each, and what only a maximum has."""
    offsets = call.offsets[:-1] if call.include_last_offset else call.offsets
    kept = None if call.padding_idx < 0 else call.indices != call.padding_idx
    before = None if kept is None else torch.nn.functional.pad(kept.cumsum(0), (1, 0))
    indices, weights = call.indices, call.per_sample_weights
    if kept is not None:
        indices, weights = indices[kept], None if weights is None else weights[kept]
    begins = offsets if before is None else before[offsets.long()]
    unsigned = indices.view(UNSIGNED[indices.dtype])
    with below_autograd():
        output = _embedding_bag(call.weight, unsigned, begins, weights, REDUCTIONS[call.mode], "refuse")
    bag_size = torch.zeros_like(offsets) if call.mode == SUM else sizes(call, offsets, before)
    return output, offset2bag(call, offsets), bag_size, torch.empty_like(bag_size)


def sizes(call: Call, offsets: Tensor, before: Tensor | None) -> Tensor:
    """How many indices a bag has, but for padding, of which `before` tells how much is not; PyTorch does not count for
    sums."""
    ends = torch.cat([offsets[1:], offsets.new_full((1,), call.indices.shape[0])])
    return ends - offsets if before is None else (before[ends.long()] - before[offsets.long()]).to(offsets.dtype)


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
