"""Findings of analysers that are no faults: tool, check, file, a piece of the line or of the message, and the
reason."""

from __future__ import annotations

KNOWN: dict[str, dict[tuple[str, str, str], str]] = {
    "gcc": {
        ("Wanalyzer-use-of-uninitialized-value", "src/engine/walk/join.h", "offsets[1] - offsets[0]"):
            "a tile of as many positions as are asked for first has been resolved",
        ("Wanalyzer-use-of-uninitialized-value", "src/engine/walk/join.h", "offsets[2] - offsets[1]"):
            "the same",
        ("Wanalyzer-use-of-uninitialized-value", "src/engine/walk/run.c", "positions <= tile->positions &&"):
            "0 positions before the first tile, and none has so few",
        ("Wanalyzer-use-of-uninitialized-value", "src/engine/walk/run.c", "next->resolved == STREW_ALL_ROWS"):
            "the line before resolves it, or it has been resolved",
    },
    "clang-tidy": {
        ("clang-analyzer-core.UndefinedBinaryOperatorResult", "src/operators/operator.c", "form->direction =="):
            "the function that each operator has for its form sets the direction",
        ("clang-analyzer-core.UndefinedBinaryOperatorResult", "src/engine/walk/run.c", "positions <= tile->positions"):
            "0 positions before the first tile, and none has so few",
        ("clang-analyzer-valist.Uninitialized", "src/base/error.c", "const int written = vsnprintf("):
            "va_start stands before it",
        ("clang-analyzer-core.uninitialized.Assign", "tools/tune/choices.c", "costs[c] += log(seconds[c])"):
            "who measures has set as many to 0 as there are candidates",
        ("bugprone-branch-clone", "src/engine/walk/walk.c", "strew_coordinates_add(coordinates, coordinate);"):
            "what the branch between them asks is only so after the first",
        ("bugprone-branch-clone", "src/kernels/move_rows.inc", "EXPORT("):
            "one body, given other constants in each branch",
        ("bugprone-sizeof-expression", "src/dispatch/tuning.c", "sizeof measured / sizeof *measured"):
            "the elements are pointers",
        ("misc-no-recursion", "src/engine/walk/walk.c", "static bool check_from("):
            "once for each dimension, which are STREW_MAX_RANK at most",
        ("clang-analyzer-core.NonNullParamChecker", "tools/npy.c", "strspn(parser->cursor"):
            "what read_part has read without an error is memory, of no bytes too",
        ("clang-analyzer-core.uninitialized.Assign", "tools/npy.c", "char byte = element[low]"):
            "read_part has filled it, or told that it could not",
        ("clang-analyzer-core.CallAndMessage", "tools/npy.c", "larger(format->size, strew_dtype_size"):
            "parse_header has filled the format, or told that it could not",
    },
    "cppcheck": {
        ("ctuuninitvar", "src/engine/bags/part.c", "const strew_bags *bags = columns->bags;"):
            "the function that calls this one has filled it",
        ("arrayIndexThenCheck", "src/engine/form.c", "form->dense.size[d] == 0 &&"):
            "the loop has checked d; the comparison is with other dimensions",
        ("CastIntegerToAddressAtReturn", "src/engine/walk/walk.h", "return walk->kernels->resolve["):
            "a function pointer that it has no type of",
    },
    "stack": {
        ("recursion", "src/sources.txt", "check_from"):
            "once for each dimension, which are STREW_MAX_RANK at most",
    },
}
