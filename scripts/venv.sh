#!/usr/bin/env bash
# Makes .venv with the packages of a lock and this checkout, or adds what is missing to it.
#
#   venv.sh requirements.txt        what users get, and what installing the checkout needs
#   venv.sh requirements-dev.txt    all of that, and what developers need
#
# uv installs them: the one that is found, or else the one of the lock, which pip puts into .venv; and
# where uv cannot, pip does. None is compiled: Python compiles what is imported, when it is imported
# first, and most of their modules never are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

case $PWD in
*:* | *$'\t'* | *$'\n'*) die "No environment of Python works in a folder with a colon, a tab or a new line in its path." ;;
esac
lock=$1
newest_first=(python3.14 python3.13 python3.12 python3.11)
python=.venv/bin/python

# In .venv a stamp for each lock says what it was built for, the place included: commands in a copied or
# moved .venv still point to the old one.
built_for() { echo "$PWD, lock $(cksum <"$1")"; }

is_built_for() { [ "$(cat ".venv/$1.stamp" 2>/dev/null)" = "$(built_for "$1")" ]; }

runs() { "$python" -c "$1" 2>/dev/null; }

# Packages can be added, but those of an older lock would stay.
can_grow() {
    local stamp name
    runs '' || return 1
    for stamp in .venv/*.stamp; do
        name=$(basename "$stamp" .stamp)
        [ -f "$name" ] && is_built_for "$name" || return 1
    done
}

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

# The pip of the Python at hand, if it can install into another environment, or one in .venv: to put it
# there takes seconds.
base_has_pip() {
    "$base" -c 'import sys, pip; sys.exit(tuple(map(int, pip.__version__.split(".")[:2])) < (22, 3))' \
        2>/dev/null
}

pip() {
    local command=("$python" -m pip)
    if base_has_pip; then command=("$base" -m pip --python "$python"); fi
    "${command[@]}" --disable-pip-version-check install -qq --no-compile "$@"
}

make_environment() {
    say "Making .venv with $("$base" --version) …"
    rm -rf .venv
    if [ -n "$uv" ] || base_has_pip; then
        "$base" -m venv --without-pip .venv
    else
        provide_ensurepip "$base"
        "$base" -m venv .venv
    fi
}

provide_uv() {
    [ -z "$uv" ] || return 0
    uv=$PWD/.venv/bin/uv
    [ ! -x "$uv" ] || return 0
    awk '/^[^ ]/ {its = /^uv==/} its' "$lock" >.venv/uv.txt
    pip --require-hashes --requirement .venv/uv.txt
}

install() {
    if [ -n "$uv" ]; then "$uv" pip install --quiet --python "$python" "$@"; else pip "$@"; fi
}

build() {
    { is_built_for "$lock" || install --require-hashes --requirement "$lock"; } &&
        install --no-deps --no-build-isolation --editable .
}

if is_built_for "$lock" && runs '' && [ ! pyproject.toml -nt ".venv/$lock.stamp" ]; then
    exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
base=$(find_python)
uv=$(command -v uv) || uv=
can_grow || make_environment
tell_uv_what_pip_knows
if ! { provide_uv && build; }; then
    say "uv could not install the packages; pip tries."
    uv=
    "$python" -c 'import pip' 2>/dev/null || base_has_pip || make_environment
    build
fi
# Every lock has the packages of the smallest.
for name in requirements.txt "$lock"; do
    built_for "$name" >".venv/$name.stamp"
done
