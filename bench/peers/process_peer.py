"""Peers in processes of their own: libraries that fix their number of threads when they are loaded.

Such a library has as many threads as its process has CPUs. There is a process for each number of threads, bound to so
many CPUs before it loads the library. It has a copy of the inputs, and runs on requests by pipe, so that it takes its
turns among the others.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import multiprocessing
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from contenders import Contender, Peer
from operands import Inputs, Operands
from rest import rest

# A folder of files in memory, if there is one: arrays are too large for pipes.
SHARED_MEMORY = "/dev/shm"


class ProcessPeer:
    """Any peer, from here: module and class are those of the peer over there."""

    has_threads = True

    def __init__(self, module: str, peer_class: str) -> None:
        self._key = (module, peer_class)
        self.name, self.version, self.is_exact = process_of(1).ask("load", self._key)

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """The contenders over there, by their places in its list."""
        process = process_of(threads)
        process.hand_over(operands)
        ask = process.ask
        texts = ask("enter", self._key)
        return [
            Contender(
                text,
                partial(run_there, ask, self._key, place),
                partial(ask, "time", self._key, place),
                partial(ask, "reset", self._key, place),
            )
            for place, text in enumerate(texts)
        ]

    def as_array(self, returned: Callable[[str], None]) -> np.ndarray:
        """Fetches the result only for the check, after its time was taken."""
        with file_in_memory() as file:
            returned(file)
            return np.load(file, mmap_mode="r")


@contextlib.contextmanager
def file_in_memory() -> Iterator[str]:
    """The name of a file for as long as the context lasts."""
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY if os.path.isdir(SHARED_MEMORY) else None) as folder:
        yield os.path.join(folder, "arrays.npy")


def run_there(ask: Callable[..., Any], key: tuple[str, str], place: int) -> Callable[[str], None]:
    """Runs; returns how to have the result in a file."""
    ask("run", key, place)
    return partial(ask, "save", key)


class Process:
    """A process with so many threads, which serves until this one ends."""

    def __init__(self, threads: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._connection, there = spawn.Pipe()
        self._process = spawn.Process(target=serve, args=(there, threads), daemon=True)
        self._process.start()
        there.close()
        self._handed_over: Inputs | None = None

    def hand_over(self, operands: Operands) -> None:
        """Has the process know these inputs, once for all of its peers."""
        if self._handed_over is operands.inputs:
            return
        with file_in_memory() as file:
            with open(file, "wb") as stream:
                pickle.dump((operands.workload, operands.inputs), stream, pickle.HIGHEST_PROTOCOL)
            self.ask("take", file)
        self._handed_over = operands.inputs

    def ask(self, request: str, *arguments: Any) -> Any:
        """Sends a request; returns the answer, or raises the other process's exception."""
        try:
            self._connection.send((request, arguments))
            answer = self._connection.recv()
        except (EOFError, OSError):
            raise RuntimeError("its process has died") from None
        if isinstance(answer, Exception):
            raise answer
        return answer


@functools.cache
def process_of(threads: int) -> Process:
    """The process for this number of threads."""
    return Process(threads)


class Server:
    """The state of the other process: a workload's operands, and peers with their contenders for it."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._peers: dict[tuple[str, str], Peer] = {}
        self._contenders: dict[tuple[str, str], list[Contender]] = {}
        self._operands: Operands | None = None
        self._returned: Any = None

    def load(self, key: tuple[str, str]) -> tuple[str, str, bool]:
        """The peer's name and version, and whether it is exact."""
        module, peer_class = key
        if key not in self._peers:
            self._peers[key] = getattr(importlib.import_module(module), peer_class)()
        return self._peers[key].name, self._peers[key].version, self._peers[key].is_exact

    def take(self, file: str) -> None:
        """The workload and the inputs in a file replace the last ones."""
        self._contenders.clear()
        self._returned = self._operands = None
        with open(file, "rb") as stream:
            self._operands = Operands(*pickle.load(stream))

    def enter(self, key: tuple[str, str]) -> list[str]:
        """Makes a peer's contenders; their texts."""
        self.load(key)
        self._contenders[key] = self._peers[key].contenders(self._operands, self._threads)
        return [contender.text for contender in self._contenders[key]]

    def reset(self, key: tuple[str, str], place: int) -> None:
        """Prepares one run."""
        self._returned = None
        self._contenders[key][place].reset()

    def run(self, key: tuple[str, str], place: int) -> None:
        """Runs once, and keeps the result."""
        self._returned = self._contenders[key][place].run()

    def time(self, key: tuple[str, str], place: int, repetitions: int) -> float:
        """Contender.time. Waits here for idle threads: the other processes cannot see them."""
        self._returned = None
        seconds = self._contenders[key][place].time(repetitions)
        rest()
        return seconds

    def save(self, key: tuple[str, str], file: str) -> None:
        """Writes the result of the last run."""
        np.save(file, self._peers[key].as_array(self._returned))


def serve(connection: Connection, threads: int) -> None:
    """Answers until the pipe is closed."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    server = Server(threads)
    while True:
        try:
            request, arguments = connection.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer = getattr(server, request)(*arguments)
        except Exception as error:
            # An exception of a library's own may not be pickled.
            answer = error if isinstance(error, ImportError) else RuntimeError(str(error))
        connection.send(answer)
