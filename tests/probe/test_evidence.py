"""What the probe reports of a script, on every supported Python at hand."""

import pytest


def test_exception_in_the_tree(any_lab):
    run = any_lab.check(
        tree="""
            class Engine:
                def __init__(self, size):
                    self.size = size

                def step(self, batch=None):
                    return batch.shape
        """,
        check="""
            from lib import Engine
            Engine(3).step()
        """,
    )
    assert run.status == 1
    assert (run.failure["type"], run.failure["message"]) == (
        "AttributeError",
        "'NoneType' object has no attribute 'shape'",
    )
    frame = run.failure["frames"][-1]
    assert (frame["file"], frame["in_tree"], frame["in_check"]) == ("lib.py", True, False)
    assert (frame["function"], frame["qualname"], frame["first_line"]) == ("step", "Engine.step", 6)
    assert frame["at"][0] == 7
    assert frame["at"][2:] in ([15, 26], [-1, -1])
    assert frame["locals"]["batch"]["type"] == "NoneType"
    assert frame["locals"]["self"]["attributes"]["size"]["repr"] == "3"
    members = run.evidence["classes"][frame["locals"]["self"]["class"]]
    assert members == ["step"]
    outer = run.failure["frames"][0]
    assert outer["in_check"] and outer["file"] == str(any_lab.checks / "check.py")
    assert run.evidence["executed"] == {"lib.py": [2, 3, 4, 6, 7]}
    assert run.evidence["modules"] == {"lib": "lib.py"}
    assert run.evidence["check_files"] == [str(any_lab.checks / "check.py")]


def test_functions_called(any_lab):
    run = any_lab.check(
        tree="""
            def make(n):
                return n

            MADE = make(1)

            def twice(x, *more, scale=2, **rest):
                out = x * scale
                return out

            def fails():
                raise ValueError("no")

            def counts(n):
                for i in range(n):
                    yield i
        """,
        check="""
            import lib
            lib.twice(3, 4, key=5)
            lib.twice(7)
            list(lib.counts(3))
            try:
                lib.fails()
            except ValueError:
                pass
            assert lib.MADE == 2
        """,
    )
    assert [c["qualname"] for c in run.evidence["called"]] == ["make", "twice", "counts", "fails"]
    assert run.called("make")["during_import"] and not run.called("twice")["during_import"]
    twice = run.called("twice")
    assert twice["calls"] == 2 and twice["lines"] == [8, 9] and twice["last_line"] == 9
    assert {k: v["repr"] for k, v in twice["arguments"].items()} == {
        "x": "3",
        "more": "(4,)",
        "scale": "2",
        "rest": "{'key': 5}",
    }
    assert twice["returned"]["repr"] == "14" and twice["locals"]["out"]["repr"] == "14"
    assert twice["caller_line"] == 3 and twice["caller_file"].endswith("check.py")
    assert run.called("fails")["raised"] == "ValueError" and "returned" not in run.called("fails")
    assert run.called("counts")["calls"] == 1 and run.called("counts")["raised"] == ""


def test_exceptions_caught_on_the_way(any_lab):
    run = any_lab.check(
        tree="""
            def find(table):
                try:
                    return table["name"]
                except KeyError:
                    return None
        """,
        check="""
            from lib import find
            assert find({}) == "x"
        """,
    )
    assert [(e["type"], e["escaped"]) for e in run.evidence["swallowed"]] == [("KeyError", False)]
    assert run.evidence["swallowed"][0]["frames"][-1]["locals"]["table"]["repr"] == "{}"
    assert run.operands["find({})"]["type"] == "NoneType"


def test_causes(any_lab):
    run = any_lab.check(
        tree="""
            def load():
                try:
                    int("x")
                except ValueError as error:
                    raise RuntimeError("cannot load") from error
        """,
        check="import lib\nlib.load()\n",
    )
    assert [e["type"] for e in run.evidence["exceptions"]] == ["ValueError", "RuntimeError"]


def test_operands_of_an_assert(any_lab):
    run = any_lab.check(
        tree="""
            class Config:
                kind = "small"

                def __init__(self):
                    self.sizes = [1, 2, 3]
                    self.names = {"a": 1}

            def rate(x):
                return x / 2
        """,
        check="""
            from lib import Config, rate
            c = Config()
            assert rate(3) == 2 and c.sizes[1] == 2 and len(c.sizes) == 3 and c.names["a"] == 1 and c.kind
        """,
    )
    assert {k: v.get("repr") for k, v in run.operands.items() if k != "c"} == {
        "rate(3)": "1.5",
        "c.sizes[1]": "2",
        "c.sizes": "[1, 2, 3]",
        "len(c.sizes)": "3",
        "c.names['a']" if "c.names['a']" in run.operands else 'c.names["a"]': "1",
        "c.names": "{'a': 1}",
        "c.kind": "'small'",
    }


def test_operands_are_those_of_the_caller_of_a_helper(any_lab):
    any_lab.write(
        tree_lib="def total(xs): return sum(xs)",
        check_helper="""
            def check(condition, message):
                if not condition:
                    raise AssertionError(message)
        """,
        check_check="""
            from helper import check
            import lib
            check(lib.total([1, 2]) == 4, f"wrong {1}")
        """,
    )
    run = any_lab.run(any_lab.checks / "check.py")
    assert run.operands["lib.total([1, 2])"]["repr"] == "3"
    assert [f["in_check"] for f in run.failure["frames"]] == [True, True]
    assert sorted(run.evidence["check_files"]) == [
        str(any_lab.checks / n) for n in ("check.py", "helper.py")
    ]


def test_operands_of_the_condition_before_an_exit(any_lab):
    run = any_lab.check(
        tree="def size(): return 5",
        check="""
            import sys
            import lib
            got = lib.size()
            if got != 4:
                sys.exit("wrong size")
        """,
    )
    assert run.status == 1 and run.operands["got"]["repr"] == "5"
    assert (run.failure["type"], run.failure["message"]) == ("SystemExit", "wrong size")


def test_operands_need_no_call(any_lab):
    run = any_lab.check(
        tree="X = 1",
        check="""
            import lib
            calls = []
            def probe_me():
                calls.append(1)
                return len(calls) > 1
            assert probe_me(), calls
        """,
    )
    assert run.output.rstrip().endswith("AssertionError: [1]")
    assert run.operands["probe_me()"]["repr"] == "False"


@pytest.mark.parametrize(
    "text, status",
    [
        ("raise SystemExit('no')", 1),
        ("import sys; sys.exit(3)", 3),
        ("import os; os._exit(4)", 4),
        ("raise SystemExit(0)", 0),
        ("raise SystemExit", 0),
        ("pass", 0),
        ("raise KeyboardInterrupt", None),
    ],
)
def test_exit_status(lab, text, status):
    run = lab.check(tree="X = 1", check="import lib\n" + text)
    assert status in (None, run.status)
    assert (run.failure is None) == (status in (0, 4))
    assert run.evidence["executed"] == {"lib.py": [1]}


def test_an_exit_that_is_caught_is_no_failure(lab):
    run = lab.check(
        tree="def stop(): raise SystemExit(2)",
        check="""
            import lib
            try:
                lib.stop()
            except SystemExit:
                pass
        """,
    )
    assert run.status == 0 and run.failure is None
    assert [e["type"] for e in run.evidence["swallowed"]] == ["SystemExit"]


def test_syntax_error_in_the_tree(any_lab):
    run = any_lab.check(tree="def f(:\n    pass\n", check="import lib")
    assert run.failure["type"] == "SyntaxError"
    frame = run.failure["frames"][-1]
    assert (frame["file"], frame["in_tree"], frame["at"][0]) == ("lib.py", True, 1)


def test_recursion(any_lab):
    run = any_lab.check(
        tree="""
            def down(n):
                return down(n + 1)
        """,
        check="import lib\nlib.down(0)",
    )
    assert run.status == 1
    assert run.failure["type"] == "RecursionError" and len(run.failure["frames"]) <= 60


def test_recursion_through_a_library(any_lab):
    any_lab.write(
        check_site_packages__outer="def call(f): return call2(f)\ndef call2(f): return f()\n"
    )
    (any_lab.checks / "site_packages").rename(any_lab.checks / "site-packages")
    run = any_lab.check(
        tree="""
            import outer
            def down():
                return outer.call(down)
        """,
        check="""
            import lib
            try:
                lib.down()
            except RecursionError:
                print("caught")
            assert False
        """,
        python_path="%s:%s" % (any_lab.tree, any_lab.checks / "site-packages"),
    )
    assert run.output.startswith("caught") and run.failure["type"] == "AssertionError"


def test_the_trace_pauses_for_libraries(any_lab):
    """It goes on for modules of the tree that a library imports, and afterwards."""
    any_lab.write(
        check_site_packages__big="""
            import other
            def f(): return other.g()
            other.g()
        """,
        check_site_packages__broken="raise ValueError('broken')",
        check_site_packages__lacking="import nothing_of_this_name",
        tree_other="""
            import helper_library
            def g():
                return 1
        """,
        check_site_packages__helper_library="X = 1",
    )
    (any_lab.checks / "site_packages").rename(any_lab.checks / "site-packages")
    run = any_lab.check(
        tree="""
            import sys
            traced = [sys.gettrace() is not None]
            import big
            traced.append(sys.gettrace() is not None)
            try:
                import broken
            except ValueError as error:
                kept = error
                open(__file__).close()
                traced.append(sys.gettrace() is not None)
            try:
                import lacking
            except ImportError:
                pass
            traced.append(sys.gettrace() is not None)
            def after():
                import importlib
                try:
                    importlib.import_module("broken")
                except ValueError:
                    pass
                return big.f()
        """,
        check="""
            import lib
            lib.after()
            print(lib.traced)
            assert lib.traced is None
        """,
        python_path="%s:%s" % (any_lab.tree, any_lab.checks / "site-packages"),
        compare=False,
    )
    assert run.output.startswith("[True, True, True, True]")
    assert run.evidence["executed"]["other.py"] == [2, 3, 4]
    # Where an import failed, the trace is back when the exception goes or something is imported.
    executed = run.evidence["executed"]["lib.py"]
    assert [line for line in executed if line not in (8, 9, 10, 14, 15, 21, 22)] == [
        *range(2, 8),
        11,
        12,
        13,
        16,
        17,
        18,
        19,
        20,
        23,
    ]
    assert run.called("g")["calls"] in (1, 2)  # a call during the pause is not seen
    assert run.called("after")["returned"]["repr"] == "1"


def test_exception_group(lab):
    run = lab.check(
        tree="""
            def both():
                raise ExceptionGroup("two", [KeyError("a"), ValueError("b")])
        """,
        check="import lib\nlib.both()",
    )
    assert [e["type"] for e in run.evidence["exceptions"]] == ["KeyError", "ExceptionGroup"]


def test_threads(any_lab):
    run = any_lab.check(
        tree="""
            import threading
            def work():
                return 1
            def start():
                thread = threading.Thread(target=work)
                thread.start()
                thread.join()
        """,
        check="import lib\nlib.start()\nassert threading.active_count() == 1".replace(
            "import lib", "import lib, threading"
        ),
        deadline=50,
    )
    assert run.status == 0 and run.called("work")["calls"] == 1


def test_coroutines(any_lab):
    run = any_lab.check(
        tree="""
            import asyncio
            async def inner(x):
                await asyncio.sleep(0)
                return x + 1
            async def outer():
                return await inner(1) + await inner(2)
        """,
        check="import asyncio, lib\nassert asyncio.run(lib.outer()) == 6",
    )
    assert run.called("inner")["calls"] == 2 and run.called("outer")["calls"] == 1
    assert run.called("outer")["returned"]["repr"] == "5"


def test_hot_loops_do_not_cost_much(lab):
    run = lab.check(
        tree="""
            def spin(n):
                x = 0
                while n:
                    n -= 1
                    x += n
                return x
        """,
        check="import lib\nassert lib.spin(200000) == 0",
        timeout=20,
    )
    assert run.called("spin")["lines"] == [3, 4, 5, 6]
    assert run.called("spin")["returned"]["repr"] == "19999900000"


def test_many_functions_are_capped(lab):
    body = "\n".join("def f%d(): return %d" % (i, i) for i in range(1000))
    run = lab.check(
        tree=body
        + "\nfor name in list(globals()):\n    if name.startswith('f'): globals()[name]()"
        + "\ndef last(): return 1",
        check="import lib\nlib.last()\nassert False",
    )
    assert len(run.evidence["called"]) == 400
    assert run.called("last") is not None


def test_dash_m_and_dash_c(any_lab):
    any_lab.write(
        tree_pkg____init__="",
        tree_pkg__tool="def main(): return [][0]\nif __name__ == '__main__':\n    main()\n",
    )
    run = any_lab.run("-m", "pkg.tool")
    assert (
        run.failure["type"] == "IndexError" and run.failure["frames"][-1]["file"] == "pkg/tool.py"
    )
    run = any_lab.run("-c", "from pkg.tool import main\nx = 3\nassert x == 4")
    assert run.operands["x"]["repr"] == "3" and run.failure["frames"][0]["in_check"]


def test_script_in_the_tree(lab):
    lab.write(tree_lib="X = 1", tree_repro="import lib\nassert lib.X == 2")
    run = lab.run("repro.py")
    assert run.failure["frames"][0]["in_check"], "nothing says that this script is part of the tree"
    (lab.tree / ".git").mkdir()
    (lab.tree / ".git" / "index").write_bytes(b"DIRC....repro.py\0...")
    run = lab.run("repro.py")
    assert run.failure["frames"][0]["in_tree"], "git tracks it"


def test_test_files_in_the_tree_are_the_check(lab):
    lab.write(tree_lib="X = 1", tree_tests__test_x="import lib\nassert lib.X == 2")
    run = lab.run("tests/test_x.py")
    frame = run.failure["frames"][0]
    assert frame["in_check"] and not frame["in_tree"]


def test_modules_that_the_check_made(any_lab):
    run = any_lab.check(
        tree="X = 1",
        check="""
            import importlib.abc, importlib.machinery, sys, types
            from unittest import mock
            class Stub(types.ModuleType):
                def __getattr__(self, name):
                    raise SystemExit("a stub was asked for " + name)
            class Loader(importlib.abc.Loader):
                def create_module(self, spec): return None
                def exec_module(self, module): pass
            class Finder(importlib.abc.MetaPathFinder):
                def find_spec(self, name, path=None, target=None):
                    if name == "found":
                        return importlib.machinery.ModuleSpec(name, Loader())
            sys.meta_path.insert(0, Finder())
            sys.modules["apex"] = Stub("apex")
            sys.modules["hand"] = types.ModuleType("hand")
            sys.modules["mocked"] = mock.MagicMock()
            sys.modules["gone"] = None
            import found
            import lib
            assert lib.X == 2
        """,
    )
    assert run.evidence["mocked"] == {
        "apex": "Stub, made by the check",
        "hand": "made by hand",
        "mocked": "a mock",
        "gone": "blocked",
        "found": "loaded by Loader, made by the check",
    }


def test_files_that_are_read_and_not_run(any_lab):
    any_lab.write(tree_pkg__text="x is 'a'")
    run = any_lab.check(
        tree="X = 1",
        check="import lib, pathlib\nassert ' is ' not in pathlib.Path('pkg/text.py').read_text()",
    )
    assert run.evidence["opened"] == ["pkg/text.py"]


def test_packages(lab):
    run = lab.check(tree="import pytest", check="import lib\nassert False")
    versions = {p["name"]: p["version"] for p in run.evidence["packages"]}
    assert versions["pytest"] == pytest.__version__
