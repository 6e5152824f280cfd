"""The library that ONNX Runtime loads, and what it counts."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path


def library_path() -> str:
    """The absolute path of the library: what `SessionOptions.register_custom_ops_library`,
    `onnxruntime.register_execution_provider_library` and their equals in C take."""
    return str(Path(__file__).resolve().parent / "libstrew_onnxruntime.so")


@functools.cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(library_path())
    for count in (library.strew_onnxruntime_runs, library.strew_onnxruntime_runs_in_place):
        count.argtypes = []
        count.restype = ctypes.c_uint64
    return library


def runs() -> int:
    """How many nodes strew has run in this process, in all sessions."""
    return int(_library().strew_onnxruntime_runs())


def runs_in_place() -> int:
    """How many of these wrote over their data instead of copying it."""
    return int(_library().strew_onnxruntime_runs_in_place())
