#!/bin/sh
# Runs the command line and some operators on CPUs that qemu-user makes up, and checks that each time the right kernels
# are picked and none of their instructions is illegal.
#
#   dispatch.sh QEMU STREW TEST...
set -eu
qemu=$1 strew=$2
shift 2

# on CPU ISA F16: on this CPU, the active instruction set, and the one that sums float16 rows.
on() {
    info=$("$qemu" -cpu "$1" "$strew" info --json 2>/dev/null)
    echo "$info" | grep -q "\"active\": \"$2\"" || {
        echo "$1: the active instruction set is not $2" >&2
        exit 1
    }
    echo "$info" | grep -q "\"reduce_rows_sum\", \"operand\": \"f16\", \"isa\": \"$3\"" || {
        echo "$1: float16 is not summed with $3" >&2
        exit 1
    }
    for test in $tests; do
        "$qemu" -cpu "$1" "$test" >/dev/null 2>&1 || {
            echo "$1: $test fails" >&2
            exit 1
        }
    done
    echo "$1: $2, float16 $3"
}

tests=$*
on Nehalem scalar scalar
on SandyBridge scalar scalar
on Haswell avx2 avx2
on Haswell,-f16c scalar scalar
on Haswell,-fma scalar scalar
on Haswell,-xsave scalar scalar
