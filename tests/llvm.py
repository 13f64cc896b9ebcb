# SPDX-License-Identifier: Apache-2.0
"""Programs of the LLVM that the project is built with: ctest says which (tests/functions.cmake), by hand it is the lowest that is installed."""
import glob
import os


def is_of_documents():
    """Whether tables, bounds and outputs in the documents are of code that this LLVM makes. By hand it is taken to be so."""
    return os.environ.get("PWS_LLVM") == os.environ.get("PWS_LLVM_OF_DOCUMENTS")


def tool(name):
    """The path of llvm-mc, llvm-objdump and so on."""
    folders = [os.environ["PWS_LLVM_BIN"]] if os.environ.get("PWS_LLVM_BIN") else sorted(glob.glob("/usr/lib/llvm-1[5-9]/bin"))
    found = [path for path in (os.path.join(f, name) for f in folders) if os.access(path, os.X_OK)]
    if not found:
        raise SystemExit(f"{name} is not in {' '.join(folders) or '/usr/lib/llvm-15/bin'} (platform/setup.sh)")
    return found[0]
