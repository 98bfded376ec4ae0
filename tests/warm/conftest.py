"""Runs small checks under the warm server, and afresh in an edited tree, to compare."""

import contextlib
import glob
import json
import os
import pathlib
import subprocess
import sys
import textwrap
import threading
import time

import pytest

WARM = pathlib.Path(__file__).resolve().parents[2] / "repair" / "validate" / "warm"


def interpreters():
    """The Python that runs the tests, and one of every other supported version at hand."""
    found = {"%d.%d" % sys.version_info[:2]: sys.executable}
    for path in sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python"))):
        version = ".".join(path.split("/versions/")[1].split(".")[:2])
        if 8 <= int(version.split(".")[1]) <= 13:
            found.setdefault(version, path)
    return found


def few(found):
    """The oldest, the newest, and our own: what differs between versions differs between these."""
    versions = sorted(found, key=lambda version: int(version.split(".")[1]))
    return {
        version: found[version]
        for version in (versions[0], "%d.%d" % sys.version_info[:2], versions[-1])
    }


PYTHONS = few(interpreters())


class Edit:
    """One candidate: (file, old text, new text) for each place; the old text occurs once."""

    def __init__(self, *places):
        self.places = places

    def splices(self, tree):
        files = {}
        for name, old, new in self.places:
            data = (tree / name).read_bytes()
            assert data.count(old.encode()) == 1, "%r occurs %d times" % (
                old,
                data.count(old.encode()),
            )
            start = data.index(old.encode())
            files.setdefault(name, []).append([start, start + len(old.encode()), new])
        return {name: sorted(splices) for name, splices in files.items()}


class Run:
    """What a session said."""

    def __init__(self, status, output, lines):
        self.status, self.output, self.lines = status, output, lines

    def of(self, event):
        return [line for line in self.lines if line["event"] == event]

    def answer(self, index):
        """The status (as subprocess gives it), "timeout", "refused" or "unreached"; None: no answer."""
        found = [line for line in self.lines if line.get("index") == index]
        assert len(found) <= 1, found
        if not found:
            return None
        line = found[0]
        if line["event"] not in ("verdict", "alike"):
            return line["event"]
        if line.get("timeout"):
            return "timeout"
        return -line["signal"] if "signal" in line else line["status"]

    def reason(self, index):
        return next(line["reason"] for line in self.of("refused") if line["index"] == index)

    @property
    def end(self):
        return self.of("end")[0]


class Lab:
    """A tree, a folder of checks outside it, and an interpreter."""

    def __init__(self, folder, python):
        self.python = python
        self.holds = False  # sessions of switch() are windows of a held process
        self.folder = folder
        self.tree, self.checks = folder / "tree", folder / "checks"
        self.temporary = folder / "tmp"
        for made in (self.tree, self.checks, self.temporary):
            made.mkdir()

    def write(self, **files):
        """tree_NAME="text" or check_NAME="text"; "__" in NAME stands for "/"."""
        for key, text in files.items():
            where, _, name = key.partition("_")
            path = {"tree": self.tree, "check": self.checks}[where] / (
                name.replace("__", "/") + ".py"
            )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))

    def command(self, arguments):
        """What runs `arguments`: the check script "check.py" when there are none."""
        return [self.python, *(arguments or [str(self.checks / "check.py")])]

    def environment(self, **more):
        drop = ("SUTURE_WARM_PLAN", "SUTURE_WARM_RESULTS", "PYTHONPATH", "PYTEST_CURRENT_TEST")
        kept = {name: value for name, value in os.environ.items() if name not in drop}
        return {
            **kept,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(self.tree),
            "TMPDIR": str(self.temporary),
            **more,
        }

    def fresh(self, edit=None, arguments=(), timeout=60):
        """Exit status of a fresh process in the edited tree."""
        splices = edit.splices(self.tree) if edit else {}
        kept = {name: (self.tree / name).read_bytes() for name in splices}
        try:
            for name, places in splices.items():
                data = kept[name]
                for start, end, text in reversed(places):
                    data = data[:start] + text.encode() + data[end:]
                (self.tree / name).write_bytes(data)
            done = subprocess.run(
                self.command(arguments),
                cwd=self.tree,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=timeout,
            )
            return done.returncode
        finally:
            for name, data in kept.items():
                (self.tree / name).write_bytes(data)

    def warm(self, mode, edits=(), arguments=(), timeout=20.0, preload=(), jobs=2, wait=120, **env):
        """The Run of a session that tries `edits`, numbered from 0."""
        plan = {
            "mode": mode,
            "tree": str(self.tree),
            "jobs": jobs,
            "child_timeout": timeout,
            "preload": list(preload),
            "candidates": [
                {"index": index, "files": edit.splices(self.tree)}
                for index, edit in enumerate(edits)
            ],
        }
        if mode == "held":
            plan = self.held_plan({**plan, "mode": "split"})
        return self.warm_plan(plan, arguments, wait, **env)

    def switch(self, places, arguments=(), single_visits=2, children=100, trim=0, **settings):
        """The Run of a session that forces conditions: (file, text that occurs once), of which the
        last `trim` characters only tell it apart."""
        conditions = []
        for name, text in places:
            (start, end, _), = Edit((name, text, "")).splices(self.tree)[name]
            conditions.append([name, start, end - trim])
        plan = {
            "mode": "switch",
            "tree": str(self.tree),
            "jobs": 2,
            "child_timeout": 20.0,
            "conditions": conditions,
            "children": children,
            "single_visits": single_visits,
        }
        if self.holds:
            plan = self.held_plan(plan)
        return self.warm_plan(plan, arguments, **settings)

    def warm_plan(self, plan, arguments=(), wait=120, **env):
        """The Run of a session with this plan. `PYTHONPATH_MORE`: one more folder for modules."""
        more = [env.pop("PYTHONPATH_MORE")] if "PYTHONPATH_MORE" in env else []
        (self.folder / "plan.json").write_text(json.dumps(plan))
        results = self.folder / "results"
        for path in (results, self.folder / "results.claimed"):
            if path.exists():
                path.unlink()
        results.touch()
        done = subprocess.run(
            self.command(arguments),
            cwd=self.tree,
            env={
                **self.environment(PYTHONPATH=":".join([str(WARM), str(self.tree), *more])),
                "SUTURE_WARM_PLAN": str(self.folder / "plan.json"),
                "SUTURE_WARM_RESULTS": str(results),
                **env,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=wait,
        )
        lines = results.read_text().splitlines(True)
        assert all(line.endswith("\n") and len(line) < 4000 for line in lines)
        run = Run(done.returncode, done.stdout.decode(), [json.loads(line) for line in lines])
        assert not list(self.temporary.glob("suture-warm-*")), "a temporary folder is left"
        return run

    def held_plan(self, *windows):
        """The plan of a process that is asked for `windows`, one after the other, and no more."""
        pipe = self.folder / "requests"
        if not pipe.exists():
            os.mkfifo(pipe)
        lines = ""
        for number, window in enumerate(windows):
            path = self.folder / ("window%d.json" % number)
            path.write_text(json.dumps(window))
            lines += "%s\n" % path
        threading.Thread(target=self._ask, args=(pipe, lines), daemon=True).start()
        return {**windows[0], "requests": str(pipe), "candidates": [], "conditions": []}

    def _ask(self, pipe, lines):
        """Asks once the process is held: copies of it that are not kept would take the line."""
        with contextlib.suppress(BrokenPipeError), pipe.open("w") as asked:
            while not any(word in self._heard() for word in ('"held"', '"unable"', '"end"')):
                time.sleep(0.01)
            asked.write(lines)

    def _heard(self):
        return (self.folder / "results").read_text()

    def agree(self, edits, mode="split", arguments=(), **settings):
        """Every candidate is served, with the status of a fresh process. The statuses."""
        run = self.warm(mode, edits, arguments, **settings)
        answers = [run.answer(index) for index in range(len(edits))]
        # A candidate whose functions are not reached has the verdict of the base.
        answers = [run.end["status"] if answer == "unreached" else answer for answer in answers]
        fresh = [self.fresh(edit, arguments) for edit in edits]
        assert answers == fresh, (run.lines, run.output)
        return answers


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path, sys.executable)


@pytest.fixture(params=sorted(PYTHONS, key=lambda version: int(version.split(".")[1])))
def any_lab(tmp_path, request):
    """A lab for each interpreter at hand."""
    return Lab(tmp_path, PYTHONS[request.param])
