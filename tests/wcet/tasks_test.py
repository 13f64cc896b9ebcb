#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tasks_test.py PWSVP ROOT: systems of tasks with pwsvp tasks: verdicts, response times against another implementation, simulated jobs, what is
refused. PWS_TASK_HYPERPERIODS=N: of each system (default 50)."""
import json
import math
import os
import subprocess
import sys
import tempfile

PWSVP, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HYPERPERIODS = int(os.environ.get("PWS_TASK_HYPERPERIODS", "50"))
FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)


def fail(what):
    sys.exit(f"FAILED: {what}")


def check(truth, what):
    if not truth:
        fail(what)


def pwsvp(*arguments, code):
    r = subprocess.run([PWSVP, "tasks", *arguments], capture_output=True, text=True)
    if r.returncode != code:
        fail(f"{arguments}: exit code {r.returncode}, not {code}\n{r.stdout[-3000:]}{r.stderr[-3000:]}")
    return r


def system(tasks, policy="fixed_priority", machine=None):
    """Writes a system; a task is (name, run, {keys})."""
    text = f"machine: {machine or ROOT + '/configs/gpu/predictable.yaml'}\npolicy: {policy}\ntasks:\n"
    for name, run, keys in tasks:
        run = run if run.startswith("/") else f"{ROOT}/configs/runs/{run}.yaml"
        text += f"  - {{name: {name}, run: {run}, " + ", ".join(f"{k}: {v}" for k, v in keys.items()) + "}\n"
    with open("system.yaml", "w") as f:
        f.write(text)


def analysed(code, *more):
    pwsvp("system.yaml", "--report", "report.json", *more, code=code)
    report = json.load(open("report.json"))
    for t in report["tasks"]:
        expected = worst(report, t)
        got = t["response"] if t["response"] is None else t["response"]["value"]
        check(got == expected, f"{t['name']}: response {got}, and {expected} computed here")
    return report


# ---- Response times again: not by recurrences, but cycle by cycle over the times at which something can change.
def worst(report, task):
    def value(t, key):
        return t[key]["value"]

    tasks, fixed = report["tasks"], report["policy"] == "fixed_priority"
    others = [t for t in tasks if t is not task]
    first = [t for t in others if not fixed or t["priority"] >= task["priority"]]
    later = [t for t in others if fixed and t["priority"] < task["priority"]]
    blocked = max((value(t, "cost") for t in later), default=0)
    load = sum(value(t, "cost") / value(t, "period") for t in first + [task])
    if load > 1 or (load == 1 and blocked):
        return None

    def demand(t, until, inclusive):
        n = until + value(t, "jitter")
        return (n // value(t, "period") + 1 if inclusive else -(-n // value(t, "period"))) * value(t, "cost")

    busy = 1
    while (more := blocked + sum(demand(t, busy, False) for t in first + [task])) != busy:
        busy = more
    jobs = -(-(busy + value(task, "jitter")) // value(task, "period"))
    longest = 0
    if fixed:
        for q in range(jobs):
            before = blocked + q * value(task, "cost")
            start = before
            while (more := before + sum(demand(t, start, True) for t in first)) != start:
                start = more
            longest = max(longest, start + value(task, "cost") + value(task, "jitter") - q * value(task, "period"))
        return longest
    # Each job may come anywhere between its release and its jitter later; only steps of the demand matter.
    steps = sorted({0} | {k * value(t, "period") - value(t, "jitter") for t in tasks for k in range(1, 2 + (busy + value(t, "jitter")) // value(t, "period"))}
                   | {k * value(task, "period") for k in range(1, 2 + busy // value(task, "period"))})
    for q in range(jobs):
        release = q * value(task, "period") - value(task, "jitter")
        for at in steps:
            if not max(release, 0) <= at <= release + value(task, "jitter") or at >= busy:
                continue
            end = sum(demand(t, at, True) for t in others) + (q + 1) * value(task, "cost")
            longest = max(longest, end - release)
        # A job that has to come by then may as well come at its latest.
        at = release + value(task, "jitter")
        if 0 <= at < busy:
            end = sum(demand(t, at, True) for t in others) + (q + 1) * value(task, "cost")
            longest = max(longest, end - release)
    return longest


def costs(*runs):
    """E_kernel of each run, by a system in which there is time for all."""
    system([(f"t{k}", r, {"period": 10**9}) for k, r in enumerate(runs)])
    return [t["cost"]["value"] for t in analysed(0)["tasks"]]


# ---- The file that the documents show
text = open(f"{ROOT}/configs/tasks/three_tasks.yaml").read()
check(text[text.index("machine:"):] in open(f"{ROOT}/docs/tasks.md").read(), "docs/tasks.md has the file as it is")
pwsvp(f"{ROOT}/configs/tasks/three_tasks.yaml", "--simulate", "1", "--seed", "7", "--timeline", "trace.json", "--report", "report.json", code=0)
report = json.load(open("report.json"))
check(report["schedulable"] and report["holds"] and report["simulated"] == 1, "three_tasks.yaml holds")
check(report["hyperperiod"]["value"] == math.lcm(500000, 1000000, 1500000), "hyperperiod")
unsplit = pwsvp(f"{ROOT}/configs/tasks/three_tasks.yaml", "--set", "machine.divergence=none", code=1).stdout
check("NOT SCHEDULABLE" in unsplit and "late" in unsplit, "without splitting the filter is late")
for t in report["tasks"]:
    worst(report, t)
    check(t["seen"]["jobs"] > 0 and t["seen"]["missed"] == 0, f"jobs of {t['name']}")
    check(t["seen"]["execution"]["value"] <= t["cost"]["value"] and t["seen"]["response"]["value"] <= t["response"]["value"], f"{t['name']} is above")
events = json.load(open("trace.json"))
events = events["traceEvents"] if isinstance(events, dict) else events
check({"waits", "runs"} <= {e["name"] for e in events}, "slices of the timeline")
# ---- Light, heavy, infeasible, at the edge
short, middle, long = costs("two_branches", "reduction", "histogram")
check(short < middle < long, "kernels that the systems below are made of")
simulate = ["--simulate", str(HYPERPERIODS), "--seed", "1"]
verdicts = 0
for policy in ("fixed_priority", "in_order"):
    for what, code, tasks in [
        ("light", 0, [("a", "two_branches", {"period": 4 * long, "priority": 2}), ("b", "reduction", {"period": 6 * long, "priority": 1})]),
        ("heavy", 0, [("a", "two_branches", {"period": 2 * (short + middle), "priority": 3}), ("b", "reduction", {"period": 3 * (short + middle), "priority": 2}),
                      ("c", "two_branches", {"period": 6 * (short + middle), "priority": 1, "jitter": 1000})]),
        ("too much", 1, [("a", "reduction", {"period": 4 * short, "priority": 2}), ("b", "two_branches", {"period": 2 * short, "priority": 1})]),
        ("blocked", 1, [("a", "two_branches", {"period": 4 * long, "deadline": long, "priority": 9}), ("b", "histogram", {"period": 4 * long})]),
    ]:
        system(tasks, policy)
        r = analysed(code, *simulate)
        check(r["holds"], f"{what}, {policy}: a job is above its bound")
        check(r["schedulable"] == (code == 0), f"{what}, {policy}: verdict")
        if code == 0:
            check(all(t["seen"]["missed"] == 0 for t in r["tasks"]), f"{what}, {policy}: a job missed its deadline")
        verdicts += 1
    # A deadline that is just met, and one cycle less.
    tasks = [("a", "two_branches", {"period": 3 * long, "priority": 2}), ("b", "histogram", {"period": 4 * long, "priority": 1, "jitter": 500})]
    system(tasks, policy)
    for k, t in enumerate(analysed(0)["tasks"]):
        for less in (0, 1):
            edge = [(n, r, dict(keys, deadline=t["response"]["value"] - less) if n == t["name"] else keys) for n, r, keys in tasks]
            system(edge, policy)
            r = analysed(less)
            check(r["tasks"][k]["met"] == (less == 0), f"{policy}: {t['name']} at the edge")
            check(("slack" in r["tasks"][k] and r["tasks"][k]["slack"] is not None) == (less == 0), "slack")
            verdicts += 1
check(verdicts == 16, "systems")
for name in ("one", "two"):
    again = pwsvp("system.yaml", "--simulate", "2", "--seed", "5", "--timeline", f"{name}.json", code=1).stdout.replace(f"{name}.json", "trace.json")
    check(name == "one" or again == first, "the same seed, the same words")
    first = again
check(open("one.json").read() == open("two.json").read(), "the same seed, the same timeline")

# What the analysis calls too much misses deadlines on the machine, where jobs come faster than they run.
system([("a", "two_branches", {"period": 10**6})])
runs_for = analysed(0, "--simulate", "1")["tasks"][0]["seen"]["execution"]["value"]
tenth = runs_for // 10
system([("a", "two_branches", {"period": 4 * tenth, "priority": 1}), ("b", "two_branches", {"period": 80 * tenth})])
r = analysed(1, "--simulate", "1")
check(r["tasks"][0]["seen"]["jobs"] == 20 and r["tasks"][0]["seen"]["missed"] > 10, "jobs miss their deadlines where there is no time for them")
check(r["tasks"][0]["seen"]["response"]["value"] > 2 * runs_for, "they wait longer and longer")
check("response" in r["tasks"][0] and r["tasks"][0]["response"] is None and "as much time" in r["tasks"][0]["no_bound"], "no bound")

# Two tasks of one run file have buffers of their own, and others' kernels of the same name are not mixed up.
system([("a", "saxpy", {"period": 10**7, "priority": 1}), ("b", "saxpy", {"period": 10**7}), ("c", "vector_add", {"period": 10**7})])
r = analysed(0, "--simulate", "1")
check(r["holds"] and all(t["seen"]["jobs"] == 1 for t in r["tasks"]), "three jobs")
check(r["tasks"][0]["kernel"] == "saxpy" and r["tasks"][2]["kernel"] == "vector_add", "kernels")

# ---- What is refused, and what does nothing
def refused(says, *more, **keys):
    system(**keys)
    r = pwsvp("system.yaml", *more, code=2)
    check(says in r.stderr, f"{says!r} is not in {r.stderr!r}")


with open("none.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/predictable.yaml\ntasks: []\n")
check("tasks: there is none" in pwsvp("none.yaml", code=2).stderr, "no tasks")
one = [("a", "two_branches", {"period": 10**6})]
refused("there is a task 'a' already", tasks=one + one)

refused("period", tasks=[("a", "two_branches", {"priority": 1})])
refused("hardware_queues is 2", tasks=one, machine=f"{{base: {ROOT}/configs/gpu/predictable.yaml, hardware_queues: 2}}")
refused("no common multiple", "--simulate", "1", tasks=[("a", "two_branches", {"period": 2**40 - 1}), ("b", "two_branches", {"period": 2**40 + 1})])
refused("at most 1000000 are simulated", "--simulate", "1", tasks=[("a", "two_branches", {"period": 2**30 + 1}), ("b", "two_branches", {"period": 2**21})])
refused("has 2 launches", tasks=[("a", f"{ROOT}/configs/runs/two_stage_sum.yaml", {"period": 10**6})])
refused("tdm", tasks=one, machine=f"{ROOT}/configs/gpu/default.yaml")
refused("--seed", "--seed", "1", tasks=one)
system([("a", "two_branches", {"period": 10**6, "priority": 3})], "in_order")
check("priority has no effect with policy in_order" in pwsvp("system.yaml", code=0).stdout, "a priority that does nothing")
system([("a", "two_branches", {"period": 10**6, "offset": 5})])
check("offset has no effect without --simulate" in pwsvp("system.yaml", code=0).stdout, "an offset that does nothing")
check("offset has no effect with --seed" in pwsvp("system.yaml", "--simulate", "1", "--seed", "1", code=0).stdout, "an offset beside random phases")
check("offset" not in pwsvp("system.yaml", "--simulate", "1", code=0).stdout, "an offset that is used")
system([("a", "two_branches", {"period": 10**6, "offset": 10**6})])
check("offset has no effect beyond the hyperperiod" in pwsvp("system.yaml", "--simulate", "1", code=0).stdout, "a task without jobs")
print(f"{verdicts} systems as they should be")
