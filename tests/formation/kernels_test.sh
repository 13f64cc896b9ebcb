#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kernels_test.sh [--refused=RUN,...] [--without=RUN,...] [--fidelity=functional|timing] SETTING...: the runs of this folder with
# these settings (machine.divergence=pws-mode), in both fidelities. A line for each; exit code 1 if any is not as expected. What is
# refused must stop the machine with a program error, and not pass. The environment's PWSVP, else build/bin/pwsvp, runs them.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pwsvp=${PWSVP:-$here/../../build/bin/pwsvp}
[ -x "$pwsvp" ] || fail "$pwsvp is not there; PWSVP=FILE names another"
fidelities=(functional timing)
declare -A refused=() without=()
settings=()
for argument in "$@"; do
  case $argument in
    --refused=* | --without=*)
      IFS=, read -ra names <<<"${argument#*=}"
      for name in "${names[@]}"; do
        [ -f "$here/runs/$name.yaml" ] || fail "there is no run $name"
        if [[ $argument == --refused=* ]]; then refused[$name]=1; else without[$name]=1; fi
      done
      ;;
    --fidelity=*) fidelities=("${argument#*=}") ;;
    -*) fail "unknown option $argument" ;;
    *) settings+=("--set=$argument") ;;
  esac
done

# as_expected NAME: of the run that has just ended with exit code $got.
as_expected() {
  if [ -n "${refused[$1]:-}" ]; then
    [ $got -eq 1 ] && grep -q '^error: kernel .*, pc ' "$folder/out.txt"
  else
    [ $got -eq 0 ] && grep -qx PASS "$folder/out.txt"
  fi
}

passed=0 failed=0
for run in "$here"/runs/*.yaml; do
  name=$(basename "$run" .yaml)
  [ -z "${without[$name]:-}" ] || continue
  for fidelity in "${fidelities[@]}"; do
    got=0
    "$pwsvp" run "$run" "${settings[@]}" --set=machine.fidelity="$fidelity" >"$folder/out.txt" 2>&1 </dev/null || got=$?
    result=PASS
    [ -z "${refused[$name]:-}" ] || result=refused
    if as_expected "$name"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      result="FAILED, exit code $got: $(grep -E -m 1 'error|FAIL:' "$folder/out.txt" || head -n 1 "$folder/out.txt")"
    fi
    echo "$name $fidelity: $result"
  done
done
[ $failed -eq 0 ] || fail "$failed of $((passed + failed)) runs"
[ $passed -gt 0 ] || fail "nothing ran"
echo "$passed runs as expected"
