#!/bin/sh
# Checks that every object of the archive is marked for BTI and PAC.
#
#   branch_protection.sh READELF ARCHIVE
set -eu
objects=$(ar t "$2" | wc -l)
protected=$("$1" --notes "$2" | grep -ci 'aarch64 feature: BTI, PAC')
echo "$protected of $objects objects have BTI and PAC"
[ "$protected" -eq "$objects" ] && [ "$objects" -gt 0 ]
