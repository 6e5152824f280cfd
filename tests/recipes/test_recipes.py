"""The recipes of package managers, as a release fills them in, with stand-ins for the managers: each builds strew from the
release's archive, and a program uses the installed library.

    python3 tests/recipes/test_recipes.py --work build/recipes

The stand-ins leave out checks of the managers themselves: conda-forge's compilers and its linter, vcpkg's triplets and
its post-build checks, Homebrew's audit.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
EXAMPLE = ROOT / "examples" / "embedding.c"


def run(*command: str | Path, **options: object) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


class Recipes(unittest.TestCase):
    work: Path

    @classmethod
    def setUpClass(cls) -> None:
        shutil.rmtree(cls.work, ignore_errors=True)
        cls.work.mkdir(parents=True)
        run(ROOT / "scripts" / "make-release", cls.work / "release")
        cls.recipes = cls.work / "release" / "recipes"
        (archive,) = (cls.work / "release").glob("*.tar.gz")
        run("tar", "-xzf", archive, "-C", cls.work)
        cls.source = cls.work / archive.name.removesuffix(".tar.gz")

    def use(self, prefix: Path, name: str) -> None:
        """Builds a program with the installed library, and runs it."""
        build = self.work / f"use-{name}"
        options = [
            f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DEXAMPLE={EXAMPLE}",
            f"-DBUILD_SHARED_LIBS={name.endswith('dynamic')}",
        ]
        run("cmake", "-G", "Ninja", "-S", HERE / "consumer", "-B", build, *options)
        run("cmake", "--build", build)
        self.assertIn("word 2: 13 24", run(build / "consumer"))

    def test_vcpkg(self) -> None:
        for linkage, library, other in (
            ("static", "libstrew.a", "libstrew.so"),
            ("dynamic", "libstrew.so", "libstrew.a"),
        ):
            with self.subTest(linkage):
                work = self.work / f"vcpkg-{linkage}"
                port = self.recipes / "vcpkg" / "portfile.cmake"
                variables = {"PORT": port, "WORK": work, "VCPKG_LIBRARY_LINKAGE": linkage}
                run("cmake", *(f"-D{name}={value}" for name, value in variables.items()), "-P", HERE / "vcpkg.cmake")
                packages = work / "packages"
                self.assertTrue((packages / "lib" / library).exists())
                self.assertFalse((packages / "lib" / other).exists())
                self.assertTrue((packages / "share" / "strew" / "copyright").exists())
                self.use(packages, f"vcpkg-{linkage}")

    def test_conda(self) -> None:
        recipe = yaml.safe_load((self.recipes / "conda-forge" / "recipe.yaml").read_text())
        prefix = self.work / "conda"
        arguments = f"-DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX={prefix} -DCMAKE_INSTALL_LIBDIR=lib"
        paths = {"PATH": f"{prefix / 'bin'}:{os.environ['PATH']}", "LD_LIBRARY_PATH": str(prefix / "lib")}
        environment = {**os.environ, "CMAKE_ARGS": arguments, **paths}
        for step in recipe["build"]["script"]:
            run("bash", "-ec", step if isinstance(step, str) else step["then"], cwd=self.source, env=environment)
        contents: dict[str, list[str]] = {}
        for test in recipe["tests"]:
            for command in test.get("script", []):
                self.assertTrue(run("bash", "-ec", command, env=environment))
            contents |= test.get("package_contents", {})
        for header in contents["include"]:
            self.assertTrue((prefix / "include" / header).exists(), header)
        for library in contents["lib"]:
            self.assertTrue((prefix / "lib" / f"lib{library}.so").exists(), library)
        self.assertTrue((self.source / recipe["about"]["license_file"]).exists())

    def test_homebrew(self) -> None:
        shutil.rmtree(self.source / "build", ignore_errors=True)
        formula = self.recipes / "homebrew" / "strew.rb"
        run("ruby", "-wc", formula)
        run("ruby", HERE / "formula.rb", formula, self.work / "homebrew", cwd=self.source)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "recipes")
    given, rest = parser.parse_known_args()
    Recipes.work = given.work.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
