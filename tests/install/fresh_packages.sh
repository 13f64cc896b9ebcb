#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Uses what platform/packages.sh has made, on a Debian that has nothing else: a root folder of that release, made from its archive. First the
# tarball, with the packages that its README names, in two folders; then the packages: the programs alone, and with development and symbols.
# On demand: it needs root and the network, and installs clang twice. The root is removed before and kept after.
# Usage: tests/install/fresh_packages.sh [--packages FOLDER] [--roots FOLDER] 12|13
#   --packages FOLDER  has debian-12 and so on; without it: out/packages
#   --roots FOLDER     the root is FOLDER/bare/debian-12; without it: out/distributions
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
usage() { echo "fresh_packages.sh: $1. Usage: tests/install/fresh_packages.sh [--packages FOLDER] [--roots FOLDER] 12|13" >&2; exit 2; }
from=out/packages roots=out/distributions
while [ $# -gt 1 ]; do
  case $1 in
    --packages) from=$2 ;;
    --roots) roots=$2 ;;
    *) usage "$1: not an option" ;;
  esac
  shift 2
done
case ${1:-} in 12 | 13) release=$1 ;; *) usage 'which release?' ;; esac
for file in "$from/debian-$release"/{pwsvp_*.deb,libpwsvp-dev_*.deb,pwsvp-dbgsym_*.deb,pwsvp-*.tar.xz}; do
  [ -f "$file" ] || { echo "there is no $file: platform/packages.sh $release makes it" >&2; exit 2; }
done
root=$roots/bare/debian-$release
rm -rf "$root"
tests/distributions.sh --folder "$roots/bare" "$release" true
cp -r "$from/debian-$release" "$root/root/packages"

# Lines for bash in the root, in the project's clone.
use=tests/install/use_programs.sh
install='DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends'
tests/distributions.sh --folder "$roots/bare" "$release" \
  "apt-get update -qq; $install xz-utils >/dev/null" \
  "mkdir -p '/srv/a folder' && tar -C '/srv/a folder' -xf /root/packages/pwsvp-*.tar.xz && cd /srv/a*/pwsvp-* && line=\$(sed -n 's/^    apt-get install //p' README | head -1) && $install \$line >/dev/null" \
  "$use /srv/a*/pwsvp-*" \
  "mkdir /opt/deep && cp -r /srv/a*/pwsvp-* /opt/deep/ && rm -rf /srv/a* && $use /opt/deep/pwsvp-* && rm -rf /opt/deep" \
  "apt-get autoremove --purge -y -qq clang-* lld-* libsystemc* coinor-lib* libamdhip64* rocm-device-libs* >/dev/null && ! ls /usr/bin/clang*" \
  "$install /root/packages/pwsvp_*.deb >/dev/null && $use /usr" \
  "pwsvp --version && man -w pwsvp-run 2>/dev/null || ls /usr/share/man/man1/pwsvp-run.1.gz" \
  "$install /root/packages/*.deb g++ binutils >/dev/null; dpkg -l pwsvp libpwsvp-dev pwsvp-dbgsym | grep -c ^ii | grep -x 3" \
  "p=/usr/lib/x86_64-linux-gnu/pwsvp/bin/pwsvp; id=\$(readelf -n \$p | sed -n 's/.*Build ID: //p'); d=/usr/lib/debug/.build-id/\${id:0:2}/\${id:2}.debug; a=\$(nm \$d | sed -n 's/ T main\$//p'); addr2line -e \$p 0x\$a | tee /dev/stderr | grep -q '\\.cpp:[0-9]'" \
  "apt-get purge -y -qq pwsvp libpwsvp-dev pwsvp-dbgsym >/dev/null; ! find /usr /etc /var/lib/pwsvp -path /usr/lib/debug -prune -o -name '*pwsvp*' -print 2>/dev/null | grep ."
echo PASS
