"""The autocast rule of strew's operators: operands of several floating dtypes become the widest of them, as for
torch.cat and index_copy. Operands of one dtype keep it."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import torch
from torch import Tensor

# float8 and complex numbers are not promoted.
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)

_is_enabled = torch.is_autocast_enabled
_below_autocast = torch._C._ExcludeDispatchKeyGuard
_keys = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)


def is_casting() -> bool:
    return _is_enabled("cpu")


def is_float(argument: Any) -> bool:
    return isinstance(argument, Tensor) and argument.dtype in FLOATS


def promoted(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, with tensors of floating dtypes in the widest of these."""
    dtypes = {argument.dtype for argument in arguments if is_float(argument)}
    if len(dtypes) < 2:
        return arguments
    widest = reduce(torch.promote_types, dtypes)
    return tuple(argument.to(widest) if is_float(argument) else argument for argument in arguments)


def autocast_kernel(operator: Any) -> Callable[..., Tensor]:
    """The kernel of an operator for the key AutocastCPU."""

    def cast(*arguments: Any) -> Tensor:
        with _below_autocast(_keys):
            return operator(*promoted(arguments))

    return cast
