"""A held process gives the verdict of a fresh one, window after window, or leaves it to others."""

import pytest
from conftest import Edit
from test_split import CASES, edits


# What a process cannot serve that is held before it knows its candidates -> why.
TOO_LATE = {
    "super": "needs a variable that cannot be bound",
    "coroutine by hand": "a generator waits in it",
}
NEVER_HELD = ("module called while importing",)


@pytest.mark.parametrize("name", sorted(CASES))
def test_agrees(any_lab, name):
    module, check, _ = CASES[name]
    any_lab.write(tree_m=module, check_check=check)
    tried = list(edits(name))
    run = any_lab.warm("held", tried)
    if name in NEVER_HELD:
        assert not run.of("held") and run.end["status"] == 1, run.lines
        return
    assert run.of("held") and len(run.of("idle")) == 1, (run.lines, run.output)
    if name in TOO_LATE:
        assert {line["reason"] for line in run.of("too_late")} == {TOO_LATE[name]}
        assert len(run.of("too_late")) == len(tried)
        return
    answers = [run.answer(index) for index in range(len(tried))]
    answers = [run.of("end")[0]["status"] if answer == "unreached" else answer for answer in answers]
    assert answers == [any_lab.fresh(edit) for edit in tried], (run.lines, run.output)


BASE = """\
import sys
def before(a):
    return a
def f(a):
    return a
class A:
    def g(self):
        return f(1)
"""
EDITS = [
    Edit(("m.py", "def f(a):\n    return a", "def f(a):\n    return a + 1")),
    Edit(("m.py", "return f(1)", "return 2")),
    Edit(("m.py", "return f(1)", "return 3")),
    Edit(("m.py", "def before(a):\n    return a", "def before(a):\n    return 2")),
]


def windows_of(lab, edits):
    """A window for each edit, numbered in order."""
    return [
        {
            "mode": "split",
            "tree": str(lab.tree),
            "jobs": 1,
            "child_timeout": 20.0,
            "candidates": [{"index": index, "files": edit.splices(lab.tree)}],
        }
        for index, edit in enumerate(edits)
    ]


def test_serves_one_window_after_the_other(any_lab):
    any_lab.write(tree_m=BASE, check_check="import m\nassert m.A().g() == 2\n")
    run = any_lab.warm_plan(any_lab.held_plan(*windows_of(any_lab, EDITS)))
    assert [run.answer(index) for index in range(4)] == [0, 0, 1, "unreached"], run.lines
    assert len(run.of("idle")) == 4


def test_what_ran_before_is_left_to_others(lab):
    lab.write(
        tree_m=BASE + "assert before(2) == 2\n",
        check_check="import m\nx = 1\nassert m.A().g() == m.before(2)\n",
    )
    run = lab.warm("held", EDITS)
    assert [run.answer(index) for index in range(4)] == [0, 0, 1, "too_late"], run.lines
    assert run.of("too_late")[0]["reason"] == "was called before the process was held"


def test_is_held_for_what_an_import_has_called(lab):
    lab.write(
        tree_m=BASE + "assert A().g() == 1\n", check_check="import m\nassert m.A().g() == 2\n"
    )
    run = lab.warm("held", EDITS)
    assert run.of("held"), run.lines
    assert [run.answer(index) for index in range(4)] == ["too_late"] * 3 + ["unreached"]


def test_is_held_at_the_last_boundary_before_the_tree_is_called(lab):
    lab.write(
        tree_m=BASE,
        check_check="""\
        from pathlib import Path
        count = Path("count")
        import m
        count.write_text(count.read_text() + "x" if count.exists() else "x")
        assert m.A().g() == 2
        """,
    )
    run = lab.warm_plan(lab.held_plan(*windows_of(lab, EDITS)))
    assert run.answer(0) == 0
    assert (lab.tree / "count").read_text() == "x"


def test_a_script_of_the_tree_is_left_to_others(lab):
    lab.write(tree_m=BASE + "import sys\nx = f(2)\nassert A().g() == 2\n", check_check="")
    run = lab.warm("held", EDITS[:1], [str(lab.tree / "m.py")])
    assert run.answer(0) == "too_late", run.lines
    assert "running" in run.of("too_late")[0]["reason"]


def test_other_code_of_a_function_is_left_to_others(lab):
    lab.write(
        tree_m="""\
        def other(f):
            f.__code__ = f.__code__.replace(co_consts=(None, 5))
            return f
        @other
        def f(a):
            return a + 1
        """,
        check_check="import m\nx = 1\nassert m.f(1) == 6\n",
    )
    run = lab.warm("held", [Edit(("m.py", "a + 1", "a + 2"))])
    assert run.answer(0) == "too_late"
    assert run.of("too_late")[0]["reason"] == "its code is not what the file says"


@pytest.mark.parametrize(
    "act, reason",
    [
        ("import sys\nsys.settrace(None)", "the check traces itself"),
        ("import threading\nthreading.Thread(target=print).start()", "a thread starts"),
        ("import subprocess, sys\nsubprocess.run([sys.executable, '-c', ''])", "a Python process"),
    ],
)
def test_is_not_held_after(any_lab, act, reason):
    any_lab.write(tree_m=BASE, check_check=act + "\nimport m\nassert m.A().g() == 2\n")
    run = any_lab.warm("held", EDITS)
    assert not run.of("held") and reason in run.of("unable")[0]["reason"], run.lines


def test_text_that_was_read_before_is_refused(lab):
    lab.write(
        tree_m=BASE,
        check_check="import m, inspect\ninspect.getsource(m.f)\nassert m.A().g() == 2\n",
    )
    run = lab.warm("held", EDITS)
    assert run.answer(0) == "refused" and "is read" in run.reason(0), run.lines


def test_a_file_written_by_the_base_run_taints(lab):
    lab.write(
        tree_m=BASE,
        check_check="import m, os\nassert m.A().g() == 2 or open('left', 'w').write('x') == 0\n",
    )
    run = lab.warm_plan(lab.held_plan(*windows_of(lab, EDITS[3:])))
    assert "left" in run.of("tainted")[0]["reason"], run.lines


def test_under_pytest(lab):
    lab.write(
        tree_m=BASE,
        tree_conftest="import pytest, m\n@pytest.fixture\ndef two():\n    return m.before(2)\n",
        tree_test_m="""\
        import m, os
        def test_first(two):
            assert m.A().g() == two
            assert "PYTEST_PLUGINS" not in os.environ
        """,
    )
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_m.py"]
    run = lab.warm("held", EDITS, arguments)
    assert run.of("held"), (run.lines, run.output)
    assert [run.answer(index) for index in range(4)] == [0, 0, 1, 1], (run.lines, run.output)


def test_preload_serves_window_after_window(any_lab):
    any_lab.write(tree_m=BASE, check_check="import json, m\nassert m.A().g() == 2\n")
    windows = [{**window, "mode": "preload"} for window in windows_of(any_lab, EDITS)]
    plan = {**any_lab.held_plan(*windows), "preload": ["json"]}
    run = any_lab.warm_plan(plan)
    assert [run.answer(index) for index in range(4)] == [0, 0, 1, 1], (run.lines, run.output)
    assert len(run.of("idle")) == 4


def test_preload_that_reads_the_tree_is_no_use(lab):
    lab.write(tree_m=BASE, tree_helper="", check_check="import m\n")
    (lab.checks / "reader.py").write_text("open(%r).read()\n" % str(lab.tree / "m.py"))
    windows = [{**window, "mode": "preload"} for window in windows_of(lab, EDITS)]
    plan = {**lab.held_plan(*windows), "preload": ["reader"]}
    run = lab.warm_plan(plan, PYTHONPATH_MORE=str(lab.checks))
    assert "was read" in run.of("unable")[0]["reason"], run.lines


@pytest.mark.parametrize(
    "module, check, condition, green",
    [
        (
            "def f(a):\n    if a > 1:\n        return 2\n    return 1\n",
            "import m\nassert m.f(1) == 2\n",
            "a > 1",
            {(True, 0): 0},
        ),
        (
            "class A:\n    def g(self, n):\n        return [i for i in range(n) if i < 1]\n",
            "import m\nx = m.A()\nassert x.g(2) == [0, 1]\n",
            "i < 1",
            {(True, 0): 0},
        ),
        (
            "def outer(n):\n    def inner(a):\n        return 1 if a == n else 2\n    return inner\n",
            "import m\nassert m.outer(3)(4) == 1\n",
            "a == n",
            {(True, 0): 0},
        ),
        (
            "def g(items):\n    for i in items:\n        if i < 2:\n            yield i\n",
            "import m\nassert list(m.g([1, 5, 6])) == [1, 5]\n",
            "i < 2",
            {(True, 2): 0},
        ),
    ],
)
def test_forces_conditions_of_what_is_loaded(any_lab, module, check, condition, green):
    any_lab.holds = True
    any_lab.write(tree_m=module, check_check=check)
    run = any_lab.switch([("m.py", condition)], single_visits=3)
    assert run.of("held") and len(run.of("idle")) == 1, (run.lines, run.output)
    found = {(line["outcome"], line["visit"]): line["status"] for line in run.of("switched")}
    assert {key: status for key, status in found.items() if status == 0} == green, run.lines


def test_a_condition_outside_functions_is_too_late(lab):
    lab.holds = True
    lab.write(
        tree_m="import os\nX = 1 if os.sep == '?' else 2\ndef f(a):\n    return a\n",
        check_check="import m\nassert m.f(m.X) == 1\n",
    )
    run = lab.switch([("m.py", "os.sep == '?'")])
    assert "loaded before" in run.of("too_late")[0]["reason"], run.lines


@pytest.mark.parametrize(
    "module, before, reason",
    [
        ("socket", "s = socket.create_server(('127.0.0.1', 0))", "socket"),
        ("threading", "e = threading.Event(); t = threading.Thread(target=e.wait); t.start()", "thread"),
        ("os", "os.mkdir('made')", "changes a file"),
    ],
)
def test_what_a_statement_takes_before_it_calls_the_tree_is_not_taken_twice(
    lab, module, before, reason
):
    lab.write(
        tree_m=BASE,
        check_check="import m, %s\nif True:\n    %s\n    ok = m.A().g() == 2\n"
        "%sassert ok\n" % (module, before, "e.set()\n" if module == "threading" else ""),
    )
    run = lab.warm("held", EDITS)
    assert not run.of("held"), run.lines
    assert reason in run.of("unable")[0]["reason"]


def test_a_window_that_goes_another_way_tells_nothing(lab):
    """The second time a port, a lock or a file is taken already."""
    lab.write(
        tree_m=BASE,
        check_check="""\
        import m, os
        if True:
            count = len(os.listdir("/proc/self/task")) + os.getppid()
            if os.environ.get("SUTURE_TEST_PID", str(os.getpid())) != str(os.getpid()):
                raise SystemExit(1)
            ok = m.A().g() == 2
        assert ok
        """,
    )
    check = (lab.checks / "check.py").read_text()
    (lab.checks / "check.py").write_text(
        "import os\nos.environ['SUTURE_TEST_PID'] = str(os.getpid())\n" + check
    )
    run = lab.warm("held", EDITS)
    assert run.of("held"), run.lines
    assert {run.answer(index) for index in range(4)} == {"too_late"}, run.lines
    assert "another way" in run.of("too_late")[0]["reason"]


def test_temporary_files_of_a_statement_are_no_obstacle(lab):
    lab.write(
        tree_m=BASE,
        check_check="""\
        import m, os, tempfile
        if True:
            open(os.path.join(tempfile.gettempdir(), "fixed"), "x").close()
            ok = m.A().g() == 2
        assert ok
        """,
    )
    run = lab.warm_plan(lab.held_plan(*windows_of(lab, EDITS)))
    assert [run.answer(index) for index in range(4)] == [0, 0, 1, "unreached"], run.lines
    assert not list(lab.temporary.iterdir())
