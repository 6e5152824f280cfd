#!/bin/sh
# The Debian packages of a build: lintian accepts them, and unpacked in a folder they work with pkg-config, CMake
# and the command line. Nothing is installed.
#
#   test_packages.sh BUILD SOURCE
set -eu
build=$(realpath "$1") source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

fail() {
    echo "test_packages: $*" >&2
    exit 1
}

part_of_version() {
    sed -n "s/^#define STREW_VERSION_$1 //p" "$source/include/strew/strew.h"
}
soversion=$(part_of_version MAJOR).$(part_of_version MINOR)
version=$soversion.$(part_of_version PATCH)

# The package of this name, of which there must be one.
package() {
    set -- "$build/$1_$version"-*.deb
    if [ $# -ne 1 ] || [ ! -f "$1" ]; then fail "not one package: $*"; fi
    echo "$1"
}
runtime=$(package "libstrew$soversion")
development=$(package libstrew-dev)
tools=$(package strew-tools)

[ "$(find "$build" -maxdepth 1 -name '*.deb' | wc -l)" -eq 3 ] || fail "$build has packages of other builds too"

lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$runtime" "$development" "$tools" ||
    fail "lintian refuses them"

for deb in "$runtime" "$development" "$tools"; do
    dpkg-deb --extract "$deb" "$root"
    dpkg-deb --control "$deb" "$work/control"
    (cd "$root" && md5sum --check --quiet "$work/control/md5sums") || fail "$deb: md5sums"
    listed=$(wc -l <"$work/control/md5sums")
    packed=$(dpkg-deb --contents "$deb" | grep -c '^-')
    [ "$listed" -eq "$packed" ] || fail "$deb: $listed of $packed files in md5sums"
    rm -r "$work/control"
done
[ -z "$(find "$root" -type f ! -perm 0644 ! -path '*/bin/*')" ] || fail "a file with permissions other than 0644"
[ -z "$(find "$root" -type d ! -perm 0755)" ] || fail "a folder with permissions other than 0755"

# The dependencies of the packages.
depends() {
    dpkg-deb --field "$1" Depends
}
full=$(dpkg-deb --field "$runtime" Version)
depends "$runtime" | grep -q '^libc6 ([^,]*)$' || fail "the library needs more than libc: $(depends "$runtime")"
[ "$(depends "$development")" = "libstrew$soversion (= $full)" ] || fail "libstrew-dev: $(depends "$development")"
if depends "$tools" | grep -q libstrew; then fail "the command line has its own library: $(depends "$tools")"; fi
dpkg-deb --info "$runtime" shlibs | grep -qF "libstrew $soversion libstrew$soversion (>= $full)" || fail "shlibs"
dpkg-deb --info "$runtime" triggers | grep -q ldconfig || fail "no trigger of ldconfig"

libraries=$(dirname "$(find "$root/usr/lib" -name "libstrew.so.$soversion")")
export LD_LIBRARY_PATH="$libraries"

# check_example PROGRAM TYPE: the example, linked with a library of this type, prints the expected output.
check_example() {
    if readelf -d "$1" | grep -qF "[libstrew.so.$soversion]"; then linked=shared; else linked=static; fi
    [ "$linked" = "$2" ] || fail "$1 is linked with the $linked library"
    "$1" | grep -qF "word 2: 13 24" || fail "$1 prints something else"
}

[ -f "$root/usr/include/strew/strew.hpp" ] || fail "no header for C++"

# With pkg-config, which finds nothing else, and prints no folders for an installed package.
export PKG_CONFIG_LIBDIR="$libraries/pkgconfig"
[ "$(pkg-config --cflags --libs strew | tr -d ' ')" = -lstrew ] || fail "pkg-config: $(pkg-config --cflags --libs strew)"
export PKG_CONFIG_SYSROOT_DIR="$root"
[ "$(pkg-config --modversion strew)" = "$version" ] || fail "pkg-config: another version"
example=$source/examples/embedding.c
# shellcheck disable=SC2046 # lists of words
{
    cc -o "$work/shared" "$example" $(pkg-config --cflags --libs strew)
    cc -o "$work/static" "$example" $(pkg-config --cflags strew) -Wl,-Bstatic $(pkg-config --libs strew) -Wl,-Bdynamic
}
check_example "$work/shared" shared
check_example "$work/static" static

# With CMake.
cmake -S "$source/tests/install/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$root/usr" \
    -DVERSION="$version" -DEXAMPLE="$example" >/dev/null
cmake --build "$work/consumer" >/dev/null
check_example "$work/consumer/shared" shared
check_example "$work/consumer/static" static

# The command line, and its manual.
"$root/usr/bin/strew" operators | grep -q ScatterNDUpdate-15 || fail "strew operators"
gzip -dc "$root/usr/share/man/man1/strew.1.gz" | grep -q '^\.Dt STREW 1' || fail "no manual page"
echo "the packages of $full serve pkg-config, CMake and the command line"
