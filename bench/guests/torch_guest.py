"""PyTorch: its own operators, alone and with strew.torch.enable()."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import strew
import strew.torch
import torch
from torch.nn import functional

from calls import FLOATS, INDICES, LONG_ALONE, Call, Operands, Operation
from guest import Side

# The reductions here, and PyTorch's names for them.
REDUCE = {"sum": "sum", "prod": "prod", "mean": "mean", "max": "amax", "min": "amin"}
ALL = tuple(REDUCE)
BACKWARD = {"backward": 3}
WITH_EXPANDED = INDICES | {"expanded": 2}


def only_floats(call: Call, trait: str) -> bool:
    """Gradients are those of floats."""
    return trait == "backward" and call.dtype not in FLOATS


def only_sums(call: Call, trait: str) -> bool:
    """Weights are those of sums."""
    return trait == "weighted" and call.reduction != "sum"


def gathers(family: str, **others: Any) -> Operation:
    """An operation that makes a new tensor."""
    return Operation(family, traits=BACKWARD | {"transposed": 10}, lacks=only_floats, **others)


def scatters(family: str, reductions: Sequence[str] = ("none",), **others: Any) -> Operation:
    """A scatter to a new tensor."""
    traits = BACKWARD | others.pop("traits", {})
    return Operation(family, reductions=reductions, traits=traits, lacks=only_floats, scatters=True, **others)


def changes(family: str, reductions: Sequence[str] = ("none",), **others: Any) -> Operation:
    """An operation in place."""
    return Operation(family, reductions=reductions, scatters=True, **others)


OPERATIONS = {
    "gather": gathers("elements", draws=WITH_EXPANDED, weight=3),
    "take_along_dim": gathers("elements", index_dtypes=LONG_ALONE),
    "index_select": gathers("rows", weight=2),
    "x[i]": gathers("rows", weight=3),
    "x[i, j]": gathers("tuples", weight=2),
    "x[mask]": gathers("mask"),
    "embedding": gathers("table", dtypes=FLOATS, weight=2),
    "scatter": scatters("elements"),
    "scatter_": changes("elements"),
    "scatter_ value": changes("elements"),
    "scatter_add": scatters("elements", ("sum",), draws=WITH_EXPANDED, weight=2),
    "scatter_add_": changes("elements", ("sum",), draws=WITH_EXPANDED, weight=2),
    "scatter_reduce": scatters("elements", ALL, traits={"exclude_self": 3}, weight=4),
    "scatter_reduce_": changes("elements", ALL, traits={"exclude_self": 3}, weight=2),
    "index_add": scatters("rows", ("sum",), weight=2),
    "index_add_": changes("rows", ("sum",), weight=2),
    "index_copy": scatters("rows", index_dtypes=LONG_ALONE),
    "index_copy_": changes("rows", index_dtypes=LONG_ALONE),
    "index_put_ accumulate": changes("tuples", ("sum",), weight=2),
    "index_put accumulate": scatters("tuples", ("sum",)),
    "x[i] = v": changes("rows", weight=2),
    "x[i, j] = v": changes("tuples"),
    "x[mask] = v": changes("mask"),
    "embedding_bag": Operation(
        "bags",
        dtypes=FLOATS,
        reductions=("sum", "sum", "mean", "max"),
        traits={"backward": 2, "weighted": 4, "padding": 8},
        lacks=only_sums,
        weight=5,
    ),
}


class TorchGuest:
    """PyTorch on the CPU."""

    name = "torch"
    operations = OPERATIONS
    has_threads_apart = False

    def __init__(self, threads: int) -> None:
        torch.set_num_threads(threads)
        warnings.filterwarnings("ignore")
        strew.torch.enable()
        strew.torch.disable()

    def versions(self) -> dict[str, str]:
        """The library's and strew's."""
        return {"torch": torch.__version__, "strew": strew.__version__}

    def age(self, sizes: Sequence[int]) -> None:
        """Every second one stays until all are made."""
        kept = [torch.ones(size, dtype=torch.uint8) for size in sizes][::2]
        del kept

    def sides(self, call: Call, operands: Operands) -> tuple[Side, Side]:
        """Both call the same function with the same tensors."""
        run, reset = made(call, operands)
        return Side(run, reset), Side(run, reset, strew.torch.enabled)

    def arrays(self, result: Any) -> list[np.ndarray]:
        """A result, or several."""
        tensors = result if isinstance(result, tuple) else (result,)
        return [as_array(tensor) for tensor in tensors]

    def right(self, call: Call, operands: Operands) -> list[np.ndarray]:
        """PyTorch's results for contiguous indices. PyTorch counts in the dtype of data, which overflows in short integers."""
        if call.is_exact and call.reduction == "mean":
            return [as_array(counted_mean(call, operands))]
        run, _ = made(call, operands)
        return [array.copy() for array in self.arrays(run())]


def counted_mean(call: Call, operands: Operands) -> torch.Tensor:
    """The mean of integers along an axis: their sum, which wraps, divided by counts of 64 bits and rounded down."""
    run, _ = made(replace(call, reduction="sum"), operands)
    indices, total = index_tensor(operands), run()
    counts = torch.zeros(total.shape, dtype=torch.int64)
    counts.scatter_add_(call.axis, indices, torch.ones_like(indices))
    counts += "exclude_self" not in call.traits
    return torch.div(total.to(torch.int64), counts.clamp(min=1), rounding_mode="floor").to(total.dtype)


def as_tensor(array: np.ndarray) -> torch.Tensor:
    """A copy in PyTorch's own memory; bfloat16 by its bits."""
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16).clone()
    return torch.from_numpy(np.array(array)).clone()


def as_array(tensor: torch.Tensor) -> np.ndarray:
    """Its numbers."""
    tensor = tensor.detach()
    if tensor.dtype == torch.bfloat16:
        return tensor.contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def made(call: Call, operands: Operands) -> tuple[Callable[[], Any], Callable[[], None] | None]:
    """A function that runs a call, and one that restores its data."""
    data, updates, weights, arriving = map(as_tensor, operands.arrays)
    if "transposed" in call.traits and data.dim() > 1:
        data = data.transpose(0, -1).contiguous().transpose(0, -1)
    function = partial(FUNCTIONS[call.family](call, operands), data, updates, weights)
    if "backward" in call.traits:
        inputs = [data, *[updates] * call.scatters, *[weights] * ("weighted" in call.traits)]
        for tensor in inputs:
            tensor.requires_grad_()
        return lambda: with_gradients(function, inputs, arriving), None
    if not changes_data(call):
        return function, None
    original = data.clone()
    return function, lambda: data.copy_(original)


def with_gradients(function: Callable[[], torch.Tensor], inputs: list[torch.Tensor], arriving: torch.Tensor) -> Any:
    """A result, and the gradients of the inputs from the gradient `arriving`."""
    result = function()
    return (result, *torch.autograd.grad(result, inputs, arriving))


def changes_data(call: Call) -> bool:
    """Whether it works in place."""
    return call.operation.endswith(("_", "_ value", "_ accumulate", "= v"))


def index_tensor(operands: Operands) -> torch.Tensor:
    """The indices; those that are expanded stay so."""
    indices = operands.indices
    if indices.ndim > 1 and indices.shape[-1] > 1 and indices.strides[-1] == 0:
        return as_tensor(indices[..., :1]).expand(indices.shape)
    return as_tensor(indices)


Function = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def along_an_axis(call: Call, operands: Operands) -> Function:
    """Entries along an axis."""
    axis, i = call.axis, index_tensor(operands)
    reduction = REDUCE.get(call.reduction)
    with_self = "exclude_self" not in call.traits
    value = 2.0 if call.dtype in FLOATS else 2
    functions: dict[str, Function] = {
        "gather": lambda x, v, w: torch.gather(x, axis, i),
        "take_along_dim": lambda x, v, w: torch.take_along_dim(x, i, axis),
        "scatter": lambda x, v, w: torch.scatter(x, axis, i, v),
        "scatter_": lambda x, v, w: x.scatter_(axis, i, v),
        "scatter_ value": lambda x, v, w: x.scatter_(axis, i, value),
        "scatter_add": lambda x, v, w: torch.scatter_add(x, axis, i, v),
        "scatter_add_": lambda x, v, w: x.scatter_add_(axis, i, v),
        "scatter_reduce": lambda x, v, w: torch.scatter_reduce(x, axis, i, v, reduction, include_self=with_self),
        "scatter_reduce_": lambda x, v, w: x.scatter_reduce_(axis, i, v, reduction, include_self=with_self),
    }
    return functions[call.operation]


def of_rows(call: Call, operands: Operands) -> Function:
    """Rows along an axis."""
    axis, i = call.axis, index_tensor(operands)
    place = (*(slice(None),) * axis, i)
    functions: dict[str, Function] = {
        "index_select": lambda x, v, w: x.index_select(axis, i),
        "x[i]": lambda x, v, w: x[place],
        "embedding": lambda x, v, w: functional.embedding(i, x),
        "index_add": lambda x, v, w: torch.index_add(x, axis, i, v),
        "index_add_": lambda x, v, w: x.index_add_(axis, i, v),
        "index_copy": lambda x, v, w: torch.index_copy(x, axis, i, v),
        "index_copy_": lambda x, v, w: x.index_copy_(axis, i, v),
        "x[i] = v": lambda x, v, w: assigned(x, place, v),
    }
    return functions[call.operation]


def by_tuples(call: Call, operands: Operands) -> Function:
    """Rows by an index for each leading dimension, or by a mask of these."""
    mask = call.family == "mask"
    place = (as_tensor(operands.indices),) if mask else tuple(map(as_tensor, operands.indices.T))
    functions: dict[str, Function] = {
        "x[i, j]": lambda x, v, w: x[place],
        "x[i, j] = v": lambda x, v, w: assigned(x, place, v),
        "x[mask]": lambda x, v, w: x[place],
        "x[mask] = v": lambda x, v, w: assigned(x, place, v),
        "index_put_ accumulate": lambda x, v, w: x.index_put_(place, v, accumulate=True),
        "index_put accumulate": lambda x, v, w: torch.index_put(x, place, v, accumulate=True),
    }
    return functions[call.operation]


def assigned(data: torch.Tensor, place: tuple, values: torch.Tensor) -> torch.Tensor:
    """The data, changed."""
    data[place] = values
    return data


def of_bags(call: Call, operands: Operands) -> Function:
    """Sums, means and maxima of an embedding's rows."""
    i, offsets, mode = as_tensor(operands.indices), as_tensor(operands.offsets), call.reduction
    padding = int(operands.indices[0]) if "padding" in call.traits else None

    def bag(table: torch.Tensor, updates: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        given = weights if "weighted" in call.traits else None
        return functional.embedding_bag(
            i, table, offsets, mode=mode, per_sample_weights=given, padding_idx=padding
        )

    return bag


FUNCTIONS = {
    "elements": along_an_axis,
    "rows": of_rows,
    "table": of_rows,
    "tuples": by_tuples,
    "mask": by_tuples,
    "bags": of_bags,
}
