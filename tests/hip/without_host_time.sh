#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# without_host_time.sh REPORT: a report of exec as two runs write it alike, on standard output.
set -euo pipefail
without=$(sed -E 's/"host":\{"wall_clock":\{[^}]*\}\}//; /"wall_clock": \{/,/\}/d' "$1")
grep -q '"number":' <<<"$without" || { echo "$1 has no launches" >&2; exit 1; }
if grep wall_clock <<<"$without" >&2; then exit 1; fi
printf '%s\n' "$without"
