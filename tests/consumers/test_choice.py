"""A library of chosen parts, built by CMake, Meson and as one file: its results, refusals and size.

test_choice.py [TestClass.test_name ...]
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests/consumers/choice.c"
PAGE = ROOT / "docs/embedding.md"
CHOICE = {
    "operators": "Gather,GatherND,ScatterND,ScatterElements",
    "dtypes": "float32,float16,int8,int64",
    "reductions": "none,sum",
}
PARTS = ("meson.build", "meson_options.txt", "include", "src")
FOUR = ROOT / "tests/consumers/four.c"
TARGETS = {"aarch64": ("aarch64-linux-gnu", "neon"), "armhf": ("arm-linux-gnueabihf", "scalar,neon")}

MESON_PARENT = """\
project('parent', 'c')
strew = dependency('strew', fallback: 'strew', default_options: {options})
executable('choice', 'choice.c', dependencies: strew)
"""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(list(map(str, command)), cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


def refused(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode != 0, done.stdout
    return re.sub(r"\s+", " ", done.stdout)


def text_bytes(path: Path, tool: str = "size") -> int:
    return int(run(tool, path).splitlines()[1].split()[0])


def with_cmake(build: Path, *options: str, **choice: str) -> Path:
    """Builds the libraries alone."""
    chosen = [f"-DSTREW_{name.upper()}={names}" for name, names in choice.items()]
    run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DSTREW_BUILD_TOOLS=OFF", "-DSTREW_BUILD_TESTS=OFF",
        "-DSTREW_BUILD_EXAMPLES=OFF", "-DSTREW_WERROR=ON", *chosen, *options)
    run("cmake", "--build", build)
    return build / "libstrew.so"


def row_of_page(name: str) -> list[int]:
    """The sizes of a library on the page, in kilobytes."""
    row = re.search(rf"^\| {re.escape(name)} \|(.*)\|$", PAGE.read_text(), re.M)
    assert row, f"{PAGE.name} has no row of {name}"
    return [int(cell.strip().replace(",", "")) for cell in row.group(1).split("|")]


class Choice(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check_program(self, program: Path) -> None:
        self.assertIn("as chosen", run(program))
        for isa in ("scalar", "avx2"):
            self.assertIn("as chosen", run("env", f"STREW_ISA={isa}", program))

    def check_size(self, library: Path, name: str, column: int, tool: str = "size") -> None:
        """The size is at most the one on the page, and less than a tenth below it."""
        said = row_of_page(name)[column]
        size = text_bytes(library, tool) / 1000
        self.assertLessEqual(size, said, f"{name}: docs/embedding.md")
        self.assertGreaterEqual(size, 0.9 * said, f"{name}: docs/embedding.md")

    def test_cmake(self) -> None:
        for column, kind in enumerate(("Release", "MinSizeRel")):
            library = with_cmake(self.folder / kind, f"-DCMAKE_BUILD_TYPE={kind}", isas="scalar,avx2", **CHOICE)
            program = self.folder / f"choice-{kind}"
            run("cc", "-Wall", "-Werror", f"-I{ROOT}/include", PROGRAM, library.with_suffix(".a"), "-o", program)
            self.check_program(program)
            self.check_size(library, "those four, x86-64", column)
            self.assertLessEqual(text_bytes(library), 200_000)

    def check_target(self, name: str) -> None:
        """Measures the shared library, and a program linked with the static one."""
        target, isas = TARGETS[name]
        if not shutil.which(f"{target}-gcc"):
            self.skipTest(f"there is no compiler for {name}")
        for column, kind in enumerate(("Release", "MinSizeRel")):
            toolchain = f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/toolchains/{target}.cmake"
            library = with_cmake(self.folder / kind, f"-DCMAKE_BUILD_TYPE={kind}", toolchain, isas=isas, **CHOICE)
            self.check_size(library, f"those four, {name}", column, f"{target}-size")
            program = self.folder / f"four-{kind}"
            run(f"{target}-gcc", "-Os", f"-I{ROOT}/include", FOUR, library.with_suffix(".a"), "-Wl,--gc-sections", "-o", program)
            self.check_size(program, f"a program of those four, {name}", column, f"{target}-size")

    def test_aarch64(self) -> None:
        self.check_target("aarch64")

    def test_armhf(self) -> None:
        self.check_target("armhf")

    @unittest.skipUnless(shutil.which("meson") and shutil.which("ninja"), "meson is not installed")
    def test_meson(self) -> None:
        strew = self.folder / "subprojects/strew"
        strew.mkdir(parents=True)
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, strew / part)
        options = [f"{name}={names}" for name, names in CHOICE.items()] + ["isas=scalar,avx2", "default_library=static"]
        (self.folder / "meson.build").write_text(MESON_PARENT.format(options=options))
        shutil.copy(PROGRAM, self.folder)
        run("meson", "setup", self.folder / "build", "-Doptimization=s", cwd=self.folder)
        run("meson", "compile", "-C", self.folder / "build")
        self.check_program(self.folder / "build/choice")

    def test_one_file(self) -> None:
        options = [f"--{name}={names}" for name, names in CHOICE.items()]
        run(sys.executable, "-B", ROOT / "scripts/amalgamate.py", "--isas=scalar,avx2", *options, self.folder)
        for header in ("strew", "operators", "inspect"):
            (self.folder / "strew").mkdir(exist_ok=True)
            (self.folder / f"strew/{header}.h").write_text('#include "../strew.h"\n')
        program = self.folder / "choice"
        run("cc", "-Os", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections",
            f"-I{self.folder}", PROGRAM, self.folder / "strew.c", "-o", program)
        self.check_program(program)
        self.assertLessEqual(text_bytes(program), 200_000)

    def test_parts_that_need_each_other(self) -> None:
        """Kernels that are built may call kernels of parts that are left out."""
        for name, choice in {
            "unsigned": {"dtypes": "uint8,uint64", "index_dtypes": "uint8"},
            "means": {"operators": "segment_reduce", "dtypes": "bfloat16", "reductions": "mean"},
            "complex": {"operators": "ScatterNDUpdate,TensorScatter", "dtypes": "complex64,bool,uint4", "reductions": "sub"},
        }.items():
            with_cmake(self.folder / name, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,defs", **choice)

    def test_unknown_names_are_refused(self) -> None:
        said = refused("cmake", "-S", ROOT, "-B", self.folder / "build", "-DSTREW_DTYPES=float31")
        self.assertIn("STREW_DTYPES: there is no float31; there are int8, int16", said)
        said = refused("cmake", "-S", ROOT, "-B", self.folder / "other", "-DSTREW_OPERATORS=Gather;Scater")
        self.assertIn("STREW_OPERATORS: there is no Scater; there are gather_nd", said)
        said = refused(sys.executable, "-B", ROOT / "scripts/amalgamate.py", "--reductions=average", self.folder)
        self.assertIn("there is no average; there are sum, sub", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
