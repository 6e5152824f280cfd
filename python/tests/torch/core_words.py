"""The functions of strew.torch with the core's words, for tests that compare the two or cover both."""

from __future__ import annotations

from typing import Any

from torch import Tensor

import strew.torch

KEYWORDS = {"axis": "dim", "reduction": "reduce", "use_init_val": "include_self"}
REDUCTIONS = {"none": None, "min": "amin", "max": "amax", "add": "add", "mul": "multiply"}


def words_of(how: dict[str, Any]) -> dict[str, Any]:
    """Keywords of the core as those of PyTorch."""
    if isinstance(how.get("reduction"), str):
        how = {**how, "reduction": REDUCTIONS.get(how["reduction"], how["reduction"])}
    return {KEYWORDS.get(name, name): value for name, value in how.items()}


def gather(data: Tensor, indices: Tensor, *, axis: int = 0, **how: Any) -> Tensor:
    return strew.torch.index_select(data, axis, indices, **words_of(how))


def scatter(data: Tensor, indices: Tensor, updates: Tensor, *, axis: int = 0, reduction: Any = "none", **how: Any) -> Tensor:
    reduce = words_of({"reduction": reduction})["reduce"]
    return strew.torch.index_reduce(data, axis, indices, updates, reduce, **words_of(how))


def gather_nd(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.gather_nd(*operands, **words_of(how))


def gather_elements(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.gather_elements(*operands, **words_of(how))


def scatter_nd(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.scatter_nd(*operands, **words_of(how))


def scatter_elements(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.scatter_elements(*operands, **words_of(how))


def tensor_scatter(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.tensor_scatter(*operands, **words_of(how))


def slice_scatter(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.slice_scatter(*operands, **how)


def embedding_bag_offsets(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.embedding_bag_offsets(*operands, **words_of(how))


def embedding_bag_packed(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.embedding_bag_packed(*operands, **words_of(how))


def embedding_segments(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.embedding_segments(*operands, **words_of(how))


def segment_reduce(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.segment_reduce(*operands, **words_of(how))


def gather_scatter(*operands: Any, **how: Any) -> Tensor:
    return strew.torch.gather_scatter(*operands, **words_of(how))
