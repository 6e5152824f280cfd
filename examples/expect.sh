#!/bin/sh
# Runs an example, and fails unless it succeeds and prints what the documentation says, however the system ends lines.
#
#   expect.sh EXPECTED PROGRAM...
set -eu
expected=$1
shift
printed=$("$@")
printf '%s\n' "$printed" | tr -d '\r' | diff "$expected" -
