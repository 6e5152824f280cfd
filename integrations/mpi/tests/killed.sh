#!/bin/sh
# killed.sh LAUNCH MPIEXEC PROGRAM: checks that a killed rank ends the job: the launcher fails, and soon all ranks have ended.
set -eu
launch=$1
mpiexec=$2
program=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if "$launch" "$mpiexec" 3 "$program" "$folder" >"$folder/output" 2>&1; then
    echo "killed: the launcher says that all went well" >&2
    exit 1
fi
for rank in 0 1 2; do
    process=$(cat "$folder/$rank")
    waited=0
    while kill -0 "$process" 2>/dev/null; do
        waited=$((waited + 1))
        if [ $waited -gt 20 ]; then
            echo "killed: rank $rank runs on" >&2
            exit 1
        fi
        sleep 1
    done
done
echo "3 ranks: one was killed, and none is left"
