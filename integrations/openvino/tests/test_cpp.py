"""strew inside OpenVINO for C++: built, installed, and used by a program that only sees the installed files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from openvino.utils import get_cmake_path

from required import GUEST, missing, path_from

PROGRAM = "replace"


def run(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def configure(source: Path, build: Path, *settings: str) -> None:
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", *generator, "-S", source, "-B", build, f"-DOpenVINO_DIR={get_cmake_path()}", *settings)
    run("cmake", "--build", build, "--parallel", str(min(os.cpu_count() or 1, 2)))


@pytest.fixture(scope="module")
def program() -> Path:
    """The example, built as a stranger would."""
    if not shutil.which("cmake"):
        missing("there is no cmake")
    work = path_from("STREW_OPENVINO_WORK")
    prefix = work / "prefix"
    shutil.rmtree(prefix, ignore_errors=True)
    configure(GUEST, work / "cpp", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DPython_EXECUTABLE=" + sys.executable)
    run("cmake", "--install", work / "cpp")
    configure(GUEST / "examples", work / "cpp-example", f"-DCMAKE_PREFIX_PATH={prefix}")
    return work / "cpp-example" / PROGRAM


def test_the_example_prints_what_is_expected(program: Path) -> None:
    assert run(program) == (GUEST / "examples/expected" / f"{PROGRAM}.txt").read_text()


def test_the_header_installed_is_the_one_here(program: Path) -> None:
    installed = path_from("STREW_OPENVINO_WORK") / "prefix/include/strew"
    assert [path.name for path in installed.iterdir()] == ["openvino.hpp"]
    assert (installed / "openvino.hpp").read_text() == (GUEST / "include/strew/openvino.hpp").read_text()


def test_two_copies_of_strew_do_not_meet(program: Path) -> None:
    """The library exports only its own names, none of the strew inside it."""
    (library,) = (path_from("STREW_OPENVINO_WORK") / "prefix").rglob("libstrew_openvino.so")
    lines = run("nm", "-DC", "--defined-only", library).splitlines()
    strong = {line.split(" ", 2)[2] for line in lines if line.split(" ", 2)[1] in "TDB"}
    assert strong == {
        "create_extensions",
        "strew::openvino::Replace::Replace(bool)",
        "strew::openvino::Replace::run_on_model(std::shared_ptr<ov::Model> const&)",
        "strew::openvino::calls()",
        "strew::openvino::inspected_calls()",
        "strew::openvino::replace(std::shared_ptr<ov::Model> const&, bool)",
        "strew_openvino_calls",
        "strew_openvino_inspected_calls",
        "strew_openvino_replace",
    }
    assert not [line for line in lines if "strew_gather" in line or "strew_plan" in line]
