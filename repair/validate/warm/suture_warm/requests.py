"""Where a held process is asked: a pipe with a name, one line a window of candidates.

A line is the path of a plan (plan.py). End of file: nothing will be asked any more.
"""

import os

import fcntl

_HIGH = 100  # out of the way of what the check opens, below the pipes of children


class Requests:
    def __init__(self, path):
        # Reading only: the end must be seen. Whoever asks has it open already.
        low = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._descriptor = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _HIGH)
        os.close(low)
        self._rest = b""

    def next(self):
        """The path of the next plan; None when there is none to come."""
        while b"\n" not in self._rest:
            part = os.read(self._descriptor, 4096)
            if not part:
                return None
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "surrogateescape")

    def close(self):
        os.close(self._descriptor)
