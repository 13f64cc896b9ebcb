#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# thread_sanitizer.sh [CASE...]: the cases of conformance/threads.hip, four host threads at once, and those of parallel_units.hip whose
# wavefronts do not race, on four threads (machine.threads), under ThreadSanitizer, all or those that are named. Library and program are
# compiled by clang with it, below build-tsan: minutes, so this runs on demand. Every build has the cases of threads.hip under Helgrind
# (threads_test.sh). Exit code 1: a case fails, or there is a data race.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
cmake --preset tsan >/dev/null
cmake --build --preset tsan --target amdhip64
library=$root/build-tsan/lib
nm -D "$library/libamdhip64.so" >"$folder/symbols"  # whole: grep -q behind a pipe would end nm early
grep -q __tsan_ "$folder/symbols" || fail "the library is not compiled with ThreadSanitizer"
export TSAN_OPTIONS=exitcode=66 LD_LIBRARY_PATH=$library

# compile SOURCE PROGRAM
compile() {
  "${hip_clang[@]}" "--hip-version=$PWS_HIP_VERSION" -O1 -g -fsanitize=thread -Wno-option-ignored -I"$root/tests/hip/programs" "$1" -o "$2" -pthread -ldl -lamdhip64
}
compile "$root/tests/hip/conformance/threads.hip" "$folder/threads"
compile "$root/tests/hip/parallel_units.hip" "$folder/parallel_units"
units=(apart exchanges prints wrong)
# That it would find one: two threads that copy into the same host memory.
cat >"$folder/race.hip" <<'HIP'
#include <hip/hip_runtime.h>
#include <thread>
int main() {
  int *data, host[64];
  if (hipMalloc(&data, sizeof host) != hipSuccess) return 3;
  const auto copy = [&] {
    if (hipMemcpy(host, data, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) host[0] = 1;
    host[1] += host[0];
  };
  std::thread a(copy), b(copy);
  a.join();
  b.join();
}
HIP
compile "$folder/race.hip" "$folder/race"
code 66 "$folder/race"
says err "data race"

cases=0
if [ $# -eq 0 ]; then mapfile -t names < <("$folder/threads" --list; printf '%s\n' "${units[@]}"); else names=("$@"); fi
for name in "${names[@]}"; do
  if [[ " ${units[*]} " == *" $name "* ]]; then
    if [ "$name" = wrong ]; then wanted=3; else wanted=0; fi
    code "$wanted" env PWSVP_SET=$'machine.threads=4\nmachine.n_cu=8' "$folder/parallel_units" "$name"
    cases=$((cases + 1))
    continue
  fi
  code 0 "$folder/threads" "$name"
  says out '1 cases, 0 failed'
  cases=$((cases + 1))
done
echo "$cases cases, no data race"
