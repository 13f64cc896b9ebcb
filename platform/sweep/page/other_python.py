# SPDX-License-Identifier: Apache-2.0
"""Where a module is missing: Debian's packages are of Debian's Python, which need not be the first one in PATH."""

import os
import sys

DEBIAN = "/usr/bin/python3"


def go_on(missing):
    """Runs the same program with Debian's Python, or ends with the name of the module."""
    if os.path.exists(DEBIAN) and not os.path.samefile(sys.executable, DEBIAN):
        os.execv(DEBIAN, [DEBIAN, "-B", *sys.argv])
    sys.exit(f"Python's {missing} is not there, which pages are made with (Debian package python3-{missing})")
