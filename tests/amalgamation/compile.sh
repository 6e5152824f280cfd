#!/bin/sh
# Compiles the amalgamation like a user: with only the flags that the target needs, with strict warnings,
# with options that let a compiler fuse products with sums, which it must not do here; and with those that make floats
# inexact, which it must refuse.
#
#   compile.sh STREW.C OBJDUMP COMPILER [FLAG...]
set -eu
source=$1 objdump=$2 compiler=$3
shift 3
needed=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$compiler $*" >&2
    exit 1
}

# silently FLAG...: it compiles without a warning.
silently() {
    "$compiler" $needed "$@" -c "$source" -o "$work/strew.o" >"$work/said" 2>&1 || {
        cat "$work/said" >&2
        fail "$@: does not compile"
    }
    [ ! -s "$work/said" ] || {
        cat "$work/said" >&2
        fail "$@: warns"
    }
}

strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow"
silently -std=c11 -O0 $strict
# By default gcc fuses if the target can; x86 needs a flag for that. (The VMLA of 32-bit ARM rounds its product.)
fused='vfn?m(add|sub)|fml[as]|fcmla|fn?m(add|sub)|vfn?m[as](\.|[sd]b)|w?fm[as][ds]b|m[as][de]br?'
flags="-std=gnu11 -O3 $strict"
case $("$compiler" -dumpmachine) in
x86_64-*) flags="$flags -mfma" ;;
esac
silently $flags
# Sums of products of float16 are fused: the products are exact.
if "$objdump" -d --no-show-raw-insn "$work/strew.o" | awk '/>:$/ { name = $2 } name !~ /f16/' | grep -E "^ .*[[:space:]]($fused)" | head -n 3 | grep .; then
    fail "$flags: products and sums are fused"
fi

for inexact in -ffast-math -Ofast -ffinite-math-only; do
    if "$compiler" $needed -O2 $inexact -fsyntax-only "$source" 2>"$work/said"; then
        fail "$inexact: compiles"
    fi
    grep -q "strew cannot be compiled with" "$work/said" || fail "$inexact: is refused without a reason"
done
echo "compiles, exactly and without a warning"
