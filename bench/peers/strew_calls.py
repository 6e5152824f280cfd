"""Calls of C functions, described in Python and timed in C: strew's, and those of its peers in C."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Mapping, Sequence
from ctypes import POINTER, c_bool, c_char_p, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any

import numpy as np

STATUS, CALL = c_int32, c_void_p
NUMBERS = POINTER(c_int64)

# Arguments and result of each function called: strew's own, and those of shim.h.
PROTOTYPES: dict[str, tuple[list[Any], Any]] = {
    "strew_version": ([], c_char_p),
    "strew_cpu_describe": ([c_char_p, c_size_t], c_size_t),
    "strew_isa_active": ([], c_int32),
    "strew_isa_name": ([c_int32], c_char_p),
    "strew_peers_make_call": ([], CALL),
    "strew_peers_free_call": ([CALL], None),
    "strew_peers_set_tensor": ([CALL, c_char_p, c_void_p, c_char_p, c_int32, NUMBERS, NUMBERS], c_bool),
    "strew_peers_set_attribute": ([CALL, c_char_p, c_int64], c_bool),
    "strew_peers_describe": ([CALL, c_char_p, c_char_p, c_char_p], c_bool),
    "strew_peers_expect": ([CALL], c_bool),
    "strew_peers_plan": ([CALL, c_size_t], STATUS),
    "strew_peers_use_loops": ([CALL], c_bool),
    "strew_peers_use_onnxruntime": ([CALL, c_char_p, c_char_p, c_size_t, c_size_t, c_char_p, c_size_t], c_bool),
    "strew_peers_give_scratch": ([CALL], c_size_t),
    "strew_peers_inspect": ([CALL], STATUS),
    "strew_peers_time": ([POINTER(CALL), c_size_t, c_size_t, c_bool, c_size_t, POINTER(c_uint64)], STATUS),
    "strew_peers_message": ([CALL, c_char_p, c_size_t], c_size_t),
}


class RefusedError(Exception):
    """strew refused a call; the message is its own."""


class Library:
    """libstrew_peers.so, and libstrew.so with it."""

    def __init__(self, path: Path) -> None:
        self.functions = ctypes.CDLL(str(path))
        for name, (arguments, result) in PROTOTYPES.items():
            function = getattr(self.functions, name)
            function.argtypes, function.restype = arguments, result

    @property
    def version(self) -> str:
        """The version of strew."""
        return self.functions.strew_version().decode()

    @property
    def isa(self) -> str:
        """The instruction set picked."""
        return self.functions.strew_isa_name(self.functions.strew_isa_active()).decode()

    @property
    def cpu(self) -> str:
        """The CPU's own name and features."""
        return text_written_by(self.functions.strew_cpu_describe)


class Call:
    """One call of an operator, in C. The caller keeps its arrays alive."""

    def __init__(
        self,
        library: Library,
        operator: str,
        tensors: Mapping[str, tuple[np.ndarray, str]],
        attributes: Mapping[str, int | str],
    ) -> None:
        """Each tensor has the name of its dtype; bfloat16, which NumPy lacks, is in an array of uint16.

        An attribute that is not there has strew's default.
        """
        self._functions = library.functions
        self.handle = self._functions.strew_peers_make_call()
        weakref.finalize(self, self._functions.strew_peers_free_call, self.handle)
        for name, (array, dtype) in tensors.items():
            shape = (c_int64 * array.ndim)(*array.shape)
            strides = (c_int64 * array.ndim)(*(stride // array.itemsize for stride in array.strides))
            arguments = (name.encode(), array.ctypes.data, dtype.encode(), array.ndim, shape, strides)
            if not self._functions.strew_peers_set_tensor(self.handle, *arguments):
                raise ValueError(f"no tensor for strew: {name}, {array.ndim} dimensions, {dtype}")
        words = {"reduction": "none", "bounds": "refuse"}
        for name, value in attributes.items():
            if name in words:
                words[name] = value
            elif not self._functions.strew_peers_set_attribute(self.handle, name.encode(), value):
                raise ValueError(f"no attribute for strew: {name}")
        arguments = (operator, words["reduction"], words["bounds"])
        if not self._functions.strew_peers_describe(self.handle, *(word.encode() for word in arguments)):
            raise ValueError(f"not known to strew: {', '.join(arguments)}")

    def expect(self) -> None:
        """Writes the right output, by the loops of strew's tests."""
        if not self._functions.strew_peers_expect(self.handle):
            raise ValueError("the workload has an index that is refused")

    def plan(self, threads: int) -> None:
        """Has strew run it."""
        if self._functions.strew_peers_plan(self.handle, threads):
            raise RefusedError(self.message)

    def use_loops(self) -> bool:
        """Has plain loops run it, if there is one for it."""
        return self._functions.strew_peers_use_loops(self.handle)

    def use_onnxruntime(self, library: Path, model: bytes, threads: int) -> None:
        """Has ONNX Runtime's C API run it."""
        reason = ctypes.create_string_buffer(1024)
        arguments = (str(library).encode(), model, len(model), threads, reason, len(reason))
        if not self._functions.strew_peers_use_onnxruntime(self.handle, *arguments):
            raise RefusedError(reason.value.decode())

    def give_scratch(self) -> int:
        """Gives it the scratch with which it runs fastest; returns its bytes, 0 if there is no use for it."""
        return self._functions.strew_peers_give_scratch(self.handle)

    def inspect(self) -> None:
        """Inspects the call's indices, once for all runs."""
        if self._functions.strew_peers_inspect(self.handle):
            raise RefusedError(self.message)

    @property
    def message(self) -> str:
        """Why it was refused."""
        return text_written_by(lambda buffer, size: self._functions.strew_peers_message(self.handle, buffer, size))


def run_calls(library: Library, calls: Sequence[Call], threads: int, repetitions: int, warm_up: bool = False) -> float:
    """Runs calls one after the other, that many times; returns the seconds that they took together."""
    handles = (CALL * len(calls))(*(call.handle for call in calls))
    nanoseconds = c_uint64()
    if library.functions.strew_peers_time(handles, len(calls), threads, warm_up, repetitions, nanoseconds):
        raise RefusedError(next(call.message for call in calls if call.message != "no error"))
    return nanoseconds.value * 1e-9


def text_written_by(write: Callable[[Any, int], int]) -> str:
    """The text of a function that fills a buffer as snprintf does."""
    buffer = ctypes.create_string_buffer(1024)
    write(buffer, len(buffer))
    return buffer.value.decode()
