"""With nothing to try, the check runs and ends as ever."""

import os
import re
import signal
import subprocess

import pytest
from conftest import WARM, Edit

PROGRAMS = {
    "returns": "print('hello')\n",
    "none": "raise SystemExit\n",
    "number": "import sys; sys.exit(7)\n",
    "large number": "import sys; sys.exit(300)\n",
    "negative number": "import sys; sys.exit(-1)\n",
    "text": "import sys; sys.exit('gone')\n",
    "tuple": "raise SystemExit((1, 2))\n",
    "true": "import sys; sys.exit(True)\n",
    "exception": "def f():\n    1 / 0\nf()\n",
    "chain": "try:\n    1 / 0\nexcept Exception as e:\n    raise KeyError('x') from e\n",
    "syntax error": "def f(:\n",
    "hook": "import sys\ndef hook(*a): print('hook', a[0])\nsys.excepthook = hook\n1 / 0\n",
    "hook exits": "import sys\ndef hook(*a): sys.exit(9)\nsys.excepthook = hook\n1 / 0\n",
    "hook fails": "import sys\ndef hook(*a): 1 / 0\nsys.excepthook = hook\nraise KeyError\n",
    "interrupt": "raise KeyboardInterrupt\n",
    "kill": "import os; os.kill(os.getpid(), 15)\n",
    "os exit": "import os; os._exit(4)\n",
    "atexit": "import atexit\natexit.register(print, 'bye')\natexit.register(lambda: 1 / 0)\n",
    "thread": "import threading, time\nthreading.Thread(target=lambda: (time.sleep(.1), print('late'))).start()\n",
    "executor": "import concurrent.futures as c\nc.ThreadPoolExecutor(1).submit(print, 'late')\n",
    "closed stdout": "import sys\nsys.stdout.close()\n",
    "names": "print(sorted(globals()), __name__, __file__, __spec__, __package__, __loader__ is None)\n",
    "path": "import sys\nprint(sys.argv, [p for p in sys.path if 'warm' not in p], __file__)\n",
    "main": "import sys\nprint(sys.modules['__main__'].__dict__ is globals(), 'sitecustomize' in sys.modules)\n",
    "environment": "import os\nprint([n for n in os.environ if n.startswith('SUTURE')])\n",
    "other files": "print(open(__file__).read())\n",
}


def same(lab, *arguments, **settings):
    bare = subprocess.run(
        lab.command(arguments),
        cwd=lab.tree,
        env=lab.environment(**settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
    )
    run = lab.warm("split", [], arguments, **settings)
    assert run.status == bare.returncode, run.output
    assert plain(run.output) == plain(bare.stdout.decode())
    return run


def plain(output):
    return re.sub("0x[0-9a-f]+", "0x", output)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_script(any_lab, name):
    any_lab.write(check_check=PROGRAMS[name])
    run = same(any_lab)
    if name not in ("kill", "os exit"):  # nobody is left to say it
        assert run.end["status"] == (run.status if run.status >= 0 else 128 - run.status)


@pytest.mark.parametrize("name", ["exception", "number", "names", "path", "main"])
def test_module_text_and_relative_script(any_lab, name):
    any_lab.write(tree_p____init__="", tree_p__m=PROGRAMS[name], tree_s=PROGRAMS[name])
    same(any_lab, "-m", "p.m", "an argument")
    same(any_lab, "-mp.m")
    same(any_lab, "s.py", "x")
    same(any_lab, "./s.py")
    same(any_lab, "-W", "ignore", "-Xdev", "-B", "s.py")
    if name not in ("names", "path"):
        same(any_lab, "-c", PROGRAMS[name].replace("1 / 0", "exit(5)"), "x")
        same(any_lab, "-Bc", PROGRAMS[name].replace("1 / 0", "exit(5)"), "x")


def test_module_that_is_missing(any_lab):
    same(any_lab, "-m", "nowhere.to_be_found")
    any_lab.write(tree_q____init__="")
    same(any_lab, "-m", "q")


def test_symbolic_link(lab):
    lab.write(check_real="import sys\nprint(sys.path[0], __file__, sys.argv)\n")
    os.symlink(lab.checks / "real.py", lab.tree / "link.py")
    same(lab, "link.py")


@pytest.mark.parametrize(
    "arguments", [["-i", "s.py"], [], ["-"], ["folder"], ["missing.py"], ["-x", "s.py"]]
)
def test_what_is_not_understood_runs_as_ever(lab, arguments):
    lab.write(tree_s="print(1)\n", tree_folder____main__="print(2)\n")

    def run(env):
        return subprocess.run(
            [lab.python, *arguments],
            cwd=lab.tree,
            env=env,
            input=b"print(3)\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
        )

    plan, results = lab.folder / "plan.json", lab.folder / "results"
    plan.write_text(
        '{"mode": "split", "tree": "/", "jobs": 1, "child_timeout": 1, "candidates": []}'
    )
    results.touch()
    bare = run(lab.environment())
    warm = run(
        lab.environment(
            SUTURE_WARM_PLAN=str(plan), SUTURE_WARM_RESULTS=str(results), PYTHONPATH=str(WARM)
        )
    )
    assert (warm.returncode, warm.stdout) == (bare.returncode, bare.stdout)
    assert results.read_text().count('"unable"') == 1


def test_next_sitecustomize_runs(any_lab):
    any_lab.write(
        tree_sitecustomize="import sys\nsys.mark = __name__\n",
        check_check="import sys, sitecustomize\nprint(sys.mark, sitecustomize.__file__)\n",
    )
    assert "sitecustomize" in same(any_lab).output
    any_lab.write(tree_sitecustomize="1 / 0\n")
    same(any_lab)


def test_only_the_first_process_serves(lab):
    lab.write(
        tree_m="def f():\n    return 1\n",
        check_check="""\
        import os, subprocess, sys
        code = "import os, m; print([n for n in os.environ if n.startswith('SUTURE')], m.f())"
        assert subprocess.check_output([sys.executable, "-c", code]) == b"[] 1\\n"
        """,
    )
    run = lab.warm("split", [Edit(("m.py", "return 1", "return 2"))])
    assert run.status == 0, run.output
    assert len(run.of("start")) == 1
    assert "Python process" in run.of("unable")[0]["reason"]


def test_interrupt_ends_by_the_signal(lab):
    lab.write(check_check="raise KeyboardInterrupt\n")
    assert lab.warm("split").status == -signal.SIGINT
