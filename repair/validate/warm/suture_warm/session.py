"""Life of the process that serves: it runs the check from start to end, and reports."""

import posix
import sys
from os import environ
from os.path import realpath
from time import monotonic

# Imported before the check runs: nothing of the check may be changed later by an import of ours.
from suture_warm import (
    children,
    driver,
    exits,
    failure,
    forkable,
    origin,
    plan,
    requests,
    results,
    watch,
)


def begin(plan_path, results_path):
    """The session to run, or None when nothing can be served: then that has been said."""
    lines = results.Results(results_path)
    try:
        main, reason = driver.command_line()
        if main is None:
            lines.say("unable", reason=reason)
            lines.close()
            return None
        return Session(plan.read(plan_path), lines, main)
    except Exception as error:
        lines.say("unable", reason="%s: %s" % (type(error).__name__, error))
        lines.close()
        return None


class Session:
    """What both tiers share: who waits for an answer, the watch, the children, the end."""

    def __init__(self, asked, lines, main):
        self._begun = monotonic()
        self.goes_as_before = None  # in a window: whether it has called the tree, as the run before
        self.candidate = None  # in a child: the one that it tries
        self.requests = requests.Requests(asked.requests) if asked.requests else None
        self._lines = lines
        self._voice = None  # in a child: says why its verdict cannot count
        self._failure = None  # in a child: the first exception that the check did not expect
        self._leaving = None  # the status, once nothing can change it any more
        self._real = {}
        self.main = main
        self.origin = None  # once the check begins: whose code a file is
        self._exits = None
        self.child_folder = None  # in a child: its temporary folder
        self.descriptors = None  # once the check begins: forkable.Descriptors
        self.watch = watch.Watch(self._on_read, self._on_python)
        self.take(asked)
        if self.requests is not None:
            self._expects = True  # candidates, later
            self.watch.watch_tree(asked.tree)
        self._tier = self._tier_of(asked)

    def _tier_of(self, asked):
        if asked.mode == "preload":
            from suture_warm import preload

            return preload.Preload(self)
        if asked.requests:
            from suture_warm import held

            return held.Held(self)
        if asked.mode == "switch":
            from suture_warm import switch

            return switch.Switch(self)
        from suture_warm import split

        return split.Split(self)

    def take(self, asked):
        """Serves the candidates of this plan from now on, in this process."""
        self.plan = asked
        self._expects = bool(asked.candidates)
        self._waiting = dict.fromkeys(asked.candidates)
        self._refused = False  # some candidate
        self._owner = posix.getpid()
        self.temporary = environ.get("TMPDIR") or "/tmp"
        self.watch.watch_files(asked.paths())
        self.children = self.make_children(self.answer, self.refuse, asked.child_timeout)

    def run(self, run_next):
        """Runs the check and ends the process."""
        driver.finish_site(run_next)
        self.descriptors = forkable.Descriptors()
        self.origin = origin.Origin(self.plan.tree, self.main)
        self._exits = exits.ExitFunctions(self.origin)
        self._tier.begin()
        status = driver.run(self.main, self._tier.script, self._must_show, self.failed)
        self._finish(status)

    def failed(self, error):
        """The check failed with this exception. A child notes the first."""
        if self._voice is not None and self._failure is None:
            try:
                self._failure = failure.describe(error)
            except Exception:
                pass  # what cannot be told must not change how the check ends

    def _must_show(self, hook):
        """What a child prints nobody reads; a hook of the check itself may do more than print."""
        if self._voice is None:
            return True
        if hook is sys.__excepthook__:
            return False
        code = getattr(hook, "__code__", None)
        return code is None or not self.origin.is_third_party(code.co_filename)

    def say_start(self, **fields):
        self._lines.say("start", mode=self.plan.mode, pid=self._owner, **fields)

    def say_held(self, modules):
        self._lines.say("held", modules=modules, seconds=round(monotonic() - self._begun, 6))

    def say_idle(self):
        """A window is over: the next one may come."""
        self._lines.say("idle")

    # ---- candidates

    def waits(self, candidate):
        return candidate in self._waiting

    def refuse(self, candidate, reason):
        if self._voice is not None:
            if candidate is self.candidate:
                self._voice.complain(reason)
        elif candidate in self._waiting:
            del self._waiting[candidate]
            self._refused = True
            self._lines.say("refused", index=candidate.index, reason=reason)

    def too_late(self, candidate, reason):
        """This process was held too late for a candidate: a session of its own may serve it."""
        if candidate in self._waiting:
            del self._waiting[candidate]
            self._lines.say("too_late", index=candidate.index, reason=reason)

    def answer(self, candidate, **verdict):
        if candidate in self._waiting:
            del self._waiting[candidate]
            self._lines.say("verdict", index=candidate.index, **verdict)

    def answer_alike(self, candidate, **verdict):
        """For a candidate that must end as a child of another did, or as the base run (alike.py)."""
        if candidate in self._waiting:
            del self._waiting[candidate]
            self._lines.say("alike", index=candidate.index, **verdict)

    def unable(self, reason):
        if self._voice is not None:
            self._voice.complain(reason)
        elif self._expects and posix.getpid() == self._owner:
            self._expects = False
            self._waiting.clear()
            self._lines.say("unable", reason=reason)

    def stop_when_answered(self):
        """Ends the process when no candidate waits any more and nobody wants to know what else the
        base run imports: preload does, when it is to serve what was refused here."""
        if not self._waiting and not self._refused and self.plan.stop == "when_answered":
            self.leave(reason="every candidate is answered")

    # ---- what the watch sees

    def _on_read(self, path, how):
        if self._voice is None:
            self._tier.refuse_file(self.real(path), how)
        elif path in self.candidate.files:
            self._voice.complain(how)

    def _on_python(self, how):
        self.unable(how)
        if self.requests is not None and posix.getpid() == self._owner:
            self.leave(reason="it could not be held")

    def _on_foreign(self, how):
        if self._voice is None:
            # The base run of a window: the next one would find what this one leaves.
            self._lines.say("tainted", reason=how)
        elif self._leaving is not None:
            # Exit functions cannot change the status; what they would do to others is left undone.
            driver.leave(self._leaving)
        else:
            self._voice.complain(how)

    # ---- services of the tiers

    def make_children(self, answer, refuse, timeout):
        """Children that `answer` and `refuse` (see children.py) hear of."""
        folder = "%s/suture-warm-%d" % (self.temporary, self._owner)
        return children.Children(
            self.plan.jobs, timeout, folder, answer, refuse, self._become_child
        )

    def say(self, event, **fields):
        """A line of a tier's own."""
        self._lines.say(event, **fields)

    def real(self, path):
        found = self._real.get(path)
        if found is None:
            found = self._real[path] = realpath(path)
        return found

    def _become_child(self, candidate, voice, folder):
        self._voice = voice
        self.candidate = candidate
        self.child_folder = folder
        self._lines.close()
        self._close_requests()
        self._keep_to(folder)

    def become_window(self, asked, folder):
        """In a process forked from a held one: it serves a plan. The tier that does."""
        self._close_requests()
        self.take(asked)
        self._keep_to(folder)
        self._tier = self._tier_of(asked)
        return self._tier

    def _close_requests(self):
        if self.requests is not None:
            self.requests.close()
            self.requests = None

    def _keep_to(self, folder):
        """This process may write below `folder` only."""
        self.watch.become_child(folder, self._on_foreign)
        self.use_temporary(folder)

    def use_temporary(self, folder):
        """The folder for temporary files, from now on."""
        self.temporary = environ["TMPDIR"] = folder
        tempfile = sys.modules.get("tempfile")
        if type(tempfile) is type(sys) and tempfile.__dict__.get("tempdir") is not None:
            tempfile.tempdir = folder

    # ---- the end

    def leave(self, **fields):
        """Ends the process that serves, before or without the check's own end."""
        self._end(**fields)
        posix._exit(0)

    def _finish(self, status):
        self._leaving = status
        driver.join_threads()
        if self._voice is None or self._exits.matter():
            driver.run_exit_functions()
        status = driver.flush(status)
        if self._voice is not None and forkable.children() is not None:
            self._voice.complain("a process is left")
        if self._voice is None and posix.getpid() == self._owner:
            self._end(status=status if status >= 0 else 128 - status)
        if self._failure is not None and status != 0:
            self._voice.tell_failure(self._failure)
        driver.leave(status)

    def _end(self, **fields):
        try:
            for candidate in list(self._waiting):
                if self.goes_as_before is not None and not self.goes_as_before():
                    self.too_late(candidate, "the check went another way than before")
                elif self._tier.unreached(candidate):
                    del self._waiting[candidate]
                    self._lines.say("unreached", index=candidate.index)
            fields.update(self._tier.end())
        except Exception as error:
            self.unable("%s: %s" % (type(error).__name__, error))
        self._lines.say("end", **fields)
