#!/usr/bin/env bash
# tests/run.sh [--all | --long] [-L COMPONENT] [ARGUMENT...]: installs what is missing, builds and runs tests. Works from any folder, on a
# fresh Debian 12.
#   tests/run.sh              what shows that this build is right
#   tests/run.sh --all        all tests: whole experiments, fuzzers, the RTL's matrix, packages, the site too
#   tests/run.sh --long       those too that take many minutes each
#   tests/run.sh -L memory    builds and runs the tests of one component alone; the components are the folders of tests
#   PRESET=develop            in another preset's folder
# Other arguments go to ctest: tests/run.sh -R wcet. Results are in tests.xml of the build folder (JUnit), processor time in test-times.txt.
source "$(dirname "${BASH_SOURCE[0]}")/../platform/setup.sh"

preset=${PRESET:-release}
without=(-LE '^(thorough|long)$')
targets=(tests_default)
component=
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --all) without=(-LE '^long$') targets=(all) ;;
    --long) without=() targets=(all) ;;
    -L) component=${2:?-L needs the name of a component}; without=(-L "^$component\$" -LE '^long$'); shift ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
install_missing "${packages[@]}" "${test_packages[@]}"
folder=$(folder_of "$preset")
if [ -n "$component" ]; then
  configure "$preset"
  if ! grep -qx "$component" "$folder/tests/components.txt"; then
    echo "$component is no component; these are: $(tr '\n' ' ' <"$folder/tests/components.txt")" >&2
    exit 2
  fi
  targets=("tests_$component")
fi
build "$preset" "${targets[@]}"
say "testing"
export PWS_TEST_TIMES=$PWD/$folder/test-times.txt
rm -f "$PWS_TEST_TIMES"
ctest --test-dir "$folder" --output-on-failure --output-junit "$PWD/$folder/tests.xml" -j "$(nproc)" "${without[@]}" "${arguments[@]}"
