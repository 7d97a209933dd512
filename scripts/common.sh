# shellcheck shell=bash
# Shared by the scripts beside it; to be sourced.

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$@"
    exit 1
}

may_install() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# quietly LOG COMMAND…: its output goes to LOG, and to the user only when it fails.
quietly() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null || {
        tail -n 20 "$log" >&2
        return 1
    }
}
