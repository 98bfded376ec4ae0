"""An audit hook that sees the acts that soft isolation cannot contain.

In the check itself: reading an edited file as text, and starting a process that reads the tree.
In a child: also starting any process, connecting, and changing files outside its own folder.
"""

import posix
import sys
from os.path import basename, isdir, exists, realpath

_WRITES = posix.O_WRONLY | posix.O_RDWR | posix.O_CREAT | posix.O_TRUNC | posix.O_APPEND
# Caches, the last one under the name that pytest gives it until it is whole.
_SHARED_BUT_HARMLESS = ("/__pycache__", "/.pytest_cache", "/pytest-cache-files-")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdout", "/dev/stderr")
_SPAWNS = (
    "multiprocessing.popen_spawn_posix",
    "multiprocessing.popen_forkserver",
)
# Events that change a file: its path or paths, each with the descriptor of the folder that it is
# relative to, or -1.
_CHANGES = {
    "os.remove": lambda given: [(given[0], given[1])],
    "os.rmdir": lambda given: [(given[0], given[1])],
    "os.mkdir": lambda given: [(given[0], given[2])],
    "os.rename": lambda given: [(given[0], given[2]), (given[1], given[3])],
    "os.link": lambda given: [(given[1], given[3])],
    "os.symlink": lambda given: [(given[1], given[2])],
    "os.chmod": lambda given: [(given[0], given[2])],
    "os.chown": lambda given: [(given[0], given[3])],
    "os.utime": lambda given: [(given[0], given[3])],
    "os.truncate": lambda given: [(given[0], -1)],
    "os.setxattr": lambda given: [(given[0], -1)],
    "os.removexattr": lambda given: [(given[0], -1)],
}
# Files of the standard library through which others read source.
_READERS = ("linecache.py", "tokenize.py", "codecs.py", "inspect.py", "<frozen codecs>")
# Files that read source only to show it, by themselves or by the C code that they call.
_PRINTERS = ("traceback.py", "warnings.py", "threading.py")
_DRIVER = __file__.rpartition("/")[0] + "/driver.py"


class Watch:
    """`on_read(path, how)`: an edited file is read as text. `on_python(how)`: a process that may
    read the tree starts. `on_foreign(how)`: a child does what it must not (see become_child)."""

    def __init__(self, on_read, on_python):
        self._paths = self._names = self._stems = frozenset()
        self._tree = None
        self._read_files = {}  # of the tree, before it was known which files are edited: path -> how
        self._on_read = on_read
        self._on_python = on_python
        self._on_foreign = None
        self._folder = None
        self.muted = 0  # acts of our own
        self._rules = {
            "open": self._open,
            "import": self._import,
            "subprocess.Popen": self._popen,
            "os.posix_spawn": self._popen,
            "os.system": self._system,
            "os.exec": self._start,
            "os.fork": self._start,
            "os.forkpty": self._start,
            "pty.spawn": self._start,
        }
        sys.addaudithook(self._hook)

    def watch_tree(self, tree):
        """Which files are edited is not known yet: notes who reads files of the tree."""
        self._tree = tree + "/"

    def watch_files(self, paths):
        """Watches the edited files from now on; `on_read` hears of earlier readers in a moment."""
        self._tree = None
        self._paths = paths
        self._names = {basename(path) for path in paths}
        self._stems = {name.rpartition(".")[0] + "." for name in self._names}

    def tell_earlier(self):
        """Tells `on_read` of edited files that were read before it was known that they are."""
        for path, how in self._read_files.items():
            if path in self._paths:
                self._on_read(path, how)

    def earlier_reader(self):
        """Who read a file of the tree while it was not known what is edited, or None."""
        for path, how in self._read_files.items():
            return "a file of the tree was read: %s: %s" % (path, how)
        return None

    def forbid(self, event, on_event):
        """`on_event()` is called at such an event; until allow()."""
        self._rules[event] = lambda event, arguments: on_event()

    def allow(self, event):
        self._rules.pop(event, None)

    def __enter__(self):
        self.muted += 1

    def __exit__(self, *_):
        self.muted -= 1

    def become_child(self, folder, on_foreign):
        """From now on this process may write below `folder` only."""
        self._folder = folder + "/"
        self._on_foreign = on_foreign
        for event in _CHANGES:
            self._rules[event] = self._change
        for event in ("socket.bind", "socket.connect", "socket.sendto", "socket.sendmsg"):
            self._rules[event] = self._socket
        self._rules["os.kill"] = self._kill
        self._rules["os.killpg"] = self._kill

    def _hook(self, event, arguments):
        rule = self._rules.get(event)
        if rule is None or self.muted:
            return
        self.muted += 1
        try:
            rule(event, arguments)
        except Exception as error:
            self._start("the watch failed: %r" % (error,), ())
        finally:
            self.muted -= 1

    def _open(self, event, arguments):
        path, _, flags = arguments
        if isinstance(path, int):
            return
        path = _text(path)
        name = path[path.rfind("/") + 1 :]
        if self._tree is not None:
            self._open_somewhere(path)
        if name in self._names:
            if realpath(path) in self._paths:
                self._read(realpath(path))
        elif name[: name.find(".") + 1] in self._stems and name.endswith(".pyc"):
            source = self._source_of(path, name)
            if source is not None and exists(path):
                self._on_read(source, "its byte code is read")
        if self._on_foreign is not None and flags is not None and flags & _WRITES:
            self._write(path)

    def _open_somewhere(self, path):
        if path.endswith(".py") and realpath(path).startswith(self._tree):
            how = _reader()
            if how is not None:
                self._read_files.setdefault(realpath(path), how)

    def _source_of(self, path, name):
        folder = realpath(path).rpartition("/")[0].rpartition("/__pycache__")[0]
        source = "%s/%s.py" % (folder, name.partition(".")[0])
        return source if source in self._paths else None

    def _read(self, path):
        how = _reader()
        if how is not None:
            self._on_read(path, how)

    def _write(self, path):
        if path not in _DEVICES:
            self._allow("writes", realpath(path), path)

    def _change(self, event, arguments):
        for path, folder in _CHANGES[event](arguments):
            if isinstance(path, int):
                continue  # a descriptor: it was opened under the same rule
            path = _text(path)
            where, _, name = path.rstrip("/").rpartition("/")
            if not path.startswith("/") and folder >= 0:
                where = "/proc/self/fd/%d/%s" % (folder, where)
            elif not where and not path.startswith("/"):
                where = "."
            self._allow(event, realpath(where or "/") + "/" + name, path)

    def _allow(self, event, real, path):
        if event == "os.mkdir" and isdir(real):
            return  # it will fail
        if not (real + "/").startswith(self._folder):
            if not any(part in real for part in _SHARED_BUT_HARMLESS):
                self._on_foreign("changes a file (%s): %s" % (event, path))

    def _import(self, event, arguments):
        if arguments[0] in _SPAWNS:
            self._start(arguments[0], ())

    def _popen(self, event, arguments):
        if self._on_foreign is not None:
            self._on_foreign("starts a process")
        executable, words = arguments[:2]
        words = [_text(word) for word in ([words] if isinstance(words, (str, bytes)) else words)]
        if _is_python(_text(executable or "")) or (words and _is_python(words[0])):
            self._on_python("starts a Python process")
        elif len(words) > 2 and words[1] == "-c" and "python" in words[2]:
            self._on_python("starts a Python process by a shell")

    def _system(self, event, arguments):
        if self._on_foreign is not None:
            self._on_foreign("starts a process")
        if "python" in _text(arguments[0]):
            self._on_python("starts a Python process by a shell")

    def _start(self, event, arguments):
        how = "starts a process (%s)" % event
        if self._on_foreign is not None:
            self._on_foreign(how)
        self._on_python(how)

    def _socket(self, event, arguments):
        self._on_foreign("uses a socket (%s)" % event)

    def _kill(self, event, arguments):
        if arguments[0] not in (0, posix.getpid(), posix.getpgrp()):
            self._on_foreign("sends a signal to another process")


def _text(path):
    path = posix.fspath(path)
    return path.decode("utf-8", "surrogateescape") if isinstance(path, bytes) else path


def _is_python(program):
    return program == sys.executable or basename(program).startswith("python")


def _reader():
    """Who reads source: None for those who only print it, else a word for the reason."""
    frame = sys._getframe(4)  # past _reader, _read, _open, _hook
    while frame is not None:
        file = frame.f_code.co_filename
        name = basename(file)
        if name in _PRINTERS or file == _DRIVER or "/_pytest/_code/" in file:
            return None
        if name not in _READERS and not file.startswith("<frozen importlib"):
            return "its text is read by %s" % name
        frame = frame.f_back
    return "its text is read"
