# SPDX-License-Identifier: Apache-2.0
"""A client of the Debug Adapter Protocol, for tests of `pwsvp dap`: sends requests, and waits for answers and events."""
import json
import select
import subprocess
import time

from prompts import PWSVP, fail

PATIENCE = 60  # seconds, for a machine under load


class Refused(Exception):
    """A request has got an error response: its message."""


class Client:
    """One session; in `self.events` is every event that nobody has waited for yet, in `self.output` what was printed, by category."""

    started, every = 0, 5

    def __init__(self, launch=None, configure=True, options=None, **more):
        # Snapshots are made at other places in every other session, which is to make no difference.
        Client.started += 1
        if options is None:
            options = ["--snapshot-every", str(Client.every)] if Client.started % 2 else []
        self.process = subprocess.Popen([PWSVP, "dap", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.bytes, self.seq, self.events, self.responses, self.output = b"", 0, [], [], {}
        if launch is not None:
            self.capabilities = self.ask("initialize", adapterID="pwsvp", linesStartAt1=True, columnsStartAt1=True, pathFormat="path", supportsInvalidatedEvent=True)
            self.ask("launch", config=launch, **more)
            self.event("initialized")
            if configure:
                self.ask("configurationDone")

    # ---- Messages
    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, command, arguments=None, **fields):
        """Sends a request and returns its number."""
        self.seq += 1
        body = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments or {}, **fields}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return self.seq

    def receive(self):
        """The next message; None: the stream has ended."""
        end = time.monotonic() + PATIENCE
        while True:
            head, found, rest = self.bytes.partition(b"\r\n\r\n")
            if found:
                if not head.startswith(b"Content-Length: "):
                    fail(f"what is sent is not the protocol: {self.bytes[:200]!r}")
                length = int(head[16:])
                if len(rest) >= length:
                    self.bytes = rest[length:]
                    return json.loads(rest[:length])
            if time.monotonic() > end:
                fail(f"nothing comes; events: {self.events}; {self.bytes[:200]!r}")
            if select.select([self.process.stdout], [], [], 1)[0]:
                more = self.process.stdout.read1(65536)
                if not more:
                    if self.bytes:
                        fail(f"the stream ends within a message: {self.bytes[:200]!r}")
                    return None
                self.bytes += more

    def take(self):
        """Receives a message, and puts it where it belongs. False: there are no more."""
        m = self.receive()
        if m is None:
            return False
        if m["type"] == "response":
            self.responses.append(m)
        elif m["event"] == "output":
            category = m["body"]["category"]
            self.output[category] = self.output.get(category, "") + m["body"]["output"]
        else:
            self.events.append(m)
        return True

    def answer(self, seq):
        """The response to a request, whatever it is."""
        while True:
            for r in self.responses:
                if r["request_seq"] == seq:
                    self.responses.remove(r)
                    return r
            if not self.take():
                fail(f"the stream has ended without an answer to request {seq}; errors: {self.process.stderr.read().decode()}")

    def ask(self, command, /, **arguments):
        """The body of the response. Raises Refused."""
        r = self.answer(self.send(command, arguments))
        if r["command"] != command:
            fail(f"{r} answers {command}")
        if not r["success"]:
            raise Refused(r["message"])
        return r.get("body", {})

    def event(self, name):
        """The next event of that name; those before are dropped."""
        while True:
            while self.events:
                e = self.events.pop(0)
                if e["event"] == name:
                    return e["body"]
            if not self.take():
                fail(f"the stream has ended without an event {name}: {self.output}")

    # ---- Sessions
    def stop(self, reason=None):
        """The next stop, whose reason is that."""
        body = self.event("stopped")
        if reason is not None and body["reason"] != reason:
            fail(f"stopped for {body}, and not for {reason}")
        return body

    def go(self, command, reason=None, thread=None, **more):
        """Goes on, and stops again."""
        self.ask(command, threadId=thread or self.threads()[0]["id"], **more)
        return self.stop(reason)

    def threads(self):
        return self.ask("threads")["threads"]

    def frames(self, thread):
        return self.ask("stackTrace", threadId=thread)["stackFrames"]

    def frame(self, thread):
        return self.frames(thread)[0]

    def scopes(self, thread):
        return {s["name"]: s for s in self.ask("scopes", frameId=self.frame(thread)["id"])["scopes"]}

    def variables(self, reference, **part):
        return {v["name"]: v for v in self.ask("variables", variablesReference=reference, **part)["variables"]}

    def values(self, thread, scope, **part):
        return {n: v["value"] for n, v in self.variables(self.scopes(thread)[scope]["variablesReference"], **part).items()}

    def say(self, text, thread=None):
        """What the console answers."""
        where = {} if thread is None else {"frameId": self.frame(thread)["id"]}
        return self.ask("evaluate", expression=text, context="repl", **where)["result"]

    def finish(self, code=0):
        """To the run's end, whose exit code is that; then the session's."""
        self.ask("continue", threadId=self.threads()[0]["id"])
        self.ended(code)

    def ended(self, code=0):
        exited = self.event("exited")
        if exited != {"exitCode": code}:
            fail(f"the run has exited with {exited}, and not {code}: {self.output}")
        self.event("terminated")
        self.close()

    def close(self, code=0):
        self.ask("disconnect")
        self.gone(code)

    def gone(self, code=0):
        while self.take():
            pass
        if self.process.wait(PATIENCE) != code:
            fail(f"the session ends with {self.process.returncode}, and not {code}: {self.process.stderr.read().decode()}")
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
