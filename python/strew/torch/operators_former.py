"""The forms and words that calls of strew.torch had before they took PyTorch's.

They work until strew 0.4, and warn. They come here from the functions of `strew.torch.operators`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from strew import _names
from strew.torch import operators

FORMER_REDUCTIONS = {"none": None, "mul": "prod", "min": "amin", "max": "amax"}
FORMER_KEYWORDS = _names.FORMER_KEYWORDS | {"axis": "dim", "reduction": "reduce", "use_init_val": "include_self"}


def renamed(function: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call by PyTorch's keywords."""
    return _names.renamed(function, given, FORMER_KEYWORDS)


def _policy(given: dict[str, Any]) -> dict[str, Any]:
    """The policy of a call, by its former keywords."""
    policy = {"bounds": _names.MODES.get(given["mode"]) or _names.find_mode(given["mode"])}
    return policy | ({"fill": given["fill_value"]} if "fill_value" in given else {})


def gather_again(given: dict[str, Any]) -> Tensor:
    """A call of gather in its former form, or with former keywords."""
    if given["index"] is not None:
        return operators.gather(**renamed(operators.gather, given))
    return gather(given["input"], given["dim"], **_policy(given) | given["former"])


def gather(
    data: Tensor, indices: Tensor, *, axis: int = 0, batch_dims: int = 0, bounds: str = "refuse", fill: Any = None
) -> Tensor:
    """The former gather."""
    _names.warn("strew.torch.gather(data, indices, axis=)", "strew.torch.index_select(input, dim, index)")
    arguments = data, indices, axis, batch_dims, bounds, operators.fill_of(data, fill)
    return operators.run(operators.GATHER, operators.ONNX_NAMES, arguments)


def scatter_again(given: dict[str, Any]) -> Tensor:
    """A call of scatter in its former form, or with former keywords."""
    if given["src"] is not None:
        return operators.scatter(**renamed(operators.scatter, given))
    how = _policy(given) | {"unique_indices": given["unique_indices"]} | given["former"]
    return scatter(given["input"], given["dim"], given["index"], **how)


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
    bounds: str = "refuse",
) -> Tensor:
    """The former scatter."""
    now = "strew.torch.index_copy, index_add or index_reduce(input, dim, index, source)"
    _names.warn("strew.torch.scatter(data, indices, updates, axis=)", now)
    how = axis, batch_dims, reduction, use_init_val, bounds, unique_indices
    return operators.run(operators.SCATTER, operators.ONNX_NAMES, (data, indices, updates, *how))


def embedding_bag_again(given: dict[str, Any]) -> Tensor:
    """A call of embedding_bag in its former form."""
    operands = given["input"], given["weight"], given["offsets"], *given["weights"]
    today = {"mode": operators.BAG_MODE, "per_sample_weights": None, "include_last_offset": False, "padding_idx": None}
    mixed = [name for name, default in today.items() if given[name] is not default]
    if mixed:
        raise TypeError(f"embedding_bag() takes input, weight and offsets, in this order, beside {', '.join(mixed)}")
    return embedding_bag(*operands, **given["former"])


def embedding_bag(
    data: Tensor,
    indices: Tensor,
    offsets: Tensor,
    weights: Tensor | None = None,
    *,
    reduction: str = "sum",
    default_index: int = -1,
    bounds: str = "refuse",
) -> Tensor:
    """The former embedding_bag."""
    now = "strew.torch.embedding_bag_offsets, or embedding_bag(input, weight, offsets, mode=)"
    _names.warn("strew.torch.embedding_bag(data, indices, offsets, weights)", now)
    arguments = data, indices, offsets, weights, reduction, bounds, default_index
    return operators.run(operators.BAG_OFFSETS, operators.ONNX_NAMES, arguments)
