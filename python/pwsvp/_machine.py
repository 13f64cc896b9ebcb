# SPDX-License-Identifier: Apache-2.0
"""Programs, and machines that launch their kernels."""
import atexit
import json
import os
import warnings
import weakref
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._config import Config, Overrides, Path, cycles_of, file_of, outputs_of, overrides_of, source_of, text_of
from ._parameters import Parameter, bind, parameters_of
from ._reports import Launch, raising

Size = Union[int, Sequence[int]]


class MachineWarning(UserWarning):
    """Something of a configuration or a launch does nothing."""


@dataclass(frozen=True)
class Kernel:
    """A kernel of a program, and what a workgroup of it takes of a compute unit."""
    name: str
    parameters: "tuple[Parameter, ...]"
    largest_workgroup: int  # work-items
    vgprs: int  # of a wavefront
    sgprs: int  # of a wavefront
    lds_bytes: int
    private_bytes: int  # of a work-item


class Code:
    """A program that has been compiled, or read: see compile()."""

    def __init__(self, program: "_core.program", source: str) -> None:
        self._program = program
        self.source = source
        text = None
        if os.path.splitext(source)[1] in (".hip", ".cpp", ".cu", ".cl"):
            with open(source, encoding="utf-8", errors="replace") as file:
                text = file.read()
        self.kernels: "dict[str, Kernel]" = {}
        for k in json.loads(program.kernels()):
            self.kernels[k["name"]] = Kernel(k["demangled"], tuple(parameters_of(k, text)), k["largest_workgroup"],
                                             k["vgprs"], k["sgprs"], k["lds_bytes"], k["private_bytes"])

    def __repr__(self) -> str:
        return f"<pwsvp.Code {self.source}: {', '.join(k.name for k in self.kernels.values())}>"


def compile(source: Path, *, split: str = "none", divergence: str = "none", flags: Sequence[str] = (),
            machine: "Union[Machine, Config, None]" = None, set: Overrides = None) -> Code:
    """Compiles a HIP, OpenCL C or assembly source; reads a code object, an offload bundle or an executable.

    `split`, `divergence` and `flags` are those keys of a run file's `program`. pwscc compiles for `machine`: a Machine,
    a machine file or a dict; the default machine otherwise.
    """
    keys: "dict[str, Any]" = {"source": os.path.abspath(file_of(source))}
    if split != "none":
        keys["split"] = split
    if divergence != "none":
        keys["divergence"] = divergence
    if isinstance(flags, str):
        raise _core.InputError("flags: a list of texts")
    if flags:
        keys["flags"] = list(flags)
    if isinstance(machine, Machine):
        of, overrides = machine._source, machine._overrides + overrides_of(set)
    else:
        of, overrides = source_of({} if machine is None else machine), overrides_of(set)
    program = _core.program(text_of(keys), *of, overrides)
    return Code(program, keys["source"])


_open_machines: "weakref.WeakSet[Machine]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for machine in list(_open_machines):
        if machine._pid == os.getpid():
            machine.close()


class Machine:
    """A machine that launches kernels, one after the other, until it is closed.

    `config` is a machine file, or a dict of what such a file has ({"base": FILE} names one); without it it is the
    default machine. `set` has further keys, as --set. Files that it writes are given by name, as the options of
    `pwsvp run`: vcd="x.vcd", timeline="x.json"; they are complete when it is closed.
    """

    def __init__(self, config: "Optional[Config]" = None, *, set: Overrides = None, stats_every: Optional[int] = None,
                 **outputs: Path) -> None:
        self._pid = os.getpid()
        self._source = source_of({} if config is None else config)
        self._overrides = overrides_of(set)
        files = outputs_of(outputs)
        if "report" in files:
            raise _core.InputError("report: a launch's report is in what launch() gives")
        if ("stats" in files) != (stats_every is not None):
            raise _core.InputError("stats goes with stats_every: the cycles of a row")
        self._machine = _core.machine(*self._source, self._overrides, files, cycles_of(stats_every))
        self._warned: "dict[tuple[int, str, Optional[int]], Code]" = {}
        _open_machines.add(self)

    def launch(self, code: Code, kernel: str, *, block: Size, grid: Optional[Size] = None,
               blocks: Optional[Size] = None, args: Sequence[Any] = (), dynamic_lds: int = 0,
               dynamic_stack: Optional[int] = None, partial_workgroups: bool = False) -> Launch:
        """Runs a kernel to its end.

        `grid`: work-items; or `blocks`: workgroups. `block`: work-items of a workgroup. Each is a number or up to three
        (x, y, z). `args`: for pointers NumPy arrays (None: null), for others numbers. Arrays are copied to the machine
        and, but for those that the kernel has as const, back. Another launch finds the caches as this one leaves them.
        """
        if not isinstance(code, Code):
            raise _core.InputError(f"code is what pwsvp.compile() gives, not {type(code).__name__}")
        if (grid is None) == (blocks is None):
            raise _core.InputError("one of grid (work-items) and blocks (workgroups) is to be given")
        shape: "dict[str, Any]" = {"workgroup": _size("block", block)}
        shape["grid" if blocks is None else "blocks"] = _size("grid", grid) if blocks is None else _size("blocks", blocks)
        if dynamic_lds:
            shape["dynamic_lds"] = dynamic_lds
        if dynamic_stack is not None:
            shape["dynamic_stack"] = dynamic_stack
        if partial_workgroups:
            shape["partial_workgroups"] = True
        found = self._kernel(code, kernel)
        values, arrays = bind(found.name, list(found.parameters), list(args))
        with raising():
            self._warn(code, kernel, dynamic_stack, text_of(shape))
            report = self._machine.launch(code._program, kernel, text_of(shape), values, arrays)
        return Launch(json.loads(report))

    def close(self) -> None:
        """Ends the machine and the files that it writes. Once more does nothing."""
        self._machine.close()

    def reset(self) -> None:
        """As new: caches are empty. A machine on which a launch has failed launches again."""
        self._machine.reset()

    @property
    def closed(self) -> bool:
        """It has been closed."""
        return self._machine.closed

    @property
    def failed(self) -> bool:
        """A launch has failed: nothing is launched until reset()."""
        return self._machine.failed

    def __repr__(self) -> str:
        state = "closed" if self.closed else "failed" if self.failed else "ready"
        return f"<pwsvp.Machine {self._source[1] or self._source[0]}: {state}>"

    def __enter__(self) -> "Machine":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _kernel(self, code: Code, name: str) -> Kernel:
        if not isinstance(name, str):
            raise _core.InputError(f"the kernel's name is a text, not {type(name).__name__}")
        return code.kernels[code._program.kernel_named(name)]

    def _warn(self, code: Code, kernel: str, dynamic_stack: Optional[int], shape: str) -> None:
        # Found out once: it takes longer than a small launch.
        if (id(code), kernel, dynamic_stack) in self._warned:
            return
        self._warned[id(code), kernel, dynamic_stack] = code
        for text in self._machine.warnings(code._program, kernel, shape):
            warnings.warn(text, MachineWarning, stacklevel=3)


def _size(name: str, size: Any) -> "list[int]":
    numbers = [size] if isinstance(size, (int, np.integer)) else size
    if isinstance(numbers, np.ndarray):
        numbers = numbers.tolist()
    if not isinstance(numbers, (list, tuple)) or any(
            isinstance(n, (bool, np.bool_)) or not isinstance(n, (int, np.integer)) for n in numbers):
        raise _core.InputError(f"{name}: one to three whole numbers, not {size!r}")
    return [int(n) for n in numbers]
