# SPDX-License-Identifier: Apache-2.0
"""Whether an s_waitcnt that is taken out, or weaker, can matter: by a program's text and how often each instruction was executed.

A model of its own, which has nothing in common with the check's. What may be under way at each instruction is worked out
over all ways that the code can go: those of which the counts do not show that no wavefront went there. A mutant lets
operations through that its wait was there for; it matters if one of them may be under way where

  - an instruction names a register that it fills, unless its own results come later in the same order,
  - it touches LDS and the wavefront comes to a barrier, in a workgroup of several wavefronts,
  - it is an access of memory and an atomic follows, which may tell others that it is done.

FLAT counts as vector memory. Lanes are not told apart, nor are branches of the same condition. Where a call's target is
not seen in front of it, it may be any function.
"""
import re

MOST = 15  # a counter's; the next operation issues when the oldest one is done
LDS_RETURNS = re.compile(r"ds_(read|.*_rtn|b?permute|swizzle|consume|append)")


def registers(text):
    """The registers that operands name: v1, s[4:7], vcc."""
    found = {"vcc"} if re.search(r"\bvcc|_vcc|div_fmas", text) else set()
    for kind, first, low, high in re.findall(r"\b([vs])(?:(\d+)|\[(\d+):(\d+)\])", text):
        for n in range(int(first or low), int(first or high) + 1):
            found.add(kind + str(n))
    return found


def counts_of(text):
    return {name: int(n) for name, n in re.findall(r"(vmcnt|lgkmcnt)\((\d+)\)", text)}


class facts:
    """What matters of an instruction."""

    def __init__(self, mnemonic, text):
        operands = text.split(None, 1)[1] if " " in text else ""
        first, _, rest = operands.partition(",")
        self.wait = counts_of(text) if mnemonic == "s_waitcnt" else None
        self.counter = self.order = None  # order: operations of one order are done one after the other
        self.fills = set()
        lds, vector = mnemonic.startswith("ds_"), re.match(r"(flat|t?buffer)_(load|store|atomic)", mnemonic)
        if lds:
            self.counter, self.order = "lgkmcnt", "lds"
        elif vector:
            self.counter, self.order = "vmcnt", "vector"
        elif re.match(r"s_(buffer_)?(load|store)|s_memtime|s_memrealtime|s_sendmsg", mnemonic):
            self.counter = "lgkmcnt"
        returns = LDS_RETURNS.match(mnemonic) if lds else \
            vector and (vector.group(2) == "load" or (vector.group(2) == "atomic" and re.search(r"\bglc\b", text)))
        if returns or (self.counter and self.order is None and not mnemonic.startswith("s_sendmsg")):
            self.fills = registers(first)
        self.names = registers(operands) | registers(mnemonic)
        self.sources = registers(rest) if self.fills else self.names
        self.in_lds, self.in_memory = lds, bool(vector)
        self.is_barrier = mnemonic == "s_barrier"
        self.is_atomic = bool(vector) and vector.group(2) == "atomic"

    def uses(self, o):
        """Whether it cannot do without `o` being done."""
        if self.is_barrier:
            return o.in_lds
        if self.is_atomic and o.in_memory and not o.is_atomic:
            return True
        common = self.names & o.fills
        return bool(common) and not (self.order is not None and self.order == o.order and not common & self.sources)


class effects:
    """`code`: instructions with address, mnemonic and text; `issues`: how often each address was executed; `kernels` and
    `functions`: addresses of their first instructions; `alone`: of kernels whose workgroups have one wavefront."""

    def __init__(self, code, issues, kernels, functions, alone=()):
        self.code = code
        self.at = {i.address: n for n, i in enumerate(code)}
        self.issues = [issues.get(i.address, 0) for i in code]
        self.facts = [facts(i.mnemonic, i.text) for i in code]
        self.functions = [self.at[a] for a in functions if a in self.at]
        self.entries = self.functions + [self.at[a] for a in kernels if a in self.at]
        first = 0
        for n, f in enumerate(self.facts):
            first = n if n in self.entries else first
            f.function = first
            if f.is_barrier and code[first].address in alone:
                f.is_barrier = False
        self.next = self.ways()
        # For each instruction: what may be under way before it, and how many of the same order have been issued since.
        self.under_way = {}
        self.spread({n: {} for n in self.entries if self.issues[n]}, self.under_way, self.step)

    def target(self, n):
        branch = re.match(r"s_c?branch\w*\s+(\d+)", self.code[n].text)
        if not branch:
            return None
        step = int(branch.group(1))
        return self.at.get(self.code[n].address + 4 + 4 * (step if step < 32768 else step - 65536))

    def called(self, n):
        """Functions that the call code[n] may be of: s_getpc_b64 and the sum of it and a distance, or any."""
        to = re.search(r",\s*s\[(\d+):(\d+)\]", self.code[n].text)
        if not to:
            return self.functions
        (low, high), parts = to.groups(), {}
        for k in range(n - 1, max(n - 50, self.facts[n].function) - 1, -1):
            text = self.code[k].text
            if m := re.match(rf"s_add_u32 s{low}, s{low}, (-?\w+)$", text):
                parts["low"] = int(m.group(1), 0)
            elif m := re.match(rf"s_addc_u32 s{high}, s{high}, (-?\w+)$", text):
                parts["high"] = int(m.group(1), 0)
            elif text == f"s_getpc_b64 s[{low}:{high}]" and len(parts) == 2:
                distance = (parts["low"] & 0xffffffff) + (parts["high"] << 32)
                to = self.at.get((self.code[k].address + 4 + distance) % 2**64)
                return [to] if to in self.functions else self.functions
            elif {f"s{low}", f"s{high}"} & self.facts[k].names:
                break
        return self.functions

    def ways(self):
        calls = {n: self.called(n) for n, i in enumerate(self.code) if i.mnemonic == "s_swappc_b64"}
        from_elsewhere = {self.target(n) for n in range(len(self.code))} | set(self.entries) | {n + 1 for n in calls}
        ways = []
        for n, i in enumerate(self.code):
            to = self.target(n)
            if i.mnemonic == "s_endpgm" or not self.issues[n]:
                to = []
            elif i.mnemonic == "s_swappc_b64":
                to = calls[n]
            elif i.text == "s_setpc_b64 s[30:31]":  # the return address, by the calling convention
                to = [c + 1 for c, of in calls.items() if self.facts[n].function in of]
            elif i.mnemonic == "s_setpc_b64":
                to = [c + 1 for c in calls] + self.functions
            elif i.mnemonic == "s_branch":
                to = [to]
            elif to is None or (n + 1 not in from_elsewhere and self.issues[n + 1] == self.issues[n]):
                to = [n + 1]  # no branch, or one that was never taken
            else:
                to = [to, n + 1]
            ways.append([x for x in to if x is not None and x < len(self.code) and self.issues[x]])
        return ways

    def spread(self, begin, states, step):
        """Fixed point of step(n, state before) -> state behind it; None: stop."""
        todo = []

        def arrive(n, state):
            if n not in states:
                states[n] = dict(state)
                todo.append(n)
                return
            known = states[n]
            changed = False
            for o, (least, most) in state.items():
                old = known.get(o)
                new = (least, most) if old is None else (min(least, old[0]), max(most, old[1]))
                if new != old:
                    known[o] = new
                    changed = True
            if changed:
                todo.append(n)

        for n, state in begin.items():
            arrive(n, state)
        while todo:
            n = todo.pop()
            behind = step(n, states[n])
            if behind is None:
                return
            for to in self.next[n]:
                arrive(to, behind)

    def waited(self, state, wait, unordered):
        """What may be left of it; `unordered`: scalar loads or messages may be under way, so that lgkmcnt(1) says nothing."""
        left = {}
        for o, (least, most) in state.items():
            f = self.facts[o]
            n = wait.get(f.counter, MOST)
            says = n == 0 or (f.order is not None and not (f.order == "lds" and unordered))
            if not says or least < n:
                left[o] = (least, most)
        return left

    def unordered(self, state):
        return any(self.facts[o].counter == "lgkmcnt" and self.facts[o].order is None for o in state)

    def issued(self, n, state):
        """What may be under way behind `n`, of what was so before it."""
        order = self.facts[n].order
        if order is None:
            return dict(state)
        older = {}
        for o, (least, most) in state.items():
            if self.facts[o].order == order:
                least, most = least + 1, min(most + 1, MOST)
            if least < MOST:
                older[o] = (least, most)
        return older

    def step(self, n, state):
        f = self.facts[n]
        if f.wait is not None:
            return self.waited(state, f.wait, self.unordered(state))
        behind = self.issued(n, state)
        if f.counter is not None:
            behind[n] = (0, behind.get(n, (0, 0))[1])
        return behind

    def use_too_early(self, at, weaker):
        """If the wait code[at] waits for `weaker` counts only ({}: it is not there at all): an operation and an instruction
        that may use it too early; None: there is none."""
        wait = self.facts[at].wait
        before = self.under_way.get(at, {})
        # Done behind the wait as it is, perhaps; not so behind the other one.
        let_through = {o: ages for o, ages in self.waited(before, weaker, self.unordered(before)).items()
                       if ages[1] >= wait.get(self.facts[o].counter, MOST)}
        found = []

        def step(n, state):
            f = self.facts[n]
            if n == at:
                return self.waited(state, weaker, self.unordered(state))
            if f.wait is not None:
                left = self.waited(state, f.wait, self.unordered(state))
                if self.unordered(state) and f.wait.get("lgkmcnt", MOST) not in (0, MOST):
                    # With these under way it says nothing of LDS either.
                    for o, ages in self.under_way[n].items():
                        if self.facts[o].order == "lds" and ages[1] >= f.wait["lgkmcnt"]:
                            left.setdefault(o, ages)
                return left
            found.extend((o, n) for o in state if f.uses(self.facts[o]))
            if found:
                return None
            return self.issued(n, state)

        if let_through:
            self.spread({to: let_through for to in self.next[at]}, {}, step)
        return found[0] if found else None
