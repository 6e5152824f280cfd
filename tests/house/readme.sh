#!/bin/sh
# The program that the README shows is the one that is compiled and run.
#
#   readme.sh README EXAMPLE
set -eu
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1" | diff - "$2"
