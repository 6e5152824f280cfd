#!/bin/sh
# Compiles programs in C++ without a warning, links them with the static library, and runs them: the test of strew.hpp by
# two standards, and the examples, which must print the expected output.
#
#   compile.sh SOURCE LIBRARY COMPILER
set -eu
source=$1 library=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {
    "$compiler" "-std=$2" -Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Werror \
        -I "$source/include" -o "$work/program" "$1" "$library"
}

for standard in c++17 c++20; do
    build "$source/tests/cplusplus/test_cplusplus.cpp" $standard
    "$work/program"
done
for example in "$source"/examples/*.cpp; do
    build "$example" c++17
    "$source/examples/expect.sh" "$source/examples/expected/$(basename "$example" .cpp)_cpp.txt" "$work/program"
done
