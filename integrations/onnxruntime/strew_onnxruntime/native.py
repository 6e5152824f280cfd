"""The library that ONNX Runtime loads, and its counters."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path


def extension_path() -> str:
    """The absolute path of the library: what `SessionOptions.register_custom_ops_library`,
    `onnxruntime.register_execution_provider_library` and their equals in C take."""
    return str(Path(__file__).resolve().parent / "libstrew_onnxruntime.so")


@functools.cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(extension_path())
    counts = ("runs", "runs_in_place", "runs_inspected")
    for count in (getattr(library, f"strew_onnxruntime_{name}") for name in counts):
        count.argtypes = []
        count.restype = ctypes.c_uint64
    asked = library.strew_onnxruntime_serves
    asked.argtypes = [
        ctypes.c_char_p,
        ctypes.c_int64,
        ctypes.c_int32,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_uint64,
    ]
    asked.restype = ctypes.c_bool
    return library


def runs() -> int:
    """Returns how many nodes strew has run in this process, in all sessions."""
    return int(_library().strew_onnxruntime_runs())


def runs_in_place() -> int:
    """Returns how many of these wrote over their data instead of copying it."""
    return int(_library().strew_onnxruntime_runs_in_place())


def runs_inspected() -> int:
    """Returns how many of these had constant indices of the model, which strew inspects once."""
    return int(_library().strew_onnxruntime_runs_inspected())


# The bytes of a call that the model does not give.
UNKNOWN = 2**64 - 1


def serves(
    operator: str,
    version: int,
    element_type: int = 0,
    reduction: bytes | None = None,
    rank: int = 0,
    moved: int = UNKNOWN,
) -> bool:
    """Whether strew runs nodes of an operator's version, 18 of "ScatterND". Little is left to the runtime.

    element_type: of data, by ONNX's number; 0: not known
    reduction: its name; None: the node has none
    rank: the greatest of its tensors, as far as they are known
    moved: the bytes of its output, indices and updates
    """
    library = _library()
    return bool(library.strew_onnxruntime_serves(operator.encode(), version, element_type, reduction, rank, moved))
