"""What forbids to fork here, and which descriptors a child must own."""

import posix as os  # a check may replace functions of os
import stat
import sys
from time import sleep

from fcntl import F_GETFL, F_SETFL, fcntl

_HARMLESS = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/full")
_LARGEST_COPY = 16 << 20
_FROM_START, _FROM_HERE = 0, 1  # of lseek


class Shared:
    """Descriptors that are one open file: a child needs its own, at the same offset.

    `content`: None for a file opened to read (it is opened again), else the bytes to copy.
    """

    def __init__(self, numbers, offset, flags, content):
        self.numbers = numbers
        self.offset = offset
        self.flags = flags
        self.content = content


def obstacle(known):
    """Why this process must not fork, or None. `known`: open_descriptors() before the check began."""
    return _threads() or _children() or _cuda() or _descriptors(known)


def _threads():
    threading = sys.modules.get("threading")
    active = getattr(threading, "_active", None)
    if type(threading) is type(sys) and type(active) is dict and len(active) > 1:
        return "%d threads run" % len(active)
    for _ in range(5):  # a thread that was joined may still be leaving
        count = len(os.listdir("/proc/self/task"))
        if count == 1:
            return None
        sleep(0.002)
    return "%d threads run" % count


def _children():
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return None
    return "a process that the check started is alive"


def _cuda():
    module = sys.modules.get("torch.cuda")
    if type(module) is type(sys) and module.__dict__.get("_initialized") is True:
        return "CUDA is initialised"
    return None


def open_descriptors():
    """What every open descriptor points to, by number."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[int(name)] = os.readlink("/proc/self/fd/" + name)
        except OSError:
            pass  # the one that lists the folder
    return found


def _descriptors(known):
    written = {}  # unlinked files that are open for writing: where each stands
    for number, name in open_descriptors().items():
        if name in _HARMLESS or known.get(number) == name:
            continue
        mode = os.fstat(number).st_mode
        if number <= 2 and not stat.S_ISREG(mode):
            continue  # a child gets /dev/null in its place
        if stat.S_ISDIR(mode):
            continue
        if not stat.S_ISREG(mode):
            return "an open %s" % name.partition("[")[0].rstrip(":")
        flags = _flags(number)
        if flags & os.O_ACCMODE == os.O_RDONLY:
            continue
        if os.fstat(number).st_nlink:
            if number <= 2:
                continue
            return "a file is open for writing: %s" % name
        about = os.fstat(number)
        if about.st_size > _LARGEST_COPY:
            return "a large temporary file is open"
        place = (flags, os.lseek(number, 0, _FROM_HERE))
        if written.setdefault((about.st_dev, about.st_ino), place) != place:
            return "a temporary file is open twice"
    return None


def _flags(number):
    return fcntl(number, F_GETFL)


def shared_descriptors():
    """Open files with an offset that children would move for each other: [Shared]."""
    groups = {}
    for number in open_descriptors():
        about = os.fstat(number)
        if not stat.S_ISREG(about.st_mode) or (number <= 2 and about.st_nlink):
            continue
        flags = _flags(number)
        offset = os.lseek(number, 0, _FROM_HERE)
        groups.setdefault((about.st_dev, about.st_ino, offset, flags), []).append(number)
    found = []
    for (_, _, offset, flags), numbers in groups.items():
        reads = flags & os.O_ACCMODE == os.O_RDONLY
        size = os.fstat(numbers[0]).st_size
        content = None if reads else _content(numbers[0], size)
        found.append(Shared(numbers, offset, flags, content))
    return found


def _content(number, size):
    again = os.open("/proc/self/fd/%d" % number, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.pread(again, size, 0)
    finally:
        os.close(again)


def own_descriptors(shared):
    """In a child: its own copies of what is shared; the standard streams lead nowhere."""
    kept = {number for group in shared for number in group.numbers}
    for group in shared:
        if group.content is None:
            name = "/proc/self/fd/%d" % group.numbers[0]
            own = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
        else:
            own = os.memfd_create("suture-warm")
            os.write(own, group.content)
            _set_append(own, group.flags)
        os.lseek(own, group.offset, _FROM_START)
        for number in group.numbers:
            os.dup2(own, number, os.get_inheritable(number))
        os.close(own)
    nowhere = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
    for number in (0, 1, 2):
        if number not in kept:
            os.dup2(nowhere, number)
    os.close(nowhere)


def _set_append(descriptor, flags):
    if flags & os.O_APPEND:
        fcntl(descriptor, F_SETFL, os.O_APPEND)
