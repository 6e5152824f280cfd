"""Times contenders: finds each peer's fastest right one, and races these against each other."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from answers import Answer
from contenders import Contender, Peer
from operands import Operands
from rest import rest

# A first run this slow predicts the next ones; faster ones are repeated for a while to measure them.
SLOW_SECONDS = 0.2
TRIAL_SECONDS, TRIAL_RUNS = 0.005, 3
# Turns are long enough for the clock and for threads to wake up.
TURN_SECONDS = 0.02
# How often the result of the racing contender is checked again, in case threads lost an update that time.
CONFIRMATIONS = 2
# A peer that has run this long gets no more turns: it is slow enough to measure in a few.
ENOUGH_SECONDS = 2.0


@dataclass
class Lane:
    """A peer in the race for one workload. Its best contender is None if one was wrong, or if there was none."""

    best: Contender | None = None
    seconds: float = math.inf  # of one run
    wrong: bool = False
    remarks: list[str] = field(default_factory=list)
    spent: float = 0.0

    def take_turn(self) -> None:
        """Runs for a while, and keeps the time if it is better."""
        if self.best is None or self.spent > ENOUGH_SECONDS:
            return
        rest()
        repetitions = math.ceil(TURN_SECONDS / self.seconds)
        contender, self.best = self.best, None  # it is out if it raises anything
        with refusals(self, contender.text):
            elapsed = contender.time(repetitions)
            self.best = contender
            self.seconds = min(self.seconds, elapsed / repetitions)
            self.spent += elapsed

    def note_mistakes(self, contender: Contender, mistakes: int, size: int) -> None:
        """Records that a result was wrong."""
        self.wrong = True
        self.remarks.append(f"{contender.text} wrong: {mistakes} of {size} elements")


def try_out(peer: Peer, operands: Operands, answer: Answer, threads: int) -> Lane:
    """Enters the fastest of a peer's contenders; none if one of them is wrong.

    A kernel that sometimes loses updates may be right in this call and wrong in another.
    """
    lane = Lane()
    with refusals(lane, "all"):
        for contender in peer.contenders(operands, threads):
            with refusals(lane, contender.text):
                try_contender(lane, peer, contender, operands, answer)
    if lane.wrong:
        lane.best = None
    return lane


@contextlib.contextmanager
def refusals(lane: Lane, what: str) -> Iterator[None]:
    """Records a refusal as a remark. Libraries have no common class of exceptions for it."""
    try:
        yield
    except Exception as error:
        first_line, *_ = str(error).partition("\n")
        lane.remarks.append(f"{what} refused: {first_line}")


def try_contender(lane: Lane, peer: Peer, contender: Contender, operands: Operands, answer: Answer) -> None:
    """Makes it the one to race if it is right, and faster than those before."""
    first_seconds, mistakes = first_run(peer, contender, operands, answer)
    if mistakes:
        lane.note_mistakes(contender, mistakes, answer.exact.size)
        return
    seconds = first_seconds if first_seconds > SLOW_SECONDS else mean_seconds(contender, first_seconds)
    if seconds < lane.seconds:
        lane.best, lane.seconds = contender, seconds


def confirm(lane: Lane, peer: Peer, operands: Operands, answer: Answer) -> None:
    """Removes the time of a contender whose sums are right only in some runs."""
    for _ in range(CONFIRMATIONS):
        if lane.best is None:
            return
        contender, lane.best = lane.best, None
        with refusals(lane, contender.text):
            _, mistakes = first_run(peer, contender, operands, answer)
            if mistakes:
                lane.note_mistakes(contender, mistakes, answer.exact.size)
            else:
                lane.best = contender


def mean_seconds(contender: Contender, first_seconds: float) -> float:
    """The mean time of several runs."""
    repetitions = max(TRIAL_RUNS, math.ceil(TRIAL_SECONDS / first_seconds))
    rest()
    return contender.time(repetitions) / repetitions


def first_run(peer: Peer, contender: Contender, operands: Operands, answer: Answer) -> tuple[float, int]:
    """The time of the first run, and the number of wrong elements of its result."""
    operands.reset()
    contender.reset()
    begin = time.perf_counter()
    returned = contender.run()
    seconds = time.perf_counter() - begin
    result = operands.output if returned is None else peer.as_array(returned)
    return seconds, answer.mistakes(result, exactly=peer.is_exact)


def race(lanes: Iterable[Lane], rounds: int) -> None:
    """All take turns, so that other load hits all alike."""
    lanes = list(lanes)
    for _ in range(rounds):
        for lane in lanes:
            lane.take_turn()
