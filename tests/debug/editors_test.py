#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""editors_test.py PWSVP ROOT: what editors are told of pwsvp dap is so."""
import json
import os
import re
import subprocess
import tempfile

from dap_client import Client, Refused
from prompts import PWSVP, ROOT, fail, says

with open(f"{ROOT}/editors/vscode/package.json", encoding="utf-8") as f:
    extension = json.load(f)
debugger, = extension["contributes"]["debuggers"]
OF_EVERY_DEBUGGER = {"type", "request", "name"}

# ---- The program that the editor calls, from any folder, where it is on the PATH
folder = tempfile.mkdtemp()
os.symlink(PWSVP, f"{folder}/{debugger['runtime']}")
body = b'{"seq": 1, "type": "request", "command": "initialize", "arguments": {}}'
r = subprocess.run([debugger["runtime"]] + debugger["args"], cwd="/", env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"),
                   input=b"Content-Length: %d\r\n\r\n%s" % (len(body), body), stdout=subprocess.PIPE)
if r.returncode != 0 or b"supportsStepBack" not in r.stdout:
    fail(f"{debugger['runtime']} {debugger['args']}: {r}")

# ---- Every attribute that it declares is known: a value of another type is refused by its name
attributes = debugger["configurationAttributes"]["launch"]
WRONG = {"string": 7, "array": "x", "boolean": "x"}
for name, about in attributes["properties"].items():
    c = Client()
    c.ask("initialize")
    right = {"config": f"{ROOT}/configs/runs/two_branches.yaml"}
    try:
        c.ask("launch", **dict(right, **{name: WRONG[about["type"]]}))
        fail(f"the server does not know the attribute {name}")
    except Refused as e:
        says(str(e), f"{name} is to be ")
    if "default" in about:
        c.ask("launch", **dict(right, **{name: about["default"]}))
    c.close()
for name in attributes["required"]:
    c = Client()
    c.ask("initialize")
    try:
        c.ask("launch")
        fail(f"{name} is not required")
    except Refused as e:
        says(str(e), f"{name} is missing")
    c.close()


def only_declared(configuration):
    unknown = set(configuration) - OF_EVERY_DEBUGGER - set(attributes["properties"])
    if unknown or not set(attributes["required"]) <= set(configuration) or configuration["type"] != debugger["type"] or configuration["request"] != "launch":
        fail(f"{configuration}: {unknown}")


for configuration in debugger["initialConfigurations"] + [s["body"] for s in debugger["configurationSnippets"]]:
    only_declared(configuration)
for b in extension["contributes"]["breakpoints"]:
    if not b["language"]:
        fail("breakpoints of no language")

# ---- The launch.json of the document works
with open(f"{ROOT}/docs/debug.md", encoding="utf-8") as f:
    document = f.read()
launch = json.loads(re.search(r"^```json\n(.*?)^```$", document, re.M | re.S).group(1))
if len(launch["configurations"]) < 2:
    fail("no configurations")
for configuration in launch["configurations"]:
    only_declared(configuration)
    arguments = {k: v for k, v in configuration.items() if k not in OF_EVERY_DEBUGGER}
    arguments["config"] = arguments["config"].replace("${workspaceFolder}", ROOT)
    if "program" in arguments:  # as the README makes it
        name = os.path.basename(arguments["program"])
        arguments["program"] = f"{folder}/{name}"
        subprocess.run([PWSVP, "hipcc", "-std=c++17", f"{ROOT}/sw/kernels/programs/{name}.hip", "-o", arguments["program"]], check=True)
    if "firmware" in arguments:  # where its compiler is installed
        build = os.path.dirname(os.path.dirname(os.path.abspath(PWSVP)))
        arguments["firmware"], *arguments["kernels"] = (f.replace("${workspaceFolder}/build", build) for f in (arguments["firmware"], *arguments["kernels"]))
        if not os.path.exists(arguments["firmware"]):
            continue
    c = Client(arguments.pop("config"), **arguments)
    if configuration.get("stopOnEntry"):
        c.stop("entry")
        c.finish()
    else:
        c.ended()
    if "program" not in arguments:
        says(c.output["console"], "PASS")
for attribute in re.findall(r":?(\w+) (?:= )?['\"][^'\"]*run\.yaml['\"]", document):
    if attribute not in attributes["properties"]:
        fail(f"the document has an attribute {attribute}")
print(f"{len(attributes['properties'])} attributes and {len(launch['configurations'])} configurations are as the server has them")
