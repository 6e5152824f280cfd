"""Many Python threads use the same arrays and plans, while the number of threads is set and processes are forked.

    python python/tests/core/stress.py [ROUNDS]

It compares every result with that of the same call made alone. test_stress.py runs it with a time limit, since a fault
may make it wait for ever.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import strew

Array = np.ndarray[Any, Any]

THREADS = 8
CHILDREN = 6
DRAWS = np.random.default_rng(16)

TABLE = DRAWS.standard_normal((4000, 40)).astype(np.float32)
ROWS = DRAWS.integers(-4000, 4000, (9000, 1))
UPDATES = DRAWS.standard_normal((9000, 40)).astype(np.float32)
LINE = DRAWS.standard_normal(150_000).astype(np.float32)
PLACES = DRAWS.integers(0, LINE.size, 2 * LINE.size)
VALUES = np.resize(LINE, PLACES.shape)
STRAYS = DRAWS.integers(-6000, 6000, 9000)
SMALL = np.arange(12.0).reshape(4, 3)
ONE = np.array([[2], [0]])
WRONG = PLACES.copy()
WRONG[77_777] = LINE.size

GATHER = strew.plan_gather_nd(TABLE, ROWS)
SCATTER = strew.plan_scatter_nd(TABLE, ROWS, UPDATES, reduction="sum")
FILL = strew.plan_gather(TABLE, STRAYS, mode="fill", fill_value=-1.0)
MEAN = strew.plan_scatter_elements(LINE, PLACES, VALUES, reduction="mean")
# Each thread writes one part of this array, chosen by its number.
SHARED = np.zeros((THREADS, LINE.size), np.float32)


EDGES_FROM, EDGES_TO = DRAWS.integers(0, 4000, 30_000), DRAWS.integers(0, 4000, 30_000)
EDGE_WEIGHTS = DRAWS.standard_normal(30_000).astype(np.float32)
BEGINS_OF_BAGS = np.sort(DRAWS.integers(0, 30_000, 2000))
EDGES = strew.plan_gather_scatter(TABLE, TABLE, EDGES_FROM, EDGES_TO, EDGE_WEIGHTS)
CACHES = DRAWS.standard_normal((16, 500, 64)).astype(np.float32)
BEGINS = DRAWS.integers(0, 500, 16)
EDGES_INSPECTED = EDGES.inspect(EDGES_FROM, EDGES_TO)
SCATTER_INSPECTED = SCATTER.inspect(ROWS)
ELEMENTS = strew.plan_scatter_elements(LINE, PLACES, VALUES, reduction="sum", num_threads=3)
WINDOW = strew.plan_tensor_scatter(CACHES, BEGINS, CACHES[:, :200], circular=True)


def windows_in_place(_: int) -> Array:
    caches = CACHES.copy()
    return strew.tensor_scatter(caches, BEGINS, CACHES[:, :300], circular=True, out=caches)


def in_place(_: int) -> Array:
    table = TABLE.copy()
    return strew.scatter_nd(table, ROWS, UPDATES, reduction="max", out=table)


def stopped(_: int) -> Array:
    line = LINE.copy()
    try:
        strew.scatter(line, WRONG, VALUES, reduction="sum", mode="stop", out=line)
    except IndexError as error:
        assert isinstance(error, strew.Error) and error.position == (77_777,)
        return line
    raise AssertionError("an index out of bounds was taken")


def refused(_: int) -> Array:
    line = LINE.copy()
    try:
        strew.scatter_elements(line, WRONG, VALUES, reduction="sum", out=line)
    except IndexError as error:
        assert isinstance(error, strew.Error) and error.position == (77_777,)
        return line
    raise AssertionError("an index out of bounds was taken")


JOBS: dict[str, Callable[[int], Any]] = {
    "gather": lambda _: strew.gather_nd(TABLE, ROWS),
    "gather by a plan": lambda _: GATHER(TABLE, ROWS),
    "gather with a fill by a plan": lambda _: FILL(TABLE, STRAYS),
    "gather along the last axis": lambda _: strew.gather(TABLE.T, STRAYS, axis=1, mode="wrap"),
    "sums of what is within": lambda _: strew.scatter(TABLE, STRAYS, UPDATES, reduction="sum", mode="fill"),
    "means of rows": lambda _: strew.scatter(TABLE, STRAYS, UPDATES, reduction="mean", mode="clip"),
    "sums of rows": lambda _: strew.scatter_nd(TABLE, ROWS, UPDATES, reduction="sum"),
    "sums of rows by a plan": lambda _: SCATTER(TABLE, ROWS, UPDATES),
    "sums of elements": lambda _: strew.scatter_elements(LINE, PLACES, VALUES, reduction="sum"),
    "means by a plan": lambda _: MEAN(LINE, PLACES, VALUES),
    "a part of a shared array": lambda part: strew.gather_elements(LINE, PLACES[: LINE.size], out=SHARED[part]),
    "bags": lambda _: strew.embedding_bag_offsets(TABLE, EDGES_FROM, BEGINS_OF_BAGS, EDGE_WEIGHTS),
    "segments in any order": lambda _: strew.embedding_segments(TABLE, EDGES_FROM, EDGES_TO, reduction="mean"),
    "edges by a plan": lambda _: EDGES(TABLE, TABLE, EDGES_FROM, EDGES_TO, EDGE_WEIGHTS),
    "edges by an inspected plan": lambda _: EDGES_INSPECTED(TABLE, TABLE, EDGE_WEIGHTS),
    "sums of rows by an inspected plan": lambda _: SCATTER_INSPECTED(TABLE, UPDATES),
    "inspected and run": lambda _: ELEMENTS.inspect(PLACES)(LINE, VALUES),
    "windows by a plan": lambda _: WINDOW(CACHES, BEGINS, CACHES[:, :200]),
    "windows in place": windows_in_place,
    "a slice": lambda _: strew.slice_scatter(TABLE, TABLE[::3], [3999], [-4001], [-3]),
    "a few": lambda _: strew.gather_nd(SMALL, ONE),
    "in place": in_place,
    "refused": refused,
    "stopped": stopped,
    "one thread": lambda _: strew.gather_elements(LINE, PLACES, num_threads=1),
    "three threads": lambda _: strew.gather_elements(LINE, PLACES, num_threads=3),
}


class Stress:
    """The threads, the expected result of each job, and the failures."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.expected = {name: np.array(job(0)) for name, job in JOBS.items()}
        self.failures: list[str] = []
        self.begin = threading.Barrier(THREADS + 1)
        self.working = threading.Event()
        self.pause = threading.Event()

    def check(self, name: str, part: int) -> None:
        result = JOBS[name](part)
        if result.tobytes() != self.expected[name].tobytes():
            raise AssertionError(f"{name}: another result than alone")

    def work(self, part: int) -> None:
        """One thread: runs the jobs in an order of its own."""
        order = random.Random(part)
        self.begin.wait()
        try:
            for _ in range(self.rounds):
                for name in order.sample(sorted(JOBS), len(JOBS)):
                    self.check(name, part)
        except BaseException:
            self.failures.append(traceback.format_exc())

    def fork(self) -> None:
        """A child, which has no thread but this one, does every job."""
        child = os.fork()
        if child == 0:
            try:
                for name in JOBS:
                    self.check(name, 0)
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        _, status = os.waitpid(child, 0)
        if status:
            self.failures.append(f"a forked child ended with the status {status}")

    def disturb(self) -> None:
        """Sets the number of threads, and forks, while others work."""
        forks = CHILDREN if hasattr(os, "fork") else 0
        count = 0
        while self.working.is_set() or count < forks:
            strew.set_num_threads(1 + count % 4)
            if count < forks:
                self.fork()
            count += 1
            self.pause.wait(0.02)

    def run(self) -> list[str]:
        self.working.set()
        threads = [threading.Thread(target=self.work, args=(part,)) for part in range(THREADS)]
        disturber = threading.Thread(target=self.disturb)
        for thread in (*threads, disturber):
            thread.start()
        self.begin.wait()
        for thread in threads:
            thread.join()
        self.working.clear()
        disturber.join()
        return self.failures


def main() -> int:
    # CPython warns of forking with threads; this test shows that it works.
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    strew.set_num_threads(2)
    failures = Stress(int(sys.argv[1]) if len(sys.argv) > 1 else 30).run()
    print("\n".join(failures) or "all results were those of the calls made alone")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
