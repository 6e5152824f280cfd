#!/bin/sh
# Compares the shared library's binary interface, its functions and their structs, with the one recorded for this version,
# for which programs were compiled.
#
#   abi.sh check LIBRARY SOURCE     LIBRARY has debugging information
#   abi.sh record LIBRARY SOURCE    writes the record of a new version, or adds functions to that of this one
set -eu
action=$1 library=$2 source=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

part_of_version() {
    sed -n "s/^#define STREW_VERSION_$1 //p" "$source/include/strew/strew.h"
}
version=$(part_of_version MAJOR).$(part_of_version MINOR)
record=tests/abi/strew-$version-$(uname -m).abi
recorded=$source/$record
again="cmake --build --preset debug --target record_abi"

# The builder's paths are no part of the interface.
abidw --headers-dir "$source/include/strew" --drop-private-types --exported-interfaces-only --no-show-locs \
    --no-corpus-path --no-comp-dir-path --no-elf-needed --no-parameter-names "$library" |
    sed "s|path='$source/|path='|" >"$work/now.abi"
grep -q "name='strew_tensor'" "$work/now.abi" || {
    echo "$library shows no structs: it was built without debugging information" >&2
    exit 1
}

if [ ! -f "$recorded" ]; then
    if [ "$action" = record ]; then
        cp "$work/now.abi" "$recorded"
        exit 0
    fi
    echo "There is no record of the ABI of $version: run '$again' and add $record." >&2
    exit 1
fi

# Whether there is a difference: bits 1 and 2 of the status are failures of abidiff, 4 and 8 are changes.
differ() {
    abidiff --harmless "$@" "$recorded" "$work/now.abi" && return 1
    case $? in
    4 | 8 | 12) return 0 ;;
    *) echo "abidiff failed" >&2 && exit 1 ;;
    esac
}
# Within a version the recorded interface must not change; the next patch records additions.
if differ --no-added-syms >&2; then
    echo "The ABI of $version has changed, which programs that were compiled for it do not survive: raise" >&2
    echo "STREW_VERSION_MINOR, and run '$again' to record the new ABI. (If no $version was ever" >&2
    echo "released, remove $record, and do the same.)" >&2
    exit 1
fi
if differ >&2; then
    if [ "$action" = record ]; then
        cp "$work/now.abi" "$recorded"
        exit 0
    fi
    echo "Functions were added: raise STREW_VERSION_PATCH, and run '$again' to record them." >&2
    exit 1
fi
echo "the ABI is that of $version"
