# SPDX-License-Identifier: Apache-2.0
"""What pwsvp's checks find in a kernel, for the tests of this folder."""
import json
import os
import subprocess
import tempfile


class checker:
    """Runs kernels of (unsigned* a, unsigned* b), or run files, with the checks `races` and `coherence`."""

    def __init__(self, pwsvp, root):
        self.pwsvp = os.path.abspath(pwsvp)
        self.root = os.path.abspath(root)
        self.folder = tempfile.TemporaryDirectory()

    def run_file(self, source, kernel, grid, workgroup):
        name = os.path.join(self.folder.name, kernel + ".yaml")
        with open(name, "w") as f:
            f.write(f"machine: {self.root}/configs/gpu/default.yaml\n"
                    f"program: {{source: {source}, kernel: {kernel}}}\n"
                    f"launch: {{grid: [{grid}], workgroup: [{workgroup}]}}\n"
                    "arguments:\n"
                    "  - {name: a, type: u32, count: 65536, init: {constant: 0}}\n"
                    "  - {name: b, type: u32, count: 65536, init: {constant: 0}}\n")
        return name

    def __call__(self, run_file, *options):
        """Exit code, the findings of the report, and what pwsvp printed."""
        report = os.path.join(self.folder.name, "report.json")
        if os.path.exists(report):
            os.remove(report)
        r = subprocess.run([self.pwsvp, "run", run_file, "--quiet", "--check=races,coherence", "--report", report,
                            *options], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        found = []
        if os.path.exists(report):
            with open(report) as f:
                found = json.load(f).get("check", {}).get("findings", [])
        return r.returncode, found, r.stdout + r.stderr
