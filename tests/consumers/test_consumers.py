"""strew in the builds of users: as a part of their project, installed, and under flags that it did not choose.

test_consumers.py [--work DIRECTORY] [TestClass.test_name ...]

Each test makes a small project and builds it with CMake. If the result can run, it runs results.c, whose output is the
same everywhere.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
WORK = pathlib.Path("consumers")


def run(*command, **settings):
    """Runs a command and returns its output; if it fails, so does the test."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **settings)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)}\n{done.stdout}")
    return done.stdout


def fails(*command, **settings):
    """Runs a command that must fail, and returns its output."""
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **settings
    )
    assert done.returncode != 0, done.stdout
    return re.sub(r"\s+", " ", done.stdout)


class Project:
    """A user's project with this CMakeLists.txt and results.c."""

    def __init__(self, name, lists, **files):
        self.source = WORK / name
        self.build = self.source / "build"
        shutil.rmtree(self.source, ignore_errors=True)
        self.source.mkdir(parents=True)
        shutil.copy(HERE / "results.c", self.source)
        for file, text in files.items():
            (self.source / file.replace("_dot_", ".")).write_text(textwrap.dedent(text))
        head = f"cmake_minimum_required(VERSION 3.21)\nproject({name} C)\n"
        text = head + textwrap.dedent(lists).replace("STREW_SOURCE", str(SOURCE))
        (self.source / "CMakeLists.txt").write_text(text)

    def arguments(self, options):
        return ["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", *options]

    def configure(self, *options, **settings):
        return run(*self.arguments(options), **settings)

    def make(self, *options, **settings):
        self.configure(*options, **settings)
        return run("cmake", "--build", self.build)

    def results(self):
        return run(self.build / "results")


PART = """
    add_subdirectory(STREW_SOURCE strew)
    add_executable(results results.c)
    target_link_libraries(results PRIVATE strew::strew)
"""


class Part(unittest.TestCase):
    """add_subdirectory."""

    def test_changes_nothing_of_its_parents(self):
        project = Project(
            "untouched",
            """
            get_cmake_property(before CACHE_VARIABLES)
            add_subdirectory(STREW_SOURCE strew)
            get_cmake_property(after CACHE_VARIABLES)
            list(REMOVE_ITEM after ${before})
            list(FILTER after EXCLUDE REGEX "^(STREW_|strew_)")
            if(after)
              message(FATAL_ERROR "cached: ${after}")
            endif()
            if(CMAKE_BUILD_TYPE OR DEFINED BUILD_SHARED_LIBS OR CMAKE_EXPORT_COMPILE_COMMANDS OR CMAKE_PROJECT_VERSION)
              message(FATAL_ERROR "build type '${CMAKE_BUILD_TYPE}', shared '${BUILD_SHARED_LIBS}'")
            endif()
            """,
        )
        project.make()
        self.assertFalse((project.build / "compile_commands.json").exists())
        self.assertEqual(list(project.build.rglob("*.o")), [], "what nobody links is built")

    def test_builds_what_is_linked_and_nothing_else(self):
        project = Project("linked", PART)
        project.make()
        built = sorted(path.name for path in project.build.rglob("libstrew*"))
        self.assertEqual(built, ["libstrew.a"])
        project.results()

    def test_is_optimised_where_nobody_said_how(self):
        project = Project("unoptimised", PART)
        project.configure("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        commands = (project.build / "compile_commands.json").read_text()
        self.assertRegex(commands, r"-O3[^\n]*scalar/reduce\.c")

    def test_can_be_shared(self):
        project = Project("shared", PART)
        project.make("-DBUILD_SHARED_LIBS=ON", "-DCMAKE_BUILD_TYPE=Debug")
        self.assertEqual([path.name for path in project.build.rglob("libstrew*.a")], [])
        self.assertIn("libstrew.so", run("ldd", project.build / "results"))
        project.results()

    def test_builds_in_unity(self):
        project = Project("unity", PART)
        project.make("-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_BUILD_TYPE=Debug")
        project.results()

    def test_is_silent_under_its_parents_warnings(self):
        flags = "-Wall -Wextra -Wcast-align=strict -Wdouble-promotion -Wswitch-enum -Wfloat-equal -Wpadded"
        lists = f"add_compile_options({flags} -Werror)\n" + PART.replace("strew::strew)", "strew::strew)\n    target_compile_options(results PRIVATE -Wno-error)")
        project = Project("warnings", lists)
        self.assertNotRegex(project.make("-DCMAKE_BUILD_TYPE=Debug"), r"strew/src[^\n]*warning")

    def test_can_be_in_its_parents_export_set(self):
        lists = """
            include(GNUInstallDirs)
            add_subdirectory(STREW_SOURCE strew)
            add_library(parent STATIC parent.c)
            target_link_libraries(parent PUBLIC strew::strew)
            install(TARGETS parent strew_static EXPORT parent)
            install(EXPORT parent DESTINATION lib/cmake/parent FILE parentConfig.cmake)
            install(DIRECTORY STREW_SOURCE/include/ TYPE INCLUDE)
            export(EXPORT parent FILE parentTargets.cmake)
        """
        parent = Project("exporting", lists, parent_dot_c="int parent(void) { return 0; }\n")
        prefix = WORK / "exported"
        parent.make(f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--install", parent.build)
        child = Project(
            "importing",
            """
            find_package(parent REQUIRED)
            add_executable(results results.c)
            target_link_libraries(results PRIVATE parent)
            """,
        )
        child.make(f"-DCMAKE_PREFIX_PATH={prefix}")
        child.results()

    def test_can_install_itself_beside_its_parent(self):
        lists = """
            set(STREW_INSTALL ON)
            add_subdirectory(STREW_SOURCE strew)
            add_library(parent STATIC parent.c)
            target_link_libraries(parent PUBLIC strew::strew)
            install(TARGETS parent EXPORT parent)
            install(EXPORT parent DESTINATION lib/cmake/parent)
        """
        parent = Project("installing", lists, parent_dot_c="int parent(void) { return 0; }\n")
        prefix = WORK / "installed_beside"
        parent.make(f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
        run("cmake", "--install", parent.build)
        self.assertTrue(list(prefix.rglob("strewConfig.cmake")))


class Flags(unittest.TestCase):
    """Flags that would change results: taken back, or refused."""

    def build(self, name, compiler, flags, *options):
        project = Project(name, PART)
        project.make(f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_C_FLAGS={flags}", *options)
        project.results()

    def test_fast_math(self):
        self.build("fast", "gcc", "-O2 -ffast-math -fsingle-precision-constant -march=native")

    @unittest.skipUnless("avx512f" in pathlib.Path("/proc/cpuinfo").read_text(), "this CPU has no AVX-512")
    def test_avx512_which_fuses_without_fma(self):
        self.build("avx512", "gcc", "-O3 -mavx512f")

    def test_ofast_with_clang(self):
        self.build("ofast", "clang", "-Ofast -march=native")

    def test_link_time_optimisation_and_fast_math(self):
        self.build("lto", "gcc", "-Ofast -flto=2 -march=native", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON")

    def test_x87_and_whatever_else_a_project_may_have_chosen(self):
        flags = "-mfpmath=387 -fexcess-precision=standard -frounding-math -ftrapv -funsigned-char -fshort-enums -fpack-struct -fno-builtin"
        self.build("odd", "gcc", f"-O1 {flags}")

    def test_short_enums_and_packed_structs(self):
        project = Project(
            "layout", PART.replace("results.c)", "results.c)\n    target_compile_options(results PRIVATE -fshort-enums -fpack-struct)")
        )
        project.make("-DCMAKE_BUILD_TYPE=Debug")
        project.results()

    def test_what_cannot_be_taken_back_does_not_compile(self):
        kernel = [f"-I{SOURCE}/include", f"-I{SOURCE}/src", "-fsyntax-only", SOURCE / "src/scalar/reduce.c"]
        run("gcc", "-std=c11", *kernel)
        for compiler, flags, sentence in (
            ("gcc", ["-ffast-math"], "cannot be compiled with -ffast-math"),
            ("clang", ["-Ofast"], "cannot be compiled with -ffast-math"),
            ("gcc", ["-ffinite-math-only"], "cannot be compiled with -ffast-math"),
            ("gcc", ["-funsafe-math-optimizations"], "-funsafe-math-optimizations"),
            ("gcc", ["-fno-signed-zeros"], "-funsafe-math-optimizations"),
            ("gcc", ["-freciprocal-math"], "-funsafe-math-optimizations"),
            ("gcc", ["-mfpmath=387", "-std=c11"], "needs float and double to be computed as such"),
            ("gcc", ["-fsingle-precision-constant"], "not with -fsingle-precision-constant"),
        ):
            self.assertIn(sentence, fails(compiler, *flags, *kernel), flags)


@unittest.skipUnless(shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-arm"), "there is no compiler for bare metal")
class BareMetal(unittest.TestCase):
    """32-bit ARM without an operating system: newlib, and QEMU by semihosting."""

    def make(self, name, cpu):
        project = Project(name, PART)
        toolchain = SOURCE / "cmake/toolchains/arm-none-eabi.cmake"
        project.make(f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", f"-DSTREW_ARM_CPU={cpu}", "-DCMAKE_BUILD_TYPE=MinSizeRel")
        return ["qemu-arm", "-cpu", cpu.split()[0], project.build / "results"]

    def test_cortex_m_is_built(self):
        self.make("cortex_m", "cortex-m4 -mthumb")

    def test_without_floats(self):
        self.assertNotIn("neon", run(*self.make("soft_float", "cortex-a7 -mthumb -mfloat-abi=soft")))

    def test_with_neon(self):
        self.assertIn("neon (native)", run(*self.make("cortex_a", "cortex-a9 -mfpu=neon -mfloat-abi=hard")))


class Symbols(unittest.TestCase):
    """The exports of a library that links strew statically."""

    RUNTIME = """
        set(STREW_SYMBOL_PREFIX NAME_)
        add_subdirectory(STREW_SOURCE strew)
        add_library(NAME SHARED runtime.c)
        target_link_libraries(NAME PRIVATE strew::strew_static)
    """
    CODE = "#include <strew/strew.h>\nconst char *NAME(void) { return strew_version(); }\n"

    def runtime(self, name, prefix):
        lists = self.RUNTIME.replace("NAME", name).replace(f"{name}_)", f"{name}_)" if prefix else '"")')
        project = Project(name, lists, runtime_dot_c=self.CODE.replace("NAME", name))
        project.make("-DCMAKE_BUILD_TYPE=Debug")
        return project

    def symbols(self, *arguments):
        return {line.split()[-1] for line in run("nm", "--defined-only", *arguments).splitlines() if len(line.split()) == 3}

    def test_a_shared_library_exports_nothing_of_the_static_one(self):
        project = self.runtime("plain", prefix=False)
        self.assertEqual(self.symbols("--dynamic", project.build / "libplain.so"), {"plain"})

    def test_every_symbol_has_the_prefix(self):
        project = self.runtime("acme", prefix=True)
        symbols = self.symbols("--extern-only", project.build / "strew" / "libstrew.a")
        self.assertGreater(len(symbols), 300)
        self.assertEqual({symbol for symbol in symbols if not symbol.startswith("acme_strew_")}, set())

    def test_the_shared_library_has_the_prefix_too(self):
        project = Project("prefixed", PART)
        project.make("-DSTREW_SYMBOL_PREFIX=other_", "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_BUILD_TYPE=Debug")
        exported = self.symbols("--dynamic", next(project.build.rglob("libstrew.so")))
        self.assertEqual({symbol for symbol in exported if not symbol.startswith("other_strew_")}, set())
        project.results()

    def test_the_api_can_be_declared_as_its_user_likes(self):
        code = '#define STREW_API __attribute__((weak))\n#include <strew/strew.h>\nint main(void) { return strew_version != 0; }\n'
        project = Project("declared", "add_executable(declared main.c)\ninclude_directories(STREW_SOURCE/include)\n", main_dot_c=code)
        project.make()
        run(project.build / "declared")


class Installed(unittest.TestCase):
    """find_package and pkg-config, wherever the installed tree is."""

    @classmethod
    def setUpClass(cls):
        build, staged = WORK / "install-build", WORK / "staged"
        for path in (build, staged, WORK / "moved"):
            shutil.rmtree(path, ignore_errors=True)
        run("cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DSTREW_BUILD_TESTS=OFF", "-DCMAKE_INSTALL_PREFIX=/opt/strew")
        run("cmake", "--build", build)
        run("cmake", "--install", build, env={**os.environ, "DESTDIR": str(staged)})
        shutil.move(staged / "opt" / "strew", WORK / "moved")
        cls.build, cls.prefix = build, WORK / "moved"

    def test_nothing_emulated_is_installed(self):
        listed = run(self.prefix / "bin" / "strew", "info")
        self.assertNotIn("emulated", listed)
        self.assertTrue((self.prefix / "share" / "man" / "man1" / "strew.1").exists())
        self.assertTrue((self.prefix / "share" / "doc" / "strew" / "LICENSE").exists())

    def pkg_config(self, *words, library_dir="lib"):
        directory = self.prefix / library_dir / "pkgconfig"
        return run("pkg-config", *words, "strew", env={**os.environ, "PKG_CONFIG_PATH": str(directory)}).split()

    def test_pkg_config_finds_the_moved_tree(self):
        program = WORK / "by_pkg_config"
        flags = self.pkg_config("--cflags", "--libs")
        run("gcc", HERE / "results.c", "-o", program, *flags, f"-Wl,-rpath,{self.prefix}/lib")
        self.assertIn(str(self.prefix), run("ldd", program))
        run(program)

    def test_pkg_config_serves_static_programs(self):
        program = WORK / "static_by_pkg_config"
        run("gcc", "-static", HERE / "results.c", "-o", program, *self.pkg_config("--static", "--cflags", "--libs"))
        run(program)

    def test_pkg_config_is_right_for_a_prefix_given_when_installing(self):
        prefix = WORK / "late prefix"
        run("cmake", "--install", self.build, "--prefix", prefix)
        path = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
        self.assertTrue(os.path.samefile(run("pkg-config", "--variable=includedir", "strew", env=path).strip().replace("\\", ""), prefix / "include"))

    def find(self, name, words):
        return Project(
            name,
            f"""
            find_package(strew {words} REQUIRED)
            add_executable(results results.c)
            target_link_libraries(results PRIVATE strew::strew)
            """,
        )

    def test_find_package_finds_versions_ranges_and_components(self):
        for number, words in enumerate(("", "0.3", "0.3.0 EXACT", "0.1...<1", "0.3...0.3", "COMPONENTS static", "COMPONENTS shared", "0.3 COMPONENTS shared static")):
            project = self.find(f"found{number}", words)
            project.make(f"-DCMAKE_PREFIX_PATH={self.prefix}")
            project.results()
            shared = "libstrew.so" in run("ldd", project.build / "results")
            self.assertEqual(shared, words == "COMPONENTS shared", words)

    def test_find_package_says_why_not(self):
        for number, (words, sentence) in enumerate(
            (
                ("0.2", "before 1.0 a minor version may change the API; ask for 0.3"),
                ("0.9", "ask for 0.3"),
                ("0.4...<1", "version: 0.3.0"),
                ("1.0", "ask for 0.3"),
                ("COMPONENTS gpu", "strew has the components static and shared, and no gpu"),
            )
        ):
            project = self.find(f"unfound{number}", words)
            self.assertIn(sentence, fails(*project.arguments([f"-DCMAKE_PREFIX_PATH={self.prefix}"])), words)


class Toolchains(unittest.TestCase):
    """Messages when configuring."""

    def told(self, name, toolchain, *options):
        project = Project(name, "add_subdirectory(STREW_SOURCE strew)", toolchain_dot_cmake=toolchain)
        told = project.configure(f"-DCMAKE_TOOLCHAIN_FILE={project.source}/toolchain.cmake", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options)
        return told, (project.build / "compile_commands.json").read_text()

    def test_a_toolchain_without_a_processor_has_all_instruction_sets(self):
        told, _ = self.told("nameless", "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_C_COMPILER gcc)\n")
        self.assertIn("strew: instruction sets: scalar, avx2, avx512\n", told)
        self.assertRegex(told, "no kernels for neon: .*gcc compiles none for this target")

    @unittest.skipUnless(shutil.which("aarch64-linux-gnu-gcc"), "there is no compiler for aarch64")
    def test_the_compiler_decides_not_the_processors_name(self):
        told, _ = self.told("misnamed", "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR mystery)\nset(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)\n")
        self.assertIn("strew: instruction sets: scalar, neon\n", told)

    def test_simde_brings_no_other_header_with_it(self):
        told, commands = self.told("emulating", "set(CMAKE_C_COMPILER gcc)\n", "-DSTREW_EMULATED=ON")
        self.assertIn("scalar, avx2, avx512, neon (emulated)", told)
        self.assertNotIn("-isystem /usr/include ", commands)

    def test_nothing_native_needs_simde(self):
        self.told("unaided", "set(CMAKE_C_COMPILER gcc)\n", "-DSTREW_SIMDE_INCLUDE_DIR=/nowhere")


def main():
    global WORK
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=pathlib.Path, default=WORK, help="where projects are made and built")
    given, rest = parser.parse_known_args()
    WORK = given.work.resolve()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
