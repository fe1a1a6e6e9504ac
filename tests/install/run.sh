#!/bin/sh
# Installs a build tree into a temporary prefix and uses it as others would: run.sh BUILD-DIRECTORY
set -eu

build=$(cd "$1" && pwd)
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
header=$here/../../core/include/cachecast.h
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

step() { printf '%s\n' "$*"; }
fail() {
    printf 'install: %s\n' "$*" >&2
    exit 1
}
expect() { # expect WHAT EXPECTED FOUND
    [ "$2" = "$3" ] || fail "$1: expected \"$2\", found \"$3\""
}

step "install"
cmake --build "$build" >"$work/log" 2>&1 || {
    cat "$work/log"
    fail "the build failed"
}
cmake --install "$build" --prefix "$work/first" >"$work/log" 2>&1 || {
    cat "$work/log"
    fail "the installation failed"
}
# Moved after installing: nothing in it may remember where it was.
mv "$work/first" "$work/prefix"
prefix=$work/prefix
for file in bin/cachecast include/cachecast.h share/man/man1/cachecast.1; do
    [ -f "$prefix/$file" ] || fail "$file was not installed"
done
[ -x "$prefix/bin/cachecast" ] || fail "bin/cachecast is not executable"
[ ! -e "$prefix/bin/cachecast-bench" ] || fail "the benchmark was installed"
cmp -s "$header" "$prefix/include/cachecast.h" || fail "the installed header is not the one of the sources"
pc=$(find "$prefix" -name cachecast.pc)
[ -n "$pc" ] || fail "cachecast.pc was not installed"
if grep -rlF "$build" "$prefix/include" "${pc%/pkgconfig/*}/cmake" "$pc"; then
    fail "these files name the build tree"
fi

step "command and man page"
"$prefix/bin/cachecast" --version | grep -qF "$version" || fail "cachecast --version does not print $version"
if command -v man >/dev/null 2>&1 && man --version >/dev/null 2>&1; then
    MANWIDTH=80 man --warnings -l "$prefix/share/man/man1/cachecast.1" >/dev/null 2>"$work/man" || true
    [ ! -s "$work/man" ] || {
        cat "$work/man"
        fail "the man page has warnings"
    }
fi

step "header alone, as C11 and as C++17"
printf '#include <cachecast.h>\n' >"$work/alone.c"
cp "$work/alone.c" "$work/alone.cpp"
cc -std=c11 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -fsyntax-only -I"$prefix/include" "$work/alone.c"
c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" "$work/alone.cpp"

step "consumer by pkg-config"
export PKG_CONFIG_PATH="${pc%/cachecast.pc}${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
expect "version of cachecast.pc" "$version" "$(pkg-config --modversion cachecast)"
# shellcheck disable=SC2046 # a list of words
cc -std=c17 -Wall -Werror "$here/consumer.c" -o "$work/by-pkg-config" $(pkg-config --static --cflags --libs cachecast)
expect "consumer by pkg-config" "$version" "$("$work/by-pkg-config")"

step "consumer by find_package"
if ! cmake -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DEXPECTED_VERSION="$version" >"$work/log" 2>&1 ||
    ! cmake --build "$work/cmake" >>"$work/log" 2>&1; then
    cat "$work/log"
    fail "the CMake consumer failed"
fi
expect "consumer by find_package" "$version" "$("$work/cmake/consumer")"
