"""The library's messages to runtimes that it cannot serve, and its build."""

from __future__ import annotations

import ctypes
import subprocess

import strew_onnxruntime

# The first version of the interface that has providers with kernels.
FIRST = 24

get_api_type = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)
get_version_type = ctypes.CFUNCTYPE(ctypes.c_void_p)
create_status_type = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)


class ApiBase(ctypes.Structure):
    """OrtApiBase."""

    _fields_ = [("get_api", get_api_type), ("get_version", get_version_type)]


def test_an_older_runtime_is_told() -> None:
    """A runtime without version 24 of the interface gets a status that names the fault and the version needed."""
    said: list[bytes] = []

    @create_status_type
    def create_status(_code: int, message: bytes) -> int:
        said.append(message)
        return 1

    # Only the first function of the interface: CreateStatus.
    api = (ctypes.c_void_p * 1)(ctypes.cast(create_status, ctypes.c_void_p).value)
    version = ctypes.create_string_buffer(b"1.23.2")
    base = ApiBase(
        get_api_type(lambda wanted: ctypes.addressof(api) if wanted < FIRST else None),
        get_version_type(lambda: ctypes.addressof(version)),
    )
    library = ctypes.CDLL(strew_onnxruntime.extension_path())
    library.CreateEpFactories.restype = ctypes.c_void_p
    count = ctypes.c_size_t(99)
    factories = (ctypes.c_void_p * 1)()
    status = library.CreateEpFactories(
        b"strew", ctypes.byref(base), None, factories, ctypes.c_size_t(1), ctypes.byref(count)
    )
    assert status == 1
    assert count.value == 0
    assert said == [
        b"strew's execution provider needs ONNX Runtime 1.24 or newer, and this is 1.23.2; "
        b"strew's custom operators run on older ones"
    ]


def symbols(which: str) -> set[str]:
    """The names that the library defines for others, or takes from them."""
    command = ["nm", "--dynamic", which, strew_onnxruntime.extension_path()]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].partition("@")[0] for line in listed.splitlines()}


def test_exported_symbols() -> None:
    """It exports the entry points for the runtime and the package, and nothing of strew: two copies in a process stay
    separate."""
    assert symbols("--defined-only") == {
        "CreateEpFactories",
        "ReleaseEpFactory",
        "RegisterCustomOps",
        "strew_onnxruntime_runs",
        "strew_onnxruntime_runs_in_place",
        "strew_onnxruntime_runs_inspected",
        "strew_onnxruntime_serves",
    }


def test_memory_and_threads_are_the_runtimes() -> None:
    """The library has no way to allocate or to start a thread, but the runtime's functions."""
    own_ways = {
        "malloc",
        "calloc",
        "realloc",
        "aligned_alloc",
        "posix_memalign",
        "mmap",
        "pthread_create",
        "thrd_create",
    }
    assert not symbols("--undefined-only") & own_ways
