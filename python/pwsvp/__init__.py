# SPDX-License-Identifier: Apache-2.0
"""The PWS virtual platform from Python (docs/python.md).

    import numpy as np, pwsvp

    code = pwsvp.compile("sw/kernels/saxpy.hip")
    x, y = np.ones(1000, np.float32), np.zeros(1000, np.float32)
    with pwsvp.Machine("configs/gpu/default.yaml", set={"n_cu": 2}) as machine:
        done = machine.launch(code, "saxpy", blocks=4, block=256, args=[1000, 2.0, x, y])
    print(done.cycles, y[:3])
"""
from ._core import Error, InputError, RuntimeFault, version as __version__
from ._machine import Code, Kernel, Machine, MachineWarning, compile
from ._reports import Launch, Report, counters, run, wcet

bound = wcet

__all__ = ["Code", "Error", "InputError", "Kernel", "Launch", "Machine", "MachineWarning", "Report", "RuntimeFault",
           "bound", "compile", "counters", "run", "wcet"]
