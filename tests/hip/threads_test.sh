#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# threads_test.sh LIBRARY PROGRAM CC: the cases of conformance/threads.hip, four host threads at once, under Helgrind: the library and the
# machine have no data race. It sees their code as it is built; ThreadSanitizer would have to be in the program too. That it would find
# one shows a run without the library's lock. Managed and pinned memory is left out: Valgrind itself is at those addresses.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
export LD_LIBRARY_PATH=$1 PWSVP_SET=$'machine.memory.dram.size_mib=64\nmachine.n_cu=1'
program=$2 cc=$3
cd "$folder"
helgrind=(valgrind -q --tool=helgrind --history-level=approx --error-exitcode=99)
cases=0
for name in $("$program" --list); do
  case $name in memory | managed_variables) continue ;; esac
  code 0 "${helgrind[@]}" "$program" "$name"
  says out '1 cases, 0 failed'
  cases=$((cases + 1))
done
[ $cases -ge 15 ] || fail "$cases cases"
printf 'int pthread_mutex_lock(void *m) { return m == 0; }\nint pthread_mutex_unlock(void *m) { return m == 0; }\n' >unlocked.c
"$cc" -x c -shared -fPIC unlocked.c -o unlocked.so
code 99 env LD_PRELOAD="$folder/unlocked.so" "${helgrind[@]}" "$program" pools
says err 'Possible data race'
echo "$cases cases"
