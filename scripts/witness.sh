#!/usr/bin/env bash
# Prints the path of bbpPairings, a program in C++ (Apache licence 2.0) that pairs by the rules of
# 2026 and that pairings are compared with before a release. If it is missing, its source is
# fetched and compiled.
#
#   witness.sh            find it; otherwise fetch and compile it
#   witness.sh --find     find it, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

source=https://github.com/BieremaBoyzProgramming/bbpPairings
wanted=v6.0.0
place=build/bbpPairings-$wanted

find_program() {
    [ -x $place/bbpPairings.exe ] && echo "$PWD/$place/bbpPairings.exe"
}

find_program && exit
[ "${1:-}" != --find ] || die "bbpPairings is missing. Run: scripts/witness.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ ! -d $place ]; then
    say "Fetching bbpPairings …"
    quietly "$log" git clone -q --depth 1 -c advice.detachedHead=false -b $wanted $source $place ||
        die "The source of bbpPairings could not be fetched."
fi
say "Compiling bbpPairings …"
quietly "$log" make -C $place optimize=yes || die "bbpPairings could not be compiled."
find_program || die "bbpPairings was compiled, but is not there."
