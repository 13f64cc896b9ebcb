#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install_test.sh prefix|packages ROOT BUILD CMAKE: installs, below a folder that is then moved, or as packages that are unpacked;
# sees that nothing in there names the project's folders; and uses it while they are out of reach (use_installation.sh).
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
how=$1 root=$2 build=$3 cmake=$4
much=
case $how in
  prefix)
    much=short
    code 0 "$cmake" --install "$build" --prefix "$folder/first"
    mkdir "$folder/moved"
    mv "$folder/first" "$folder/moved/to here"
    prefix="$folder/moved/to here"
    "$prefix/bin/hipcc" --short-version >/dev/null || fail "there is no hipcc"
    ;;
  packages)
    code 0 "$(dirname "$cmake")/cpack" -G DEB -D CPACK_PACKAGE_CONTACT="Who Builds It <builder@example.org>" --config "$build/CPackConfig.cmake" -B "$folder/packages"
    version=$(dpkg-deb -f "$folder"/packages/pwsvp_*.deb Version)
    of_project=$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")/\1/p' "$build/CPackConfig.cmake")
    [ "${version%%-*}" = "$of_project" ] || fail "the packages' version is $version, the project's $of_project"
    release=$(. /etc/os-release && echo "${ID/debian/deb}${VERSION_ID:-}")
    [ "${version#*-}" = "1~$release" ] || fail "the packages' version is $version, but the release is $release"
    architecture=$(dpkg --print-architecture)
    mkdir "$folder/root"
    for package in pwsvp libpwsvp-dev python3-pwsvp; do
      file=$folder/packages/${package}_${version}_${architecture}.deb
      dpkg-deb -x "$file" "$folder/root"
      dpkg-deb -f "$file" >"$folder/$package.txt"
      zcat "$folder/root/usr/share/doc/$package/changelog.Debian.gz" >"$folder/changelog.txt" || fail "$package has no changelog of Debian's"
      says changelog "pwsvp ($version) "
      says changelog " -- Who Builds It <builder@example.org>  "
      grep -qx 'Maintainer: Who Builds It <builder@example.org>' "$folder/$package.txt" || fail "$package: maintainer"
    done
    for word in libsystemc libyaml-cpp libfmt libdw coinor-libcbc libstdc++6 "clang-$PWS_LLVM" "clang-tools-$PWS_LLVM" "lld-$PWS_LLVM" rocm-device-libs libamdhip64-dev; do
      grep '^Depends:' "$folder/pwsvp.txt" | grep -qF "$word" || { cat "$folder/pwsvp.txt"; fail "pwsvp does not depend on $word"; }
    done
    for word in "pwsvp (= $version)" libsystemc-dev libyaml-cpp-dev libfmt-dev libdw-dev nlohmann-json3-dev zlib1g-dev; do
      grep '^Depends:' "$folder/libpwsvp-dev.txt" | grep -qF "$word" || fail "libpwsvp-dev does not depend on $word"
    done
    for word in "pwsvp (= $version)" "python3 (>= 3" "python3 (<< 3" python3-numpy libsystemc; do
      grep '^Depends:' "$folder/python3-pwsvp.txt" | grep -qF "$word" || { cat "$folder/python3-pwsvp.txt"; fail "python3-pwsvp does not depend on $word"; }
    done
    # What is where: headers and libraries for other programs in one package, all else in the other, and nothing in both.
    for package in pwsvp libpwsvp-dev python3-pwsvp; do
      dpkg-deb -c "$folder/packages/${package}_${version}_${architecture}.deb" | awk '$1 !~ /^d/ {print $6}' | sort >"$folder/$package.files"
    done
    [ -z "$(sort "$folder"/{pwsvp,libpwsvp-dev,python3-pwsvp}.files | uniq -d)" ] || fail "files in several packages"
    grep -q '/usr/lib/python3/dist-packages/pwsvp/__init__.py$' "$folder/python3-pwsvp.files" || fail "python3-pwsvp is not where Debian's Python looks"
    ! grep -i python3 "$folder/pwsvp.files" || fail "files for Python in pwsvp"
    grep -q '/bin/pwscc$' "$folder/pwsvp.files" || fail "pwsvp has no pwscc"
    ! grep -E '\.a$|/pkgconfig/|/cmake/pwsvp/|/include/pwsvp/models/' "$folder/pwsvp.files" || fail "files for development in pwsvp"
    ! grep -E '/bin/|\.so' "$folder/libpwsvp-dev.files" || fail "programs in libpwsvp-dev"
    ! grep '/usr/bin/hipcc$' "$folder/pwsvp.files" || fail "a hipcc that Debian's package of that name has too"
    # Outside of the package's own folder there is no library that could stand in for another's.
    ! find "$folder/root" -name 'libamdhip64*' | grep -v '/pwsvp/lib/' || fail "libamdhip64 among the system's libraries"
    prefix=$folder/root/usr
    ;;
esac

# No file has a path of where it was made; no program looks for libraries anywhere but where it says itself.
if grep -rlF -e "$root/" -e "$build/" "$prefix"; then fail "these files have a path of the source or build tree"; fi
find "$prefix" -type f \( -name '*.so*' -o -path '*/bin/*' \) >"$folder/binaries"
[ "$(wc -l <"$folder/binaries")" -ge 5 ] || fail "programs and plugins are missing"
while IFS= read -r binary; do
  ! readelf -d "$binary" | grep -E 'RPATH|RUNPATH' | grep -v '\[\$ORIGIN' || fail "$binary has an RPATH"
done <"$folder/binaries"
find "$prefix" -type l ! -exec test -e {} \; -print >"$folder/dangling"
[ -x "$prefix/share/pwsvp/docs/examples/ci/ci/on_model.sh" ] || fail "a script of the examples is not executable"
[ ! -s "$folder/dangling" ] || { cat "$folder/dangling"; fail "links that lead nowhere"; }
! find "$prefix" -type l -lname '/*' | grep . || fail "links with an absolute target"

cp "$root"/tests/install/{use_installation,use_programs,use_examples,hidden,as_packages}.sh "$root/tests/install/twice.hip" "$root"/tests/{common,llvm}.sh "$root/tests/readme/check_tutorial.sh" "$folder/"
# attempt HOW COMMAND...: false where the system does not allow it.
attempt() {
  local status=0
  "$@" || status=$?
  [ $status -ne 77 ] || return 1
  [ $status -eq 0 ] || fail "$1: exit code $status"
}
if [ "$how" = packages ] && attempt "$folder/as_packages.sh" "$root" "$build" "$folder" "$folder/use_installation.sh" /usr "$folder/check_tutorial.sh"; then
  echo "used as dpkg installed it"
elif attempt "$folder/hidden.sh" "$root" "$build" "$folder/use_installation.sh" "$prefix" "$folder/check_tutorial.sh" $much; then
  echo "used without source and build tree"
else
  echo "the system lets nobody hide folders: used while they are there"
  "$folder/use_installation.sh" "$prefix" "$folder/check_tutorial.sh" $much
fi
echo PASS
