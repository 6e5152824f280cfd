#!/bin/sh
# Each public header compiles by itself, without a warning, as C and C++ of several years.
#
#   headers.sh SOURCE cpp|c COMPILER FLAG...
set -eu
source=$1 languages=$2
shift 2

for header in "$source"/include/strew/*.h; do
    name=strew/${header##*/}
    for standard in c11 c17 c++11 c++17; do
        case $standard in
        c++*) [ "$languages" = cpp ] || continue; language=c++ ;;
        *) language=c ;;
        esac
        for define in -DSTREW_SHARED -DSTREW_PREFIX=acme_; do
            # Includes it twice, which its guard allows. C needs a declaration, and prefix.h has none.
            printf '#include <%s>\n#include <%s>\nextern int declared;\n' "$name" "$name" |
                "$@" -std=$standard -x $language -fsyntax-only -Wall -Wextra -Wpedantic -Werror $define \
                    -I "$source/include" - || {
                echo "$name does not compile by itself as $standard with $define" >&2
                exit 1
            }
        done
    done
done
