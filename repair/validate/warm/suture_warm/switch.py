"""Predicate switching: what happens when a condition comes out the other way.

The check runs once with a hook around each condition (conditions.py). At the first visit of one, a
child, the *pilot*, runs on to the end and counts in shared memory how often each condition is
visited and what it gives. The process itself then goes on, and forks a child for each forced
outcome at the last moment at which it still is what that child was up to there:

- a condition forced true at *every visit*: at the first visit at which it came out false, after it
  was evaluated. (Where it is true at every visit, forcing it true changes nothing: no child.)
- forced at *one visit*, tried where no forcing at every visit has passed by then and it is not the
  same: at that visit. The last one is the nearest to the failure, then comes the first.
- a condition whose evaluation does not come to an end: both ways, before it is evaluated.

In a child the condition is still evaluated (what it calls may be needed), except in the last case
and where it can only give a value. The verdict is the child's exit status, as ever.
"""

import builtins
import mmap

from suture_warm import adopt, conditions, fork_point, sources, targets

_COUNTS = 7  # numbers a condition in shared memory, the last two one for each forced outcome:
_STARTS, _VISITS, _TRUE, _LOST, _PENDING, _AGAIN, _ = range(_COUNTS)
# A forced loop may never end. The base run visits it so often; much more is none that helps.
_MOST_VISITS = 1000
_LONGER = 4  # a child may take so many times what the base run takes from there
_EXTRA_SECONDS = 5.0


class _State:
    """What is known of a condition. Visits are counted as they are evaluated to the end; `starts`
    counts those that began."""

    def __init__(self, condition):
        self.condition = condition
        self.loop = False
        self.acts = False  # its evaluation may do more than give a value
        self.starts = self.visits = 0
        self.seen = {True: 0, False: 0}  # visits that gave this
        # From the pilot: how often it is begun, evaluated and true; and the start that is lost.
        self.all_starts = self.all_visits = self.all_true = self.lost = 0
        self.tried = set()
        self.passes = False
        self.wanted = 0  # children with an outcome forced at every visit
        self.uniform = self.single = 0  # children that may still be forked

    def all_of(self, outcome):
        return self.all_true if outcome else self.all_visits - self.all_true


class Trial:
    """An outcome to force. `visit`: 0 for every visit."""

    def __init__(self, state, outcome, visit, skip):
        self.state = state
        self.outcome = outcome
        self.visit = visit
        self.skip = skip  # instead of evaluating it
        self.files = state.condition.files


class _Pilot:
    def __init__(self, files):
        self.files = files


class Switch:
    """`session`: see session.py; its candidates are conditions here."""

    def __init__(self, session):
        self._session = session
        self._states = [_State(condition) for condition in session.plan.candidates]
        self._files = {}  # real path -> [state]
        for state in self._states:
            self._files.setdefault(state.condition.path, []).append(state)
        self._piloted = False
        self._is_pilot = False
        self._trial = None  # in a child: the one that it forces
        self._over = 0  # in a child: visits that may still come
        self._open = 0  # conditions of which visits are still to come
        self._ended = None  # of the pilot: fields of its verdict
        size = max(1, len(self._states)) * _COUNTS * 8
        self._counts = memoryview(mmap.mmap(-1, size)).cast("Q")
        self._pilots = session.make_children(
            self._pilot_ended, self._pilot_refused, session.plan.child_timeout
        )
        self._children = None
        builtins.__suture_skips__ = self._skips
        builtins.__suture_forced__ = self._forced
        builtins.__suture_saw__ = self._saw
        self._sources = sources.Sources(session, self._files, self._code, self.refuse_file)
        self.script = self._sources.script

    def begin(self):
        self._session.say_start()

    def end(self):
        return {}

    def adopt(self, found, alive, called):
        """For a process that was held before its plan came (see split.py)."""
        edits = {path: [state.condition for state in self._files[path]] for path in self._files}
        with self._session.watch:
            for filename in adopt.loaded(self._session, self._sources, edits, alive):
                real = self._session.real(filename)
                try:
                    file = adopt.File(filename, real)
                    file.adopt(self._hook(file.base), alive, called, self._session.too_late)
                except Exception as error:
                    self.refuse_file(real, "the file could not be prepared: %r" % (error,))

    def _code(self, path, data):
        base = targets.BaseFile(path, data)
        self._hook(base)
        return compile(base.tree, path, "exec", 0, True)

    def _hook(self, base):
        """Puts the hooks into a file's tree: [(function, its conditions)]."""
        found = conditions.Conditions(base.data, base.tree)
        hooked = []
        for state in self._files[self._session.real(base.path)]:
            try:
                slot = found.at(state.condition.start, state.condition.end)
            except conditions.NotFound as refusal:
                self._session.refuse(state.condition, str(refusal))
                continue
            state.loop = slot.is_loop()
            state.acts = conditions.may_act(slot.get())
            conditions.hook(slot, state.condition.index)
            hooked.append((slot.function, [state.condition]))
        return hooked

    def refuse_file(self, path, reason):
        for state in self._files.get(self._session.real(path), ()):
            self._session.refuse(state.condition, reason)

    # ---- the hooks

    def _skips(self, number):
        """At the begin of a visit: whether the condition is not to be evaluated."""
        state = self._states[number]
        if self._trial is not None:
            return self._trial.state is state and self._skipped(state)
        if not self._piloted:
            self._guarded(self._start_pilot)
        state.starts += 1
        if self._is_pilot:
            self._count_start(state)
        elif state.starts == state.lost:
            self._guarded(self._fork_before, state)
            if self._trial is not None:
                return True
            self._see_end(state)
        return False

    def _forced(self, number):
        """The value of a condition that is not evaluated."""
        return self._trial.outcome

    def _saw(self, number, value):
        """At the end of a visit: the value that counts."""
        state = self._states[number]
        if self._trial is not None:
            return self._trial.outcome if self._applies(state) else value
        state.visits += 1
        state.seen[value] += 1
        if self._is_pilot:
            self._count_end(state, value)
        elif state.uniform or state.single:
            self._guarded(self._fork_at, state, value)
            if self._trial is not None:
                return self._trial.outcome
        if self._piloted and not self._is_pilot:
            self._see_end(state)
        return value

    def _guarded(self, act, *arguments):
        """Whatever goes wrong with us must not reach the check."""
        try:
            act(*arguments)
        except Exception as error:
            self._session.unable("%s: %s" % (type(error).__name__, error))

    # ---- the pilot

    def _start_pilot(self):
        self._piloted = True
        try:
            mine = fork_point.serve(self._session, self._pilots, [_Pilot(self._files)])
        except fork_point.Refused as refusal:
            self._give_up(str(refusal))
            return
        if mine is not None:
            self._is_pilot = True
            return
        if self._ended is None:
            return  # it was refused, and this process is ending
        if self._ended.get("status") == 0:
            self._give_up("the check passes")
        self._read_counts()

    def _pilot_ended(self, pilot, **verdict):
        self._ended = verdict

    def _pilot_refused(self, pilot, reason):
        self._give_up(reason)

    def _give_up(self, reason):
        self._session.unable(reason)
        self._session.leave()

    def _count_start(self, state):
        at = state.condition.index * _COUNTS
        counts = self._counts
        counts[at + _STARTS] += 1
        if counts[at + _PENDING] and not counts[at + _LOST]:
            counts[at + _LOST] = counts[at + _STARTS] - 1
        counts[at + _PENDING] = 1

    def _count_end(self, state, value):
        at = state.condition.index * _COUNTS
        counts = self._counts
        counts[at + _VISITS] += 1
        counts[at + _TRUE] += value
        counts[at + _PENDING] = 0

    def _read_counts(self):
        seconds = self._ended["seconds"] * _LONGER + _EXTRA_SECONDS
        self._children = self._session.make_children(
            self._answer, self._refuse, min(seconds, self._session.plan.child_timeout)
        )
        for state in self._states:
            at = state.condition.index * _COUNTS
            numbers = self._counts[at : at + _COUNTS]
            state.all_starts, state.all_visits = numbers[_STARTS], numbers[_VISITS]
            state.all_true = numbers[_TRUE]
            if state.all_starts > state.all_visits:  # else it was only visited within itself
                state.lost = numbers[_LOST] or state.all_starts
            self._open += state.all_starts > 0
        self._share_out(self._session.plan.most_children)

    def _share_out(self, left):
        """The first conditions come first; every visit before one visit."""
        reached = [state for state in self._states if state.all_starts]
        for state in reached:
            state.wanted = len({True, False} if state.lost else self._outcomes(state))
            state.uniform = min(left, state.wanted)
            left -= state.uniform
        for state in reached:
            visits = [self._single_visits(state.all_of(outcome)) for outcome in (True, False)]
            state.single = min(left, sum(map(len, visits)) + 2 * bool(state.lost))
            left -= state.single

    @staticmethod
    def _outcomes(state):
        return {outcome for outcome in (True, False) if state.all_of(outcome)}

    # ---- forking

    def _fork_at(self, state, value):
        outcome = not value
        trials = []
        if state.uniform and outcome not in state.tried:
            trials.append(self._new(state, outcome, 0, False))
        self._try(trials)
        if self._trial is not None or state.passes or not state.single:
            return
        alike = state.all_of(value)
        if alike > 1:
            wanted = state.seen[value] in self._single_visits(alike)
        else:
            wanted = self._came_again(state, outcome)
        if wanted:
            state.single -= 1
            self._try([Trial(state, outcome, state.visits, False)])

    def _fork_before(self, state):
        """At the visit that is lost."""
        trials = [self._new(state, outcome, 0, True) for outcome in (True, False)]
        self._try([trial for trial in trials if trial is not None])
        if self._trial is not None or state.passes:
            return
        trials = [
            Trial(state, outcome, state.starts, True)
            for outcome in (True, False)
            if self._came_again(state, outcome)
        ]
        trials = trials[: state.single]
        state.single -= len(trials)
        self._try(trials)

    def _came_again(self, state, outcome):
        """Whether forcing a visit is not the same as forcing every one, though the base run has no
        other such visit."""
        return bool(self._counts[self._again(state, outcome)])

    def _single_visits(self, alike):
        """Which of the visits with the same value may be tried alone."""
        visits = [alike, 1, alike - 1, 2][: self._session.plan.single_visits]
        return [visit for visit in dict.fromkeys(visits) if 0 < visit <= alike]

    def _new(self, state, outcome, visit, skip):
        if not state.uniform or outcome in state.tried:
            return None
        state.uniform -= 1
        state.tried.add(outcome)
        return Trial(state, outcome, visit, skip)

    def _try(self, trials):
        session = self._session
        state = trials[0].state if trials else None
        if state is None or not session.waits(state.condition):
            return
        try:
            mine = fork_point.serve(session, self._children, trials)
        except fork_point.Refused as refusal:
            session.refuse(state.condition, str(refusal))
            state.uniform = state.single = 0
            return
        if mine is not None:
            self._trial = mine
            self._counts[self._again(state, mine.outcome)] = 0
            self._over = state.all_visits * 10 + _MOST_VISITS

    def _answer(self, trial, **verdict):
        if verdict.get("status") == 0:
            trial.state.passes = True
        self._say(trial, **verdict)

    def _refuse(self, trial, reason):
        self._say(trial, reason=reason)

    def _say(self, trial, **fields):
        self._session.say(
            "switched",
            index=trial.state.condition.index,
            outcome=trial.outcome,
            visit=trial.visit,
            again=self._came_again(trial.state, trial.outcome),
            **fields
        )

    @staticmethod
    def _again(state, outcome):
        """Where it is noted that a child has come to its condition again after the fork."""
        return state.condition.index * _COUNTS + _AGAIN + outcome

    # ---- in a child

    def _skipped(self, state):
        state.starts += 1
        self._counts[self._again(state, self._trial.outcome)] = 1
        self._count_down()
        # What can only give a value need not be evaluated: it might fail.
        if self._trial.visit:
            return False
        return self._trial.skip or not state.acts or 0 < state.lost <= state.starts

    def _applies(self, state):
        # A single visit is the one at which this child was forked.
        return self._trial.state is state and self._trial.visit == 0

    def _count_down(self):
        self._over -= 1
        if self._over < 0:
            self._session.refuse(self._trial, "it is visited without end")

    # ---- the end

    def _see_end(self, state):
        """Ends the process when no visit is to come any more."""
        if state.starts == state.all_starts and state.visits >= state.all_visits and self._open:
            if self._session.waits(state.condition):
                self._report(state)
            self._open -= 1
            if not self._open:
                self._session.leave(reason="every condition is done")

    def _report(self, state):
        self._session.answer(
            state.condition,
            visits=state.all_visits,
            true=state.all_true,
            lost=state.all_starts - state.all_visits,
            **({} if len(state.tried) == state.wanted else {"reason": "not all of it was tried"})
        )

    def unreached(self, condition):
        """At the end, for a condition without answer: whether the base run never came to it."""
        state = self._states[condition.index]
        if not state.all_starts:
            return self._ended is not None or not self._piloted
        self._report(state)
        return False
