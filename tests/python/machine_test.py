# SPDX-License-Identifier: Apache-2.0
"""Machines: the command line's cycles, several at a time, faults and what comes after, files, threads, signals, forks."""
import gc
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import pwsvp
from support import MACHINE, code, command


def child(text, **more):
    """Runs Python in a process of its own."""
    return subprocess.run([sys.executable, "-c", "import numpy as np, pwsvp, sys, os\n"
                           "code = pwsvp.compile('tests/python/kernels.hip')\n" + text],
                          capture_output=True, text=True, timeout=120, check=False, **more)


def spin_for(machine, rounds=1 << 40):
    return machine.launch(code(), "spin", grid=64, block=64, args=[np.ones(64, np.int32), rounds])


class machines(unittest.TestCase):
    def twice(self, machine, kernel_code=None):
        a = np.arange(64, dtype=np.int32)
        done = machine.launch(kernel_code or code(), "twice", grid=64, block=64, args=[a, 64])
        self.assertEqual(a.tolist(), [2 * k for k in range(64)])
        return done

    def test_counts_as_the_command_line(self):
        _, of_command = command("run", "configs/runs/saxpy.yaml")
        x, y = np.ones(65536, np.float32), np.ones(65536, np.float32)
        saxpy = pwsvp.compile("sw/kernels/saxpy.hip")
        with pwsvp.Machine("configs/gpu/default.yaml") as machine:
            done = machine.launch(saxpy, "saxpy", grid=65536, block=256, args=[65536, 1.7, x, y])
            again = machine.launch(saxpy, "saxpy", grid=65536, block=256, args=[65536, 1.7, x, y])
        self.assertEqual(done.cycles, of_command["cycles"]["value"])
        self.assertEqual(done["counters"], of_command["per_launch"][0]["counters"])
        self.assertEqual(done.units["l2.reads"], of_command["totals"]["l2"]["reads"]["unit"])
        self.assertLess(again.counters["dram.reads"], done.counters["dram.reads"])  # caches stay
        self.assertEqual(again["number"], 2)

    def test_several_machines_and_dicts(self):
        one = pwsvp.Machine(MACHINE)
        two = pwsvp.Machine({"base": MACHINE, "n_cu": 1}, set={"clock_mhz": 500})
        three = pwsvp.Machine({"fidelity": "functional"})
        first = [self.twice(m).cycles for m in (one, two, three)]
        self.assertIsNone(first[2])
        two.close()
        self.twice(one)
        with pwsvp.Machine(pathlib.Path(MACHINE)) as four:
            self.assertEqual(self.twice(four).cycles, first[0])
        for m in (one, two, three):
            m.close()
            m.close()
            self.assertTrue(m.closed)
            with self.assertRaisesRegex(pwsvp.InputError, "closed"):
                self.twice(m)

    def test_bad_configurations(self):
        with self.assertRaises(pwsvp.InputError) as said:
            pwsvp.Machine({"n_cu": 0, "n_cuu": 2, "memory": {"dram": {"size_mib": "x"}}})
        for text in ("machine.n_cu: 0 is below", "machine.n_cuu: unknown key; did you mean", "machine.memory.dram.size_mib"):
            self.assertIn(text, str(said.exception))
        deep = inner = {}
        for _ in range(100_000):
            inner["memory"] = {}
            inner = inner["memory"]
        itself = {}
        itself["memory"] = itself
        for config in (deep, itself, 7, "no_such_file.yaml", b"x", "configs/runs/saxpy.yaml", {1: 2}, {"n_cu": object()},
                       {"base": "no_such.yaml"}, "a\0b", "", "\udc80", {"x": "\udc80"}, {"\udc80": 1}, {"n_cu": 10 ** 5000}, {"n_cu": float("nan")}, {"n_cu": [1]}, ".", os.devnull):
            with self.assertRaises(pwsvp.InputError, msg=type(config).__name__):
                pwsvp.Machine(config)
        for overrides in ("n_cu=2", ["n_cu"], {"n_cu": -1}, {"": 1}, [1], {"no.such": 1}):
            with self.assertRaises(pwsvp.InputError, msg=repr(overrides)):
                pwsvp.Machine(MACHINE, set=overrides)
        with self.assertRaisesRegex(TypeError, "outputs are"):
            pwsvp.Machine(MACHINE, vdc="x.vcd")
        with self.assertRaises(pwsvp.InputError):
            pwsvp.Machine(MACHINE, vcd="/dev/null/x.vcd")
        with self.assertRaisesRegex(pwsvp.InputError, "fidelity: timing"):
            pwsvp.Machine(MACHINE, set={"fidelity": "functional"}, vcd=os.path.join(tempfile.gettempdir(), "x.vcd"))
        self.assertRaises(pwsvp.InputError, pwsvp.compile, "no_such.hip")
        self.assertRaisesRegex(pwsvp.InputError, "program.split: .*auto", pwsvp.compile, "sw/kernels/saxpy.hip", split="x")
        with self.assertRaises(pwsvp.InputError):
            pwsvp.compile("sw/kernels/saxpy.hip", flags="-O2")

    def test_text_of_damaged_files(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "m.yaml")
            for text in (b"n_cu: [", b"\xff\xfe", b"n_cu: 1\nn_cu: 2", b"- 1", b"a: &x [*x]", b"\0", b"n_cu: 1\n---\nn_cu: 2"):
                with open(file, "wb") as out:
                    out.write(text)
                said, _ = command("run", "configs/runs/saxpy.yaml", "--set", f"machine={file}", expect=2)
                with self.assertRaises(pwsvp.InputError) as error:
                    pwsvp.run("configs/runs/saxpy.yaml", set={"machine": file})
                self.assertEqual(str(error.exception) + "\n", said)

    def test_a_fault_and_a_machine_after_it(self):
        a = np.zeros(64, np.int32)
        with pwsvp.Machine(MACHINE) as machine:
            before = self.twice(machine).cycles
            with self.assertRaises(pwsvp.RuntimeFault) as said:
                machine.launch(code(), "wild", grid=64, block=64, args=[a])
            self.assertIn("wild", str(said.exception))
            self.assertFalse(said.exception.report["completed"])
            self.assertEqual(a.tolist(), [0] * 64)
            self.assertTrue(machine.failed)
            with self.assertRaisesRegex(pwsvp.InputError, "until reset"):
                self.twice(machine)
            machine.reset()
            self.assertEqual(self.twice(machine).cycles, before)

    def test_same_words_as_the_command_line(self):
        run = {"machine": MACHINE, "program": {"source": "tests/python/kernels.hip", "kernel": "wild"},
               "launch": {"grid": 64, "workgroup": 64}, "arguments": [{"name": "data", "type": "i32", "count": 64}]}
        with self.assertRaises(pwsvp.RuntimeFault) as said:
            pwsvp.run(run)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=".") as file:
            json.dump(run, file)
            file.flush()
            words, report = command("run", file.name, "--quiet", expect=1)
        self.assertEqual("error: " + str(said.exception) + "\n", words)
        self.assertEqual(said.exception.report["result"], report["result"])

    def test_findings_are_faults(self):
        program = pwsvp.compile("sw/kernels/saxpy.hip")
        y = np.ones(64, np.float32)
        x = np.ones(64, np.float32)
        with pwsvp.Machine(MACHINE, set={"check.numbers": True}) as machine:
            with self.assertRaisesRegex(pwsvp.RuntimeFault, "numbers"):
                machine.launch(program, "saxpy", grid=64, block=64, args=[64, 1e38, x * 1e10, y])
            self.assertTrue(np.isinf(y).all())  # it came to its end
            machine.launch(program, "saxpy", grid=64, block=64, args=[64, 1.0, x, x.copy()])

    def test_device_memory_is_given_back(self):
        with pwsvp.Machine(MACHINE, set={"memory.dram.size_mib": 64, "fidelity": "functional"}) as machine:
            big = np.ones(40 << 18, np.int32)  # 40 MiB
            for _ in range(3):
                machine.launch(code(), "twice", grid=64, block=64, args=[big, 64])
            with self.assertRaisesRegex(pwsvp.InputError, "device memory"):
                machine.launch(code(), "sum", grid=64, block=64, args=[big, big.copy(), big])
            machine.launch(code(), "twice", grid=64, block=64, args=[big, 64])
            self.assertFalse(machine.failed)
        self.assertEqual(big[:2].tolist(), [16, 16])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            vcd = os.path.join(folder, "new", "x.vcd")
            with pwsvp.Machine(MACHINE, vcd=vcd, stats=os.path.join(folder, "s.csv"), stats_every=10) as machine:
                self.twice(machine)
                self.assertRaises(pwsvp.InputError, machine.reset)
            with open(vcd, encoding="ascii") as file:
                self.assertIn("$enddefinitions", file.read())
            # One that nobody closes is whole when the process ends.
            left = os.path.join(folder, "left.vcd")
            done = child(f"m = pwsvp.Machine('{MACHINE}', vcd='{left}')\n"
                         "m.launch(code, 'twice', grid=64, block=64, args=[np.ones(64, np.int32), 64])")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(os.path.getsize(left), os.path.getsize(vcd))

    def test_warnings(self):
        marked = pwsvp.compile("sw/kernels/fully_divergent.hip")
        data = np.ones(64, np.uint32)
        with pwsvp.Machine(MACHINE, set={"divergence": "pws"}) as machine:
            with self.assertWarnsRegex(pwsvp.MachineWarning, "split"):
                machine.launch(marked, "fully_divergent", grid=64, block=64, args=[data, 1, 1, 64])
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                machine.launch(marked, "fully_divergent", grid=64, block=64, args=[data, 1, 1, 64])
        with pwsvp.Machine(MACHINE) as machine, self.assertWarnsRegex(pwsvp.MachineWarning, "^dynamic_stack has no effect"):
            machine.launch(marked, "fully_divergent", grid=64, block=64, args=[data, 1, 1, 64], dynamic_stack=4096)

    def test_schemes_differ(self):
        cycles = {}
        for split, divergence in (("none", "none"), ("all", "pws")):
            with pwsvp.Machine("configs/gpu/default.yaml", set={"divergence": divergence, "spsimd_per_simd": 1}) as machine:
                program = pwsvp.compile("sw/kernels/fully_divergent.hip", split=split, machine=machine)
                data = np.ones(1024, np.uint32)
                cycles[divergence] = machine.launch(program, "fully_divergent", grid=1024, block=64,
                                                    args=[data, 0x5555555555555555, 16, 1024]).cycles
            self.assertEqual(data[:2].tolist(), [2144056621, 472174541])
            _, report = command("run", "configs/runs/fully_divergent.yaml", "--set", f"machine.divergence={divergence}",
                                "--set", "machine.spsimd_per_simd=1", "--set", f"program.split={split}")
            self.assertEqual(cycles[divergence], report["cycles"]["value"])
        self.assertLess(cycles["pws"], cycles["none"])

    def test_other_threads_run_meanwhile(self):
        with pwsvp.Machine(MACHINE) as machine:
            counted, over = 0, threading.Event()

            def work():
                spin_for(machine, 200_000)
                over.set()

            thread = threading.Thread(target=work)
            thread.start()
            while not over.wait(0.001):
                counted += 1
            thread.join()
        self.assertGreater(counted, 20)

    def test_threads_take_turns(self):
        results, machine_list = [None] * 6, [pwsvp.Machine(MACHINE) for _ in range(2)]

        def work(n):
            try:
                results[n] = [self.twice(machine_list[n % 2]).cycles for _ in range(5)][-1]
                with pwsvp.Machine(MACHINE) as mine:
                    self.twice(mine)
            except BaseException as e:  # told below
                results[n] = e

        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(set(results), {results[0]})
        for m in machine_list:
            m.close()

    def test_an_array_changes_meanwhile(self):
        with pwsvp.Machine(MACHINE) as machine:
            a = np.ones(64, np.int32)
            failed = []

            def work():
                try:
                    machine.launch(code(), "spin", grid=64, block=64, args=[a, 100_000])
                except pwsvp.Error as e:
                    failed.append(e)

            thread = threading.Thread(target=work)
            thread.start()
            time.sleep(0.05)
            try:
                a.resize(1 << 20, refcheck=False)  # its memory goes elsewhere
            except ValueError:
                pass  # NumPy knows of the view
            del a
            gc.collect()
            thread.join()
            self.twice(machine)

    def test_ctrl_c(self):
        with pwsvp.Machine(MACHINE) as machine:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            began = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                spin_for(machine)
            self.assertLess(time.monotonic() - began, 30)
            self.assertTrue(machine.failed)
            machine.reset()
            self.twice(machine)
            self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
            # A handler that raises nothing.
            heard = []
            before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                with self.assertRaisesRegex(pwsvp.RuntimeFault, "interrupted by SIGINT"):
                    spin_for(machine)
            finally:
                signal.signal(signal.SIGINT, before)
            self.assertEqual(heard, [1])
        threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            pwsvp.run({"machine": MACHINE, "program": {"source": "tests/python/kernels.hip", "kernel": "spin"},
                       "launch": {"grid": 64, "workgroup": 64},
                       "arguments": [{"name": "data", "type": "i32", "count": 64},
                                     {"name": "rounds", "type": "u64", "value": 1 << 40}]})

    def test_ctrl_c_that_nobody_handles(self):
        done = child(f"import threading, signal\nm = pwsvp.Machine('{MACHINE}')\n"
                     "signal.signal(signal.SIGINT, signal.SIG_DFL)\n"
                     "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                     "m.launch(code, 'spin', grid=64, block=64, args=[np.ones(64, np.int32), 1 << 40])")
        self.assertEqual(done.returncode, -signal.SIGINT, done.stderr)

    def test_terminated(self):
        done = child(f"import threading, signal\nm = pwsvp.Machine('{MACHINE}')\n"
                     "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()\n"
                     "m.launch(code, 'spin', grid=64, block=64, args=[np.ones(64, np.int32), 1 << 40])")
        self.assertEqual(done.returncode, -signal.SIGTERM, done.stderr)

    def test_forks(self):
        done = child(f"""
m = pwsvp.Machine('{MACHINE}')
a = np.ones(64, np.int32)
m.launch(code, 'twice', grid=64, block=64, args=[a, 64])
pid = os.fork()
if pid == 0:
    try:
        m.launch(code, 'twice', grid=64, block=64, args=[a, 64])
        os._exit(1)
    except pwsvp.InputError as e:
        assert 'forked' in str(e), e
    del m
    with pwsvp.Machine('{MACHINE}') as own:
        own.launch(code, 'twice', grid=64, block=64, args=[a, 64])
    assert a[0] == 4, a
    sys.exit(0)
assert os.waitpid(pid, 0)[1] == 0
m.launch(code, 'twice', grid=64, block=64, args=[a, 64])
assert a[0] == 4, a
import threading, time, warnings
warnings.simplefilter('ignore', DeprecationWarning)  # Python 3.12 and later warn of a fork beside threads
t = threading.Thread(target=lambda: m.launch(code, 'spin', grid=64, block=64, args=[a, 300000]))
t.start()
time.sleep(0.2)
pid = os.fork()
if pid == 0:
    try:
        pwsvp.Machine('{MACHINE}')
    except pwsvp.InputError as e:
        os._exit(0 if 'while another thread' in str(e) else 2)
    os._exit(1)
assert os.waitpid(pid, 0)[1] == 0
t.join()
print('ok')
""")
        self.assertEqual((done.stdout, done.stderr), ("ok\n", ""))

    def test_processes_of_a_pool(self):
        done = child(f"""
from concurrent.futures import ProcessPoolExecutor
def cycles(n):
    return pwsvp.run('configs/runs/saxpy.yaml', set={{'machine.n_cu': n}}).cycles
with ProcessPoolExecutor(2) as pool:
    found = list(pool.map(cycles, [1, 2, 4]))
assert found[0] > found[1] > found[2] and found[2] == cycles(4), found
print('ok')
""")
        self.assertEqual((done.stdout, done.stderr), ("ok\n", ""))

    def test_nothing_is_left_behind(self):
        def grown(times, work):
            for _ in range(times // 10):
                work()
            before = current()
            for _ in range(times):
                work()
            gc.collect()
            return (current() - before) / times

        def current():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * resource.getpagesize()

        with pwsvp.Machine(MACHINE) as machine:
            self.assertLess(grown(1000, lambda: self.twice(machine)), 2000)

        def build():
            with pwsvp.Machine(MACHINE) as one:
                self.twice(one)

        self.assertLess(grown(100, build), 200_000)

    def test_from_another_folder(self):
        folder = os.path.dirname(pwsvp.__file__)
        done = subprocess.run([sys.executable, "-c", "import pwsvp\n"
                               "open('k.hip', 'w').write('#include <hip/hip_runtime.h>\\n#include <pws.h>\\n"
                               "extern \"C\" __global__ void k() { PWS_SPLIT(); if (threadIdx.x > 3) __syncthreads(); }')\n"
                               "c = pwsvp.compile('k.hip', split='marked')\n"
                               "print(pwsvp.Machine().launch(c, 'k', grid=64, block=64).cycles > 0)"],
                              cwd=tempfile.mkdtemp(), env={**os.environ, "PYTHONPATH": os.path.dirname(folder)},
                              capture_output=True, text=True, check=False)
        self.assertIn("True", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()
