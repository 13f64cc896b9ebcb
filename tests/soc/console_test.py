#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""console_test.py PWSVP SOURCE FIRMWARE: the monitor of sw/firmware/console, with its input from a file, a pipe and a terminal."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time

pwsvp, source, firmware = sys.argv[1:]
elf = f"{firmware}/console.elf"
if not os.path.exists(elf):
    print("no firmware: gcc-riscv64-unknown-elf or picolibc-riscv64-unknown-elf is not installed")
    sys.exit(77)
command = [pwsvp, "soc", f"{source}/configs/soc/virt.yaml", "--firmware", elf]
lines = "help\nsay hello, worlx\x08d\nadd 40 2\npeek 0x40000000\npeek 0x2004000\nnonsense\n\nquit 3\n"
expected = """\
> help
help, say TEXT, add A B, peek ADDRESS, quit [CODE]
> say hello, worlx\x08 \x08d
hello, world
> add 40 2
42
> peek 0x40000000
nothing answers at 0x40000000
> peek 0x2004000
0xffffffffffffffff
> nonsense
nonsense? try help
>\x20
> quit 3
"""

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
with open("typed", "w") as f:
    f.write(lines)

# File and pipe, whatever the quantum is, and however slowly the pipe is written to.
reports = []
for quantum in (0, 1000, 100000):
    for way in ("file", "pipe"):
        options = ["--set", f"quantum_ns={quantum}", "--quiet", "--report", "report.json", "--uart-input", "typed" if way == "file" else "-"]
        run = subprocess.Popen(command + options, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if way == "pipe":
            for k in range(0, len(lines), 17):
                run.stdin.write(lines[k:k + 17])
                run.stdin.flush()
                time.sleep(0.01)
        out = run.communicate()[0]
        assert run.returncode == 3, (way, run.returncode, out)
        assert out == expected, (way, out)
        report = json.load(open("report.json"))
        reports.append((quantum, report["time"], report["instructions"], report["interrupts"]))
for quantum in (0, 1000, 100000):
    assert len({str(r) for r in reports if r[0] == quantum}) == 1, reports


class session:
    """pwsvp at a terminal."""

    def __init__(self, *options):
        self.master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        pid = os.fork()
        if pid == 0:
            os.setsid()
            os.close(self.master)
            import fcntl
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for n in (0, 1, 2):
                os.dup2(slave, n)
            os.execv(command[0], command + list(options))
        self.pid = pid
        self.seen = ""

    def until(self, text, seconds=60):
        end = time.time() + seconds
        while text not in self.seen:
            assert time.time() < end, (text, self.seen)
            if select.select([self.master], [], [], 0.2)[0]:
                self.seen += os.read(self.master, 4096).decode().replace("\r\n", "\n")

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        _, status = os.waitpid(self.pid, 0)
        while select.select([self.master], [], [], 0.1)[0]:
            self.seen += os.read(self.master, 4096).decode().replace("\r\n", "\n")
        assert termios.tcgetattr(self.slave) == self.before, "the terminal is not as before"
        os.close(self.master)
        os.close(self.slave)
        return os.waitstatus_to_exitcode(status)


# At a terminal, without an option: what is typed is shown once, by the firmware. Waiting for it takes no simulated time.
s = session("--report", "terminal.json")
s.until("> ")
time.sleep(0.3)
s.type("add 1 2\n")
s.until("add 1 2\n3\n> ")
time.sleep(0.3)
s.type("quit 5\n")
assert s.end() == 5, s.seen
assert s.seen.count("add 1 2") == 1, s.seen
assert "warning      the serial port received from a terminal" in s.seen, s.seen
report = json.load(open("terminal.json"))
assert report["input"] == "a terminal" and report["time"]["value"] < 100000, report

# Ctrl-C ends it, while it waits for somebody.
s = session("--uart-input", "-")
s.until("> ")
time.sleep(0.3)
s.type("\x03")
assert s.end() == 128 + signal.SIGINT, s.seen
assert "stopped by SIGINT at" in s.seen, s.seen

# Firmware that waits for something else is told of as ever: the terminal cannot wake it.
command[command.index(elf)] = f"{os.path.dirname(os.path.dirname(firmware + '/'))}/tests/soc/sleeps.elf"
s = session()
assert s.end() == 1, s.seen
assert "and none can come any more" in s.seen and "terminal" not in s.seen, s.seen
