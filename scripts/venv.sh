#!/usr/bin/env bash
# Makes .venv with the packages of requirements-dev.txt and this checkout, unless it is up to date.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

newest_first=(python3.14 python3.13 python3.12 python3.11)
stamp=.venv/built-for
# The stamp includes the place: commands in a copied or moved .venv still point to the old one.
built_for="$PWD, lock $(cksum <requirements-dev.txt)"

find_python() {
    local python
    for python in ${PYTHON:+"$PYTHON"} python3 "${newest_first[@]}"; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$python"
            return
        fi
    done
    die "Python 3.11 or newer is needed. Install it, or name it: make … PYTHON=/path/to/python3"
}

# Debian and Ubuntu leave ensurepip out of their Python.
provide_ensurepip() {
    local python=$1 package
    "$python" -c 'import ensurepip' 2>/dev/null && return
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    may_install || die "$python cannot make a virtual environment. Install the package $package first."
    say "Installing $package …"
    # The package lists may be missing or old.
    quietly "$log" as_root apt-get -q update || true
    quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qy --no-install-recommends install "$package" || die "$package could not be installed."
}

build() {
    local python
    python=$(find_python)
    provide_ensurepip "$python"
    say "Making .venv with $("$python" --version) …"
    "$python" -m venv --clear .venv
    .venv/bin/python -m pip --disable-pip-version-check install -qq \
        --require-hashes --requirement requirements-dev.txt
}

install_checkout() {
    .venv/bin/python -m pip --disable-pip-version-check install -qq \
        --no-deps --no-build-isolation --editable .
}

if [ "$(cat $stamp 2>/dev/null)" != "$built_for" ] || ! .venv/bin/python -c '' 2>/dev/null; then
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    build
    install_checkout
elif [ pyproject.toml -nt $stamp ]; then
    install_checkout
else
    exit 0
fi
echo "$built_for" >$stamp
