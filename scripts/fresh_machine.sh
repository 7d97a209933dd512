#!/usr/bin/env bash
# Runs the README's commands on a bare Debian. It unpacks one into a temporary folder,
# installs git, make, python3 and python3-venv, clones the last commit of this checkout there, and runs
# "make demo" and "make test". It leaves nothing behind.
#
#   fresh_machine.sh bookworm                   as root
#   fresh_machine.sh --user trixie              as an ordinary user, who may install nothing
#   fresh_machine.sh trixie lint demo           other targets of the Makefile
#   fresh_machine.sh --package FOLDER trixie    a stranger without git and make: installs the wheel in
#                                               FOLDER, and runs the README's commands
#                                               on the examples of the source package beside it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

person=root folder=
case ${1:-} in
    --user) person=visitor && shift ;;
    --package) person=visitor folder=${2:-} && shift 2 ;;
esac
case ${1:-} in
    bookworm | trixie) suite=$1 && shift ;;
    *) die "Usage: scripts/fresh_machine.sh [--user | --package FOLDER] bookworm|trixie [TARGET…]" ;;
esac
[ $# -gt 0 ] || set -- demo test
may_install || die "A Debian is unpacked by root, and with apt-get: neither is to be had here."

provide_debootstrap() {
    PATH=$PATH:/usr/sbin command -v debootstrap >/dev/null && return
    say "Installing debootstrap …"
    quietly "$work/log" as_root apt-get -q update || true
    quietly "$work/log" as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy \
        --no-install-recommends install debootstrap debian-archive-keyring
}

# "mirror part" for each part of Debian that this machine has: its packages, its updates, its security.
mirrors() {
    local codename
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME") || return
    apt-get --print-uris update 2>/dev/null |
        sed -nE "s#^'([^']+)/dists/$codename(-updates|-security)?/InRelease'.*#\1 \2#p" | sort -u
}

# The machine's settings for its mirror and its package index, but not those in its own folders:
# a fresh machine has none of them.
write_settings() {
    local certificates
    as_root cp /etc/resolv.conf /etc/hosts "$tree/etc/"
    while read -r mirror part; do
        echo "deb $mirror $suite$part main"
    done <<<"$sources" | as_root tee "$tree/etc/apt/sources.list" >/dev/null
    apt-config dump | grep -E '^Acquire::(https?|Check-)' |
        as_root tee "$tree/etc/apt/apt.conf.d/machine" >/dev/null || true
    certificates=$(pip_setting cert)
    certificates=${certificates:-${SSL_CERT_FILE:-}}
    {
        echo "[global]"
        for name in index-url extra-index-url trusted-host proxy default-timeout; do
            echo "$name = $(pip_setting $name)"
        done | grep ' = .' || true
        if [ -n "$certificates" ]; then echo "cert = /etc/ssl/machine.crt"; fi
    } | as_root tee "$tree/etc/pip.conf" >/dev/null
    if [ -n "$certificates" ]; then
        as_root cp "$certificates" "$tree/etc/ssl/machine.crt"
        settings+=(SSL_CERT_FILE=/etc/ssl/machine.crt)
    fi
    tell_uv_what_pip_knows
    mapfile -t -O "${#settings[@]}" settings < <(env | grep -E '^UV_(DEFAULT_|INSECURE_)?(INDEX|HOST)')
}

unpack() {
    local packages=git,make,python3,python3-venv
    [ -z "$folder" ] || packages=python3,python3-venv,pipx
    say "Unpacking Debian $suite below $work …"
    # In a namespace debootstrap's mounts disappear when it ends, however it ends.
    PATH=$PATH:/usr/sbin:/sbin quietly "$work/log" as_root unshare --mount \
        debootstrap --variant=minbase --include="$packages" "$suite" "$tree" "$main"
    write_settings
    inside root apt-get -q update >"$work/log" 2>&1 || { tail -n 5 "$work/log" >&2 && return 1; }
    [ $person = root ] || inside root useradd --create-home "$person"
}

# inside PERSON COMMAND…: run it in its own namespaces, so that no mount and no process outlives it.
inside() {
    local person=$1 home
    shift
    home=$(as_root sed -nE "s/^$person:.*:([^:]*):[^:]*$/\1/p" "$tree/etc/passwd")
    as_root env -i HOME="$home" PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${settings[@]}" \
        unshare --mount --pid --fork --kill-child --mount-proc="$tree/proc" \
        chroot --userspec="$person" "$tree" "$@" </dev/null
}

clone() {
    [ -z "$(git status --porcelain --untracked-files=no)" ] ||
        say "Uncommitted changes are not included."
    git bundle create --quiet "$work/elo_xl.bundle" HEAD
    as_root cp "$work/elo_xl.bundle" "$tree/srv/"
    # shellcheck disable=SC2016 # a variable of the shell inside
    inside "$person" sh -c 'git -c advice.detachedHead=false clone --quiet /srv/elo_xl.bundle "$HOME/elo_xl"'
}

# as_said WHAT COMMAND: run it in the stranger's home.
as_said() {
    SECONDS=0
    say "$1 …"
    # shellcheck disable=SC2016 # variables of the shell inside
    if inside "$person" \
        sh -c 'cd "$HOME" && PATH=$HOME/environment/bin:$HOME/.local/bin:$PATH && eval "$1"' sh "$2"; then
        report+=("$1 took $SECONDS s")
    else
        report+=("$1 failed after $SECONDS s") failed=1
    fi
}

try_package() {
    local command
    as_root mkdir "$tree/srv/package"
    as_root cp "$folder"/elo_xl-*.whl "$folder"/elo_xl-*.tar.gz "$tree/srv/package/"
    as_said "unpacking the examples" \
        "tar -xzf /srv/package/*.tar.gz --strip-components=1 --wildcards '*/examples'"
    # the file, not the name: on the index somebody else's package may have that
    as_said "pipx install" "pipx install /srv/package/*.whl && elo-xl --version"
    as_said "removing it again" "pipx uninstall elo-xl && ! command -v elo-xl"
    as_said "python3 -m venv" "python3 -m venv environment"
    as_said "pip install" "pip install -q /srv/package/*.whl && python -P -m elo_xl --version"
    while read -r command; do
        as_said "$command" "$command >output 2>&1 || { cat output && false; }"
    done < <(grep '^elo-xl ' README.md)
}

run() {
    local target
    # shellcheck disable=SC2016 # variables of the shell inside
    for target; do
        SECONDS=0
        say "make $target …"
        if inside "$person" sh -c 'cd "$HOME/elo_xl" && make "$1"; exit $?' sh "$target"; then
            report+=("make $target took $SECONDS s")
        else
            report+=("make $target failed after $SECONDS s") failed=1
        fi
    done
}

work=$(mktemp -d)
trap 'as_root rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' HUP INT TERM
tree=$work/debian report=() failed=0
mapfile -t settings < <(env | grep -iE '^(https?|no)_proxy=')

sources=$(mirrors) || die "This is no Debian: where its packages are to be had is not known."
main=$(sed -n 's/ $//p' <<<"$sources" | head -n 1)
[ -n "$main" ] || die "This machine's package sources name no mirror of Debian."
provide_debootstrap
unpack
report+=("unpacking took $SECONDS s")
if [ -n "$folder" ]; then
    try_package
else
    clone
    run "$@"
fi
say "Debian $suite as $person:" "$(printf '%s; ' "${report[@]}" | sed 's/; $/./')"
exit $failed
