#!/bin/sh
# Run `make test`, or other targets, on the Python of another Debian, in a folder of its own:
#
#   sudo tests/project/on_debian.sh trixie /var/tmp/trixie               (Python 3.13)
#   sudo tests/project/on_debian.sh forky /var/tmp/forky test verify     (Python 3.14)
#
# What is committed is tested, in a fresh clone. The first run fetches Debian (1 GB with what is
# installed in it); a later one uses it again. Root and debootstrap are needed; no mount outlives it.
set -eu
if [ $# -lt 2 ] || [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "usage, as root, with debootstrap: $0 SUITE FOLDER [TARGET...]" >&2
    exit 2
fi
suite="$1" folder="$2"
shift 2
[ $# -gt 0 ] || set -- test

if [ ! -e "$folder/pplab-ready" ]; then
    scripts="${DEBOOTSTRAP_DIR:-/usr/share/debootstrap}/scripts"
    script="$scripts/$suite"
    [ -e "$script" ] || script="$scripts/sid" # a Debian that is newer than debootstrap
    debootstrap --variant=minbase \
        --include=ca-certificates,chromium,gcc,git,libc6-dev,make,python3,python3-dev,python3-venv \
        "$suite" "$folder" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" "$script"
    touch "$folder/pplab-ready"
fi
here="$(cd "$(dirname "$0")/../.." && pwd)"
rm -rf "$folder/pplab"
git clone --quiet "file://$here" "$folder/pplab"

# The mounts are seen by these commands alone, and go with them.
exec unshare --mount sh -euc '
    folder="$1"
    shift
    mount -t proc proc "$folder/proc"
    mount --rbind /dev "$folder/dev"
    for file in /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
        if [ -e "$file" ]; then
            [ -e "$folder$file" ] || touch "$folder$file"
            mount --bind "$file" "$folder$file"
        fi
    done
    exec chroot "$folder" env HOME=/root LANG=C.UTF-8 make --directory=/pplab "$@"
' sh "$folder" "$@"
