"""Threads: their number, the GIL, several at once, and forks."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import strew
from strew._cpus import available_cpus

ROWS = 400_000
DATA = np.random.default_rng(1).random((ROWS, 4))
INDICES = np.random.default_rng(2).integers(0, ROWS, (ROWS, 1))
EXPECTED = DATA[INDICES[:, 0]]


def run(program: str, **environment: str) -> str:
    """The output of a Python program that has imported strew and numpy."""
    command = [sys.executable, "-W", "error::DeprecationWarning", "-c", f"import os, sys, numpy, strew\n{program}"]
    variables = {name: value for name, value in os.environ.items() if name != "STREW_NUM_THREADS"}
    done = subprocess.run(command, capture_output=True, text=True, env=variables | environment, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_default_is_the_cpus_of_the_process() -> None:
    assert run("print(strew.get_num_threads())") == f"{available_cpus()}\n"
    if hasattr(os, "sched_getaffinity"):
        alone = "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nimport subprocess\n"
        program = "import strew; print(strew.get_num_threads())"
        assert run(f"{alone}subprocess.run([sys.executable, '-c', {program!r}])") == "1\n"


def test_the_environment_says_how_many() -> None:
    assert run("print(strew.get_num_threads())", STREW_NUM_THREADS="7") == "7\n"
    for wrong in ("0", "-2", "two", "3x", "99999"):
        printed = run("print(strew.get_num_threads() > 0)", STREW_NUM_THREADS=wrong)
        assert f"STREW_NUM_THREADS is '{wrong}', not a number in [1, 1024]: it is ignored" in printed
        assert "True" in printed


def test_the_default_can_be_set() -> None:
    before = strew.get_num_threads()
    try:
        strew.set_num_threads(3)
        assert strew.get_num_threads() == 3
        assert strew.info()["num_threads"] == 3
        assert np.array_equal(strew.gather_nd(DATA, INDICES), EXPECTED)
        assert strew.info()["threads_started"] == 3
        strew.set_num_threads(1)  # which lets threads go
        assert strew.info()["threads_started"] == 0
        for wrong in (0, -1, 5000):
            with pytest.raises(ValueError, match="num_threads is"):
                strew.set_num_threads(wrong)
        for none in (None, 1.5, "2"):
            with pytest.raises(TypeError):
                strew.set_num_threads(none)  # type: ignore[arg-type]
        assert strew.get_num_threads() == 1
    finally:
        strew.set_num_threads(before)


def test_no_thread_is_started_unless_a_call_is_large() -> None:
    program = """
d = numpy.zeros(1000)
strew.gather_elements(d, numpy.zeros(1000, int), num_threads=4)
print(strew.info()["threads_started"], len(os.listdir("/proc/self/task")) if os.path.exists("/proc") else 1)
d = numpy.zeros(1000000)
strew.gather_elements(d, numpy.zeros(1000000, int), num_threads=4)
print(strew.info()["threads_started"])
"""
    assert run(program, OPENBLAS_NUM_THREADS="1") == "0 1\n4\n"


@pytest.mark.parametrize("threads", [1, 2, 3, 5, 16])
def test_any_number_gives_the_same(threads: int) -> None:
    assert np.array_equal(strew.gather_nd(DATA, INDICES, num_threads=threads), EXPECTED)


def turns_during(call: Callable[[], object]) -> int:
    """How far a thread that only counts gets in 20 calls. It counts while the GIL is released."""
    counts = [0]
    stop = threading.Event()

    def count() -> None:
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0)  # gives the GIL up; no other code does unless asked

    counter = threading.Thread(target=count)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(10)
    try:
        counter.start()
        during = 0
        for _ in range(20):
            before = counts[0]
            call()
            during += counts[0] - before
        return during
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        counter.join()


def test_python_goes_on_while_a_call_runs() -> None:
    assert turns_during(lambda: strew.gather_nd(DATA, INDICES, num_threads=1)) > 0


def test_python_goes_on_while_indices_are_inspected() -> None:
    """With a few indices, which take no time, the GIL is kept."""
    plan, few = (strew.plan_gather_nd(DATA, indices, num_threads=1) for indices in (INDICES, INDICES[:3]))
    assert turns_during(lambda: plan.inspect(INDICES)) > 0
    assert turns_during(lambda: few.inspect(INDICES[:3])) == 0


def test_several_python_threads_share_arrays() -> None:
    failures: list[str] = []

    def work(threads: int) -> None:
        out = np.empty_like(EXPECTED)
        for _ in range(5):
            strew.gather_nd(DATA, INDICES, out=out, num_threads=threads)
            if not np.array_equal(out, EXPECTED):
                failures.append(f"with {threads} threads")

    workers = [threading.Thread(target=work, args=(1 + i % 3,)) for i in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []


FORKS = """
import warnings
warnings.simplefilter("ignore")
d = numpy.arange(1000000.0)
i = numpy.arange(1000000)[::-1].copy()
expected = d[::-1].copy()
def right():
    return numpy.array_equal(strew.gather_elements(d, i, num_threads=3), expected)
assert right()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_has_threads_of_its_own() -> None:
    program = f"""{FORKS}
for depth in range(3):
    child = os.fork()
    if child == 0:
        assert strew.info()["threads_started"] == 0
        if not right() or strew.info()["threads_started"] != 3:
            os._exit(1)
        if depth == 2:
            os._exit(0)
    else:
        assert right()
        status = os.waitpid(child, 0)[1]
        if depth > 0:
            os._exit(1 if status else 0)
        print(status)
        break
"""
    assert run(program) == "0\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_while_another_thread_has_the_pool() -> None:
    program = f"""{FORKS}
import threading
stop = threading.Event()
def work():
    while not stop.is_set():
        assert right()
worker = threading.Thread(target=work)
worker.start()
for _ in range(20):
    child = os.fork()
    if child == 0:
        os._exit(0 if right() and right() else 1)
    if os.waitpid(child, 0)[1] != 0:
        print("a child failed")
stop.set()
worker.join()
print("done")
"""
    assert run(program) == "done\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_multiprocessing_by_fork(tmp_path: Path) -> None:
    path = tmp_path / "pool.py"
    path.write_text(f"""import multiprocessing, numpy, os, strew
{FORKS}
def task(_):
    return right()
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(3) as pool:
        print(sum(pool.map(task, range(6))))
""")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "6\n"
