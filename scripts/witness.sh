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
wanted=16a000f9811de322b0e835d5643198226165b5a9 # v6.0.0
place=build/bbpPairings-${wanted:0:12}

find_program() {
    [ -x $place/bbpPairings.exe ] && echo "$PWD/$place/bbpPairings.exe"
}

find_program && exit
[ "${1:-}" != --find ] || die "bbpPairings is missing. Run: scripts/witness.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! git -C $place rev-parse -q --verify "$wanted^{tree}" >"$log" 2>&1; then
    say "Fetching bbpPairings …"
    rm -rf $place # what was cut off before
    quietly "$log" git init -q $place
    quietly "$log" git -C $place fetch -q --depth 1 $source $wanted ||
        die "The source of bbpPairings could not be fetched."
fi
quietly "$log" git -C $place reset -q --hard $wanted || die "The source of bbpPairings is not there."
say "Compiling bbpPairings …"
quietly "$log" make -C $place optimize=yes || die "bbpPairings could not be compiled."
find_program || die "bbpPairings was compiled, but is not there."
