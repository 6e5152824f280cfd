"""strew for Conan 2, from the sources that this file lies among: conan create packaging/conan"""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import collect_libs, copy

SOURCES = ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*")


class Strew(ConanFile):
    name = "strew"
    description = "Tensor scatter and gather kernels"
    license = "Apache-2.0"
    topics = ("tensor", "scatter", "gather", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "symbol_prefix": ["", "ANY"]}
    default_options = {"shared": False, "symbol_prefix": ""}
    languages = ["C"]

    @property
    def root(self) -> Path:
        return Path(self.recipe_folder).parents[1]

    def set_version(self) -> None:
        header = (self.root / "include/strew/strew.h").read_text()
        self.version = ".".join(re.findall(r"^#define STREW_VERSION_[A-Z]+ (\d+)$", header, re.M))

    def export_sources(self) -> None:
        for pattern in SOURCES:
            copy(self, pattern, self.root, self.export_sources_folder)

    def layout(self) -> None:
        cmake_layout(self)

    def generate(self) -> None:
        toolchain = CMakeToolchain(self)
        for part in ("TOOLS", "TESTS", "EXAMPLES"):
            toolchain.cache_variables[f"STREW_BUILD_{part}"] = False
        toolchain.cache_variables["STREW_SYMBOL_PREFIX"] = str(self.options.symbol_prefix)
        toolchain.generate()

    def build(self) -> None:
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="strew_shared" if self.options.shared else "strew_static")

    def package(self) -> None:
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))
        for pattern in ("*.h", "*.hpp"):
            copy(self, pattern, Path(self.source_folder, "include"), Path(self.package_folder, "include"))
        for pattern in ("*.a", "*.lib", "*.so*", "*.dylib"):
            copy(self, pattern, self.build_folder, Path(self.package_folder, "lib"), keep_path=False)
        copy(self, "*.dll", self.build_folder, Path(self.package_folder, "bin"), keep_path=False)

    def package_info(self) -> None:
        self.cpp_info.libs = collect_libs(self)
        if self.options.shared:
            self.cpp_info.defines.append("STREW_SHARED")
        if self.options.symbol_prefix:
            self.cpp_info.defines.append(f"STREW_PREFIX={self.options.symbol_prefix}")
