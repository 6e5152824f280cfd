"""The timed contenders: strew, or a peer in one of the ways in which its users would write a workload."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from operands import Operands


@dataclass(frozen=True)
class Contender:
    """One way to do a workload.

    run() does it once, and leaves the result in the operands' output or returns it. time(n) does it once more, and
    then returns the seconds that n runs take together. reset() comes before a run whose result is looked at, after that
    of the operands: for those who have arrays of their own.
    """

    text: str
    run: Callable[[], Any]
    time: Callable[[int], float]
    reset: Callable[[], None] = lambda: None


class Peer(Protocol):
    """A library."""

    name: str
    version: str
    has_threads: bool  # whether its results on several threads are worth a measurement of their own
    is_exact: bool  # whether updates take effect in order, each rounded as strew's documents say

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """The ways that may be fastest, the likeliest first; none if the peer lacks the call."""

    def as_array(self, returned: Any) -> np.ndarray:
        """The result of run() as a NumPy array."""


# Ways to write a workload, by their texts.
Formulations = dict[str, Callable[[], Any]]


class PythonPeer(ABC):
    """A peer that is called from Python, on the operands' own memory. The calls are part of its times."""

    name: str
    version: str
    has_threads: bool
    is_exact = False

    @abstractmethod
    def formulations(self, operands: Operands, threads: int) -> Formulations:
        """The ways to write the one call of these operands, the likeliest to be fast first."""

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """A gather before the scatter is written in the likeliest way, and writes into existing memory."""
        ways = self.formulations(operands, threads)
        if operands.first is not None:
            (text_of_gather, gather), *_ = self.formulations(operands.first, threads).items()
            ways = {
                f"{text_of_gather}; {text}": one_after_the_other(gather, scatter) for text, scatter in ways.items()
            }
        return [Contender(text, run, clock(run)) for text, run in ways.items()]

    def as_array(self, returned: Any) -> np.ndarray:
        """It is one already."""
        return returned


def after_copying(operands: Operands, copy: Callable[[], Any], updates: Formulations) -> Formulations:
    """The updates, after a copy if the workload is out of place."""
    if operands.in_place:
        return updates
    return {f"copy, {text}": one_after_the_other(copy, update) for text, update in updates.items()}


def one_after_the_other(copy: Callable[[], Any], update: Callable[[], Any]) -> Callable[[], Any]:
    """Runs both in one call."""

    def run() -> Any:
        copy()
        return update()

    return run


def clock(run: Callable[[], Any]) -> Callable[[int], float]:
    """Makes Contender.time of Contender.run."""

    def timed(repetitions: int) -> float:
        run()
        begin = time.perf_counter()
        for _ in range(repetitions):
            run()
        return time.perf_counter() - begin

    return timed


def data_bindings(operands: Operands) -> dict[str, np.ndarray]:
    """The arrays to bind as data for a runtime without scatters in place: output itself, if it works then, or data."""
    copying = {"one node": operands.data}
    return {"one node, output bound to data": operands.output, **copying} if operands.in_place else copying
