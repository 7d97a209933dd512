#!/usr/bin/env bash
# Prints the path of a soffice that the tests can use: LibreOffice 25.2 or newer, with Calc and the
# loader for add-ins written in Python. If there is none, it gets one from the distribution.
#
#   libreoffice.sh            find it; otherwise install it, or unpack it below the user's cache
#   libreoffice.sh --find     find it, change nothing
#   libreoffice.sh --unpack   find it; otherwise unpack it, even if it could be installed
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

needed=25.2
missing="LibreOffice $needed or newer with Calc and Python support (python3-uno) is missing"
cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/elo-xl/libreoffice
program=usr/lib/libreoffice/program

new_enough() { [ -n "$1" ] && printf '%s\n' "$needed" "$1" | sort -CV; }

version_of() { timeout 30 "$1" --version 2>/dev/null | sed -n 's/^LibreOffice[^ ]* \([0-9.]*\).*/\1/p'; }

suits() {
    local folder
    folder=$(dirname "$(readlink -f "$1")")
    [ -e "$folder/libsclo.so" ] && [ -e "$folder/libpythonloaderlo.so" ] &&
        new_enough "$(version_of "$1")"
}

find_soffice() {
    local soffice
    if [ -n "${ELO_XL_SOFFICE:-}" ]; then
        new_enough "$(version_of "$ELO_XL_SOFFICE")" ||
            die "ELO_XL_SOFFICE=$ELO_XL_SOFFICE is no LibreOffice $needed or newer."
        echo "$ELO_XL_SOFFICE"
        return
    fi
    for soffice in "$(command -v soffice)" "$(command -v libreoffice)" "$cache/$program/soffice"; do
        if [ -x "$soffice" ] && suits "$soffice"; then
            echo "$soffice"
            return
        fi
    done
    return 1
}

# An apt configuration of our own in $work: the machine's sources and the backports suite beside
# them. Nothing below /etc or /var changes, so an ordinary user can have it too.
prepare_apt() {
    local codename file
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && echo "${UBUNTU_CODENAME:-${DEBIAN_CODENAME:-${VERSION_CODENAME:-}}}")
    backports=$codename-backports
    mkdir -p "$work"/sources "$work"/lists/partial "$work"/cache/archives/partial
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
        [ -r "$file" ] || continue
        # The first command is for lines of a .list, the second for fields of a .sources.
        sed -E -e "s/^(deb\s+(\[[^]]*\]\s+)?\S+\s+)$codename(\s.*)/&\n\1$backports\3/" \
            -e "/^Suites:(.*\s)?$codename(\s|$)/ { /$backports/! s/$/ $backports/ }" \
            "$file" >"$work/sources/$(basename "$file")"
    done
    options=(
        -o Dir::Etc::SourceList=/dev/null
        -o Dir::Etc::SourceParts="$work/sources"
        -o Dir::State::Lists="$work/lists"
        -o Dir::Cache="$work/cache"
        -o APT::Sandbox::User=root # the usual user may not write to $work
        -o Acquire::Languages=none
    )
    # A source that does not answer, or has no backports, is not a reason to stop.
    apt-get -q "${options[@]}" update >"$work/log" 2>&1 </dev/null || true
}

# The version that would be installed.
candidate() {
    LC_ALL=C apt-cache "${options[@]}" policy libreoffice-calc-nogui 2>/dev/null |
        sed -nE 's/^ +Candidate: ([0-9]+:)?([0-9.]+).*/\2/p'
}

choose_suite() {
    prepare_apt
    new_enough "$(candidate)" && return
    options+=(-o APT::Default-Release="$backports")
    new_enough "$(candidate)" && return
    tail -n 5 "$work/log" >&2
    die "$missing, and this system's package sources have none. Install it, or set" \
        "ELO_XL_SOFFICE to its soffice."
}

# "name version" of the installed core package, if any.
installed_core() {
    dpkg-query -Wf '${db:Status-Status} ${Package} ${Version}\n' \
        libreoffice-core libreoffice-core-nogui 2>/dev/null |
        sed -nE 's/^installed (\S+) ([0-9]+:)?([0-9.]+).*/\1 \3/p' || true
}

install() {
    say "Installing LibreOffice $(candidate) …"
    # --no-remove: never remove anything that the user has.
    quietly "$work/log" as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy "${options[@]}" \
        --no-install-recommends --no-remove install "$@"
}

unpack() {
    local tree package
    say "Unpacking LibreOffice $(candidate) below $cache …"
    quietly "$work/log" apt-get -qy "${options[@]}" -o Debug::NoLocking=1 --no-install-recommends \
        --download-only install libreoffice-calc-nogui python3-uno || return
    mkdir -p "$(dirname "$cache")"
    # In the cache's file system, so that it can be moved into place in one step.
    tree=$(mktemp -d "$cache.XXXXXX")
    unfinished=$tree
    for package in "$work"/cache/archives/*.deb; do dpkg -x "$package" "$tree"; done
    settle "$tree"
    try_out "$tree/$program/soffice" || return
    rm -rf "$cache"
    mv -T "$tree" "$cache"
}

# The packages expect files below /; these must be found below the tree, wherever it is.
settle() {
    local tree=$1 office=$1/usr/lib/libreoffice link target
    # Copied into place when the package is configured.
    cp --remove-destination "$office/share/.registry/main.xcd" "$office/share/registry/"
    find "$office" -type l -lname '/*' | while read -r link; do
        target=$tree$(readlink "$link")
        [ ! -e "$target" ] || ln -sfnr "$target" "$link"
    done
    # shellcheck disable=SC2016 # a variable of LibreOffice's
    sed -i 's#^BRAND_BASE_DIR=.*#BRAND_BASE_DIR=${ORIGIN}/..#' "$office/program/fundamentalrc"
    ln -sr "$tree"/usr/lib/python3/dist-packages/*.py "$office/program/"
    sed -i "1r /dev/stdin" "$office/program/soffice" <<'END'
tree=$(cd "$(dirname "$0")/../../../.." && pwd)
for libraries in "$tree"/usr/lib/*-linux-*; do
    LD_LIBRARY_PATH=$tree/usr/lib/libreoffice/program:$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done
export LD_LIBRARY_PATH
if [ ! -e /etc/fonts/fonts.conf ]; then export FONTCONFIG_FILE="$tree/etc/fonts/unpacked.conf"; fi
END
    mkdir -p "$tree/etc/fonts"
    cat >"$tree/etc/fonts/unpacked.conf" <<'END'
<fontconfig>
<dir prefix="relative">../../usr/share/fonts</dir>
<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
END
}

# One conversion shows whether a library is missing.
try_out() {
    echo '=1+1' >"$work/try.csv"
    quietly "$work/log" timeout 120 "$1" "-env:UserInstallation=file://$work/profile" --headless \
        --convert-to xlsx --outdir "$work" "$work/try.csv" || return
    [ -s "$work/try.xlsx" ] || { tail -n 20 "$work/log" >&2; return 1; }
}

get() {
    local core calc=libreoffice-calc-nogui
    command -v apt-get >/dev/null || die "$missing. Install it, or set ELO_XL_SOFFICE to its soffice."
    work=$(mktemp -d) unfinished=
    trap 'rm -rf "$work" ${unfinished:+"$unfinished"}' EXIT
    core=$(installed_core)
    if [ -n "$core" ] && new_enough "${core#* }"; then
        # A part is missing, and it must come from the same source as the rest.
        case $core in libreoffice-core\ *) calc=libreoffice-calc ;; esac
        if [ "$1" = unpack ] || ! may_install; then
            die "$missing. Install the packages $calc and python3-uno."
        fi
        prepare_apt
        install "$calc" python3-uno || die "$missing. Installing $calc and python3-uno failed."
        return
    fi
    choose_suite
    # An installed older version is the user's and stays as it is.
    if [ -z "$core" ] && [ "$1" != unpack ] && may_install; then
        install "$calc" python3-uno && return
        say "That failed; trying without installing."
    fi
    unpack || die "$missing, and it could not be unpacked. Install it, or set ELO_XL_SOFFICE."
}

if find_soffice; then
    exit 0
elif [ "${1:-}" = --find ]; then
    die "$missing. Run: make libreoffice"
fi
get "${1:+unpack}"
find_soffice || die "$missing, also after getting it."
