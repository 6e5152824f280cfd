#!/bin/sh
# Every global symbol in the archive begins with the prefix and strew_, prefix.h has them all, and the
# shared library exports exactly the functions that the headers declare. It imports no functions for memory or threads.
#
#   symbols.sh NM OBJDUMP ARCHIVE SHARED SOURCE
set -eu
nm=$1 objdump=$2 archive=$3 shared=$4 source=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Compilers generate some symbols (pointers to data in MinGW, thunks on 32-bit x86), of which a program keeps one each.
if "$nm" --defined-only --extern-only "$archive" | awk 'NF == 3 { print $3 }' |
    grep -vE '^(strew_|\.refptr\.strew_|__x86\.get_pc_thunk\.)' >&2; then
    echo "these symbols of $archive can meet those of other libraries" >&2
    exit 1
fi

if "$nm" --undefined-only "$archive" | awk '{ print $NF }' |
    grep -E '^_?(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|(pthread|thrd|mtx|cnd)_[a-z_]*)$' >&2; then
    echo "$archive asks for memory, threads or locks, which are the caller's" >&2
    exit 1
fi

"$source/scripts/list-symbols" "$nm" "$archive" | diff "$source/include/strew/prefix.h" - >&2 || {
    echo "include/strew/prefix.h is not what scripts/list-symbols writes" >&2
    exit 1
}

sed -n '/^STREW_API/,/;/p' "$source"/include/strew/*.h | grep -oE '\bstrew_[a-z_]+\(' | tr -d '(' | sort -u >"$work/declared"
# A DLL has a table of names. With musl each shared library exports its start and end functions.
case $shared in
*.dll) "$objdump" -p "$shared" | awk '/Name Pointer\] Table/ { inside = 1; next } !NF { inside = 0 } inside { print $NF }' ;;
*) "$nm" --dynamic --defined-only "$shared" | awk 'NF == 3 && $3 !~ /^_(init|fini)$/ { print $3 }' ;;
esac | sort -u >"$work/exported"
diff "$work/declared" "$work/exported" >&2 || {
    echo "$shared does not export what the headers declare" >&2
    exit 1
}
echo "$(wc -l <"$work/exported") functions are exported"
