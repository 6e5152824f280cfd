"""Times the two sides of a call in turns."""

from __future__ import annotations

import math
import operator
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from guest import Side
from rest import rest

TRIAL_RUNS = 3


@dataclass(frozen=True)
class Length:
    """The length of a race: the pairs of turns, the least time of a turn, and about the most time of all."""

    pairs: int
    seconds: float
    most_seconds: float


# Turns are short, so that other load hits both sides of most pairs, or neither. With a load of 13 on two cores, ratios
# from 31 turns of 1 ms never differed by more than 0.05; ratios from 15 turns of 10 ms differed by up to 0.2.
SHORT, LONG = Length(21, 0.001, 0.7), Length(61, 0.001, 3.0)
# Slow calls have so many pairs at least.
FEWEST_PAIRS = 5


@dataclass(frozen=True)
class Times:
    """Seconds of one run: the median of turns, and the median of the ratios of turns that follow each other."""

    alone: float
    through: float
    ratio: float


def race(sides: Sequence[Side], length: Length, *, rests: bool) -> Times:
    """Both sides take turns, so that other load hits both alike."""
    counts = [repetitions(side, length) for side in sides]
    turns: list[list[float]] = []
    spent = 0.0
    while len(turns) < length.pairs and (len(turns) < FEWEST_PAIRS or spent < length.most_seconds):
        turns.append([turn(side, count, rests=rests) for side, count in zip(sides, counts, strict=True)])
        spent += sum(map(operator.mul, counts, turns[-1]))
    alone, through = (statistics.median(times) for times in zip(*turns, strict=True))
    return Times(alone, through, statistics.median(alone / through for alone, through in turns))


def repetitions(side: Side, length: Length) -> int:
    """The number of runs in a turn."""
    with side.context():
        seconds = min(timed(side, 1) for _ in range(TRIAL_RUNS))
    return math.ceil(length.seconds / max(seconds, 1e-7))


def turn(side: Side, count: int, *, rests: bool) -> float:
    """Seconds of one run, of several."""
    if rests:
        rest()
    with side.context():
        timed(side, 1)
        return timed(side, count) / count


def timed(side: Side, count: int) -> float:
    """Seconds of so many runs. A result lives until the next one exists, as in most programs."""
    if side.reset:
        return sum(timed_apart(side.run, side.reset) for _ in range(count))
    run = side.run
    begin = time.perf_counter()
    for _ in range(count):
        result = run()  # noqa: F841
    return time.perf_counter() - begin


def timed_apart(run: Callable[[], Any], reset: Callable[[], None]) -> float:
    """The seconds of a run, with its data reset before."""
    reset()
    begin = time.perf_counter()
    result = run()
    end = time.perf_counter()
    del result
    return end - begin
