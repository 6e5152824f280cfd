#!/bin/sh
# Disassembles objects that run before the CPU has been asked, and fails if one of them holds an instruction of AVX or
# later: those have VEX or EVEX encodings, and names that begin with v.
#
#   instructions.sh OBJDUMP OBJECT...
set -eu
objdump=$1
shift

found=0
for object in "$@"; do
    bad=$("$objdump" -d --no-show-raw-insn "$object" | awk -F'\t' '$2 ~ /^v/ && $2 !~ /^ver[rw]/' | head -n 3)
    if [ -n "$bad" ]; then
        printf '%s:\n%s\n' "$object" "$bad" >&2
        found=1
    fi
done
echo "$# objects looked through"
exit $found
