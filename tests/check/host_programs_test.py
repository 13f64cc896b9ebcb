#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""host_programs_test.py PWSVP PWSCC ROOT memory|streams [CASE...]: what checks find in what a HIP program's host does.

memory: each case of kernels/memory_misuse.hip has the finding that it says, in both fidelities, though the program itself ends
with 0; and without the check, with machine.memory.faults: allocation, every kernel that does so is stopped, but for those that
only the check can tell.
streams: each case of kernels/stream_order.hip has none as it is, and with its step left out the one that it says, with one
hardware queue and with two and four, in timing fidelity and in functional fidelity.
"""
import json
import os
import re
import sys
import tempfile

from programs import run

pwsvp, pwscc, root = (os.path.abspath(f) for f in sys.argv[1:4])
check, names = sys.argv[4], sys.argv[5:]
source = os.path.join(root, "tests/check/kernels", {"memory": "memory_misuse.hip", "streams": "stream_order.hip"}[check])
with open(source) as f:
    cases = re.findall(r"^// (\w+): (?:finds )?(\w+)(?: (\w+))?(, with the check alone)?$", f.read(), re.M)
os.chdir(tempfile.mkdtemp())
# Optimised, calls of two places may become one.
r = run([pwscc, "-O0", "-g", "-std=c++17", "--hip-version=" + os.environ["PWS_HIP_VERSION"], source, "-o", "program", "-pthread", "-ldl", "-lamdhip64"])
if r.returncode != 0:
    sys.exit(f"FAILED: {r.stdout}{r.stderr}")
# The same device code as a module.
if check == "memory" and run([os.path.join(os.path.dirname(pwsvp), "hipcc"), "--genco", source, "-o", "program.hsaco"]).returncode != 0:
    sys.exit("FAILED: no module")
failed = ran = 0


def fails(what):
    global failed
    failed += 1
    print("FAILED: " + what)


def findings(options, arguments):
    """Exit code, what is in the report, and the text."""
    global ran
    ran += 1
    if os.path.exists("report.json"):
        os.remove("report.json")
    r = run([pwsvp, "exec", os.path.join(root, "configs/gpu/default.yaml"), "--report", "report.json", *options, "--", "./program", *arguments])
    found = []
    if os.path.exists("report.json"):
        with open("report.json") as f:
            found = json.load(f).get("check", {}).get("findings", [])
    return r.returncode, found, r.stdout + r.stderr


def memory(case, rule, who, by_the_check):
    for fidelity in ("functional", "timing"):
        code, found, text = findings(["--check=memory", "--fidelity", fidelity], [case])
        wanted = [] if rule == "nothing" else [(rule, who)]
        if [(f["rule"], f["here"]["who"]) for f in found] != wanted or code != len(wanted):
            fails(f"{case}, {fidelity}: exit code {code}, wanted {wanted}, found {found}\n{text}")
        for f in found:
            if who == "host" and "memory_misuse.hip:" not in f["here"].get("does", ""):
                fails(f"{case}: does not say where the host did it: {f}")
            if rule in ("use_after_free", "double_free") and not re.search(r"hip(Free(Async|Array)?|HostFree|HostUnregister|ModuleUnload) at .*:\d+", f["other"]["does"]):
                fails(f"{case}: does not say who has freed it: {f}")
    if rule == "nothing" and ("nothing found in what ran" in text) != (case == "too_much_lds"):
        fails(f"{case}: says wrongly whether all ran:\n{text}")
    if who == "kernel":
        code, found, text = findings(["--set", "machine.memory.faults=allocation"], [case])
        if ("(hipErrorLaunchFailure)" in text) == bool(by_the_check) or found:
            fails(f"{case} without the check is {'' if by_the_check else 'not '}stopped:\n{text}")


def streams(case, rule, *_):
    for queues, fidelity in ((1, "functional"), (1, "timing"), (2, "timing"), (4, "timing"), (4, "functional")):
        options = ["--check=streams", "--fidelity", fidelity, "--set", f"machine.hardware_queues={queues}"]
        code, found, text = findings(options, [case])
        if code != 0 or found:
            fails(f"{case}, {queues} queues, {fidelity}: exit code {code}, found {found}\n{text}")
        if rule == "never":
            continue
        code, found, text = findings(options, [case, "left out"])
        if code != 1 or [f["rule"] for f in found] != [rule]:
            fails(f"{case} with a step left out, {queues} queues, {fidelity}: exit code {code}, found {found}\n{text}")
        for f in found:
            for place in (f["here"], f["other"]):
                if not re.search(r" in (stream \d|.*default stream).*\(hip\w+ at .*stream_order.hip:\d+\)", place.get("does", "")):
                    fails(f"{case}: does not say which operation it is: {f}")


for case, rule, who, by_the_check in cases:
    if not names or case in names:
        {"memory": memory, "streams": streams}[check](case, rule, who, by_the_check)
if not names and len(cases) < 20:
    fails(f"{len(cases)} cases only")
print(f"{len(cases)} cases, {ran} runs, {failed} failed")
sys.exit(1 if failed or not ran else 0)
