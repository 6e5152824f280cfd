#!/bin/sh
# Every symbol that others can link to in the archive begins with the prefix and strew_, prefix.h has them all, and the
# shared library exports the functions that the headers declare, and nothing else.
#
#   symbols.sh NM ARCHIVE SHARED SOURCE
set -eu
nm=$1 archive=$2 shared=$3 source=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if "$nm" --defined-only --extern-only "$archive" | awk 'NF == 3 { print $3 }' | grep -v '^strew_' >&2; then
    echo "these symbols of $archive can meet those of other libraries" >&2
    exit 1
fi

"$source/scripts/list-symbols" "$nm" "$archive" | diff "$source/include/strew/prefix.h" - >&2 || {
    echo "include/strew/prefix.h is not what scripts/list-symbols writes" >&2
    exit 1
}

sed -n '/^STREW_API/,/;/p' "$source"/include/strew/*.h | grep -oE '\bstrew_[a-z_]+\(' | tr -d '(' | sort -u >"$work/declared"
"$nm" --dynamic --defined-only "$shared" | awk 'NF == 3 { print $3 }' | sort -u >"$work/exported"
diff "$work/declared" "$work/exported" >&2 || {
    echo "$shared does not export what the headers declare" >&2
    exit 1
}
echo "$(wc -l <"$work/exported") functions are exported"
