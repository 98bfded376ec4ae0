"""Exceptions and stacks as data.

Two kinds of look: `note` is taken at every exception that passes through the tree while it runs
and keeps little; `capture` is taken of the exception that ends the check and keeps all there is.
"""

import sys

from suture_probe import passive
from suture_probe.files import CHECK, OTHER, TREE
from suture_probe.operands import Stop
from suture_probe.trace import is_telling

MAX_CHAIN = 6
MAX_FRAMES = 60
MAX_LOCALS = 60
MAX_NOTES = 60  # kept; the report takes the newest of them
MAX_SITES = 60  # places whose locals are kept for noted exceptions
MAX_MESSAGE = 2000

_args = BaseException.args.__get__
_cause = BaseException.__cause__.__get__
_context = BaseException.__context__.__get__
_traceback = BaseException.__traceback__.__get__
_suppress = BaseException.__dict__["__suppress_context__"].__get__


class Note:
    """An exception on its way. `key` and `outer` tell whether another event is the same one."""

    __slots__ = ("key", "outer", "data", "escaped")


class Failures:
    def __init__(self, files, describer):
        self._files = files
        self._describer = describer
        self._notes = []
        self._sites = set()

    def type_name(self, kind):
        return passive.class_name(kind)

    # -- while the check runs ------------------------------------------------------------------

    def note(self, value, traceback):
        """An exception passes a frame of the tree or the check, where `traceback` begins."""
        key = (id(value), id(type(value)))
        stops = self._stops_of_traceback(traceback)
        note = self._notes[-1] if self._notes else None
        if note is not None and note.key == key:
            for index, stop in enumerate(stops):
                if (id(stop.frame), stop.lasti) == note.outer:
                    # The same exception one or more frames further out.
                    note.data["frames"][:0] = [
                        self._frame(s, self._first_visit(s)) for s in stops[:index]
                    ]
                    note.outer = (id(stops[0].frame), stops[0].lasti)
                    note.escaped = False
                    return
        note = Note()
        note.key, note.escaped = key, False
        note.outer = (id(stops[0].frame), stops[0].lasti)
        note.data = self._exception(value, stops[-MAX_FRAMES:], self._first_visit)
        self._notes.append(note)
        if len(self._notes) > MAX_NOTES:
            del self._notes[0]

    def left_for_library(self):
        """The exception noted last left a frame of the tree or the check for code that is neither.
        Where it does not come back to the check (see note), a library caught it: a thread's or a
        worker's end, for instance."""
        if self._notes:
            self._notes[-1].escaped = True

    def _first_visit(self, stop):
        site = (id(stop.frame.f_code), stop.lasti)
        if stop.kind == OTHER or site in self._sites or len(self._sites) >= MAX_SITES:
            return False
        self._sites.add(site)
        return True

    def swallowed(self, ended, limit=20):
        """Noted exceptions that are not part of the chain that ended the check, newest last."""
        own = {_fingerprint(data) for data in ended}
        rest = [n for n in self._notes if _fingerprint(n.data) not in own]
        return [dict(n.data, escaped=n.escaped) for n in rest[-limit:]]

    # -- at the end ----------------------------------------------------------------------------

    def capture(self, value, traceback=None):
        """(exceptions, stops): the chain with the one that ended the check last, and its stack."""
        chain, seen = [], set()
        error, tb = value, traceback
        last_stops = []
        while error is not None and id(error) not in seen and len(chain) < MAX_CHAIN:
            seen.add(id(error))
            stops = self._stops_of_traceback(tb if tb is not None else _traceback(error))
            stops = self._trim(stops)
            data = self._exception(error, stops, lambda stop: True)
            if error is value:
                last_stops = stops
                data["frames"].extend(_syntax_frame(error, self._files))
            chain.append(data)
            error, tb = _cause_of(error), None
        chain.reverse()
        return chain, last_stops

    def capture_stack(self, frame, kind, message):
        """A running stack in the form of an exception."""
        stops = []
        while frame is not None:
            stops.append(self._stop(frame, frame.f_lineno or 0, frame.f_lasti))
            frame = frame.f_back
        stops.reverse()
        stops = self._trim(stops)
        return {
            "type": kind,
            "module": "suture_probe",
            "message": message,
            "frames": [self._frame(stop, stop.kind != OTHER) for stop in stops],
        }

    def _trim(self, stops):
        """Without the frames of a test runner around the check, and not endlessly many."""
        for index, stop in enumerate(stops):
            if stop.kind != OTHER:
                stops = stops[index:]
                break
        return stops if len(stops) <= MAX_FRAMES else stops[:10] + stops[10 - MAX_FRAMES :]

    def _stops_of_traceback(self, traceback):
        stops = []
        while traceback is not None:
            stops.append(
                self._stop(traceback.tb_frame, traceback.tb_lineno or 0, traceback.tb_lasti)
            )
            traceback = traceback.tb_next
        return stops

    def _stop(self, frame, line, lasti):
        filename = frame.f_code.co_filename
        kind = self._files.kind(filename)
        if filename == "<string>" and self._files.command is not None:
            kind = CHECK if frame.f_globals.get("__name__") == "__main__" else OTHER
        return Stop(frame, line, lasti, kind)

    def _exception(self, value, stops, wants_locals):
        innermost = {id(stop) for stop in stops[-3:]}
        kind = type(value)
        frames = []
        for stop in stops:
            # Of library code only what lies right around the failure is of use.
            near = stop.kind != OTHER or (
                id(stop) in innermost and wants_locals is not self._first_visit
            )
            frames.append(self._frame(stop, near and wants_locals(stop)))
        return {
            "type": passive.class_name(kind),
            "module": passive.class_module(kind),
            "message": message_of(value),
            "frames": frames,
        }

    def _frame(self, stop, with_locals):
        code = stop.frame.f_code
        data = {
            "file": self._files.name(code.co_filename),
            "in_tree": stop.kind == TREE,
            "in_check": stop.kind == CHECK,
            "function": code.co_name,
            "qualname": getattr(code, "co_qualname", None) or code.co_name,
            "first_line": code.co_firstlineno,
            "at": position_of(code, stop.lasti, stop.line),
        }
        if code.co_filename.startswith("<") and stop.kind == CHECK:
            data["file"] = code.co_filename
        if with_locals:
            data["locals"] = self._locals(stop)
        return data

    def _locals(self, stop):
        frame = stop.frame
        local = frame.f_locals
        names = [name for name in list(local) if is_telling(name)]
        if len(names) > MAX_LOCALS:
            # Names that the code of the frame mentions come first: of a module's hundred globals
            # these are the ones that matter.
            used = set(frame.f_code.co_names) | set(frame.f_code.co_varnames)
            names.sort(key=lambda name: name not in used)
            del names[MAX_LOCALS:]
        describe = self._describer.describe
        deep = stop.kind != OTHER
        out = {}
        for name in names:
            if name in local:
                owner = name in ("self", "cls") and deep
                out[name] = describe(local[name], 2 if owner else 1, deep)
        return out


def position_of(code, lasti, line):
    """[line, end line, column, end column] of an instruction; columns are UTF-8 bytes, -1 where
    this Python does not record them."""
    if hasattr(code, "co_positions") and lasti >= 0:
        for index, found in enumerate(code.co_positions()):
            if index == lasti // 2:
                if None not in found:
                    return [found[0], found[1], found[2], found[3]]
                break
    return [line, line, -1, -1]


def _cause_of(error):
    cause = _cause(error)
    if cause is None and not _suppress(error):
        cause = _context(error)
    if cause is None:
        group = getattr(sys.modules["builtins"], "BaseExceptionGroup", None)
        if group is not None and any(base is group for base in passive.mro(type(error))):
            cause = group.exceptions.__get__(error)[0]
    return cause


def message_of(value):
    """What str() would say, as far as C code alone can tell."""
    arguments = _args(value)
    kind = type(value)
    _, own_text = passive.find_in_class(kind, "__str__")
    if type(own_text) is passive.Function:
        texts = [a for a in arguments if type(a) is str]
        return passive.short(texts[0] if texts else "", MAX_MESSAGE)
    if all(type(a) in (str, int, float, bool, type(None)) for a in arguments):
        return passive.short(own_text(value), MAX_MESSAGE)
    parts = [
        a if type(a) is str and len(arguments) == 1 else passive.text_of(a, 3, 500)
        for a in arguments
    ]
    return passive.short(parts[0] if len(parts) == 1 else "(" + ", ".join(parts) + ")", MAX_MESSAGE)


def _syntax_frame(error, files):
    """The place that a SyntaxError names, as the innermost frame."""
    if not any(base is SyntaxError for base in passive.mro(type(error))):
        return
    filename, line = SyntaxError.filename.__get__(error), SyntaxError.lineno.__get__(error)
    if type(filename) is not str or type(line) is not int:
        return
    kind = files.kind(filename)
    yield {
        "file": files.name(filename),
        "in_tree": kind == TREE,
        "in_check": kind == CHECK,
        "function": "<module>",
        "qualname": "<module>",
        "first_line": 1,
        "at": [line, line, -1, -1],
    }


def _fingerprint(data):
    inner = data["frames"][-1] if data["frames"] else {}
    return data["type"], data["message"], inner.get("file"), tuple(inner.get("at", ()))
