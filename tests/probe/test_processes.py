"""Chained sitecustomize, test runners, children, forks, hangs."""

import re
import sys
import time

import pytest


def test_a_sitecustomize_further_down_still_runs(any_lab):
    any_lab.write(
        check_site__sitecustomize="import builtins\nbuiltins.CUSTOM = __file__\nprint('customised', __name__)"
    )
    any_lab.write(
        tree_lib="X = 1",
        check_check="import lib, sys\nprint(CUSTOM, 'sitecustomize' in sys.modules)\nassert lib.X == 2",
    )
    path = "%s:%s" % (any_lab.checks / "site", any_lab.tree)
    run = any_lab.run(any_lab.checks / "check.py", python_path=path)
    assert (
        run.output.startswith("customised sitecustomize\n")
        and run.failure["type"] == "AssertionError"
    )


def test_a_sitecustomize_that_fails_fails_as_before(any_lab):
    any_lab.write(
        check_site__sitecustomize="raise ImportError('broken')", check_check="print('on')"
    )
    run = any_lab.run(
        any_lab.checks / "check.py", python_path=str(any_lab.checks / "site"), compare=False
    )
    assert "ImportError: broken" in run.output and run.output.endswith("on\n")


PYTEST_FILE = """
    import lib

    def helper(x):
        assert lib.half(x) == 2

    def test_good():
        assert lib.half(4) == 2

    def test_bad():
        helper(6)
"""


def test_pytest(lab):
    lab.write(tree_lib="def half(x): return x / 2", tree_tests__test_lib=PYTEST_FILE)
    run = lab.run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_lib.py", compare=False
    )
    plain = lab.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_lib.py", plain=True)
    cut = lambda text: re.sub(r" at 0x[0-9a-f]+| in [0-9.]+s", "", text)
    assert (run.status, cut(run.output)) == (plain.status, cut(plain.output)) and run.status == 1
    assert run.failure["type"] == "AssertionError"
    assert [f["function"] for f in run.failure["frames"]][:2] == ["test_bad", "helper"]
    assert run.operands["lib.half(x)"]["repr"] == "3.0"
    assert run.called("half")["calls"] == 2


def test_how_each_pytest_test_ended(lab):
    lab.write(
        tree_lib="def half(x): return x / 2",
        tree_tests__test_ends="""
            import pytest

            @pytest.fixture
            def broken_at_start():
                raise OSError("start")

            @pytest.fixture
            def broken_at_end():
                yield
                raise OSError("end")

            def test_good():
                pass

            def test_bad():
                assert 1 == 2

            def test_start(broken_at_start):
                pass

            def test_end(broken_at_end):
                pass

            @pytest.mark.skip
            def test_skipped():
                pass

            @pytest.mark.xfail
            def test_expected_to_fail():
                assert 1 == 2

            @pytest.mark.parametrize("n", [1, 2])
            class TestMany:
                def test_one(self, n):
                    assert n == 1
        """,
    )
    run = lab.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", compare=False)
    ends = {t["id"].partition("::")[2]: t["outcome"] for t in run.evidence["tests"]}
    assert ends == {
        "test_good": "passed",
        "test_bad": "failed",
        "test_start": "failed",
        "test_end": "failed",
        "test_skipped": "skipped",
        "test_expected_to_fail": "skipped",
        "TestMany::test_one[1]": "passed",
        "TestMany::test_one[2]": "failed",
    }


def test_pytest_with_warnings_as_errors_and_other_plugins(lab):
    lab.write(
        tree_lib="def half(x): return x / 2",
        tree_tests__test_lib=PYTEST_FILE,
        tree_other="LOADED = True",
        tree_tests__conftest="import sys\nassert 'other' in sys.modules",
    )
    run = lab.run(
        "-W",
        "error",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/test_lib.py",
        env={"PYTEST_PLUGINS": "other"},
        compare=False,
    )
    assert run.status == 1 and run.failure["type"] == "AssertionError", run.output


def test_pytest_error_while_collecting(lab):
    lab.write(tree_lib="import missing_module", tree_tests__test_lib="import lib")
    run = lab.run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_lib.py", compare=False
    )
    assert run.status == 2
    chain = [e["type"] for e in run.evidence["exceptions"]]
    assert "ModuleNotFoundError" in chain


def test_pytest_fixture(lab):
    lab.write(
        tree_lib="def make(): raise KeyError('k')",
        tree_tests__test_lib="""
        import lib, pytest
        @pytest.fixture
        def thing(): return lib.make()
        def test_it(thing): pass
    """,
    )
    run = lab.run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_lib.py", compare=False
    )
    assert run.failure["type"] == "KeyError" and run.failure["frames"][-1]["in_tree"]


def test_unittest(any_lab):
    any_lab.write(
        tree_lib="def half(x): return x / 2",
        check_test_lib="""
        import unittest
        import lib

        class Halves(unittest.TestCase):
            def test_bad(self):
                self.assertEqual(lib.half(6), 2)

        if __name__ == "__main__":
            unittest.main()
    """,
    )
    run = any_lab.run(any_lab.checks / "test_lib.py", compare=False)
    assert run.status == 1 and "FAILED (failures=1)" in run.output
    assert (
        run.failure["type"] == "AssertionError"
        and run.failure["frames"][0]["function"] == "test_bad"
    )
    assert run.operands["lib.half(6)"]["repr"] == "3.0"


def test_unittest_subtests(any_lab):
    any_lab.write(
        tree_lib="def half(x): return x / 2",
        check_test_lib="""
        import unittest, lib
        class Halves(unittest.TestCase):
            def test_bad(self):
                for n in (4, 6):
                    with self.subTest(n=n):
                        self.assertEqual(lib.half(n), 2)
        unittest.main()
    """,
    )
    run = any_lab.run(any_lab.checks / "test_lib.py", compare=False)
    assert run.status == 1 and run.operands["lib.half(n)"]["repr"] == "3.0"


def test_children_write_beside_the_first_process(any_lab):
    run = any_lab.check(
        tree="def fails(): raise ValueError('in the child')",
        check="""
            import subprocess, sys
            import lib
            sys.exit(subprocess.call([sys.executable, "-c", "import lib; lib.fails()"]))
        """,
    )
    assert run.status == 1 and run.failure["type"] == "SystemExit"
    assert [o["exceptions"][-1]["type"] for o in run.others] == ["ValueError"]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(any_lab, method):
    run = any_lab.check(
        tree="def fails(): raise ValueError('in the child')",
        check="""
            import multiprocessing, sys
            import lib
            if __name__ == "__main__":
                child = multiprocessing.get_context("%s").Process(target=lib.fails)
                child.start()
                child.join()
                sys.exit(child.exitcode)
        """ % method,
        compare=False,
    )
    assert run.status == 1 and "DeprecationWarning" not in run.output
    seen = [(e["type"], e["escaped"]) for other in run.others for e in other["swallowed"]]
    assert seen == [("ValueError", True)]  # one child; there may be a resource tracker


def test_forks_with_a_deadline_give_no_warning(any_lab):
    run = any_lab.check(
        tree="def child(): return 0",
        check="""
            import os, lib
            pid = os.fork()
            if pid == 0:
                os._exit(lib.child())
            os.waitpid(pid, 0)
            assert False
        """,
        env={"PYTHONWARNINGS": "error"},
        deadline=30,
    )
    assert run.failure["type"] == "AssertionError" and len(run.others) == 1


@pytest.mark.parametrize(
    "wait",
    [
        "while True: pass",
        "import time; time.sleep(100)",
        "import threading; threading.Event().wait()",
    ],
)
def test_hang(any_lab, wait):
    run = any_lab.check(
        tree="def wait(n):\n    %s" % wait,
        check="import lib\nlib.wait(3)",
        hangs=True,
        compare=False,
        deadline=1,
    )
    assert run.status is None
    assert (run.failure["type"], run.failure["module"]) == ("Hang", "suture_probe")
    frame = next(f for f in run.failure["frames"] if f["in_tree"])
    assert frame["function"] == "wait" and frame["locals"]["n"]["repr"] == "3"


def test_a_hang_in_another_thread(lab):
    run = lab.check(
        tree="""
            import time
            def work():
                time.sleep(100)
        """,
        check="""
            import threading, lib
            thread = threading.Thread(target=lib.work)
            thread.start()
            thread.join()
        """,
        hangs=True,
        compare=False,
        deadline=1,
    )
    assert [f["function"] for f in run.failure["frames"] if f["in_tree"]] == ["work"]


def test_a_slow_check_that_ends_after_all(lab):
    run = lab.check(tree="import time\ntime.sleep(2)", check="import lib\nassert False", deadline=1)
    assert run.failure["type"] == "AssertionError"


def test_shell_wrapper(lab):
    lab.write(
        tree_lib="def fails(): raise ValueError",
        check_check="import lib\nlib.fails()",
        check_first="print('fine')",
    )
    script = "%s %s && %s %s" % (
        sys.executable,
        lab.checks / "first.py",
        sys.executable,
        lab.checks / "check.py",
    )
    run = lab.run("-c", script, program="sh")
    assert run.status == 1 and run.failure is None
    assert run.others[0]["exceptions"][-1]["type"] == "ValueError"


def test_a_check_that_changes_its_folder(lab):
    run = lab.check(
        tree="def f(): return 1", check="import os\nos.chdir('/')\nimport lib\nassert lib.f() == 2"
    )
    assert run.evidence["executed"] == {"lib.py": [1]} and run.operands["lib.f()"]["repr"] == "1"


def test_a_folder_that_cannot_be_written(lab):
    lab.write(tree_lib="X = 1", check_check="import lib\nassert lib.X == 2")
    run = lab.run(
        lab.checks / "check.py", env={"SUTURE_PROBE_OUT": "/nonexistent/e.json"}, compare=True
    )
    assert run.status == 1


def test_the_check_deletes_the_evidence(lab):
    run = lab.check(
        tree="X = 1",
        check="""
            import lib, os, shutil
            out = os.environ.get("SUTURE_PROBE_OUT")  # unset in the run that is compared with
            if out:
                os.unlink(out) if os.path.exists(out) else None
                shutil.rmtree(os.path.dirname(out))
            assert lib.X == 2
        """,
    )
    assert run.status == 1 and run.evidence is None


def test_start_costs_little(lab):
    lab.write(check_check="pass")
    begin = time.monotonic()
    lab.run(lab.checks / "check.py", compare=False)
    assert time.monotonic() - begin < 5
