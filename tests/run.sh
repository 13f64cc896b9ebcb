#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/run.sh [--all | --long] [-L COMPONENT] [ARGUMENT...]: installs what is missing, builds and runs tests. Works from any folder, on a
# fresh Debian 12.
#   tests/run.sh                  what shows that this build is right
#   tests/run.sh --all            all tests: whole experiments, fuzzers, the RTL's matrix, packages, the site too
#   tests/run.sh --long           those too that take many minutes each
#   tests/run.sh -L memory        one component's part of the first; no more is built than it needs
#   tests/run.sh --all -L cosim   all tests of a component; the components are the folders of tests
#   PRESET=develop                in another preset's folder
# Other arguments go to ctest: tests/run.sh -R wcet. Results are in tests.xml of the build folder (JUnit), processor time in test-times.txt.
source "$(dirname "${BASH_SOURCE[0]}")/../platform/setup.sh"

preset=${PRESET:-release}
which=default
component=
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --all) which=all ;;
    --long) which=long ;;
    -L) component=${2:?-L needs the name of a component}; shift ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
install_missing "${packages[@]}" "${test_packages[@]}"
folder=$(folder_of "$preset")
if [ -n "$component" ]; then
  configure "$preset"
  if ! line=$(grep -E "^$component( |\$)" "$folder/tests/components.txt"); then
    echo "$component is no component; these are: $(cut -d ' ' -f 1 "$folder/tests/components.txt" | tr '\n' ' ')" >&2
    exit 2
  fi
  if [ "$line" != "$component" ] && [ "$which" = default ]; then which=all; fi
  arguments+=(-L "^$component\$")
fi
case $which in
  default) arguments+=(-LE '^(thorough|long)$') targets=("tests_${component:-default}") ;;
  all) arguments+=(-LE '^long$') targets=("${component:+tests_${component}_}all") ;;
  long) targets=("${component:+tests_${component}_}all") ;;
esac
build "$preset" "${targets[@]}"
say "testing"
export PWS_TEST_TIMES=$PWD/$folder/test-times.txt
rm -f "$PWS_TEST_TIMES"
ctest --test-dir "$folder" --output-on-failure --output-junit "$PWD/$folder/tests.xml" -j "$(nproc)" "${arguments[@]}"
