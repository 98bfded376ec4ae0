"""Where a held process is asked: a pipe with a name, one line a window of candidates.

A line is the path of a plan (plan.py), or "stop": the window that is being served is not to go on.
End of file: nothing will be asked any more.
"""

import os
from time import sleep

import fcntl
import select

_STOP = b"stop"
_HIGH = 100  # out of the way of what the check opens, below the pipes of children


class Requests:
    def __init__(self, path):
        # Reading only: the end must be seen. Whoever asks has it open already.
        low = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._descriptor = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _HIGH)
        os.close(low)
        self._rest = b""
        self._ended = False

    def next(self):
        """The path of the next plan; None when there is none to come."""
        while True:
            while b"\n" not in self._rest and not self._ended:
                self._read()
            if self._ended and not self._rest:
                return None
            line, _, self._rest = self._rest.partition(b"\n")
            if line != _STOP:  # else it came when the window was over
                return line.decode("utf-8", "surrogateescape")

    def says_stop(self, seconds):
        """Waits for so long at most. Whether the window that is being served is to end."""
        if self._ended:
            sleep(seconds)
            return False
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        if poll.poll(int(seconds * 1000)):
            self._read()
        return self._rest.startswith(_STOP + b"\n")

    def _read(self):
        part = os.read(self._descriptor, 4096)
        self._rest += part
        self._ended = not part

    def close(self):
        os.close(self._descriptor)
