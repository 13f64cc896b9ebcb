#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# listing_test.sh PWSVP: pwsvp params for all keys, for one, as JSON, and asked wrongly.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1
cd "$folder"
code 0 "$pwsvp" params memory.dram.channels
printf '%s\n' "memory.dram.channels" "  file     machine" "  type     integer" "  default  4" "  range    1..64" "  meaning  DRAM channels" >expected
cmp out.txt expected || fail "one key"
# As it is written in a run file, and by its end: the same key. A group: all keys below.
for key in machine.memory.dram.channels dram.channels channels; do
  code 0 "$pwsvp" params $key
  cmp out.txt expected || fail "$key"
done
code 0 "$pwsvp" params dwf
says out "dwf.warp_size"
says out "dwf.swizzle"
[ "$(grep -c "^  file     machine$" out.txt)" = "$(grep -c "^  type" out.txt)" ] || fail "keys of another file"
# The end of a key's path finds the keys of all files that end so.
code 0 "$pwsvp" params count
says out "arguments.NAME.count"
says out "expect.NAME.count"
code 0 "$pwsvp" params figures.NAME.lines
says out "figures.NAME.lines.NAME.label"
code 0 "$pwsvp" params launch.workgroup
says out "  default  none: it has to be given"
for wrong in dwf.warp_sise:dwf.warp_size machine.n_cus:n_cu; do
  code 2 "$pwsvp" params ${wrong%:*}
  says err "there is no key '${wrong%:*}'; did you mean ${wrong#*:}?"
done
code 2 "$pwsvp" params ''
code 2 "$pwsvp" params n_cu --json
code 2 "$pwsvp" params --schema sweep
says err "machine"

# JSON has every key of the table, and its facts.
code 0 "$pwsvp" params
cp out.txt table
code 0 "$pwsvp" params --json
python3 - <<'PYTHON' || fail "JSON"
import json
import re
kinds = json.load(open("out.txt"))
assert list(kinds) == ["machine", "run", "exec", "graph", "experiment", "soc", "tasks"], list(kinds)
listed = {line.split()[0] for line in open("table") if re.match(r"[a-zA-Z_.]+( {2,}\S.*)?$", line)}
assert len(listed) > 150, len(listed)
keys = {k["key"]: k for kind in kinds.values() for k in kind["keys"]}
assert listed - set(keys) == set(), listed - set(keys)
run = {k["key"]: k for k in kinds["run"]["keys"]}
assert run["machine.n_cu"] == dict(key="machine.n_cu", type="integer", required=False, default="4", unit=None, range="1..256", choices=[], meaning="compute units")
assert run["launch.workgroup"]["required"] and run["launch.workgroup"]["default"] is None
assert "timing" in run["machine.fidelity"]["choices"]
assert "exec.fidelity" not in run and "machine.n_cu" in {k["key"] for k in kinds["exec"]["keys"]}
PYTHON
echo PASS
