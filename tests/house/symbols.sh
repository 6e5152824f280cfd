#!/bin/sh
# Every symbol of the archive that others can link to begins with strew_.
#
#   symbols.sh NM ARCHIVE
set -eu
nm=$1 archive=$2

foreign=$("$nm" --defined-only --extern-only "$archive" | awk 'NF == 3 && $3 !~ /^strew_/ { print $3 }')
if [ -n "$foreign" ]; then
    printf '%s\n' "$foreign" >&2
    exit 1
fi
"$nm" --defined-only --extern-only "$archive" | grep -c ' strew_'
