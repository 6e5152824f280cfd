#!/bin/sh
# Sets up Wine in the folder WINEPREFIX, before tests run in it in parallel, and keeps its server for a minute after the
# last of them. The server and the services must not hold streams whose end ctest waits for.
set -eu

mkdir -p "$WINEPREFIX"
exec >"$WINEPREFIX/log" 2>&1 </dev/null
wineserver --persistent=60
wineboot --init
