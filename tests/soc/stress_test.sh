#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# stress_test.sh PWSVP SOURCE FIRMWARE: random accesses to the GPU's registers and malformed packets from the processor's
# side (sw/firmware/stress), PWS_STRESS of each or 4000 and 1200. Each is answered, and the GPU works after a reset. Every
# kind of answer has to have been given, and everything that can be wrong has to have been tried.
pwsvp=$1 source=$2 firmware=$3
# shellcheck source=tests/common.sh
source "$source/tests/common.sh"
if [ ! -e "$firmware/stress.elf" ]; then
  echo "no firmware: gcc-riscv64-unknown-elf or picolibc-riscv64-unknown-elf is not installed"
  exit 77
fi
cd "$folder"
control=$source/configs/soc/control.yaml
seed=${PWS_STRESS_SEED:-1}

stress() { # CODE INPUT OPTION...
  local wanted=$1
  printf '%b' "$2" >commands
  shift 2
  code "$wanted" "$pwsvp" soc "$control" --firmware "$firmware/stress.elf" --uart-input commands --quiet \
    --set uart.input_interval_us=1 --set limits.instructions=1000000000000 --set limits.time_us=1000000000 "$@"
}

accesses=${PWS_STRESS:-4000} packets=${PWS_STRESS:-1200}
stress 0 "accesses $accesses $seed\npackets $packets $seed\nend\n"
says out "0 errors"
cp out.txt first
# A limit of the machine ends what has no end before the firmware does.
stress 0 "packets 300 $seed\nend\n" \
  --set "gpus.0.machine={base: $source/configs/gpu/control.yaml, limits: {max_cycles: 4000}}"
says out "0 errors"
cp out.txt limited
if [ -z "${PWS_STRESS:-}" ]; then
  # The same with another quantum; other seeds are other cases.
  stress 0 "accesses 500 $seed\npackets 100 $seed\nend\n" --set quantum_ns=100
  cp out.txt small
  stress 0 "accesses 500 $seed\npackets 100 $seed\nend\n" --set quantum_ns=100
  cmp out.txt small
  stress 0 "accesses 500 7\npackets 100 7\nend\n" --set quantum_ns=100
  cmp -s out.txt small && fail "the seed changes nothing"
fi
# What it does not understand is told.
stress 2 'packets many\n'
says out 'error: what is "packets many'

python3 - "$accesses" "$packets" <<'END'
import re, sys

def blocks(file):
    found, now = {}, None
    for line in open(file):
        head = re.match(r"(\w+): (\d+) with seed", line)
        if head:
            now = found.setdefault(head[1], {"count": int(head[2]), "rows": {}})
        elif line.startswith(" ") and now is not None:
            cells = re.split(r"  +", line.strip())
            name, numbers = cells[0], re.findall(r"\d+", " ".join(cells[1:])) if len(cells) > 1 else []
            if numbers:
                now["rows"][name] = [int(n) for n in numbers]
    return found

all = blocks("first")
accesses = all["accesses"]["rows"]
kinds = ["read", "written", "read refused", "write refused", "read misaligned", "write misaligned"]
counts = [accesses[k][0] for k in kinds]
assert sum(counts) == int(sys.argv[1]), counts
assert min(counts) * 100 > sum(counts), ("a kind of answer is rare", counts)  # each at least a hundredth
assert accesses["resets"][0] > 0, accesses
assert accesses["good kernels"][0] == -(-sum(counts) // 500), accesses

packets, limited = all["packets"]["rows"], blocks("limited")["packets"]["rows"]
total, good, limits = packets.pop("all"), packets.pop("good kernels"), limited.pop("all")
assert len(packets) >= 50, sorted(packets)
rare = [name for name, row in packets.items() if sum(row) < 3]
assert not rare, ("hardly tried", rare)
names = ["complete", "refused", "program", "memory", "packet", "limit", "nothing", "endless"]
for k, name in enumerate(names):
    row = limits if name == "limit" else total
    assert row[k] > 0, ("no answer of the kind", name, total, limits)
    assert row[k] < sum(row) * 3 // 4, ("hardly another answer than", name, row)
assert sum(total) == int(sys.argv[2]) and total[5] == 0, total
assert good[0] == -(-sum(total) // 20), good
END
if [ -n "${PWS_STRESS:-}" ]; then cat first limited; fi
