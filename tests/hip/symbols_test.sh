#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# symbols_test.sh LIBRARY: it has every function of Debian's libamdhip64 under the same version, and shows nothing else.
set -euo pipefail
theirs=/usr/lib/x86_64-linux-gnu/libamdhip64.so.5
names() { nm -D --defined-only "$1" | awk '$2 != "A" {print $3}' | sed 's/@@/@/' | sort -u; }
# Not of the API: tools' interfaces, the runtime compiler's headers, thread-local variables, a function of older headers.
internal='^(_ZTHN3hip|amd_dbgapi_|__hipGetPCH|hipGetCmdName|hip(Init|Enable)ActivityCallback|_ZN8hip_impl)'
missing=$(comm -23 <(names $theirs | grep -vE "$internal") <(names "$1"))
if [ -n "$missing" ]; then
  echo "missing: ${missing//$'\n'/, }"
  exit 1
fi
foreign=$(comm -13 <(names $theirs) <(names "$1") | grep -vxE 'sc_main@PWSVP_1|hipLaunchHostFunc@hip_5.2' || true)
if [ -n "$foreign" ]; then
  echo "visible, and not of the API: ${foreign//$'\n'/, }"
  exit 1
fi
