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


def obstacle(descriptors, own_child=None):
    """Why this process must not fork, or None. `own_child`: a process that is known of."""
    others = None if own_child is not None else children()
    return _threads() or others or _cuda() or descriptors.obstacle()


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


def children():
    """Complaint about a process that this one has started, or None."""
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


def _open_descriptors():
    """What every open descriptor points to, by number."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[int(name)] = os.readlink("/proc/self/fd/" + name)
        except OSError:
            pass  # the one that lists the folder
    return found


class Descriptors:
    """Open files of the check. Made before it begins: what is open then is no file of the check."""

    def __init__(self):
        self._known = _open_descriptors()
        # The standard streams, of which the check may keep copies: in a child they lead nowhere.
        self._streams = {self._known.get(number) for number in (0, 1, 2)}

    def _of_check(self):
        """(number, name, about) of what the check has opened."""
        for number, name in _open_descriptors().items():
            if (
                name not in _HARMLESS
                and name not in self._streams
                and self._known.get(number) != name
            ):
                about = os.fstat(number)
                if not stat.S_ISDIR(about.st_mode):
                    yield number, name, about

    def obstacle(self):
        """What is open and cannot be given to children, or None."""
        written = {}  # unlinked files that are open for writing: where each stands
        for number, name, about in self._of_check():
            if not stat.S_ISREG(about.st_mode):
                return "an open %s" % name.replace("anon_inode:", "").strip("[]").partition(":")[0]
            flags = fcntl(number, F_GETFL)
            if flags & os.O_ACCMODE == os.O_RDONLY:
                continue
            if about.st_nlink:
                return "a file is open for writing: %s" % name
            if about.st_size > _LARGEST_COPY:
                return "a large temporary file is open"
            place = (flags, os.lseek(number, 0, _FROM_HERE))
            if written.setdefault((about.st_dev, about.st_ino), place) != place:
                return "a temporary file is open twice"
        return None

    def shared(self):
        """Open files with an offset that children would move for each other: [Shared]."""
        groups = {}
        for number, _, about in self._of_check():
            flags = fcntl(number, F_GETFL)
            offset = os.lseek(number, 0, _FROM_HERE)
            key = (about.st_dev, about.st_ino, offset, flags)
            groups.setdefault(key, []).append(number)
        found = []
        for (_, _, offset, flags), numbers in groups.items():
            reads = flags & os.O_ACCMODE == os.O_RDONLY
            found.append(Shared(numbers, offset, flags, None if reads else _content(numbers[0])))
        return found

    def own(self, shared):
        """In a child: its own copies of what is shared; the standard streams lead nowhere."""
        for group in shared:
            own = _copy(group)
            for number in group.numbers:
                os.dup2(own, number, os.get_inheritable(number))
            os.close(own)
        nowhere = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        for number, name in _open_descriptors().items():
            if name in self._streams and number != nowhere:
                os.dup2(nowhere, number, os.get_inheritable(number))
        os.close(nowhere)


def _content(number):
    again = os.open("/proc/self/fd/%d" % number, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.pread(again, os.fstat(again).st_size, 0)
    finally:
        os.close(again)


def _copy(group):
    """A descriptor of its own for the file of a group, at the same offset."""
    if group.content is None:
        name = "/proc/self/fd/%d" % group.numbers[0]
        own = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
    else:
        own = os.memfd_create("suture-warm")
        os.write(own, group.content)
        if group.flags & os.O_APPEND:
            fcntl(own, F_SETFL, os.O_APPEND)
    os.lseek(own, group.offset, _FROM_START)
    return own
