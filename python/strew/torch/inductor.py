"""Makes torch.compile's inductor call PyTorch's operators instead of writing loops of its own for them."""

from __future__ import annotations

from typing import Any

import torch

# The forms in which gathers, scatters and indexing reach inductor: all others have been decomposed into these.
_OPERATORS = (
    *("gather", "index.Tensor", "_unsafe_index.Tensor", "embedding", "scatter.src", "scatter_.src"),
    *("scatter_add", "scatter_add_", "scatter_reduce.two", "scatter_reduce_.two"),
    *("index_put", "index_put_", "_unsafe_index_put"),
)

_TAG = "strew"

_saved: dict[Any, Any] = {}
_saved_tag = ""


def _overload(operator: str) -> Any:
    name, _, overload = operator.partition(".")
    return getattr(getattr(torch.ops.aten, name), overload or "default")


def is_on() -> bool:
    """Whether inductor calls the operators."""
    return bool(_saved)


def begin() -> None:
    """Has inductor call the operators from the next compilation on, and keep that code apart in its caches."""
    global _saved_tag
    if _saved:
        return
    from torch._inductor import lowering

    _saved_tag = torch.compiler.config.cache_key_tag
    try:
        for operator in map(_overload, _OPERATORS):
            _saved[operator] = lowering.lowerings.get(operator), operator in lowering.fallbacks
            lowering.make_fallback(operator, warn=False, override_decomp=True)
        torch.compiler.config.cache_key_tag = f"{_saved_tag}{_TAG}"
    except BaseException:
        end()
        raise


def end() -> None:
    """Gives inductor its own way back, from the next compilation on."""
    if not _saved:
        return
    from torch._inductor import lowering

    for operator, (lowered, fallback) in _saved.items():
        if lowered is None:
            lowering.lowerings.pop(operator, None)
        else:
            lowering.lowerings[operator] = lowered
        if not fallback:
            lowering.fallbacks.discard(operator)
    _saved.clear()
    torch.compiler.config.cache_key_tag = _saved_tag
