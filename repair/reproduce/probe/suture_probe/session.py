"""The life of the probe in one process.

Everything is learnt from audit events and from the trace; no function of the check's world is
replaced, save two that are called at most once in a run: `os._exit` (it would skip the writing) and
the methods by which unittest notes a failure.

| event | what it tells |
|---|---|
| cpython.run_file, cpython.run_command | which script or -c text is the check |
| exec | a module begins to run: the first one of the tree starts the trace |
| open | a file of the tree that is read, not run: some checks look at source text |
| sys.excepthook | an exception ends the main thread; raised whichever hook is installed |
| atexit | the end; registered before all else, hence called last |
"""

import atexit
import os
import sys
import threading
from _thread import allocate_lock, start_new_thread

from suture_probe import inventory, passive, writer
from suture_probe.failures import Failures
from suture_probe.files import CHECK, OTHER, TREE, Files
from suture_probe.operands import Operands
from suture_probe.source import Sources
from suture_probe.trace import Tracer

FORMAT = 1
MAX_PROCESSES = 32
MAX_CALLED = 400
MAX_MAIN_CAPTURES = 20
MAX_OPENED = 2000
MAX_TESTS = 2000
_current = None


def current():
    return _current


def begin(out, tree, deadline):
    global _current
    session = Session(out, tree)
    if session.claim():
        _current = session
        session.watch(deadline)


class Session:
    def __init__(self, out, tree):
        self._base = out
        self._path = None
        self._done = False
        self._files = Files(tree, os.getcwd())
        self._describer = passive.Describer()
        self._failures = Failures(self._files, self._describer)
        self._tracer = Tracer(self._files, self._describer, self._failures, self._main_exception)
        self._operands = Operands(Sources(self._files), self._describer, self._tracer.calls)
        self._ended = None  # (exceptions, operands) of the exception that ended the check
        self._test_failure = None  # the same of the first failure that a test runner caught
        self._main_failure = None  # the same of the exception that passed the outermost frame last
        self._main_captures = 0
        self._opened = {}  # files of the tree, in order
        self._tests = {}  # node id -> "passed", "failed" or "skipped", in the order of the run
        self._watching_unittest = True
        self._alarm = None

    # -- start ---------------------------------------------------------------------------------

    def claim(self):
        """Takes a file of its own: the first process the name itself, others a number behind it."""
        for number in range(MAX_PROCESSES):
            path = self._base if number == 0 else "%s.%d" % (self._base, number)
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
            except FileExistsError:
                continue
            except OSError:
                return False
            self._path = path
            return True
        return False

    def watch(self, deadline):
        plugins = os.environ.get("PYTEST_PLUGINS")
        own = "suture_probe.pytest_plugin"
        if plugins is None or own not in plugins.split(","):
            os.environ["PYTEST_PLUGINS"] = plugins + "," + own if plugins else own
        self._handlers = {
            "exec": self._on_exec,
            "import": self._on_import,
            "open": self._on_open,
            "sys.excepthook": self._on_excepthook,
            "cpython.run_file": lambda args: self._on_run_file(args[0]),
            "cpython.run_command": lambda args: self._files.set_command(args[0]),
        }
        sys.addaudithook(self._audit)
        atexit.register(self.finish)
        self._watch_exit()
        os.register_at_fork(before=self._before_fork, after_in_child=self._after_fork)
        if deadline:
            self._set_alarm(float(deadline))

    def _watch_exit(self):
        real, finish = os._exit, self.finish

        def _exit(status):
            finish()
            return real(status)

        os._exit = _exit

    def _audit(self, event, args):
        handler = self._handlers.get(event)
        if handler is None or self._done:
            return
        try:
            handler(args)
        except Exception as error:
            if not self._tracer.swallow(error):
                raise

    def _on_import(self, args):
        if self._tracer.paused:
            self._tracer.something_happens(sys._getframe(2))

    def _on_open(self, args):
        if self._tracer.paused:
            self._tracer.something_happens(sys._getframe(2))
        path, mode = args[0], args[1]
        if passive.class_module(type(path)).partition(".")[0] == "pathlib":
            path = os.fspath(path)
        reads = type(path) is str and type(mode) is str and not path.endswith(".pyc")
        if not reads or any(letter in mode for letter in "wax+"):
            return
        if len(self._opened) < MAX_OPENED and self._files.kind(path) == TREE:
            self._opened.setdefault(self._files.name(path))

    def _on_run_file(self, script):
        self._files.set_main(os.fsdecode(script))
        if self._files.kind(self._files.main) == TREE:
            self._tracer.start(None)

    def _on_exec(self, args):
        code = args[0]
        if type(code) is not passive.Code:
            return
        if self._watching_unittest:
            self._watch_unittest()
        caller = sys._getframe(2)  # beyond this function and _audit
        if not self._tracer.started and self._files.kind(code.co_filename) == TREE:
            self._tracer.start(caller)
        else:
            self._tracer.module_begins(code, caller)

    def _watch_unittest(self):
        module = sys.modules.get("unittest.result")
        entries = passive.module_dict(module) if type(module) is passive.Module else {}
        result = entries.get("TestResult")
        if type(result) is not type:
            return
        self._watching_unittest = False
        for name in ("addError", "addFailure", "addSubTest"):
            _report_to(self.test_failed, result, name)

    # -- failures ------------------------------------------------------------------------------

    def _capture(self, value, traceback):
        exceptions, stops = self._failures.capture(value, traceback)
        return exceptions, self._operands.of_stack(stops)

    def _on_excepthook(self, args):
        _, _, value, traceback = args
        if value is not None and threading.current_thread() is threading.main_thread():
            self._ended = self._capture(value, traceback)

    def _main_exception(self, value, traceback):
        """An exception passes the outermost frame. Whether it ends the check is known later; frames
        and values are only there now."""
        self._main_captures += 1
        if self._main_captures <= MAX_MAIN_CAPTURES and not self._done:
            exits = type(value) is SystemExit and SystemExit.code.__get__(value) in (None, 0)
            self._main_failure = None if exits else self._capture(value, traceback)

    def test_failed(self, value, traceback):
        """A test runner caught the failure of a test."""
        if self._test_failure is None and not self._done:
            self._test_failure = self._capture(value, traceback)

    def test_step_ended(self, test, step, outcome):
        """A step ("setup", "call" or "teardown") of a test that pytest ran. One bad step spoils the
        test; set-up and clean-up alone do not make it pass."""
        if type(test) is not str or type(outcome) is not str or self._done:
            return
        if test not in self._tests and len(self._tests) >= MAX_TESTS:
            return
        says_nothing = outcome == "passed" and step != "call"
        if self._tests.get(test) != "failed" and not says_nothing:
            self._tests[test] = outcome

    def _final_failure(self):
        if self._ended is not None:
            return self._ended
        if self._test_failure is not None:
            return self._test_failure
        if self._main_failure is not None and self._tracer.main_raised:
            return self._main_failure
        return [], []

    # -- other processes, the deadline ---------------------------------------------------------

    def _before_fork(self):
        # Python 3.12 warns when a process with several threads forks: the check would be the one
        # that is warned.
        if self._alarm is not None and sys.version_info >= (3, 12):
            self._alarm.release()
            self._alarm = None

    def _after_fork(self):
        self._alarm = None
        if not self._done and not self.claim():
            self._done = True

    def _set_alarm(self, seconds):
        self._alarm = allocate_lock()
        self._alarm.acquire()
        # Not a threading.Thread: the check may count its threads.
        start_new_thread(
            self._wait_for_deadline, (self._alarm, seconds, threading.main_thread().ident)
        )

    def _wait_for_deadline(self, alarm, seconds, main):
        try:
            if alarm.acquire(timeout=seconds) or self._done:
                return
            self._write(self._evidence(self._hang(main, seconds), []))
        except BaseException:
            pass

    def _hang(self, main, seconds):
        """The stacks of all threads in the form of exceptions, the most telling last: the one that
        is inside the tree, the main thread's when several are."""
        stacks = []
        for thread, frame in sys._current_frames().items():
            if frame.f_code.co_filename == __file__:
                continue
            message = "still running after %g seconds" % seconds
            data = self._failures.capture_stack(frame, "Hang", message)
            inside = any(f["in_tree"] for f in data["frames"])
            stacks.append(((inside, thread == main), data))
        stacks.sort(key=lambda entry: entry[0])
        return [data for _, data in stacks[-6:]]

    # -- end -----------------------------------------------------------------------------------

    def finish(self):
        if self._done:
            return
        self._done = True
        try:
            self._tracer.stop()
            exceptions, operands = self._final_failure()
            self._write(self._evidence(exceptions, operands))
        except Exception:
            pass

    def _write(self, evidence):
        writer.write(self._path, evidence)

    def _evidence(self, exceptions, operands):
        executed = {}
        for record in list(self._tracer.records.values()):
            if record.in_tree:
                executed.setdefault(record.file, set()).update(record.lines)
        for exception in exceptions:
            for frame in exception["frames"]:
                if frame["in_tree"]:
                    executed.setdefault(frame["file"], set()).add(frame["at"][0])
        evidence = {
            "format": FORMAT,
            "python": "%d.%d.%d" % sys.version_info[:3],
            "tree": self._files.tree,
            "exceptions": exceptions,
            "operands": operands,
            "swallowed": _attempt([], self._failures.swallowed, exceptions),
            "called": _attempt([], self._called),
            "executed": {file: sorted(lines) for file, lines in executed.items()},
            "opened": [file for file in self._opened if file not in executed],
            "tests": [{"id": test, "outcome": outcome} for test, outcome in self._tests.items()],
            "check_files": _attempt([], inventory.check_files, self._files),
            "modules": _attempt({}, inventory.tree_modules, self._files),
            "mocked": _attempt({}, inventory.mocked_modules, self._files),
            "packages": _attempt([], inventory.packages, self._files),
        }
        if sys.version_info < (3, 11):
            _attempt(None, _add_qualified_names, evidence, Sources(self._files), self._files)
        evidence["classes"] = self._describer.classes
        return evidence

    def _called(self):
        records = [
            r for r in self._tracer.records.values() if r.in_tree and r.is_function and r.calls
        ]
        # What ran after import comes first when there is too much.
        records.sort(key=lambda record: (record.during_import, record.order))
        records = sorted(records[:MAX_CALLED], key=lambda record: record.order)
        return [_called_entry(record) for record in records]


def _attempt(otherwise, function, *arguments):
    """One part of the evidence; that it cannot be had does not cost the others."""
    try:
        return function(*arguments)
    except Exception:
        return otherwise


def _called_entry(record):
    code = record.code
    entry = {
        "file": record.file,
        "qualname": getattr(code, "co_qualname", None) or code.co_name,
        "first_line": code.co_firstlineno,
        "last_line": last_line(code),
        "calls": record.calls,
        "order": record.order,
        "during_import": record.during_import,
        "lines": sorted(record.lines),
        "arguments": record.arguments or {},
        "locals": record.locals or {},
        "raised": record.raised,
        "caller_file": record.caller_file,
        "caller_line": record.caller_line,
    }
    if record.returned is not None:
        entry["returned"] = record.returned
    return entry


def last_line(code):
    """The last line that has code of a function or of one defined inside it."""
    last = code.co_firstlineno
    if hasattr(code, "co_lines"):
        for _, _, line in code.co_lines():
            if line is not None and line > last:
                last = line
    else:
        line = last
        for step in code.co_lnotab[1::2]:
            line += step - 256 if step >= 128 else step
            last = max(last, line)
    for constant in code.co_consts:
        if type(constant) is passive.Code:
            last = max(last, last_line(constant))
    return last


def _report_to(listener, result_class, name):
    """Lets `listener` see what a method of unittest's TestResult is given."""
    original = result_class.__dict__.get(name)
    if type(original) is not passive.Function:
        return

    def method(self, test, *rest):
        try:
            error = rest[-1]
            if type(error) is tuple and len(error) == 3 and error[1] is not None:
                listener(error[1], error[2])
        except Exception:
            pass
        return original(self, test, *rest)

    method.__name__, method.__qualname__ = original.__name__, original.__qualname__
    method.__doc__, method.__module__ = original.__doc__, original.__module__
    setattr(result_class, name, method)


def _add_qualified_names(evidence, sources, files):
    """Before Python 3.11 code objects know only their own name; the source knows the rest."""
    tables = {}

    def fix(entry, name):
        file = entry["file"]
        if file.startswith("<"):
            return
        if file not in tables:
            text = sources.get(file if file.startswith("/") else files.tree + "/" + file)
            tables[file] = {(l, n): q for l, n, q in text.functions()} if text is not None else {}
        entry["qualname"] = tables[file].get((entry["first_line"], name), entry["qualname"])

    for entry in evidence["called"]:
        fix(entry, entry["qualname"])
    for exception in evidence["exceptions"] + evidence["swallowed"]:
        for frame in exception["frames"]:
            if frame["in_tree"] or frame["in_check"]:
                fix(frame, frame["function"])
