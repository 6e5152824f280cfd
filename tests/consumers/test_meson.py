"""meson.build: as a subproject of another project, and installed and found by pkg-config."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("meson.build", "meson_options.txt", "include", "src")
SAYS = "word 2: 13 24"

PARENT = """\
project('parent', 'c', default_options: ['c_std=gnu99', 'warning_level=2', 'werror=true'])
strew = dependency('strew', version: '>=0.2', fallback: 'strew', default_options: {options})
executable('parent', 'main.c', dependencies: strew)
"""


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=os.environ | environment, text=True, capture_output=True, check=False
    )
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def symbols(path: Path) -> set[str]:
    """The symbols that it defines and exports."""
    flags = ["--dynamic"] if ".so" in path.name else []
    lines = run("nm", "--defined-only", "--extern-only", *flags, path, cwd=path.parent).splitlines()
    return {line.split()[-1] for line in lines if len(line.split()) == 3}


@unittest.skipUnless(shutil.which("meson") and shutil.which("ninja"), "meson is not installed")
class Meson(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def copy_strew(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, folder / part)

    def build_parent(self, options: list[str], flags: str) -> Path:
        """A project that has strew in subprojects/, built and run; returns its build directory."""
        self.copy_strew(self.folder / "subprojects/strew")
        (self.folder / "meson.build").write_text(PARENT.format(options=options))
        shutil.copy(ROOT / "examples/embedding.c", self.folder / "main.c")
        build = self.folder / "build"
        run("meson", "setup", build, "-Doptimization=0", cwd=self.folder, CFLAGS=flags)
        run("meson", "compile", "-C", build, cwd=self.folder)
        self.assertIn(SAYS, run(build / "parent", cwd=self.folder))
        return build

    def test_static_subproject_with_a_prefix_keeps_floats_exact(self) -> None:
        build = self.build_parent(["default_library=static", "symbol_prefix=acme_"], "-ffast-math")
        names = symbols(build / "parent") | symbols(build / "subprojects/strew/libstrew.a")
        self.assertIn("acme_strew_scatter_nd", names)
        self.assertEqual([name for name in names if name.startswith("strew_")], [])

    def test_shared_subproject_exports_the_api_alone(self) -> None:
        build = self.build_parent(["default_library=shared"], "")
        names = symbols(build / "subprojects/strew/libstrew.so")
        self.assertIn("strew_scatter_nd", names)
        self.assertNotIn("strew_plan_make", names)

    def test_installed_libraries_are_found_by_pkg_config(self) -> None:
        source, build, prefix = (self.folder / name for name in ("strew", "build", "prefix"))
        self.copy_strew(source)
        run("meson", "setup", build, source, "-Doptimization=0", "-Ddefault_library=both", f"-Dprefix={prefix}",
            "-Dlibdir=lib", cwd=self.folder)
        run("meson", "install", "-C", build, cwd=self.folder)
        where = {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig"), "LD_LIBRARY_PATH": str(prefix / "lib")}
        flags = run("pkg-config", "--cflags", "--libs", "strew", cwd=self.folder, **where).split()
        program = self.folder / "program"
        run("cc", ROOT / "examples/embedding.c", "-o", program, *flags, cwd=self.folder)
        self.assertIn(SAYS, run(program, cwd=self.folder, **where))
        self.assertTrue((prefix / "lib/libstrew.a").exists())


if __name__ == "__main__":
    unittest.main()
