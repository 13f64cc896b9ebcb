#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# points_test.sh PWSVP ROOT: points one by one (--list, --point, --collect), beside other processes that run other points.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
cat >grid.yaml <<YAML
title: Points
command: graph
config: $root/configs/graphs/figure8.yaml
axes:
- {name: S, key: S, values: [0, 1, 2, 3]}
- {name: d, key: d, values: [1, 41]}
except: [{S: "3", d: "1"}]
measures: {bound: bounds.pws.E_kernel}
YAML
sweep() { "$pwsvp" sweep grid.yaml --output "$@"; }
code 0 sweep whole

# What there is, before and after; nothing is made by looking.
code 0 sweep one --list
diff out.txt - <<'END' || fail "the list"
     1  not run       S = 0, d = 1
     2  not run       S = 0, d = 41
     3  not run       S = 1, d = 1
     4  not run       S = 1, d = 41
     5  not run       S = 2, d = 1
     6  not run       S = 2, d = 41
     8  not run       S = 3, d = 41
END
[ ! -e one ] || fail "a list has made a folder"
code 0 sweep one --point 2,4-5 --point 8
says out "4 points, 0 of them kept from before, 0 failed"
[ ! -e one/table.csv ] || fail "a table of a part"
code 0 sweep one --point 6-8
says out "2 points, 1 of them kept"
code 0 sweep one --list --json
python3 - <<'PYTHON' || fail "JSON"
import json
j = json.load(open("out.txt"))
assert (j["experiment"], j["form"], j["folder"]) == ("grid", "full", "one"), j
assert [p["number"] for p in j["points"]] == [1, 2, 3, 4, 5, 6, 8]
assert [p["number"] for p in j["points"] if p["kept"]] == [2, 4, 5, 6, 8]
assert j["points"][1] == {"number": 2, "key": "S = 0, d = 41", "at": {"S": "0", "d": "41"}, "kept": True, "state": "kept"}
PYTHON
# A table of what is there: the others have not run, and that fails. The sweep runs them.
code 1 sweep one --collect
says out "S = 0, d = 1: FAILED: not run"
grep -q '^1,1,failed,not run,$' one/table.csv || fail "the table does not say so"
code 0 sweep one
says out "7 points, 5 of them kept"
cmp one/table.csv whole/table.csv || fail "another table than the whole sweep's"
code 0 sweep one --collect
cmp one/table.csv whole/table.csv || fail "another table by --collect"

# Numbers that are none.
for wrong in 0 9 1-9 5-3 1- -2 a "" 1,,2 "1 2" 99999999999999999999; do
  code 2 sweep one --point "$wrong"
  says err "--point"
done
code 2 sweep one --point 7
says err "leaves this point out (S = 3, d = 1)"
code 2 sweep one --point 1 --list
code 2 sweep one --point 1 --collect
code 2 sweep one --json

# Many processes at a time, each with a point; some get the same one as another.
seq 1 8 | grep -v 7 | xargs -P 8 -I N "$pwsvp" sweep grid.yaml --output many --point N >many.txt
code 0 sweep many --collect
cmp many/table.csv whole/table.csv || fail "another table of points by eight processes"
# hold POINT: the lock of a process that runs it, or of a whole sweep (alone).
hold() {
  python3 - "$1" <<'PYTHON' &
import fcntl, struct, sys, time
if sys.argv[1] == "alone":
    f = open("many/lock", "r+")
    fcntl.flock(f, fcntl.LOCK_EX)
else:
    whole = open("many/lock", "r+")
    fcntl.flock(whole, fcntl.LOCK_SH)
    f = open("many/points.lock", "r+")
    fcntl.fcntl(f, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, int(sys.argv[1]) - 1, 1, 0))
open("held", "w").close()
time.sleep(60)
PYTHON
  holder=$!
  until [ -e held ]; do sleep 0.01; done
}
let_go() { kill $holder; wait $holder 2>/dev/null || true; rm held; }
hold 3
code 1 sweep many --point 2-4 --anew
says out "S = 1, d = 1: FAILED: another process runs this point"
says out "3 points, 0 of them kept from before, 1 failed"
code 2 sweep many
says err "many: another sweep is running there, or points of one"
let_go
hold alone
code 2 sweep many --point 1
says err "many: another sweep is running there"
let_go
code 0 sweep many --point 1-6
says out "6 points, 6 of them kept"

# A point that fails says so, stays in the list with its reason, and runs again.
sed -e 's/^measures:.*/measures: {bound: bounds.pws.E_kernel, none: bounds.none.E_kernel}\nholds: [{measure: none, at_most: bound}]/' grid.yaml >fails.yaml
code 1 "$pwsvp" sweep fails.yaml --output fails --point 3
says out "FAILED: none "
code 0 "$pwsvp" sweep fails.yaml --output fails --list
grep -q '^ *3  failed        S = 1, d = 1: none [0-9]* is above bound [0-9]*$' out.txt || fail "the list does not say why"
code 1 "$pwsvp" sweep fails.yaml --output fails --collect
grep -q '^1,1,failed,none [0-9]* is above' fails/table.csv || fail "the table does not say why"
# A point made with other settings is there, and would run again.
sed 's/^measures.*/measures: {bound: bounds.dws.E_kernel}/' grid.yaml >other.yaml
code 0 "$pwsvp" sweep other.yaml --output many --list
says out "     1  to run again  S = 0, d = 1"
code 1 "$pwsvp" sweep other.yaml --output many --collect
says out "what is there was made of other files, settings, measures or tools"

# HIP programs: two processes compile the same one.
cat >program.yaml <<YAML
title: A program
command: exec
config: $root/configs/gpu/small.yaml
set: {program.source: program.hip}
axes: [{name: CUs, key: machine.n_cu, values: [1, 2, 3]}]
measures: {launches: launches, vgprs: compiler.all_kernels.most_vgprs}
YAML
cat >program.hip <<'HIP'
#include <hip/hip_runtime.h>
#include "value.h"
#ifndef __HIP_DEVICE_COMPILE__
#include "host.h"
#endif
__global__ void nothing(int* p) { *p = VALUE; }
int main() { int* p; if (hipMalloc(&p, 4) != hipSuccess) return 1; nothing<<<1, 1>>>(p); return hipDeviceSynchronize(); }
HIP
echo '#define VALUE 1' >value.h
echo '#define HOST 1' >host.h
printf '%s\n' 1 2 3 | xargs -P 3 -I N "$pwsvp" sweep program.yaml --output program --point N >many.txt || { cat many.txt; fail "programs"; }
code 0 "$pwsvp" sweep program.yaml --output program --list
[ "$(grep -c ' kept ' out.txt)" -eq 3 ] || { cat out.txt; fail "the list of programs"; }
code 0 "$pwsvp" sweep program.yaml --output program
says out "3 points, 3 of them kept"
[ -z "$(find program -name '*.part*')" ] || fail "files are left over"

# It is compiled again when something that it is made of is another, and only then.
made() { stat -c %Y.%i program/programs/program-????????????????; }
one() { code 0 "$pwsvp" sweep program.yaml --output program --point 2; }
before=$(made)
one
says out "1 points, 1 of them kept"
[ "$(made)" = "$before" ] || fail "compiled although nothing has changed"
for header in value.h host.h; do
  sed -i 's/1/2/' $header
  one
  [ "$(made)" != "$before" ] || fail "not compiled although $header has changed"
  before=$(made)
done
says out "1 points, 1 of them kept"  # the host's header changed nothing in the program
rm program/programs/*.made
one
[ "$(made)" != "$before" ] || fail "kept although nobody knows what of"

# A program of another commit with nothing else in it that differs makes the same results; one that differs does not.
mkdir -p other/bin
here=$(dirname "$pwsvp")
ln -s "$here/../lib" "$here/../include" other/
cp "$here"/pws* other/bin/
head -c 64 </dev/zero | tr '\0' x >commit
objcopy --update-section .pwsvp.commit=commit other/bin/pwsvp
code 0 other/bin/pwsvp --version
says out "(commit xxxx"
code 0 other/bin/pwsvp sweep grid.yaml --output whole
says out "7 points, 7 of them kept"
sed -i 's/Virtual platform of a GCN3-class GPU/Virtual platform of a GCN9-class GPU/' other/bin/pwsvp
code 0 other/bin/pwsvp --help
says out "GCN9"
code 0 other/bin/pwsvp sweep grid.yaml --output whole
says out "7 points, 0 of them kept"
# The documents say how many points each experiment has.
while IFS='|' read -r _ name _ points _; do
  name=${name// /} points=${points// /}
  [ -e "$root/configs/experiments/$name.yaml" ] || continue
  code 0 "$pwsvp" sweep "$root/configs/experiments/$name.yaml" --list --output none
  [ "$(wc -l <out.txt)" = "$points" ] || fail "$name has $(wc -l <out.txt) points, docs/experiments.md says $points"
done <"$root/docs/experiments.md"
echo PASS
