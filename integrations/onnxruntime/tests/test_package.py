"""The package as it is shipped: the wheel, the library's exports and needs, a session by one line, a C program."""

from __future__ import annotations

import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import strew_onnxruntime
from onnx import helper

import models
import reference
from required import GUEST, ROOT, missing, path_from

# The only libraries that a library for x86-64 or aarch64 may need: the C library and its loader.
LIBC = re.compile(r"(libc|ld-linux[\w-]*)\.so\.\d+")


def said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def table_model() -> onnx.ModelProto:
    """A model with an opset and a type that any supported runtime has."""
    return models.one_node("ScatterND", 18, reduction="add")


# ---- The wheel ------------------------------------------------------------------------------------------------------


def test_the_wheel_is_for_every_python() -> None:
    wheel = path_from("STREW_ONNXRUNTIME_WHEEL")
    header = (ROOT / "include/strew/strew.h").read_text()
    version = ".".join(re.findall(r"^#define STREW_VERSION_\w+ (\d+)$", header, re.MULTILINE))
    assert wheel.name.startswith(f"strew_onnxruntime-{version}-py3-none-")
    assert strew_onnxruntime.__version__ == version
    names = zipfile.ZipFile(wheel).namelist()
    package = {name.partition("/")[2] for name in names if name.startswith("strew_onnxruntime/")}
    sources = {path.name for path in (GUEST / "strew_onnxruntime").iterdir() if path.is_file()}
    assert package == sources | {"libstrew_onnxruntime.so"}


def test_the_licence_is_the_repository_s() -> None:
    assert (GUEST / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_everything_that_is_public_is_described() -> None:
    for name in strew_onnxruntime.__all__:
        assert getattr(strew_onnxruntime, name) is not None
        if callable(getattr(strew_onnxruntime, name)):
            assert getattr(strew_onnxruntime, name).__doc__, name


# ---- The library ----------------------------------------------------------------------------------------------------


def test_it_needs_libc_alone() -> None:
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", said("readelf", "-d", strew_onnxruntime.extension_path()))
    assert needed
    assert all(LIBC.fullmatch(name) for name in needed), needed


def test_it_is_never_unloaded() -> None:
    """Its operators are the runtime's for as long as the process lives."""
    assert "NODELETE" in said("readelf", "-d", strew_onnxruntime.extension_path())


# ---- Sessions -------------------------------------------------------------------------------------------------------


def test_a_runtime_takes_the_provider_if_it_has_what_it_needs() -> None:
    numbers = tuple(map(int, onnxruntime.__version__.split(".")[:2]))
    assert strew_onnxruntime.has_provider() == (numbers >= (1, 24))


@pytest.mark.parametrize("kind", ["bytes", "path", "string"])
def test_one_line(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(table_model().SerializeToString())
    given: Any = {"bytes": path.read_bytes(), "path": path, "string": str(path)}[kind]
    session = strew_onnxruntime.session(given, models.quiet_options(), exact=True)
    assert (strew_onnxruntime.PROVIDER in session.get_providers()) == strew_onnxruntime.has_provider()
    operands = models.draw_operands(np.random.default_rng(1), "ScatterND", "float")
    before = strew_onnxruntime.runs()
    result = models.run(session, *operands)
    assert strew_onnxruntime.runs() == before + 1
    assert reference.same_bits(result, reference.scatter_nd(*operands, reduction="add"))


def test_options_of_the_user_s_are_kept() -> None:
    options = models.quiet_options(threads=2)
    assert strew_onnxruntime.session_options(options, exact=True) is options
    assert options.intra_op_num_threads == 2
    session = onnxruntime.InferenceSession(strew_onnxruntime.convert(table_model(), exact=True).SerializeToString(), options)
    operands = models.draw_operands(np.random.default_rng(2), "ScatterND", "float")
    assert reference.same_bits(models.run(session, *operands), reference.scatter_nd(*operands, reduction="add"))


def test_options_serve_several_sessions() -> None:
    options = models.quiet_options()
    operands = models.draw_operands(np.random.default_rng(4), "ScatterND", "float")
    for _ in range(2):
        result = models.run(strew_onnxruntime.session(table_model().SerializeToString(), options, exact=True), *operands)
        assert reference.same_bits(result, reference.scatter_nd(*operands, reduction="add"))


def test_providers_that_would_take_strew_s_place_are_refused() -> None:
    model = table_model().SerializeToString()
    for providers in (["CPUExecutionProvider"], [("CPUExecutionProvider", {})], [], None):
        before = strew_onnxruntime.runs()
        session = strew_onnxruntime.session(model, models.quiet_options(), providers=providers, exact=True)
        models.run(session, *models.draw_operands(np.random.default_rng(5), "ScatterND", "float"))
        assert strew_onnxruntime.runs() == before + 1
    with pytest.raises(ValueError, match="add others to the options"):
        strew_onnxruntime.session(model, providers=["CUDAExecutionProvider", "CPUExecutionProvider"], exact=True)


def test_a_model_with_tensors_in_a_file_of_their_own(tmp_path: Path) -> None:
    data, indices, updates = models.draw_operands(np.random.default_rng(3), "ScatterND", "float")
    node = helper.make_node("ScatterND", ["table", "indices", "updates"], ["output"])
    model = models.make_model(
        [node],
        [models.value("indices", "int64", ["n", 1]), models.value("updates", "float", ["n", 5])],
        [models.value("output", "float", [7, 5])],
        initializer=[onnx.numpy_helper.from_array(data, "table")],
    )
    path = tmp_path / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="table.bin", size_threshold=0)
    result = models.run(strew_onnxruntime.session(path, models.quiet_options(), exact=True), indices, updates)
    assert reference.same_bits(result, reference.scatter_nd(data, indices, updates))


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(Exception, match=r"(?i)protobuf|model|parse"):
        strew_onnxruntime.session(b"this is not a model", models.quiet_options(), exact=True)


# ---- A C program ----------------------------------------------------------------------------------------------------


def runtime_library(folder: Path) -> Path:
    """A folder in which the linker and the loader find the runtime of the wheel, by the name that it goes by."""
    capi = Path(onnxruntime.__file__).parent / "capi"
    found = sorted(capi.glob("libonnxruntime.so.*"))
    if not found:
        missing(f"{capi} has no libonnxruntime.so, which a C program is linked to")
    for name in ("libonnxruntime.so", "libonnxruntime.so.1"):
        (folder / name).symlink_to(found[0])
    return folder


@pytest.mark.skipif(not strew_onnxruntime.has_provider(), reason="the example is of ONNX Runtime 1.24 and newer")
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("converted", [False, True])
def test_the_c_example(tmp_path: Path, compiler: str, converted: bool) -> None:
    headers = path_from("STREW_ONNXRUNTIME_HEADERS")
    program, library = tmp_path / "session", runtime_library(tmp_path)
    warnings = ["-Wall", "-Wextra", "-Wshadow", "-Werror"]
    linked = [f"-L{library}", "-lonnxruntime", f"-Wl,-rpath,{library}"]
    said(
        compiler,
        "-std=c11",
        *warnings,
        f"-isystem{headers}",
        f"{GUEST}/examples/session.c",
        *linked,
        "-o",
        f"{program}",
    )
    model = embedding_model()
    (tmp_path / "model.onnx").write_bytes(
        (strew_onnxruntime.convert(model, exact=True) if converted else model).SerializeToString()
    )
    printed = said(str(program), str(tmp_path / "model.onnx"), strew_onnxruntime.extension_path())
    assert printed == (GUEST / "examples/expected/session_c.txt").read_text()


@pytest.mark.skipif(not strew_onnxruntime.has_provider(), reason="the oldest take no allocator of a program's")
def test_an_allocator_without_memory_is_no_crash(tmp_path: Path) -> None:
    """A run asks for its output first, which the runtime itself must have, then for the positions of strings."""
    headers = path_from("STREW_ONNXRUNTIME_HEADERS")
    program, library = tmp_path / "no_memory", runtime_library(tmp_path)
    linked = [f"-L{library}", "-lonnxruntime", f"-Wl,-rpath,{library}"]
    sources = ["-D_POSIX_C_SOURCE=200809L", f"-isystem{headers}", f"{GUEST}/tests/no_memory.c"]
    said("gcc", "-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Werror", *sources, *linked, "-o", str(program))
    model = tmp_path / "model.onnx"
    model.write_bytes(strew_onnxruntime.convert(models.one_node("ScatterND", 18, "string"), exact=True).SerializeToString())
    lacking, having = (
        said(str(program), str(model), strew_onnxruntime.extension_path(), count).splitlines() for count in "23"
    )
    assert "strew: the runtime's allocator has no memory of 184 bytes" in lacking[0]
    assert lacking[1:] == ["ran"]
    assert having == ["ran", "ran"]


def embedding_model() -> onnx.ModelProto:
    """The model of the examples."""
    node = helper.make_node("ScatterND", ["table", "words", "gradients"], ["sums"], reduction="add")
    inputs = [
        models.value("table", "float", ["vocabulary", "width"]),
        models.value("words", "int64", ["count", 1]),
        models.value("gradients", "float", ["count", "width"]),
    ]
    return models.make_model([node], inputs, [models.value("sums", "float", ["vocabulary", "width"])])
