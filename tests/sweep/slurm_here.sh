# SPDX-License-Identifier: Apache-2.0
# Sourced: a Slurm of one node for a test, on loopback, run by the test's own user; everything is in $folder/slurmd.
# Exit code 77 where it is not installed or does not start.
# shellcheck shell=bash disable=SC2154 # $folder is that of tests/common.sh
slurm=$folder/slurmd
slurm_pids() { cat "$slurm"/*.pid 2>/dev/null || true; }
stop_slurm() {
  local pid
  # What jobs still run ends with them.
  if [ -e "$slurm/slurmctld.pid" ] && scancel --user="$(id -un)" 2>/dev/null; then
    for _ in $(seq 100); do [ -n "$(squeue --noheader 2>/dev/null)" ] || break; sleep 0.05; done
  fi
  for pid in $(slurm_pids); do kill "$pid" 2>/dev/null || true; done
  for pid in $(slurm_pids); do
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
    kill -KILL "$pid" 2>/dev/null || true
  done
}
trap 'stop_slurm; rm -rf "$folder"' EXIT
skip() { echo "skipped: $*"; exit 77; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

start_slurm() {
  local tool host user
  PATH=$PATH:/usr/sbin:/sbin
  for tool in munged slurmctld slurmd sbatch squeue scancel scontrol; do
    command -v $tool >/dev/null || skip "$tool is not installed"
  done
  host=$(hostname -s) user=$(id -un)
  mkdir -p "$slurm/state" "$slurm/spool"
  chmod 755 "$folder" "$slurm"
  head -c 128 /dev/urandom >"$slurm/munge.key"
  chmod 600 "$slurm/munge.key"
  cat >"$slurm/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
KillWait=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$slurm/slurm.conf
  munged --force --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" --pid-file="$slurm/munged.pid" \
    --log-file="$slurm/munged.log" --seed-file="$slurm/munge.seed" --num-threads=1 >"$slurm/said" 2>&1 ||
    skip "munged does not start: $(tail -n 1 "$slurm/said")"
  slurmctld -c -f "$SLURM_CONF" >"$slurm/said" 2>&1 || skip "slurmctld does not start: $(tail -n 1 "$slurm/said")"
  slurmd -f "$SLURM_CONF" >"$slurm/said" 2>&1 || skip "slurmd does not start: $(tail -n 1 "$slurm/said")"
  for _ in $(seq 100); do
    case "$(sinfo --noheader --format=%T 2>/dev/null | head -1)" in idle*) return ;; esac
    sleep 0.2
  done
  skip "the node does not come up: $(tail -n 1 "$slurm/slurmd.log" "$slurm/slurmctld.log" | tr '\n' ' ')"
}
