"""A process of tier split that is held at a point of the check and serves one window of candidates
after the other from there, so that what lies before (imports, mostly) is paid once.

It starts before any candidate is known. The check has boundaries: before each statement at the top
of its script, before each test of pytest. At each one a copy of the process is forked and held; the
process itself goes on. When the first function of the tree is called, other than by an import of
the tree, the copy of the last boundary is the one to keep: the process then only waits for it.

For each window the copy forks a process that goes on with the check as tier split does, once the
functions that the window edits have got their prologues (split.py). What has been called before,
and whatever else a later start cannot undo, is left to a session that starts with its plan.
"""

import builtins
import posix
import sys
from os import environ

import _signal
import threading

from suture_warm import adopt, children, fork_point, forkable, loader, modules, plan, prologue

_ONLY_AST = 0x400
_PATIENCE = 0.01  # seconds between two looks at a window
# Nothing is gained by a boundary before these: what they call of the tree, an import calls.
_NO_BOUNDARY = ("Import", "ImportFrom", "FunctionDef", "AsyncFunctionDef", "ClassDef")
_IS_FUNCTION = 0x1  # CO_OPTIMIZED: no module, no class body
_PLUGIN = "suture_warm.pytest_hold"
_current = None


def boundary():
    """Called by the check at each of its boundaries."""
    if _current is not None:
        _current.boundary()


def failed(error):
    """Called with the exception of a test that fails."""
    if _current is not None:
        _current.failed(error)


def forget_plugin():
    """pytest has found the plugin: what pointed to it goes again."""
    if _current is not None:
        _current.set_plugins(None)


class Called:
    """Functions that ran before the process was held."""

    def __init__(self, codes):
        self._keys = {}
        for code in codes:
            key = (code.co_name, code.co_firstlineno)
            self._keys.setdefault(code.co_filename, set()).add(key)

    def has(self, filename, key):
        """`key`: name and first line, of a code object of this file name."""
        return key in self._keys.get(filename, ())


class Held:
    """`session`: what the process shares with the tiers (session.py)."""

    def __init__(self, session):
        global _current
        self._session = session
        self._tree = session.plan.tree + "/"
        self._settled = {}  # identity -> code object that was called and need not be looked at again
        self._at_import = {}  # the same, of functions of the tree that only imports have called
        self._in_tree = {}  # file name of a code object -> whether it lies in the tree
        self._modules = None
        self._folder = None
        self._copy = None  # process id of the copy that is held
        self._why_none = "no boundary of the check comes before the tree is called"
        self._over = False
        self._went_on = False  # in the process of a window: the tree was called, as before
        self._real_plugins = environ.get("PYTEST_PLUGINS")
        self._trace = self._make_trace()
        _current = self
        builtins.__suture_boundary__ = self.boundary
        loader.read_unseen(session.watch)
        session.watch.forbid("sys.settrace", self._trace_is_lost)

    def begin(self):
        # Of its own, like a window's: what is left there the windows do not find.
        self._folder = "%s/suture-held-%d" % (self._session.temporary, posix.getpid())
        posix.mkdir(self._folder, 0o700)
        self._session.use_temporary(self._folder)
        known = self._real_plugins
        self.set_plugins("%s,%s" % (known, _PLUGIN) if known else _PLUGIN)
        self._modules = modules.Modules(self._session.plan.tree, self._session.origin)
        self._session.say_start()
        threading.settrace(self._trace)  # a thread begins by setting it, which is then noticed
        self._set_trace(self._trace)

    def end(self):
        """The check has ended without a call into the tree."""
        self._drop_copy()
        children.remove_folder(self._folder)
        return {"modules": self._modules.loadable()}

    def _trace_is_lost(self):
        """Until the process is held, nobody else may see to what is called."""
        if threading.current_thread() is threading.main_thread():
            self._give_up("the check traces itself")
        self._give_up("a thread starts before the check could be held")

    def _give_up(self, reason):
        self._session.unable(reason)
        self._session.leave(reason="it could not be held")

    def set_plugins(self, value):
        """PYTEST_PLUGINS as we want it, or as it was; unnoticed by what looks at the environment."""
        value = self._real_plugins if value is None else value
        if value is None:
            environ.pop("PYTEST_PLUGINS", None)
        else:
            environ["PYTEST_PLUGINS"] = value
        if self._modules is not None:
            self._modules.environment_changed()

    def failed(self, error):
        self._session.failed(error)

    def script(self, path):
        """The code of the script that the check runs, with its boundaries."""
        with self._session.watch:
            data = plan.read_bytes(path)
        return compile(_with_boundaries(data, path), path, "exec", 0, True)

    def refuse_file(self, path, how):
        self._session.unable("%s: %s" % (path, how))

    def unreached(self, candidate):
        return False

    # ---- boundaries

    def boundary(self):
        if self._over:
            return
        session = self._session
        with session.watch:
            self._set_trace(None)
            self._drop_copy()
            if threading._trace_hook is not self._trace:
                self._give_up("the check traces threads")
            self._why_none = forkable.obstacle(session.descriptors)
            if self._why_none is None:
                randomness = fork_point.random_state()
                self._copy = posix.fork()
                if self._copy == 0:
                    self._over = True
                    threading.settrace(None)
                    self._serve()  # returns in the process of a window only
                    fork_point.restore_random_state(randomness)
                    return
            session.watch.become_child(session.temporary, self._spoil)
            self._set_trace(self._trace)

    def _spoil(self, how):
        """Between its last boundary and the first call into the tree the check does what doing it
        again would notice: a window would begin with that."""
        with self._session.watch:
            self._drop_copy()
        self._why_none = "the check %s before it calls the tree" % how

    def _drop_copy(self):
        if self._copy is not None:
            posix.kill(self._copy, _signal.SIGKILL)
            posix.waitpid(self._copy, 0)
            self._copy = None

    def _set_trace(self, trace):
        with self._session.watch:
            sys.settrace(trace)

    def _make_trace(self):
        settled, called = self._settled, self._called

        def trace(frame, event, argument):
            if id(frame.f_code) not in settled:
                called(frame)

        return trace

    def _called(self, frame):
        code = frame.f_code
        if not code.co_flags & _IS_FUNCTION or not self._is_in_tree(code.co_filename):
            self._settled[id(code)] = code
        elif self._is_importing(frame.f_back):
            self._at_import[id(code)] = code
        elif self._over:
            self._went_on = True
            self._set_trace(None)
        else:
            self._keep()

    def _is_importing(self, frame):
        """Whether a module of the tree, other than the check itself, is being loaded."""
        while frame is not None:
            code = frame.f_code
            if code.co_name == "<module>" and self._is_in_tree(code.co_filename):
                if frame.f_globals.get("__name__") != "__main__":
                    return True
            frame = frame.f_back
        return False

    def _is_in_tree(self, filename):
        known = self._in_tree.get(filename)
        if known is None:
            with self._session.watch:
                known = filename.startswith("/") or filename.endswith(".py")
                known = known and self._session.real(filename).startswith(self._tree)
            self._in_tree[filename] = known
        return known

    def _keep(self):
        """The copy of the last boundary serves; this process waits for it."""
        session = self._session
        with session.watch:
            sys.settrace(None)
            obstacle = forkable.obstacle(session.descriptors, self._copy)
            if self._copy is None or obstacle is not None:
                self._drop_copy()
                session.unable(obstacle or self._why_none)
            else:
                session.say_held(self._modules.loadable())
                copy, self._copy = self._copy, None
                posix.waitpid(copy, 0)
            session.leave(reason="nothing more is asked")

    # ---- windows

    def _serve(self):
        """Forks a process for each window and waits for it. Returns in such a process, ready to go
        on with the check; this one ends when nothing more is asked."""
        session = self._session
        number, alive = 0, None
        for path in iter(session.requests.next, None):
            number += 1
            alive = alive or adopt.Alive(self._is_in_tree)
            folder = "%s/suture-window-%d-%d" % (session.temporary, posix.getpid(), number)
            posix.mkdir(folder, 0o700)
            pid = posix.fork()
            if pid == 0:
                asked = plan.read(path, session.plan.tree)
                session.watch.allow("sys.settrace")
                tier = session.become_window(asked, folder)
                session.goes_as_before = lambda: self._went_on
                tier.adopt(self._modules, alive, Called(self._at_import.values()))
                session.watch.tell_earlier()
                self._set_trace(self._trace)
                return
            self._wait_for(pid)
            children.remove_folder(folder)
            session.say_idle()
        posix._exit(0)

    def _wait_for(self, pid):
        """Until a window is over, or whoever asked wants no more of it."""
        while posix.waitpid(pid, posix.WNOHANG)[0] == 0:
            if self._session.requests.says_stop(_PATIENCE):
                posix.kill(pid, _signal.SIGKILL)
                posix.waitpid(pid, 0)
                return


def _with_boundaries(data, path):
    """The syntax tree of a script with a boundary before each statement at its top."""
    tree = compile(data, path, "exec", _ONLY_AST, True)
    body = []
    for statement in tree.body:
        if body and type(statement).__name__ not in _NO_BOUNDARY:
            call = compile("__suture_boundary__()", path, "exec", _ONLY_AST, True).body
            prologue.place(call, statement)
            body += call
        body.append(statement)
    tree.body = body
    return tree
