#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# symbols_test.sh LIBRARY: it has every function of Debian's libamdhip64 of HIP 5.2 and of 5.7 (exported_symbols.txt) under the same version,
# and shows nothing else. The library that is installed has no function that the list lacks.
set -euo pipefail
export LC_ALL=C
theirs=/usr/lib/x86_64-linux-gnu/libamdhip64.so.5
names() { nm -D --defined-only "$1" | awk '$2 != "A" {print $3}' | sed 's/@@/@/' | sort -u; }
wanted() { grep -v '^#' "$(dirname "${BASH_SOURCE[0]}")/exported_symbols.txt" | sort -u; }
# Not of the API: tools' interfaces, the runtime compiler's headers, thread-local variables, a function of older headers.
internal='^(_ZTHN3hip|amd_dbgapi_|__hipGetPCH|hipGetCmdName|hip(Init|Enable)ActivityCallback|_ZN8hip_impl)'
result=0
# tell WHAT NAMES
tell() {
  [ -z "$2" ] || {
    echo "$1: ${2//$'\n'/, }"
    result=1
  }
}
tell missing "$(comm -23 <(wanted) <(names "$1"))"
# hip_5.2: where programs look that were linked with this library when it had the function there.
tell 'visible, and not of the API' "$(comm -13 <(wanted) <(names "$1") | grep -vxE 'sc_main@PWSVP_1|hipLaunchHostFunc@hip_5.2' || true)"
tell "in Debian's library, and not in exported_symbols.txt" "$(comm -23 <(names $theirs | grep -vE "$internal") <(wanted))"
# Both are there, and what is linked now takes the later.
own=$(nm -D --defined-only "$1")
grep -q ' hipLaunchHostFunc@hip_5.2$' <<<"$own" || tell 'not there' 'hipLaunchHostFunc@hip_5.2'
grep -q ' hipLaunchHostFunc@@hip_5.3$' <<<"$own" || tell 'not the default' 'hipLaunchHostFunc@@hip_5.3'
exit $result
