"""The wheel as it is shipped: its name and its files, and that it works with only NumPy."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import strew
from required import ROOT, missing, path_from

HEADER = ROOT / "include/strew/strew.h"
MODULES = {"_core", "_torch", "_jax"}


@pytest.fixture(scope="module")
def wheel() -> Path:
    return path_from("STREW_WHEEL")


@pytest.fixture(scope="module")
def archive(wheel: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(wheel)


def read_text(archive: zipfile.ZipFile, ending: str) -> str:
    """The text of the only file whose name has this ending."""
    [name] = [name for name in archive.namelist() if name.endswith(ending)]
    return archive.read(name).decode()


def header_version() -> str:
    return ".".join(re.findall(r"^#define STREW_VERSION_\w+ (\d+)$", HEADER.read_text(), re.MULTILINE))


def test_it_is_for_every_cpython_and_most_linuxes(wheel: Path) -> None:
    assert wheel.name.startswith(f"strew-{header_version()}-cp310-abi3-")
    if platform.system() == "Linux":
        assert re.search(rf"manylinux_2_\d+_{platform.machine()}", wheel.name)


def test_the_version_is_the_headers(archive: zipfile.ZipFile) -> None:
    metadata = Parser().parsestr(read_text(archive, ".dist-info/METADATA"))
    assert metadata["Version"] == header_version() == strew.__version__
    needed = [line for line in metadata.get_all("Requires-Dist", []) if "extra" not in line]
    assert [re.split(r"\W", line)[0] for line in needed] == ["numpy"]


def test_licences_are_in_it(archive: zipfile.ZipFile) -> None:
    metadata = Parser().parsestr(read_text(archive, ".dist-info/METADATA"))
    for name in metadata.get_all("License-File", []):
        assert read_text(archive, f".dist-info/licenses/{name}")
    assert read_text(archive, "/licenses/LICENSE") == (ROOT / "LICENSE").read_text()
    assert "Georgia Institute of Technology" in read_text(archive, "/licenses/licenses/pthreadpool.txt")


def test_nothing_stray_is_in_it(archive: zipfile.ZipFile) -> None:
    shipped = re.compile(
        r"strew/(\w+/)*(\w+\.pyi?|py\.typed)|strew/_\w+\.(abi3\.so|pyd)"
        r"|strew\.libs/libpthreadpool-\w+\.so[.\d]*"
        r"|strew-[\d.]+\.dist-info/(METADATA|RECORD|WHEEL|sboms/[\w.-]+|licenses/.+)"
    )
    files = {name for name in archive.namelist() if not name.endswith("/")}
    assert {name for name in files if not shipped.fullmatch(name)} == set()
    package = ROOT / "python"
    sources = {
        path.relative_to(package).as_posix() for path in (package / "strew").rglob("*.py*") if path.suffix != ".pyc"
    }
    sources = {name for name in sources if not name.endswith("__pycache__")}
    assert {name for name in files if name.endswith((".py", ".pyi"))} == sources
    assert {name[6:].partition(".")[0] for name in files if name.endswith((".abi3.so", ".pyd"))} == MODULES


def test_record_lists_every_file_with_its_hash(archive: zipfile.ZipFile) -> None:
    rows = list(csv.reader(read_text(archive, ".dist-info/RECORD").splitlines()))
    assert {name for name, _, _ in rows} == {name for name in archive.namelist() if not name.endswith("/")}
    for name, algorithm_and_hash, size in rows:
        if name.endswith("/RECORD"):
            continue
        content = archive.read(name)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert (algorithm_and_hash, int(size)) == (f"sha256={digest}", len(content))


@pytest.mark.skipif(platform.system() != "Linux", reason="modules are ELF files on Linux")
def test_a_module_shows_nothing_but_its_beginning(archive: zipfile.ZipFile, tmp_path: Path) -> None:
    """The symbols of the strew inside cannot clash with another strew's."""
    from elftools.elf.elffile import ELFFile

    for module in MODULES:
        archive.extract(f"strew/{module}.abi3.so", tmp_path)
        with (tmp_path / f"strew/{module}.abi3.so").open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".dynsym").iter_symbols()
            shown = [
                each.name
                for each in symbols
                if each["st_shndx"] != "SHN_UNDEF" and each["st_info"]["bind"] == "STB_GLOBAL"
            ]
        assert shown == [f"PyInit_{module}"]


def test_the_sdist_holds_the_library_and_nothing_stray() -> None:
    with tarfile.open(path_from("STREW_SDIST")) as sdist:
        inside = {name.partition("/")[2] for name in sdist.getnames()}
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if tracked.returncode:
        missing("git does not list the files here")
    files = tracked.stdout.splitlines()
    library = {f"library/{file}" for file in files if re.match(r"(cmake|include|src)/|CMakeLists.txt$|LICENSE$", file)}
    package = {file.removeprefix("python/") for file in files if file.startswith("python/")}
    package = {file for file in package if not file.startswith("tests/")}
    assert library <= inside
    assert {name for name in inside if not name.startswith("library/")} == package | {"PKG-INFO"}
    assert {name for name in inside - library if name.startswith("library/")} == set()


def interpreters() -> list[str]:
    """The CPythons of this machine that can make environments, each once."""
    names = [getattr(sys, "_base_executable", sys.executable), "/usr/bin/python3"]
    names += [f"python3.{minor}" for minor in range(10, 20)]
    return sorted({found for path in filter(None, map(shutil.which, names)) for found in itself(path)})


def itself(python: str) -> list[str]:
    """The real path of an interpreter, or of the one that a script starts; empty if it is too old or lacks
    ensurepip."""
    command = (
        "import ensurepip, os, sys; print(os.path.realpath(sys.executable) if sys.version_info >= (3, 10) else '')"
    )
    done = subprocess.run([python, "-c", command], capture_output=True, text=True, check=False)
    return done.stdout.split()


BARE = """
import sys
import numpy as np, strew
assert not {"torch", "jax", "ml_dtypes"} & set(sys.modules)
data = np.arange(12, dtype=np.float32).reshape(4, 3)
rows = np.array([[3], [-4]])
assert (strew.gather_nd(data, rows) == data[[3, 0]]).all()
entries = np.array([[0, 1, 2]])
assert (strew.gather_elements(data, entries) == [[0, 4, 8]]).all()
assert strew.scatter_nd(data, rows, np.ones((2, 3), np.float32), reduction="sum")[3].tolist() == [10, 11, 12]
assert strew.scatter_elements(data, entries, np.ones((1, 3), np.float32), out=data) is data and data[1, 1] == 1
plan = strew.plan_gather_nd(data, rows)
assert (plan(data, rows) == data[[3, 0]]).all()
assert (strew.run("GatherND-8", data, rows % 4) == data[[3, 0]]).all()
large = np.arange(3_000_000, dtype=np.int64)
assert (strew.gather_elements(large, large[::-1].copy(), num_threads=2) == large[::-1]).all()
try:
    strew.gather_nd(data, rows + 9)
except IndexError as error:
    assert "indices[0][0] is 12" in str(error)
print(strew.info()["version"], len(strew.operators()))
for package in ("torch", "jax"):
    try:
        __import__(f"strew.{package}")
    except ImportError as error:
        print(package, "|", error)
"""


@pytest.mark.parametrize("python", interpreters())
def test_it_works_beside_numpy_alone(python: str, wheel: Path, tmp_path: Path) -> None:
    def run(*command: str) -> str:
        environment = {"PATH": "/nowhere", "HOME": str(tmp_path)}
        environment |= {
            name: value
            for name, value in os.environ.items()
            if name.startswith(("PIP_", "SYSTEM")) or "proxy" in name.lower()
        }
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    bare = tmp_path / "bare"
    run(python, "-m", "venv", str(bare))
    inside = str(bare / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    pinned = str(ROOT / "python/tests/requirements.txt")
    run(
        inside, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--constraint", pinned, "numpy", str(wheel)
    )
    run(inside, "-m", "pip", "check")
    version, torch, jax = run(inside, "-c", BARE).splitlines()
    assert version.split()[0] == header_version()
    for line, package in ((torch, "torch"), (jax, "jax")):
        name, _, said = line.partition(" | ")
        assert name == package
        assert re.search(rf"\b{package}\b", said.lower().replace(f"strew.{package}", ""))
    assert torch.startswith("torch | strew.torch needs PyTorch 2.10 or newer: pip install torch")
    assert "https://download.pytorch.org/whl/cpu" in torch
