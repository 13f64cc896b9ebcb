#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes what is given to those who only want to use the platform: the Debian packages pwsvp, libpwsvp-dev and python3-pwsvp, pwsvp-dbgsym with the symbols
# of the first, and a tarball that runs from any folder. Installs what is missing; lintian goes over the packages, and ends this with
# code 1 where it has an error or a warning. What is made is of what is committed and changed in this folder, and for one release alone.
# Usage: platform/packages.sh [--output FOLDER] [--roots FOLDER] [RELEASE...]
#   RELEASE...       12, 13: for these releases of Debian, each in a root folder of its own (tests/distributions.sh, which needs root), of what
#                    is committed. Without it: for this machine's release.
#   --output FOLDER  FOLDER/debian-12 and so on; without it: out/packages
#   --roots FOLDER   where the root folders are; without it: out/distributions
# Environment: DEBFULLNAME and DEBEMAIL, as for Debian's tools: the maintainer that the packages name.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

usage() { echo "packages.sh: $1. Usage: platform/packages.sh [--output FOLDER] [--roots FOLDER] [12|13...]" >&2; exit 2; }
output=out/packages roots=out/distributions releases=()
while [ $# -gt 0 ]; do
  case $1 in
    --output | --roots)
      if [ -z "${2:-}" ]; then usage "$1 needs a folder"; fi
      case $1 in --output) output=$2 ;; *) roots=$2 ;; esac
      shift
      ;;
    12 | 13) releases+=("$1") ;;
    *) usage "$1: not a release that it knows" ;;
  esac
  shift
done
if [ "${DEBFULLNAME:+set}" != "${DEBEMAIL:+set}" ]; then usage 'DEBFULLNAME and DEBEMAIL go together'; fi

# In a root folder this script does the same without a release.
for one in "${releases[@]}"; do
  maintainer=
  if [ -n "${DEBEMAIL:-}" ]; then maintainer=$(printf 'DEBFULLNAME=%q DEBEMAIL=%q' "$DEBFULLNAME" "$DEBEMAIL"); fi
  tests/distributions.sh --folder "$roots" "$one" "rm -rf out/packages && $maintainer platform/packages.sh"
  mkdir -p "$output"
  rm -rf "$output/debian-$one"
  cp -r "$roots/debian-$one/root/pwsvp/out/packages/debian-$one" "$output/"
done
if [ ${#releases[@]} -gt 0 ]; then exit; fi

install_missing "${packages[@]}" "${python_packages[@]}" dpkg-dev lintian file xz-utils
folder=$output/${release// /-}
rm -rf "$folder"
mkdir -p "$folder"
build package all
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
export SOURCE_DATE_EPOCH

contact=() unchecked=()
if [ -n "${DEBEMAIL:-}" ]; then
  contact=(-D "CPACK_PACKAGE_CONTACT=$DEBFULLNAME <$DEBEMAIL>")
else
  say "the packages name no maintainer: DEBFULLNAME and DEBEMAIL do"
  unchecked=(--suppress-tags 'bogus-mail-host,bogus-mail-host-in-debian-changelog')  # pwsvp@localhost, cmake/packages.cmake
fi
say "packages"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
cpack -G DEB "${contact[@]}" --config build-package/CPackConfig.cmake -B "$made" >"$made/log" 2>&1 || { cat "$made/log"; exit 1; }
for file in "$made"/*.deb "$made"/*.ddeb; do
  name=${file##*/}
  mv "$file" "$folder/${name/%.ddeb/.deb}"
done
main=$(echo "$folder"/pwsvp_*.deb)
# CPack's md5sums of symbols name its own folder, and the documents are the program's.
for symbols in "$folder"/*-dbgsym_*.deb; do
  dpkg-deb -R "$symbols" "$made/symbols"
  (cd "$made/symbols" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  package=$(dpkg-deb -f "$symbols" Package)
  mkdir -p "$made/symbols/usr/share/doc"
  ln -s "${package%-dbgsym}" "$made/symbols/usr/share/doc/$package"
  dpkg-deb --root-owner-group -b "$made/symbols" "$symbols" >/dev/null
  rm -rf "$made/symbols"
done

say "tarball"
version=$(dpkg-deb -f "$main" Version)
name=pwsvp-${version%%-*}-${release// /}-$(dpkg --print-architecture)
cmake --install build-package --strip --prefix "$made/$name" >"$made/log" 2>&1 || { cat "$made/log"; exit 1; }
find "$made/$name" -name '*.a' -exec strip --strip-debug {} +
needs=$(dpkg-deb -f "$main" Depends | sed -E 's/ \([^)]*\)//g; s/ \| [^,]*//g; s/,//g')
for_development=$(dpkg-deb -f "$folder"/libpwsvp-dev_*.deb Depends | sed -E 's/ \([^)]*\)//g; s/,//g; s/(^| )pwsvp( |$)/\1/')
cat >"$made/$name/README" <<TEXT
The PWS virtual platform ${version%%-*} for $release. It runs from any folder:

    bin/pwsvp run share/pwsvp/configs/runs/quickstart.yaml

It calls programs and libraries of the release:

    apt-get install $needs

and for simulations with the GPU in them

    apt-get install g++ cmake pkg-config $for_development

Documents are in share/doc/pwsvp, licences in share/doc/pwsvp/copyright.
TEXT
tar -C "$made" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | xz -T2 >"$folder/$name.tar.xz"

say "lintian"
lintian --no-user-dirs --fail-on error,warning "${unchecked[@]}" "$folder"/*.deb
say "in $folder"
(cd "$folder" && du -h -- *)
