"""The formulations of torch_peer.py with strew underneath, as for a user of PyTorch who adds one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import strew.torch
import torch

from contenders import Contender
from operands import Operands
from torch_peer import TorchPeer

NO_PART = "strew has no part in it"


class TorchThroughStrew(TorchPeer):
    """PyTorch, with strew's kernels during a run or a turn."""

    name = "PyTorch through strew"
    version = f"{torch.__version__}, strew {strew.__version__}"

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """The contenders of PyTorch alone, if strew runs a part of them."""
        alone = super().contenders(operands, threads)
        return [replace(one, run=run_by_strew(one.run), time=with_strew(one.time)) for one in alone]


def with_strew(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with strew; it restores PyTorch's own kernels when it returns."""

    @wraps(function)
    def enabled(*arguments: Any) -> Any:
        with strew.torch.enabled():
            return function(*arguments)

    return enabled


def run_by_strew(run: Callable[[], Any]) -> Callable[[], Any]:
    """The same run, refused if strew ran nothing of it."""

    def checked() -> Any:
        returned = with_strew(run)()
        if not strew.torch.report().taken:
            raise NotImplementedError(NO_PART)
        return returned

    return checked
