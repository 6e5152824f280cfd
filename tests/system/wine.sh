#!/bin/sh
# Makes Wine ready in the folder that WINEPREFIX names, before tests run in it side by side, and has its server stay for a
# minute after the last of them. Neither it nor the services may hold the streams that ctest waits for the end of.
set -eu

mkdir -p "$WINEPREFIX"
exec >"$WINEPREFIX/log" 2>&1 </dev/null
wineserver --persistent=60
wineboot --init
