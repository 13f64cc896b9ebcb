# SPDX-License-Identifier: Apache-2.0
"""What the tests of `pwsvp soc --gdb` share: a client of the remote protocol, gdb-multiarch with commands, runs without them."""
import json
import os
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

pwsvp, source, programs, firmware = sys.argv[1:]
virt = f"{source}/configs/soc/virt.yaml"
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
SYMBOL = {}
THREE = ("--set", "cpu.cycles_per_instruction=3")  # which csrs.elf is made for


def fail(text):
    sys.exit(f"FAILED: {text}")


def symbol(elf, name):
    if elf not in SYMBOL:
        nm = next(n for n in ("llvm-nm-15", "llvm-nm-17", "riscv64-unknown-elf-nm", "nm") if shutil.which(n))
        SYMBOL[elf] = {w[2]: int(w[0], 16) for w in (l.split() for l in subprocess.run([nm, elf], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()) if len(w) == 3}
    return SYMBOL[elf][name]


def framed(data):
    return b"$" + data + b"#%02x" % (sum(data) & 0xff)


class Client:
    """A gdb that says what it is told to say, at the standard streams or at a port."""

    def __init__(self, elf, *options, port=False, config=virt):
        self.process = subprocess.Popen([pwsvp, "soc", config, "--firmware", elf, "--gdb", "0" if port else "-", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.bytes = b""
        self.said = b""
        if port:
            line = self.process.stderr.readline().decode()
            self.socket = socket.create_connection(("localhost", int(re.fullmatch(r"gdb is waited for: target remote :(\d+)\n", line).group(1))))
            self.input, self.write = self.socket, self.socket.sendall
        else:
            self.input, self.write = self.process.stdout, lambda b: (self.process.stdin.write(b), self.process.stdin.flush())

    def read(self, until):
        """The next match, which is taken."""
        end = time.monotonic() + 60
        while True:
            m = re.search(until, self.bytes, re.S)
            if m:
                self.bytes = self.bytes[m.end():]
                return m
            if time.monotonic() > end:
                fail(f"nothing that is {until}: {self.bytes[-300:]}")
            if select.select([self.input], [], [], 0.2)[0]:
                more = self.input.recv(65536) if isinstance(self.input, socket.socket) else self.input.read1(65536)
                if not more:
                    fail(f"the stream ends before {until}: {self.bytes[-300:]}\n{self.process.stderr.read()}")
                self.bytes += more

    def answer(self):
        """The next packet; what is to be shown at gdb's prompt goes to `said`."""
        while True:
            data = self.read(rb"\$([^#]*)#[0-9a-f]{2}").group(1)
            self.write(b"+")  # the stream is open until it has come
            if data[:1] != b"O" or data == b"OK":
                return data.decode()
            self.said += bytes.fromhex(data[1:].decode())

    def ask(self, data):
        self.write(framed(data.encode() if isinstance(data, str) else data))
        return self.answer()

    def expect(self, data, answer):
        said = self.ask(data)
        if not re.fullmatch(answer, said):
            fail(f"{data} is answered by {said!r}, and not by {answer!r}")
        return said

    def register(self, number):
        return struct.unpack("<Q", bytes.fromhex(self.ask(f"p{number:x}")))[0]

    def pc(self):
        return self.register(32)

    def monitor(self, command):
        """What a command says."""
        self.said = b""
        last = self.ask("qRcmd," + command.encode().hex())
        return (self.said + (b"" if last == "OK" else bytes.fromhex(last))).decode()

    def goes_on(self, stop, command="c"):
        """To a stop of that kind; what was said on the way."""
        self.said = b""
        self.expect(command, stop)
        return self.said.decode()

    def ends(self, code):
        if self.process.wait(60) != code:
            fail(f"the exit code is {self.process.returncode}, and not {code}: {self.process.stderr.read()}")


def run_alone(elf, *options, config=virt):
    subprocess.run([pwsvp, "soc", config, "--firmware", elf, "--quiet", "--report", "alone.json", *options], stdout=subprocess.DEVNULL)
    return json.load(open("alone.json"))


def gdb(elf, config, commands, options=""):
    with open("commands", "w") as f:
        f.write(f"set pagination off\nset confirm off\nset width 0\nset substitute-path ./sw {source}/sw\n")
        f.write(f"target remote | {pwsvp} soc {config} --firmware {elf} --gdb - --report report.json {options}\n")
        for k, command in enumerate(commands):
            f.write(f"echo ==={k}\\n\n{command}\n")
    r = subprocess.run(["gdb-multiarch", "-q", "-nx", "-batch", "-x", "commands", elf], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    parts = re.split(r"^===\d+\n", r.stdout, flags=re.M)
    if len(parts) != len(commands) + 1:
        fail(f"gdb has ended early:\n{r.stdout}")
    return parts


def says(part, *texts):
    for t in texts:
        if t not in part:
            fail(f"gdb does not say {t!r}:\n{part}")
