"""Forks children, one a candidate, limits them, and reports how they end."""

import posix as os  # a check may replace functions of os
from time import monotonic, sleep

import _signal
import fcntl
import resource
import select

_COMPLAINT = "!"
_FAILURE = "="
# Descriptors of our own stay out of the way of what the check opens.
_HIGH = 200


class _Child:
    def __init__(self, pid, candidate, pipe, folder):
        self.pid = pid
        self.candidate = candidate
        self.pipe = pipe  # end of file: the child is gone; before that: what it says (Voice)
        self.folder = folder
        self.started = monotonic()
        self.overdue = False


class Children:
    """`answer(candidate, **verdict)` and `refuse(candidate, reason)` get what became of each;
    `become(candidate, voice, folder)` is called in the child, once it is a process of its own.
    """

    def __init__(self, jobs, timeout, folder, answer, refuse, become):
        self._jobs = jobs
        self._timeout = timeout
        self._folder = folder
        self._answer = answer
        self._refuse = refuse
        self._become = become
        self._running = []
        self._count = 0

    def serve(self, candidates, descriptors):
        """Forks a child for each. In a child: its candidate; in the parent, at the end: None."""
        timer = _signal.setitimer(_signal.ITIMER_REAL, 0)  # of the check; it must not ring in here
        shared = descriptors.shared()
        waiting = list(candidates)
        os.mkdir(self._folder, 0o700)
        parent = os.getpid()
        try:
            while waiting or self._running:
                while waiting and len(self._running) < self._jobs:
                    candidate = waiting.pop(0)
                    if self._fork(candidate, descriptors, shared):
                        return candidate
                self._wait()
        except BaseException:
            self._kill_all()
            raise
        finally:
            if os.getpid() == parent:
                remove_folder(self._folder)
            if timer[0]:
                _signal.setitimer(_signal.ITIMER_REAL, *timer)
        return None

    def _fork(self, candidate, descriptors, shared):
        """Whether this is the child."""
        self._count += 1
        folder = "%s/%d" % (self._folder, self._count)
        os.mkdir(folder)
        low_end, low_start = os.pipe()
        end = fcntl.fcntl(low_end, fcntl.F_DUPFD_CLOEXEC, _HIGH)
        start = fcntl.fcntl(low_start, fcntl.F_DUPFD_CLOEXEC, _HIGH)
        os.close(low_end)
        os.close(low_start)
        pid = os.fork()
        if pid:
            os.close(start)
            try:
                os.setpgid(pid, pid)
            except OSError:
                pass  # it has done so itself, or is gone
            self._running.append(_Child(pid, candidate, end, folder))
            return False
        voice = Voice(start)
        try:
            os.setpgid(0, 0)
            os.close(end)
            for sibling in self._running:
                os.close(sibling.pipe)
            self._running = []
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            seconds = int(self._timeout * 2 + 5)
            hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
            if hard == resource.RLIM_INFINITY or hard > seconds:
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))
            descriptors.own(shared)
            self._become(candidate, voice, folder)
        except BaseException as error:
            voice.complain("the child could not be set up: %r" % (error,))
        return True

    def _wait(self):
        """Until a child has ended or is overdue."""
        poll = select.poll()
        for child in self._running:
            poll.register(child.pipe, select.POLLIN)
        now = monotonic()
        first = min(child.started for child in self._running) + self._timeout
        ready = {descriptor for descriptor, _ in poll.poll(max(0, int((first - now) * 1000) + 1))}
        now = monotonic()
        for child in list(self._running):
            if child.pipe in ready:
                self._reap(child)
            elif now - child.started >= self._timeout:
                child.overdue = True
                _kill(child.pid)
                self._reap(child)

    def _reap(self, child):
        said = b""
        while True:
            part = os.read(child.pipe, 4096)
            if not part:
                break
            said += part
        # End of file can also come from a child that closes whatever it finds open.
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if monotonic() - child.started >= self._timeout:
                child.overdue = True
                _kill(child.pid)
                pid, status, usage = os.wait4(child.pid, 0)
                break
            sleep(0.0005)
        wall = monotonic() - child.started
        _kill(child.pid)  # what may be left of its group
        self._forget(child)
        lines = said.decode("utf-8", "replace").splitlines()
        complaints = [line[1:] for line in lines if line.startswith(_COMPLAINT)]
        if complaints:
            self._refuse(child.candidate, complaints[0])
            return
        fields = {}
        failures = [line[1:] for line in lines if line.startswith(_FAILURE)]
        if failures:
            fields["failure"] = failures[0]
        if child.overdue:
            fields["timeout"] = True
        elif os.WIFSIGNALED(status):
            fields["signal"] = os.WTERMSIG(status)
        else:
            fields["status"] = os.WEXITSTATUS(status)
        fields["seconds"] = round(wall, 6)
        fields["cpu"] = round(usage.ru_utime + usage.ru_stime, 6)
        self._answer(child.candidate, **fields)

    def _forget(self, child):
        self._running.remove(child)
        os.close(child.pipe)
        remove_folder(child.folder)

    def _kill_all(self):
        for child in list(self._running):
            _kill(child.pid)
            try:
                os.wait4(child.pid, 0)
            except OSError:
                pass
            self._forget(child)


class Voice:
    """What a child says to the process that serves. Whatever it says, it says last: who is spoken
    to listens to the end."""

    def __init__(self, descriptor):
        self._descriptor = descriptor

    def complain(self, reason):
        """Says why its verdict cannot count, and ends it."""
        self._say(_COMPLAINT, reason[:300])
        os._exit(0)

    def tell_failure(self, text):
        """Says how the check failed (failure.py)."""
        self._say(_FAILURE, text)

    def _say(self, kind, text):
        line = kind + text.replace("\n", " ") + "\n"
        os.write(self._descriptor, line.encode("utf-8", "replace"))


def _kill(group):
    try:
        os.killpg(group, _signal.SIGKILL)
    except OSError:
        pass


def remove_folder(path):
    try:
        os.rmdir(path)
        return
    except OSError:
        pass
    try:
        with os.scandir(path) as entries:
            for entry in list(entries):
                if entry.is_dir(follow_symlinks=False):
                    remove_folder(entry.path)
                else:
                    os.unlink(entry.path)
        os.rmdir(path)
    except OSError:
        pass
