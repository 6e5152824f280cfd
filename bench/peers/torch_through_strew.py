"""The formulations of torch_peer.py with strew underneath: what a user of PyTorch sees who adds one line."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import Any

import strew.torch
import torch

from contenders import Contender
from operands import Operands
from torch_peer import TorchPeer


class TorchThroughStrew(TorchPeer):
    """PyTorch, whose kernels are strew's for as long as a run lasts, or a turn."""

    name = "PyTorch through strew"
    version = f"{torch.__version__}, strew {strew.__version__}"

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """Those of PyTorch alone."""
        alone = super().contenders(operands, threads)
        return [replace(one, run=with_strew(one.run), time=with_strew(one.time)) for one in alone]


def with_strew(function: Any) -> Any:
    """The same function; PyTorch's own kernels are back when it returns."""

    @wraps(function)
    def enabled(*arguments: Any) -> Any:
        with strew.torch.enabled():
            return function(*arguments)

    return enabled
