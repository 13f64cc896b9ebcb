# SPDX-License-Identifier: Apache-2.0
"""Whole run files and bounds: the same reports and messages as the command line's."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import pwsvp
from support import command

RUN = "configs/runs/quickstart.yaml"


def without_host(report):
    return {key: value for key, value in report.items() if key != "host"}


class reports(unittest.TestCase):
    def test_run(self):
        for words in ([], ["--set", "machine.n_cu=1", "--set", "arguments.n.value=500", "--set", "expect={}"],
                      ["--set", "machine.fidelity=functional"]):
            overrides = [w for w in words if w != "--set"]
            report = pwsvp.run(RUN, set=overrides)
            _, of_command = command("run", RUN, *words)
            self.assertEqual(without_host(report), without_host(of_command))
            self.assertTrue(report.passed)
        self.assertIsNone(report.cycles)

    def test_dict_is_the_file(self):
        import yaml
        with open(RUN, encoding="utf-8") as file:
            run = yaml.safe_load(file)
        run["machine"] = "configs/gpu/default.yaml"
        run["program"]["source"] = "sw/kernels/vector_add.hip"
        ours, files = pwsvp.run(run), pwsvp.run(RUN)
        for part in ("totals", "cycles", "result", "per_launch"):
            self.assertEqual(ours[part], files[part])

    def test_output_files(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "r.json")
            report = pwsvp.run(RUN, report=name, timeline=os.path.join(folder, "t.json"))
            with open(name, encoding="utf-8") as file:
                self.assertEqual(json.load(file), report)
            self.assertGreater(os.path.getsize(os.path.join(folder, "t.json")), 100)
            with self.assertRaises(pwsvp.InputError):
                pwsvp.run(RUN, report=name, vcd=name)
        with self.assertRaises(pwsvp.InputError):
            pwsvp.run(RUN, stats="x.csv")
        for every in (0, -1, 1.5, True, 1 << 70, "1"):
            with self.assertRaises(pwsvp.InputError):
                pwsvp.run(RUN, stats="x.csv", stats_every=every)

    def test_not_as_expected(self):
        wrong = {"expect": {"c": {"value": 0}}}
        said, _ = command("run", RUN, "--set", "expect={c: {value: 0}}", "--quiet", expect=2)
        with self.assertRaises(pwsvp.InputError) as error:
            pwsvp.run(RUN, set=wrong)
        wrong = {"expect": {"c": {"constant": 0}}}
        said, _ = command("run", RUN, "--set", "expect={c: {constant: 0}}", "--quiet", expect=1)
        with self.assertRaises(pwsvp.RuntimeFault) as error:
            pwsvp.run(RUN, set=wrong)
        self.assertEqual("error: " + str(error.exception) + "\n", said)
        self.assertFalse(error.exception.report["result"]["pass"])
        report = pwsvp.run(RUN, set=wrong, check=False)
        self.assertFalse(report.passed)
        self.assertIn("FAIL", report.text)

    def test_bad_input_in_the_same_words(self):
        for words in (["no_such.yaml"], [RUN, "--set", "machine.n_cu=0"], [RUN, "--set", "launch.gird=1"],
                      [RUN, "--set", "program.kernel=x"], [RUN, "--set", "arguments.n.type=f64"],
                      ["configs/gpu/default.yaml"], [RUN, "--set", "launch.workgroup=4096"]):
            said, _ = command("run", *words, expect=2)
            with self.assertRaises(pwsvp.InputError) as error:
                pwsvp.run(words[0], set=words[2:])
            self.assertEqual(str(error.exception) + "\n", said)
            said, _ = command("wcet", *words, expect=2)
            with self.assertRaises(pwsvp.InputError) as error:
                pwsvp.wcet(words[0], set=words[2:])
            self.assertEqual(str(error.exception) + "\n", said)

    def test_bounds(self):
        machine = ["machine=configs/gpu/predictable.yaml", "machine.divergence=pws", "program.split=auto"]
        for observe in (False, True):
            words = [w for one in machine for w in ("--set", one)] + ["--observe"] * observe
            _, of_command = command("wcet", RUN, *words)
            self.assertEqual(dict(pwsvp.wcet(RUN, set=machine, observe=observe)), of_command)
        self.assertIs(pwsvp.bound, pwsvp.wcet)

    def test_frames(self):
        one, two = pwsvp.run(RUN), pwsvp.run(RUN, set={"machine.n_cu": 1})
        frame = pwsvp.counters(one, two, names=["four", "one"])
        self.assertEqual(list(frame.columns), ["unit", "four", "one"])
        self.assertEqual(frame.loc["l2.reads", "one"], two.counters["l2.reads"])
        self.assertEqual(frame.loc["dram.reads", "unit"], "lines")
        with self.assertRaises(pwsvp.InputError):
            pwsvp.counters(one, names=[])
        done = subprocess.run([sys.executable, "-c", "import sys; sys.modules['pandas'] = None\nimport pwsvp\n"
                               "pwsvp.counters(pwsvp.run(sys.argv[1]))", RUN], capture_output=True, text=True, check=False)
        self.assertIn("ImportError: pwsvp.counters needs pandas", done.stderr)

    def test_version(self):
        said = subprocess.run([os.environ["BUILD"] + "/bin/pwsvp", "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout.split()[1], pwsvp.__version__)


if __name__ == "__main__":
    unittest.main()
