#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_program.sh pass|fail COMMAND...: runs a HIP program. pass: exit code 0 and a line PASS; fail: neither, and no signal.
set -u
expectation=$1
shift
output=$("$@")
code=$?
printf '%s\n' "$output"
passed=no
if grep -qx PASS <<<"$output"; then passed=yes; fi
if [ "$expectation" = fail ]; then
  if [ $code -eq 0 ] || [ $code -ge 128 ] || [ $passed = yes ]; then
    echo "expected to fail by itself; exit code $code, PASS: $passed"
    exit 1
  fi
  exit 0
fi
if [ $code -ne 0 ] || [ $passed = no ]; then
  echo "exit code $code, PASS: $passed"
  exit 1
fi
