"""The package as it is installed."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
from pathlib import Path

import openvino as ov

import strew_openvino
from required import GUEST, ROOT


def test_versions() -> None:
    assert ov.__version__.startswith(strew_openvino.OPENVINO_VERSION + "-")
    header = (ROOT / "include/strew/strew.h").read_text()
    parts = [re.search(rf"STREW_VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH")]
    assert importlib.metadata.version("strew-openvino") == ".".join(part[1] for part in parts if part)


def test_another_release_of_openvino_is_named(tmp_path: Path) -> None:
    """A library that does not load names the release for which it was built."""
    folder = Path(strew_openvino.__file__).parent
    shutil.copytree(folder, tmp_path / folder.name)
    (tmp_path / folder.name / "libstrew_openvino.so").write_bytes(b"of another release")
    done = subprocess.run(
        [sys.executable, "-c", "import strew_openvino"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert f"ImportError: strew_openvino was built for OpenVINO {strew_openvino.OPENVINO_VERSION}, and" in done.stderr


def test_the_extension_is_found_without_python(core: ov.Core) -> None:
    assert Path(strew_openvino.extension_path()).is_file()
    core.add_extension(strew_openvino.extension_path())


def test_requirements_are_those_it_was_built_for() -> None:
    pinned = re.search(r"^openvino==(\S+)$", (GUEST / "requirements.txt").read_text(), re.MULTILINE)
    assert pinned and pinned[1] == strew_openvino.OPENVINO_VERSION
