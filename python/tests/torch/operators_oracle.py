"""The expected results of strew's operators for PyTorch, element by element, in Python's own numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

Position = tuple[int, ...]

INTEGERS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64]
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
COMPLEX = [torch.complex64, torch.complex128]
DTYPES = [torch.bool, *INTEGERS, *FLOATS, *COMPLEX]
REDUCTIONS = ["none", "sum", "sub", "prod", "min", "max", "mean"]


def has(reduction: str, dtype: torch.dtype) -> bool:
    """Whether strew has the reduction for the dtype."""
    if reduction in ("min", "max"):
        return dtype not in COMPLEX
    return reduction != "mean" or dtype != torch.bool


def positions(shape: Position) -> Iterator[Position]:
    return itertools.product(*(range(size) for size in shape))


def values(tensor: Tensor) -> dict[Position, Any]:
    """Its elements, by their positions."""
    flat = tensor.resolve_conj().reshape(-1).tolist()
    return dict(zip(positions(tuple(tensor.shape)), flat))


def tensor_of(elements: dict[Position, Any], shape: Position, dtype: torch.dtype) -> Tensor:
    return torch.tensor([elements[position] for position in positions(shape)], dtype=dtype).reshape(shape)


def row_addresses(data: Tensor, indices: Tensor, batch_dims: int = 0) -> Iterator[tuple[Position, Position]]:
    """Positions of data, each with its position in updates or in the gathered result."""
    coordinates = values(indices)
    count = indices.shape[-1]
    rows = tuple(data.shape[batch_dims + count :])
    for place in positions(tuple(indices.shape[:-1])):
        named = [coordinates[place + (i,)] for i in range(count)]
        named = [i % data.shape[batch_dims + d] for d, i in enumerate(named)]
        for row in positions(rows):
            yield place[:batch_dims] + tuple(named) + row, place + row


def element_addresses(data: Tensor, indices: Tensor, axis: int) -> Iterator[tuple[Position, Position]]:
    axis %= data.dim()
    for place, index in values(indices).items():
        yield place[:axis] + (index % data.shape[axis],) + place[axis + 1 :], place


def gather(data: Tensor, addresses: Iterator[tuple[Position, Position]], shape: Position) -> Tensor:
    elements = values(data)
    return tensor_of({place: elements[target] for target, place in addresses}, shape, data.dtype)


def scatter(
    data: Tensor,
    updates: Tensor,
    addresses: Iterator[tuple[Position, Position]],
    reduction: str = "none",
    use_init_val: bool = True,
) -> Tensor:
    elements, given = values(data), values(updates)
    counts: dict[Position, int] = {}
    for target, place in addresses:
        if target not in counts:
            counts[target] = int(use_init_val)
            if not use_init_val and reduction != "none":
                elements[target] = identity(reduction, data.dtype)
        counts[target] += 1
        elements[target] = combine(reduction, elements[target], given[place], data.dtype)
    if reduction == "mean":
        for target, count in counts.items():
            whole = not data.dtype.is_floating_point and not data.dtype.is_complex
            elements[target] = elements[target] // count if whole else elements[target] / count
    return tensor_of(elements, tuple(data.shape), data.dtype)


def identity(reduction: str, dtype: torch.dtype) -> Any:
    if dtype == torch.bool:
        return reduction in ("prod", "min")
    if reduction in ("min", "max"):
        if dtype.is_floating_point:
            return math.inf if reduction == "min" else -math.inf
        return torch.iinfo(dtype).max if reduction == "min" else torch.iinfo(dtype).min
    return 1 if reduction == "prod" else 0


def combine(reduction: str, old: Any, new: Any, dtype: torch.dtype) -> Any:
    if reduction == "none":
        return new
    if dtype == torch.bool:
        return {"sum": old | new, "sub": old ^ new, "prod": old & new, "min": old & new, "max": old | new}[reduction]
    result = {
        "sum": lambda: old + new,
        "mean": lambda: old + new,
        "sub": lambda: old - new,
        "prod": lambda: old * new,
        "min": lambda: min(old, new),
        "max": lambda: max(old, new),
    }[reduction]()
    return wrap(result, dtype) if dtype in INTEGERS else result


def wrap(value: int, dtype: torch.dtype) -> int:
    limits = torch.iinfo(dtype)
    return (value - limits.min) % (limits.max - limits.min + 1) + limits.min


def sample(shape: Position, dtype: torch.dtype, seed: int = 0) -> Tensor:
    """Small whole numbers: every dtype has them, and their sums and products are exact."""
    generator = torch.Generator().manual_seed(seed)
    whole = torch.randint(0 if dtype in INTEGERS[4:] else -3, 4, shape, generator=generator)
    if dtype == torch.bool:
        return whole > 0
    if dtype in COMPLEX:
        return torch.complex(whole.float(), whole.flip(0).float()).to(dtype)
    return whole.to(dtype)


def sample_indices(shape: Position, size: int, dtype: torch.dtype = torch.int64, seed: int = 0) -> Tensor:
    """Indices of a dimension, negative ones among them, and many of them the same."""
    generator = torch.Generator().manual_seed(seed)
    lower = -size if dtype.is_signed else 0
    return torch.randint(lower, size, shape, generator=generator).to(dtype)
