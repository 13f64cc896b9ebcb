#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dap_wrong_test.py PWSVP ROOT: clients of pwsvp dap that are wrong, go away, or ask while the machine runs."""
import json
import os
import random
import re
import signal
import subprocess
import tempfile
import time

from dap_client import Client, Refused
from prompts import FIDELITIES, PWSVP, ROOT, config, fail, of_scheme, run, says, summary

TWO = config("two_branches")
os.chdir(tempfile.mkdtemp())


def refused(client, text, command, /, **arguments):
    try:
        body = client.ask(command, **arguments)
    except Refused as e:
        says(str(e), text)
        return
    fail(f"{command} {arguments} is not refused, but answered with {body}")


def framed(text):
    return b"Content-Length: %d\r\n\r\n%s" % (len(text.encode()), text.encode())


# ---- Bytes that are no messages: each gets an error, and the session goes on
c = Client(TWO, stopOnEntry=True)
t = c.stop("entry")["threadId"]
request = json.dumps({"seq": 9000, "type": "request", "command": "threads"})
for data, text in (
        (b"garbage\r\n\r\n" * 3, "are no message"),
        (b"Content-Length: many\r\n\r\n", "is no number of bytes"),
        (b"Content-Length: -5\r\n\r\n", "is no number of bytes"),
        (b"Content-Length: 99999999999999999999\r\n\r\n", "is no number of bytes"),
        (b"Content-Length: " + b"1" * 5000, "a header does not end"),
        (framed(""), "is no JSON"), (framed("{"), "is no JSON"), (framed("what"), "is no JSON"), (framed("\x00\x01"), "is no JSON"), (framed("[" * 100000), "nested too deeply"),
        (framed("[1, 2]"), "a message is a JSON object"), (framed("7"), "a message is a JSON object"),
        (b"Content-Length: 20\r\n\r\n" + request.encode(), "is no JSON"),  # too short: the rest is passed
        (b"Content-Length: 100\r\n\r\n" + request.encode() + b" " * 3, "is no JSON"),  # too long: the next message is found
        (b"Content-Length: 12\r\n\r\n{\"a\": \"\xff\xfe\"}", "is no JSON")):
    c.send_bytes(data)
    seq = c.send("threads")
    first = c.answer(0)
    if first["success"]:
        fail(f"{data[:100]!r} is answered with {first}")
    says(first["message"], text)
    if not c.answer(seq)["success"]:
        fail(f"behind {data[:100]!r} the session does not go on")
c.send_bytes(framed("{") + framed("}"))
for _ in range(2):
    says(c.answer(0)["message"], "is no JSON")
c.send_bytes(b"Content-Type: application/vscode-jsonrpc\r\n" + framed(json.dumps({"seq": 8000, "type": "request", "command": "threads"})))
if not c.answer(8000)["success"]:
    fail("another field of the header")
# Whatever is cut anywhere arrives as a whole.
for byte in framed(json.dumps({"seq": 8001, "type": "request", "command": "threads"})):
    c.send_bytes(bytes([byte]))
c.answer(8001)

# ---- Requests that are wrong
frame = c.frame(t)["id"]
for message, text in (({}, "type is missing"), ({"type": 3}, "type is to be text"), ({"type": "request"}, "command is missing"), ({"type": "request", "command": 7, "seq": 1}, "command is to be text"),
                      ({"type": "request", "command": "threads"}, "seq is missing"), ({"type": "request", "command": "threads", "seq": "1"}, "seq is to be a whole number"),
                      ({"type": "request", "command": "threads", "seq": 7777, "arguments": [1]}, "arguments is to be an object")):
    c.send_bytes(framed(json.dumps(message)))
    seq = message.get("seq") if isinstance(message.get("seq"), int) else 0
    says(c.answer(seq)["message"], text)
for command, arguments, text in (
        ("nosuch", {}, "there is no request nosuch"), ("writeMemory", {"memoryReference": "0x0", "data": ""}, "there is no request"), ("initialize", {}, "has been before"), ("configurationDone", {}, "has been before"),
        ("launch", {"config": TWO}, "is loaded already"), ("attach", {}, "nothing to attach to"),
        ("stackTrace", {}, "threadId is missing"), ("stackTrace", {"threadId": "2"}, "threadId is to be a whole number"), ("stackTrace", {"threadId": 99}, "there is no thread 99"), ("stackTrace", {"threadId": t, "levels": -1}, "no negative"),
        ("stackTrace", {"threadId": 2**63}, "a smaller number"), ("scopes", {}, "frameId is missing"), ("scopes", {"frameId": 77777}, "there is no frame 77777"), ("variables", {"variablesReference": 77777}, "there are no variables 77777"),
        ("variables", {"variablesReference": frame}, "there are no variables"), ("continue", {"threadId": 99}, "there is no thread 99"), ("continue", {"threadId": t, "singleThread": True}, "do not run alone"), ("next", {"threadId": t, "granularity": "page"}, "no granularity page"),
        ("stepOut", {"threadId": t}, "in no call"), ("stepBack", {"threadId": t}, "just begun"), ("setBreakpoints", {}, "source is missing"), ("setBreakpoints", {"source": {}}, "path is missing"), ("setBreakpoints", {"source": {"path": 3}}, "path is to be text"),
        ("setBreakpoints", {"source": {"path": "/x"}, "breakpoints": 3}, "breakpoints is to be a list"), ("setBreakpoints", {"source": {"path": "/x"}, "breakpoints": [3]}, "to stand in an object"),
        ("setBreakpoints", {"source": {"path": "/x"}, "breakpoints": [{"line": "3"}]}, "line is to be a whole number"), ("setBreakpoints", {"source": {"sourceReference": 5}, "breakpoints": []}, "there is no source 5"), ("setExceptionBreakpoints", {"filters": ["fire"]}, "there is no filter fire"), ("setExceptionBreakpoints", {"filters": ["breakpoint"]}, "there is no filter breakpoint"),
        ("setDataBreakpoints", {"breakpoints": [{"dataId": "|out[0]", "accessType": "x"}]}, "there is no accessType x"), ("dataBreakpointInfo", {}, "name is missing"), ("source", {}, "path is missing"), ("source", {"source": {"path": "/etc/passwd"}}, "no code is of a file /etc/passwd"), ("source", {"sourceReference": 9}, "there is no source 9"),
        ("evaluate", {}, "expression is missing"), ("evaluate", {"expression": "s999", "context": "watch"}, "s999"), ("evaluate", {"expression": "v2[99]", "context": "watch"}, "no lane 99"), ("evaluate", {"expression": "", "context": "watch"}, "a value is missing"), ("evaluate", {"expression": "1", "frameId": 5555}, "there is no frame"),
        ("completions", {"text": "a", "column": 9}, "not in the text"), ("disassemble", {"memoryReference": "zz", "instructionCount": 1}, "is no memoryReference"), ("disassemble", {"memoryReference": "0x10", "instructionCount": 1}, "no code is at 0x10"),
        ("disassemble", {"memoryReference": "0x100007500", "instructionCount": 10**9}, "at a time"), ("readMemory", {"memoryReference": "0x0", "count": -1}, "at a time"), ("readMemory", {"memoryReference": "lds:99:0", "count": 1}, "there is no thread 99"), ("readMemory", {"memoryReference": "lds:1", "count": 1}, "is no memoryReference"),
        ("setVariable", {"variablesReference": 1}, "there are no variables"), ("exceptionInfo", {"threadId": t}, "no exception")):
    refused(c, text, command, **arguments)
# What a frame or a scope was before the machine went on is not taken for what there is now.
scope = c.scopes(t)["Path"]["variablesReference"]
c.go("stepIn", "step", thread=t)
refused(c, "there is no frame", "scopes", frameId=frame)
refused(c, "there are no variables", "variables", variablesReference=scope)
c.finish()

# ---- Out of turn
c = Client()
refused(c, "initialize comes first", "launch", config=TWO)
refused(c, "initialize comes first", "threads")
refused(c, "pathFormat", "initialize", pathFormat="uri")
c.ask("initialize", adapterID="pwsvp")
for command in ("threads", "setBreakpoints", "continue", "pause", "terminate", "restart", "configurationDone", "evaluate"):
    refused(c, "launch comes first", command)
with open("broken.hip", "w") as f:
    f.write("this is no kernel\n")
with open("broken.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: broken.hip, kernel: k}}\nlaunch: {{grid: 64, workgroup: 64}}\n")
for arguments, text in (({}, "config is missing"), ({"config": 3}, "config is to be text"), ({"config": "nosuch.yaml"}, "nosuch.yaml"), ({"config": TWO, "set": "machine.n_cu=1"}, "set is to be a list"), ({"config": TWO, "set": [1]}, "a list of texts"),
                        ({"config": TWO, "set": ["nosuch=1"]}, "nosuch"), ({"config": TWO, "stopOnEntry": 1}, "stopOnEntry is to be true or false"), ({"config": "broken.yaml"}, "broken.hip")):
    refused(c, text, "launch", **arguments)
# After all of these a launch is still possible.
c.ask("launch", config=TWO, noDebug=True, stopOnEntry=True)
c.event("initialized")
c.ask("configurationDone")
c.ended()

# ---- While the machine runs: breakpoints and pause are heard, what looks at it is refused
Client.every = 10_000  # runs are long from here on
with open("long.hip", "w") as f:
    f.write('#include <hip/hip_runtime.h>\nextern "C" __global__ void forever(int* x) {\n  while (__atomic_load_n(x, __ATOMIC_RELAXED) == 0) {\n    asm volatile("s_nop 1");\n  }\n  x[1] = 2;\n}\n')
with open("long.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: long.hip, kernel: forever}}\nlaunch: {{grid: 64, workgroup: 64}}\n"
            "arguments:\n  - {name: x, type: i32, count: 64, init: {constant: 0}}\n")
for fidelity in FIDELITIES:
    c = Client("long.yaml", set=[fidelity])
    if not c.threads():
        fail("no thread while it runs")
    for command, arguments in (("stackTrace", {"threadId": 1}), ("evaluate", {"expression": "exec"}), ("continue", {"threadId": 1}), ("variables", {"variablesReference": 1}), ("configurationDone", {})):
        refused(c, "the machine runs: pause it first", command, **arguments)
    c.ask("pause", threadId=1)
    t = c.stop("pause")["threadId"]
    c.ask("pause", threadId=t)  # once more, where it stands already
    c.ask("continue", threadId=t)
    b = c.ask("setBreakpoints", source={"path": os.path.abspath("long.hip")}, breakpoints=[{"line": 4}])["breakpoints"]
    if b[0]["line"] != 4 or c.stop("breakpoint")["hitBreakpointIds"] != [b[0]["id"]]:
        fail(f"a breakpoint that is set while it runs: {b}")
    c.ask("setBreakpoints", source={"path": os.path.abspath("long.hip")}, breakpoints=[])
    # A step that takes long is not ended by what is asked meanwhile.
    c.say("until 6")
    for _ in range(5):
        c.ask("threads")
    c.ask("setFunctionBreakpoints", breakpoints=[{"name": "forever"}])
    if any(e["event"] == "stopped" for e in c.events):
        fail("a request ends a step")
    c.ask("restart")
    c.stop("function breakpoint")
    c.ask("setFunctionBreakpoints", breakpoints=[])
    # What comes while the run begins again is heard.
    c.send("restart")
    c.send("pause", {"threadId": t})
    c.stop("pause")
    c.ask("continue", threadId=t)
    c.ask("terminate")
    c.event("terminated")
    c.close()

# Asked for all the time, a step still comes to where it goes.
with open("loop.hip", "w") as f:
    f.write('#include <hip/hip_runtime.h>\nextern "C" __global__ void loop(int* x) {\n  for (int k = 0; k < LAPS; ++k)\n    asm volatile("s_nop 1");\n  x[1] = 2;\n}\n')
for fidelity, laps in zip(FIDELITIES, (300_000, 3_000_000)):  # a tenth of a second and more
    with open("loop.yaml", "w") as f:
        f.write(open("long.yaml").read().replace("long.hip, kernel: forever", f"loop.hip, kernel: loop, flags: [-DLAPS={laps}]"))
    c = Client("loop.yaml", set=[fidelity], stopOnEntry=True)
    c.stop("entry")
    store = re.search("(0x[0-9a-f]+) <[^>]*>: flat_store", c.say("disassemble")).group(1)
    c.say(f"until *{store}")
    asked = 0
    while not any(e["event"] == "stopped" for e in c.events):
        if not c.answer(c.send("threads"))["success"]:
            fail("a step that is asked for something goes past its end")
        asked += 1
    t = c.stop("step")["threadId"]
    if c.frame(t)["instructionPointerReference"] != store or asked < 10:
        fail(f"a step of {asked} requests ends at {c.frame(t)}")
    c.finish()

# ---- Clients that go away, while the machine runs, stands, or is made; and signals
for how in ("close", "disconnect", "SIGTERM", "SIGINT"):
    for stands in (False, True):
        c = Client("long.yaml", configure=not stands)
        if how == "close":
            c.process.stdin.close()
            c.gone(0)
        elif how == "disconnect":
            c.close()
        else:
            if not stands:
                c.threads()
            c.process.send_signal(getattr(signal, how))
            c.gone(128 + getattr(signal, how))
c = Client()
c.ask("initialize")
c.send("launch", {"config": "long.yaml"})
c.process.stdin.close()
c.gone(0)
c = Client("long.yaml")
c.process.stdout.close()
for _ in range(3):
    c.send("threads")
    time.sleep(0.1)
c.process.stdin.close()
if c.process.wait(60) != 0:
    fail(f"a client that does not listen: {c.process.returncode}")

# ---- Streams that are no protocol, are empty, or end within a message
initialize = framed(json.dumps({"seq": 1, "type": "request", "command": "initialize"}))
for data, code in ((b"", 0), (b"hello\n", 2), (bytes(range(256)) * 400, 2), (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 2), (b"Content-Length: 5\r\n\r\n", 2), (b"Content-Length: 5\r\n\r\nhello", 2), (b"Content-Len", 2),
                   (initialize, 0), (initialize + b"Content-Length: 100\r\n\r\n{", 0), (initialize + b"garbage", 0)):
    r = subprocess.run([PWSVP, "dap"], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if r.returncode != code:
        fail(f"{data[:50]!r}: exit code {r.returncode}, expected {code}\n{r}")

# ---- Requests at random, with fields of any type: every one is answered, and the run ends as it would have
COMMANDS = ["threads", "setBreakpoints", "setFunctionBreakpoints", "setInstructionBreakpoints", "setDataBreakpoints", "setExceptionBreakpoints", "dataBreakpointInfo", "exceptionInfo", "stackTrace", "source",
            "scopes", "variables", "setVariable", "evaluate", "completions", "disassemble", "readMemory", "pause", "next", "stepIn", "stepOut", "stepBack", "initialize", "launch", "attach", "foo"]
FIELDS = ["threadId", "frameId", "variablesReference", "breakpoints", "source", "expression", "context", "name", "value", "start", "count", "filter", "memoryReference", "instructionCount", "instructionOffset",
          "offset", "text", "column", "granularity", "filters", "filterOptions", "levels", "startFrame", "asAddress", "bytes", "config"]
SOURCE = f"{ROOT}/sw/kernels/two_branches.s"
VALUES = [0, 1, 2, 3, 4, 7, 40, -1, 2**31, 2**62, -2**63, 1.5, None, True, [], {}, "", "x", "out", "out[3]", "v2", "v2[70]", "lane", "0x100007500", "lds:2:0", "repl", "watch", "hover", "instruction", "line", "indexed", "info paths",
          "info counters", "stepi", "lane 5", "p v2", "|out[3]", "1.0.0.0.0.5|v2", "\ud83d\ude00", "a" * 5000, {"path": SOURCE}, {"sourceReference": 1}, [{"line": 37}, {"line": 57, "condition": "lane == 3"}], [{"name": "two_branches"}], [{"dataId": "|out[3]"}],
          [{"dataId": "1.0.0.0.0.5|v2"}], [{"instructionReference": "0x100007554"}], ["split"], [1, "x", None], [{"filterId": "merge", "condition": "exec"}]]
generator = random.Random(2027)
answered = stops = 0
for scheme in ("pws", "dws", "stack", "dpe", "dwf", "convergence"):
    file = TWO if scheme != "dwf" else config("quickstart")
    sets = of_scheme(scheme) + [generator.choice(FIDELITIES)]
    c = Client(file, set=sets, stopOnEntry=True)
    t = c.stop("entry")["threadId"]
    for _ in range(150):
        command = generator.choice(COMMANDS)
        arguments = {f: generator.choice(VALUES) for f in generator.sample(FIELDS, generator.randrange(8))}
        if generator.random() < 0.5:
            arguments["threadId"] = t
        r = c.answer(c.send(command, arguments))
        answered += 1
        if r["success"] and command in ("next", "stepIn", "stepOut", "stepBack") or c.events and c.events[-1]["event"] == "continued":
            c.events.clear()
            t = c.stop()["threadId"]
            stops += 1
    c.events.clear()
    c.ask("restart")
    c.stop()
    c.say("delete")
    c.ask("setExceptionBreakpoints", filters=[])
    c.output.clear()
    c.finish()
    if summary(c.output["console"]) != run(file, sets):
        fail(f"{scheme}: {c.output['console']}")
if answered != 900 or stops < 30:
    fail(f"{answered} answers, {stops} stops")
print(f"{answered} requests at random, and clients that are wrong, change nothing")
