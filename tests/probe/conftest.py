"""Runs small checks in subprocesses, plain and with the probe, and hands back what it wrote."""

import glob
import json
import os
import pathlib
import subprocess
import sys
import textwrap
import time

import pytest

PROBE = pathlib.Path(__file__).resolve().parents[2] / "repair" / "reproduce" / "probe"


def interpreters():
    """The Python that runs the tests, and one of every other supported version at hand."""
    found = {"%d.%d" % sys.version_info[:2]: sys.executable}
    for path in sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python"))):
        version = ".".join(path.split("/versions/")[1].split(".")[:2])
        if 8 <= int(version.split(".")[1]) <= 13:
            found.setdefault(version, path)
    return found


PYTHONS = interpreters()


class Run:
    def __init__(self, status, output, evidence, others):
        self.status, self.output = status, output
        self.evidence = evidence  # of the first process; None when it wrote nothing
        self.others = others  # of later processes

    @property
    def failure(self):
        return self.evidence["exceptions"][-1] if self.evidence["exceptions"] else None

    @property
    def operands(self):
        return {o["expression"]: o["value"] for o in self.evidence["operands"]}

    def called(self, qualname):
        return next((c for c in self.evidence["called"] if c["qualname"] == qualname), None)

    def local(self, function, name):
        frame = next(f for f in self.failure["frames"] if f["function"] == function)
        return frame["locals"][name]


class Lab:
    """A tree, a folder of checks outside it, and an interpreter."""

    def __init__(self, folder, python):
        self.python = python
        self.folder = folder
        self.tree, self.checks = folder / "tree", folder / "checks"
        self.tree.mkdir()
        self.checks.mkdir()

    def write(self, **files):
        """tree_NAME="text" or check_NAME="text"; "__" in NAME stands for "/"."""
        for key, text in files.items():
            where, _, name = key.partition("_")
            path = {"tree": self.tree, "check": self.checks}[where] / (
                name.replace("__", "/") + ".py"
            )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))

    def run(
        self,
        *arguments,
        env=None,
        timeout=60,
        compare=True,
        deadline=None,
        program=None,
        python_path=None,
        plain=False,
        hangs=False
    ):
        """Runs `python ARGUMENTS` in the tree. With `compare` also without the probe: exit
        status and output must be the same. With `plain` only without it.
        With `hangs` only until the probe has written."""
        command = [program or self.python, *map(str, arguments)]
        base = {
            k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "SUTURE", "PYTEST"))
        }
        base.update(
            PYTHONDONTWRITEBYTECODE="1",
            PYTHONPATH=python_path or str(self.tree),
            PYTHONHASHSEED="0",
        )
        base.update(env or {})
        if plain:
            return Run(*self._start(command, base, timeout), None, [])
        out = self.folder / "out" / "evidence.json"
        out.parent.mkdir(exist_ok=True)
        for old in out.parent.iterdir():
            old.unlink()
        traced = dict({"SUTURE_PROBE_OUT": str(out), "SUTURE_PROBE_TREE": str(self.tree)}, **base)
        traced["PYTHONPATH"] = "%s:%s" % (PROBE, base["PYTHONPATH"])
        if deadline:
            traced["SUTURE_PROBE_DEADLINE"] = str(deadline)
        if hangs:
            status, output = self._start_until_evidence(command, traced, out, timeout)
        else:
            status, output = self._start(command, traced, timeout)
        if compare:
            assert (status, output) == self._start(command, base, timeout)
        others = [
            json.loads(p.read_text())
            for p in sorted(out.parent.glob("evidence.json.*"))
            if p.stat().st_size
        ]
        evidence = json.loads(out.read_text()) if out.is_file() and out.stat().st_size else None
        return Run(status, output, evidence, others)

    def _start_until_evidence(self, command, env, out, timeout):
        """For a check that hangs: kills it once the probe has written."""
        process = subprocess.Popen(command, cwd=self.tree, env=env)
        end = time.monotonic() + timeout
        while time.monotonic() < end and not (out.exists() and out.stat().st_size):
            time.sleep(0.05)
        ended = process.poll()
        process.kill()
        process.wait()
        return ended, ""

    def _start(self, command, env, timeout):
        try:
            done = subprocess.run(
                command,
                cwd=self.tree,
                env=env,
                timeout=timeout,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            return done.returncode, done.stdout
        except subprocess.TimeoutExpired:
            return None, ""

    def check(self, tree, check, **options):
        """The usual case: one module `lib` in the tree, one script outside it."""
        self.write(tree_lib=tree, check_check=check)
        return self.run(self.checks / "check.py", **options)


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path, sys.executable)


@pytest.fixture(params=sorted(PYTHONS, key=lambda v: int(v.split(".")[1])))
def any_lab(tmp_path, request):
    """The same for every Python version at hand."""
    return Lab(tmp_path, PYTHONS[request.param])
