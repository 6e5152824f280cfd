"""The declarations of native/torch/stable.h against the headers of the installed PyTorch."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

import pytest

torch = pytest.importorskip("torch")

NATIVE = pathlib.Path(__file__).parents[2] / "native" / "torch"
COMPILER = shutil.which(os.environ.get("CXX", "c++"))

SOURCE = r"""
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/c/shim.h>
#include <type_traits>
#define STREW_TORCH_TYPES_GIVEN
#include "stable.h"
#define SAME(result, name, arguments) \
    static_assert(std::is_same<decltype(&::name), result (*) arguments>::value, #name);
LIST(SAME)
"""


def compiles(folder: pathlib.Path, source: str, version: int) -> subprocess.CompletedProcess[str]:
    file = folder / "declarations.cpp"
    file.write_text(source)
    include = pathlib.Path(torch.__file__).parent / "include"
    command = [COMPILER, "-std=c++17", "-fsyntax-only", f"-I{include}", f"-I{NATIVE}"]
    command += [f"-DTORCH_TARGET_VERSION=0x{version:x}ULL", str(file)]
    return subprocess.run(command, capture_output=True, text=True)


needs_compiler = pytest.mark.skipif(not (COMPILER and NATIVE.is_dir()), reason="needs a C++ compiler and the sources")


@needs_compiler
def test_declarations_are_those_of_2_10(tmp_path):
    run = compiles(tmp_path, SOURCE.replace("LIST", "STREW_TORCH_FUNCTIONS"), (2 << 56) | (10 << 48))
    assert run.returncode == 0, run.stderr


@needs_compiler
def test_later_declarations_are_those_of_this_release(tmp_path):
    major, minor = (int(part) for part in torch.__version__.split(".")[:2])
    if (major, minor) < (2, 13):
        pytest.skip("this release lacks them")
    run = compiles(tmp_path, SOURCE.replace("LIST", "STREW_TORCH_LATER_FUNCTIONS"), (major << 56) | (minor << 48))
    assert run.returncode == 0, run.stderr


@needs_compiler
def test_a_disagreement_does_not_compile(tmp_path):
    wrong = SOURCE.replace("LIST(SAME)", "SAME(int, torch_list_size, (StableListHandle))")
    run = compiles(tmp_path, wrong, (2 << 56) | (10 << 48))
    assert run.returncode != 0 and "torch_list_size" in run.stderr


EXCHANGE = r"""
#undef TORCH_TARGET_VERSION
#include <ATen/dlpack.h>
#include <cstddef>
#include "exchange.h"
#define SAME(own, theirs) static_assert(offsetof(exchange_tensor, own) == offsetof(DLTensor, theirs), #own);
SAME(data, data) SAME(device_type, device) SAME(ndim, ndim) SAME(code, dtype)
SAME(shape, shape) SAME(strides, strides) SAME(byte_offset, byte_offset)
static_assert(sizeof(exchange_tensor) == sizeof(DLTensor), "");
static_assert(offsetof(exchange_interface, borrow) == offsetof(DLPackExchangeAPI, dltensor_from_py_object_no_sync), "");
static_assert(sizeof(exchange_interface) == sizeof(DLPackExchangeAPI), "");
static_assert(EXCHANGE_CPU == kDLCPU && EXCHANGE_MAJOR == DLPACK_MAJOR_VERSION, "");
"""


@needs_compiler
def test_exchange_is_that_of_dlpack(tmp_path):
    run = compiles(tmp_path, EXCHANGE, (2 << 56) | (10 << 48))
    assert run.returncode == 0, run.stderr


def test_another_library_is_refused():
    from strew import _torch

    assert _torch.load("no such library") == ""
