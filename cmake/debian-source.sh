#!/bin/sh
# Fetches Debian source packages: debian-source.sh DIRECTORY PACKAGE...
#
# Each lands in DIRECTORY/PACKAGE with Debian's patches applied. What may be fetched, from where and whose signature
# counts is taken from the machine's own apt configuration, with binary entries turned into source entries. That
# configuration and apt's state are left as they are: all lists live in a temporary directory. apt verifies the chain
# from the signed release file to each archive.
set -eu

directory=$1
shift
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)

have_all() {
    for package; do
        [ -f "$directory/$package.complete" ] && [ -d "$directory/$package" ] || return 1
    done
}
have_all "$@" && exit 0

# Several build trees may be configured at once: the first fetches, the others wait and find it done.
exec 9>"$directory/.lock"
flock 9
have_all "$@" && exit 0

work=$(mktemp -d "$directory/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$work/parts" "$work/lists/partial" "$work/cache" "$work/archives"

list='' parts=''
eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
for file in "$list" "$parts"/*.list; do
    [ -f "$file" ] || continue
    sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$file" >"$work/parts/$(basename "$file" .list)-lines.list"
done
for file in "$parts"/*.sources; do
    [ -f "$file" ] || continue
    sed 's/^[Tt]ypes:.*/Types: deb-src/' "$file" >"$work/parts/$(basename "$file")"
done

apt() {
    apt-get -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/parts" \
        -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}

# A third party's repository without sources makes the update fail as a whole, while the lists of the others are there:
# what counts is whether the package is found.
apt -q update >"$work/log" 2>&1 || true
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
for package; do
    have_all "$package" && continue
    cd "$work/archives"
    # The newest version may be listed by the security archive and lack its source: then the release's own.
    apt -q source --download-only "$package" >>"$work/log" 2>&1 ||
        apt -q source --download-only "$package/$release" >>"$work/log" 2>&1 || {
        cat "$work/log"
        echo "debian-source.sh: no source package $package"
        exit 1
    }
    rm -rf "${directory:?}/$package" "$directory/$package.complete"
    dpkg-source --no-check -x "$package"_*.dsc "$work/$package" >>"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
    mv "$work/$package" "$directory/$package"
    sed -n 's/^Version: *//p' "$package"_*.dsc >"$directory/$package.complete"
done
