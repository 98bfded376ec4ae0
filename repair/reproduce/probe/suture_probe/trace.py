"""What ran: functions of the tree, their lines, arguments and results (sys.settrace).

Tracing starts with the first code of the tree that runs (session.py), so that imports of large
packages before it cost nothing, and it pauses while a module outside the tree is imported. Other
code outside tree and check is turned away after one look at its file name. Lines are recorded in
the tree only; frames of the check are watched for exceptions and results. All limits count events,
never seconds, so that two runs give the same evidence.
"""

import sys
from _thread import get_ident

from suture_probe.files import CHECK, OTHER, TREE
from suture_probe.passive import raised_by_check

MAX_FUNCTIONS = 4000  # code objects watched; far fewer are reported
MAX_LINE_EVENTS = 5000  # of one code object, then its lines are no longer traced
MAX_SNAPSHOTS = 3000  # of locals, over all functions
MAX_EXCEPTIONS = 200  # looked at for one code object
MAX_LOCALS = 40
_STACK_RESERVE = 120  # frames that are left to the check and to whatever looks at it
_FRAGILE_STACK = sys.version_info < (3, 10)
# A frame that was traced once shows, in tracebacks, the line where it was when the trace went off.
_STALE_LINES = sys.version_info < (3, 10)
_ALWAYS_SNAPSHOT = 8  # calls whose end is looked at; after that only calls 16, 32, 64 ...
_FUNCTION = 0x01  # co_flags: CO_OPTIMIZED, absent on modules and class bodies
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_CONTROL_FLOW = (StopIteration, GeneratorExit, StopAsyncIteration)


def _opcodes():
    import opcode

    find = opcode.opmap.get
    names = "RETURN_VALUE RETURN_CONST RETURN_GENERATOR YIELD_VALUE YIELD_FROM SEND"
    returns = frozenset(find(name) for name in names.split() if find(name) is not None)
    return find("RESUME"), returns


_RESUME, _RETURNS = _opcodes()


class FunctionRecord:
    """One code object of the tree or the check."""

    __slots__ = (
        "code",
        "bytes",
        "file",
        "in_tree",
        "is_function",
        "is_module",
        "lines",
        "events",
        "calls",
        "ends",
        "order",
        "during_import",
        "arguments",
        "locals",
        "returned",
        "raised",
        "caller_file",
        "caller_line",
        "pending",
        "exceptions",
        "trace",
    )

    def __init__(self, code, file, in_tree):
        self.code, self.file, self.in_tree = code, file, in_tree
        self.bytes = code.co_code
        self.is_function = bool(code.co_flags & _FUNCTION) and code.co_name not in _COMPREHENSIONS
        self.is_module = code.co_name == "<module>"
        self.lines = set()
        self.events = self.calls = self.ends = self.order = self.exceptions = self.caller_line = 0
        self.during_import = True
        self.arguments = self.locals = self.returned = self.pending = None
        self.raised = self.caller_file = ""
        self.trace = None


class CallResults:
    """Results of calls made by lines of the check, by the place of the call."""

    MAX = 2000

    def __init__(self):
        self._by_place = {}
        self._codes = {}  # keeps code objects alive, so that ids stay theirs
        self._positions = {}

    def add(self, caller, callee_code, result):
        if len(self._by_place) >= self.MAX or callee_code.co_name in ("__init__", "__new__"):
            return
        code = caller.f_code
        self._codes[id(code)] = code
        self._by_place[(id(code), caller.f_lasti, callee_code.co_name)] = (
            caller.f_lineno,
            callee_code,
            result,
        )

    def result_at(self, code, node, callee):
        """The recorded result of the expression `node` in `code`: what a function returned that was
        called right there. `callee`: name and code of the function that a call names, where known.
        """
        name, known_code = callee
        best = None
        for (code_id, lasti, callee_name), (line, callee_code, result) in self._by_place.items():
            if code_id != id(code) or not self._at(code, lasti, line, node):
                continue
            if name is None or callee_name == name or callee_code is known_code:
                best = result
        return best

    def _at(self, code, lasti, line, node):
        if not hasattr(code, "co_positions"):
            return line in (node.lineno, node.end_lineno) and hasattr(node, "func")
        if id(code) not in self._positions:
            self._positions[id(code)] = list(code.co_positions())
        positions = self._positions[id(code)]
        if lasti // 2 >= len(positions):
            return False
        _, end_line, _, end_column = positions[lasti // 2]
        # The end of an expression is its own; its start it shares with its first operand.
        return (end_line, end_column) == (node.end_lineno, node.end_col_offset)


class _AtEnd:
    """Calls a function when it dies."""

    __slots__ = ("_call",)

    def __init__(self, call):
        self._call = call

    def __del__(self):
        try:
            self._call()
        except Exception:
            pass


class Tracer:
    """`failures`: makes exceptions into data (failures.py). `on_main_exception(value, traceback)`:
    called when an exception passes the outermost frame of the script that was started."""

    def __init__(self, files, describer, failures, on_main_exception):
        self.records = {}
        self.calls = CallResults()
        self.started = False
        self.main_raised = False  # whether the outermost frame ended with an exception
        self._files = files
        self._describer = describer
        self._failures = failures
        self._on_main_exception = on_main_exception
        self._skip = set()
        self._order = 0
        self._snapshots = 0
        self._paused = {}  # thread -> id of the frame whose end ends the pause
        self._stopped = False
        self._importing = {}  # thread -> how many modules of the tree it is executing
        self._global = self._make_global()

    def start(self, frame):
        """Begins tracing; frames already running from `frame` outwards are watched as well."""
        if self.started or sys.gettrace() is not None:
            return  # a debugger or a coverage tool was first
        self.started = True
        while frame is not None:
            if self._kind(frame) != OTHER and frame.f_trace is None:
                record = self._record(frame)
                if record is not None:
                    frame.f_trace = record.trace
                    frame.f_trace_lines = record.in_tree
            frame = frame.f_back
        threading = sys.modules.get("threading")
        if threading is not None:
            threading.settrace(self._global)
        sys.settrace(self._global)

    def module_begins(self, code, caller):
        """The import system is about to run a module; `caller` is its frame that does. The trace
        pauses for modules of libraries and goes on for modules of the tree that these import."""
        imports = caller.f_code.co_name == "_call_with_frames_removed"
        if not self.started or not imports or _STALE_LINES:
            return
        keywords = caller.f_locals.get("kwds")
        library = self._files.kind(code.co_filename) == OTHER
        running = sys.gettrace() is self._global
        if type(keywords) is not dict or library != running:
            return
        if running:
            self._paused[get_ident()] = id(caller)
            sys.settrace(None)
        elif get_ident() in self._paused:
            sys.settrace(self._global)
        else:
            return
        # Nothing tells when a module has been run, and nothing of the import system is to be
        # replaced. But the caller's frame has a dictionary of its own that nobody will look at
        # again; what is put there dies when the frame does, and can say so.
        outer = self._paused.get(get_ident())
        keywords["suture_probe"] = _AtEnd(self._resume if running else lambda: self._pause(outer))

    def something_happens(self, frame):
        """Looks whether a pause is over without its frame having died: an import failed, and
        somebody keeps the exception."""
        wanted = self._paused.get(get_ident())
        while wanted is not None and frame is not None:
            if id(frame) == wanted:
                return
            frame = frame.f_back
        if wanted is not None:
            self._resume()

    def _resume(self):
        if self._paused.pop(get_ident(), None) is not None:
            if sys.gettrace() is None and not self._stopped:
                sys.settrace(self._global)

    def _pause(self, frame):
        if sys.gettrace() is self._global:
            self._paused[get_ident()] = frame
            sys.settrace(None)

    @property
    def paused(self):
        return bool(self._paused)

    def stop(self):
        self._stopped = True
        if self.started and sys.gettrace() is self._global:
            sys.settrace(None)

    def swallow(self, error):
        """Whether an exception in the probe's own code stays there. One that a signal handler of
        the check raised while we were running belongs to the check."""
        return not raised_by_check(error)

    def _make_global(self):
        skip = self._skip
        enter = self._enter

        def trace(frame, event, arg):
            # Where the check runs out of stack, so do we. Older Pythons abort when that is caught
            # and the stack goes on growing.
            try:
                if frame.f_code.co_filename in skip:
                    return None
                return enter(frame)
            except RecursionError:
                if _FRAGILE_STACK:
                    raise
                return None

        return trace

    def _leaves_no_room(self):
        """Stops the trace for good when the stack is nearly full: it is all for the check."""
        try:
            sys._getframe(sys.getrecursionlimit() - _STACK_RESERVE)
        except ValueError:
            return False
        self._stopped = True
        sys.settrace(None)
        frame = sys._getframe()
        while frame is not None:
            if frame.f_trace is not None:
                frame.f_trace = None  # _STALE_LINES
            frame = frame.f_back
        return True

    def _kind(self, frame):
        filename = frame.f_code.co_filename
        if filename == "<string>" and self._files.command is not None:
            return CHECK if frame.f_globals.get("__name__") == "__main__" else OTHER
        return self._files.kind(filename)

    def _enter(self, frame):
        try:
            if self._kind(frame) == OTHER:
                if frame.f_code.co_filename != "<string>":
                    self._skip.add(frame.f_code.co_filename)
                return None
            record = None if self._leaves_no_room() else self._record(frame)
            if record is None:
                return None
            if self._is_start(frame, record):
                self._called(frame, record)
            if not record.in_tree or record.events > MAX_LINE_EVENTS:
                frame.f_trace_lines = False
            return record.trace
        except BaseException as error:
            if self.swallow(error):
                return None
            raise

    def _record(self, frame):
        code = frame.f_code
        record = self.records.get(id(code))
        if record is None and len(self.records) < MAX_FUNCTIONS:
            in_tree = self._kind(frame) == TREE
            record = FunctionRecord(code, self._files.name(code.co_filename), in_tree)
            record.trace = self._make_local(record)
            self.records[id(code)] = record
        return record

    def _is_start(self, frame, record):
        """A generator that goes on is also announced as a call."""
        lasti = frame.f_lasti
        if _RESUME is not None and lasti >= 0 and record.bytes[lasti] == _RESUME:
            return record.bytes[lasti + 1] == 0
        return lasti <= 0

    def _called(self, frame, record):
        record.calls += 1
        if record.is_module and record.in_tree:
            thread = get_ident()
            self._importing[thread] = self._importing.get(thread, 0) + 1
        elif not self._importing.get(get_ident()):
            record.during_import = False
        if record.calls > 1 or not (record.is_function and record.in_tree):
            return
        self._order += 1
        record.order = self._order
        caller = frame.f_back
        if caller is not None:
            record.caller_file = self._files.name(caller.f_code.co_filename)
            record.caller_line = caller.f_lineno or 0
        record.arguments = self._arguments(frame)

    def _arguments(self, frame):
        code, local = frame.f_code, frame.f_locals
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
        describe = self._describer.describe
        return {name: describe(local[name]) for name in code.co_varnames[:count] if name in local}

    def _make_local(self, record):
        add_line = record.lines.add

        def trace(frame, event, arg):
            if event == "line":
                add_line(frame.f_lineno)
                record.pending = None
                record.events += 1
                if record.events > MAX_LINE_EVENTS:
                    frame.f_trace_lines = False
                return trace
            try:
                if event == "exception":
                    self._exception(frame, record, arg)
                elif event == "return":
                    self._returned(frame, record, arg)
            except BaseException as error:
                if not self.swallow(error):
                    raise
            return trace

        return trace

    def _exception(self, frame, record, arg):
        kind, value, traceback = arg
        if any(kind is flow for flow in _CONTROL_FLOW) or traceback is None:
            return
        if record.in_tree:
            record.lines.add(frame.f_lineno)
        record.pending = kind
        record.exceptions += 1
        if record.is_module and frame.f_globals.get("__name__") == "__main__":
            self._on_main_exception(value, traceback)
        elif record.exceptions <= MAX_EXCEPTIONS:
            self._failures.note(value, traceback)

    def _returned(self, frame, record, arg):
        raised = record.bytes[frame.f_lasti] not in _RETURNS if frame.f_lasti >= 0 else arg is None
        if record.is_module:
            if record.in_tree:
                thread = get_ident()
                self._importing[thread] = max(0, self._importing.get(thread, 0) - 1)
            if frame.f_globals.get("__name__") == "__main__":
                self.main_raised = raised
        if not record.is_function:
            return
        kind, record.pending = record.pending, None
        if raised:
            record.raised = self._failures.type_name(kind) if kind is not None else record.raised
            if frame.f_back is None or self._kind(frame.f_back) == OTHER:
                self._failures.left_for_library()
        else:
            record.raised = ""
        if self._wants_snapshot(record, raised):
            self._snapshot(frame, record, raised, arg)

    def _wants_snapshot(self, record, raised):
        record.ends += 1  # a generator ends, for now, at each yield
        ends = record.ends
        return self._snapshots < MAX_SNAPSHOTS and (
            ends <= _ALWAYS_SNAPSHOT
            or ends & (ends - 1) == 0
            or (raised and record.exceptions < 20)
        )

    def _snapshot(self, frame, record, raised, arg):
        self._snapshots += 1
        describe = self._describer.describe
        result = None if raised else describe(arg)
        caller = frame.f_back
        if result is not None and caller is not None and self._kind(caller) == CHECK:
            self.calls.add(caller, record.code, result)
        if not record.in_tree:
            return
        local = frame.f_locals
        names = [name for name in list(local) if is_telling(name)][:MAX_LOCALS]
        record.locals = {name: describe(local[name]) for name in names}
        record.returned = result


def is_telling(name):
    """Not a name that the compiler or pytest's rewriting made up."""
    return type(name) is str and not name.startswith(("@", ".", "__"))


