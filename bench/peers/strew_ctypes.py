"""strew in Python: structures of strew.h for ctypes, and the calls that the comparison makes."""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Callable, Iterator
from ctypes import POINTER, c_bool, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any

import numpy as np

MAX_RANK = 32
PLAN_SIZE = 8192


class Tensor(ctypes.Structure):
    """A strew_tensor."""

    _fields_ = [
        ("data", c_void_p),
        ("dtype", c_uint32),
        ("rank", c_int32),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
    ]


class Parallel(ctypes.Structure):
    """A strew_parallel. Its function is C's: a Python one would be timed as well."""

    _fields_ = [("run", c_void_p), ("pool", c_void_p), ("threads", c_size_t)]


class Error(ctypes.Structure):
    """A strew_error."""

    _fields_ = [
        ("status", c_int32),
        ("reason", c_int32),
        ("operand", c_int32),
        ("other", c_int32),
        ("dimension", c_int32),
        ("value_is_unsigned", c_int32),
        ("position_rank", c_int32),
        ("reserved", c_int32),
        ("value", c_int64),
        ("lower", c_int64),
        ("upper", c_int64),
        ("position", c_int64 * MAX_RANK),
    ]


class PlanOptions(ctypes.Structure):
    """A strew_plan_options."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("isa", c_int32),
        ("flags", c_uint32),
        ("threads", c_size_t),
        ("error", POINTER(Error)),
    ]


class RunOptions(ctypes.Structure):
    """A strew_run_options."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("parallel", POINTER(Parallel)),
        ("scratch", c_void_p),
        ("scratch_size", c_size_t),
        ("error", POINTER(Error)),
    ]


class Plan(ctypes.Structure):
    """A strew_plan."""

    _fields_ = [("storage", c_uint64 * (PLAN_SIZE // ctypes.sizeof(c_uint64)))]


class Buffers(ctypes.Structure):
    """A strew_buffers."""

    _fields_ = [("data", c_void_p), ("indices", c_void_p), ("updates", c_void_p), ("output", c_void_p)]


class Field(ctypes.Structure):
    """A strew_peers_field: where C has put a field."""

    _fields_ = [("structure", c_char_p), ("field", c_char_p), ("offset", c_size_t), ("size", c_size_t)]


STRUCTURES = {
    "strew_tensor": Tensor,
    "strew_parallel": Parallel,
    "strew_error": Error,
    "strew_plan_options": PlanOptions,
    "strew_run_options": RunOptions,
    "strew_plan": Plan,
    "strew_buffers": Buffers,
}

TENSOR, PLAN, PARALLEL = POINTER(Tensor), POINTER(Plan), POINTER(Parallel)
PLAN_OPTIONS, RUN_OPTIONS = POINTER(PlanOptions), POINTER(RunOptions)

# Arguments and result of each function called. Those with a status for a result take the options last.
STATUS = c_int32
PROTOTYPES: dict[str, tuple[list[Any], Any]] = {
    "strew_version": ([], c_char_p),
    "strew_cpu_describe": ([c_char_p, c_size_t], c_size_t),
    "strew_isa_active": ([], c_int32),
    "strew_isa_name": ([c_int32], c_char_p),
    "strew_dtype_find": ([c_char_p], c_uint32),
    "strew_reduction_find": ([c_char_p, POINTER(c_int32)], c_bool),
    "strew_error_message": ([POINTER(Error), c_char_p, c_size_t], c_size_t),
    "strew_plan_gather_nd": ([PLAN, TENSOR, TENSOR, c_int64, TENSOR, PLAN_OPTIONS], STATUS),
    "strew_plan_gather_elements": ([PLAN, TENSOR, TENSOR, c_int64, TENSOR, PLAN_OPTIONS], STATUS),
    "strew_plan_scatter_nd": ([PLAN, TENSOR, TENSOR, TENSOR, c_int32, TENSOR, PLAN_OPTIONS], STATUS),
    "strew_plan_scatter_elements": (
        [PLAN, TENSOR, TENSOR, TENSOR, c_int64, c_int32, c_bool, TENSOR, PLAN_OPTIONS],
        STATUS,
    ),
    "strew_plan_scratch_size": ([PLAN, c_size_t], c_size_t),
    "strew_peers_start_threads": ([c_size_t], Parallel),
    "strew_peers_stop_threads": ([PARALLEL], None),
    "strew_peers_time_runs": ([PLAN, POINTER(Buffers), c_size_t, POINTER(c_uint64), RUN_OPTIONS], STATUS),
    "strew_peers_field_at": ([c_size_t], POINTER(Field)),
}


class RefusedError(Exception):
    """strew refused a call; the message is its own."""


class Library:
    """libstrew_peers.so, and libstrew.so with it."""

    def __init__(self, path: Path) -> None:
        self._functions = ctypes.CDLL(str(path))
        for name, (arguments, result) in PROTOTYPES.items():
            function = getattr(self._functions, name)
            function.argtypes, function.restype = arguments, result

    @property
    def version(self) -> str:
        """The version of strew."""
        return self._functions.strew_version().decode()

    @property
    def isa(self) -> str:
        """The instruction set picked."""
        return self._functions.strew_isa_name(self._functions.strew_isa_active()).decode()

    @property
    def cpu(self) -> str:
        """The CPU's own name and features."""
        return text_written_by(self._functions.strew_cpu_describe)

    def fields(self) -> Iterator[Field]:
        """The layout of the structures, as C has it."""
        index = 0
        while field := self._functions.strew_peers_field_at(index):
            yield field.contents
            index += 1

    def tensor(self, array: np.ndarray, dtype: str) -> Tensor:
        """Describes an array. bfloat16, which NumPy lacks, is in an array of uint16."""
        shape = (c_int64 * array.ndim)(*array.shape)
        strides = (c_int64 * array.ndim)(*(stride // array.itemsize for stride in array.strides))
        value = self._functions.strew_dtype_find(dtype.encode())
        return Tensor(array.ctypes.data, value, array.ndim, shape, strides)

    def reduction(self, name: str) -> c_int32:
        """The value of a reduction."""
        value = c_int32()
        if not self._functions.strew_reduction_find(name.encode(), value):
            raise LookupError(f"no reduction {name}")
        return value

    def plan(self, operator: str, threads: int, *arguments: Any) -> Plan:
        """Plans an operator for so many threads: tensors and attributes as strew_plan_<operator> takes them."""
        plan = Plan()
        self._call(f"strew_plan_{operator}", PlanOptions(threads=threads), plan, *arguments)
        return plan

    def scratch_size(self, plan: Plan, threads: int) -> int:
        """The bytes of scratch with which a plan runs fastest."""
        return self._functions.strew_plan_scratch_size(plan, threads)

    def run(
        self, plan: Plan, buffers: Buffers, parallel: Parallel, repetitions: int, scratch: np.ndarray | None = None
    ) -> float:
        """Runs a plan so many times; returns the seconds that they took together."""
        nanoseconds = c_uint64()
        options = RunOptions(parallel=ctypes.pointer(parallel))
        if scratch is not None:
            options.scratch, options.scratch_size = scratch.ctypes.data, scratch.nbytes
        self._call("strew_peers_time_runs", options, plan, buffers, repetitions, nanoseconds)
        return nanoseconds.value * 1e-9

    @contextlib.contextmanager
    def threads(self, count: int) -> Iterator[Parallel]:
        """So many threads for as long as the context lasts."""
        parallel = self._functions.strew_peers_start_threads(count)
        try:
            yield parallel
        finally:
            self._functions.strew_peers_stop_threads(parallel)

    def _call(self, name: str, options: PlanOptions | RunOptions, *arguments: Any) -> None:
        """Calls a function whose result is a status, and raises what it refuses."""
        error = Error()
        options.struct_size, options.error = ctypes.sizeof(options), ctypes.pointer(error)
        if getattr(self._functions, name)(*arguments, options):
            raise RefusedError(text_written_by(functools.partial(self._functions.strew_error_message, error)))


def text_written_by(write: Callable[[Any, int], int]) -> str:
    """The text of a function that fills a buffer as snprintf does."""
    buffer = ctypes.create_string_buffer(1024)
    write(buffer, len(buffer))
    return buffer.value.decode()
