"""Checks of every form: pytest, unittest, -m, -c, scripts in the tree, mocks."""

import pytest
from conftest import WARM, Edit

MODULE = "def f(a=1):\n    return a\n"
GOOD = Edit(("m.py", "return a", "return a + 1"))
BAD = Edit(("m.py", "return a", "return a + 2"))
BREAKS = Edit(("m.py", "return a", "raise SystemExit"))


@pytest.mark.parametrize("mode", ["split", "preload"])
@pytest.mark.parametrize("options", [["-q"], ["-s"], ["-x", "--capture=sys"], ["-k", "test_f"]])
def test_pytest(lab, mode, options):
    lab.write(
        tree_m=MODULE,
        tree_conftest="import pytest\n@pytest.fixture\ndef two():\n    print('noise')\n    return 2\n",
        tree_test_m="""\
        import pytest
        import m

        @pytest.mark.parametrize("a", [1, 5])
        def test_f(a, two, capsys):
            print("captured")
            assert m.f(a) == a + two - 1
            assert capsys.readouterr().out == "captured\\n"

        def test_fd(capfd):
            print("x", flush=True)
            assert m.f() == 2
            assert capfd.readouterr().out == "x\\n"
        """,
    )
    arguments = ["-m", "pytest", "-p", "no:cacheprovider", *options]
    node = [*arguments, "test_m.py::test_f[5]"]
    assert lab.agree([GOOD, BAD, BREAKS], mode, arguments)[:2] == [0, 1]
    if options == ["-q"]:
        assert lab.agree([GOOD, BAD], mode, node) == [0, 1]


def test_pytest_shows_source_without_being_refused(lab):
    lab.write(tree_m=MODULE, tree_test_m="import m\ndef test_f():\n    assert m.f() == 2\n")
    arguments = ["-m", "pytest", "-p", "no:cacheprovider", "test_m.py"]
    assert lab.agree([Edit(("m.py", "return a", "raise KeyError")), GOOD], "split", arguments) == [
        1,
        0,
    ]


def test_edit_of_a_test_file(lab):
    """pytest compiles test files itself, from their text."""
    lab.write(tree_test_m="def helper():\n    return 1\ndef test_f():\n    assert helper() == 2\n")
    arguments = ["-m", "pytest", "-p", "no:cacheprovider", "test_m.py"]
    edits = [
        Edit(("test_m.py", "return 1", "return 2")),
        Edit(("test_m.py", "return 1", "return 3")),
    ]
    run = lab.warm("split", edits, arguments)
    assert [run.answer(0), run.answer(1)] == ["refused", "refused"]
    assert lab.agree(edits, "preload", arguments) == [0, 1]


@pytest.mark.parametrize("mode", ["split", "preload"])
def test_unittest(lab, mode):
    lab.write(
        tree_m=MODULE,
        tree_test_m="""\
        import unittest, m
        class T(unittest.TestCase):
            def test_f(self):
                self.assertEqual(m.f(), 2)
        if __name__ == "__main__":
            unittest.main()
        """,
    )
    for arguments in (
        ["-m", "unittest", "-v", "test_m"],
        ["-m", "unittest", "test_m.T.test_f"],
        ["test_m.py"],
    ):
        assert lab.agree([GOOD, BAD], mode, arguments) == [0, 1]


@pytest.mark.parametrize("mode", ["split", "preload"])
def test_text_and_module(lab, mode):
    lab.write(tree_m=MODULE + "if __name__ == '__main__':\n    assert f() == 2\n")
    for arguments in (["-c", "import m; assert m.f() == 2"], ["-m", "m"], ["m.py"]):
        assert lab.agree([GOOD, BAD], mode, arguments) == [0, 1]


@pytest.mark.parametrize("mode", ["split", "preload"])
def test_finders_and_mocks_of_the_check(lab, mode):
    lab.write(
        tree_p____init__="raise ImportError('the package itself is not wanted')\n",
        tree_p__m="import absent\nfrom p import other\n" + MODULE,
        check_check="""\
        import importlib.abc, importlib.machinery, importlib.util, sys, types
        from unittest import mock
        class Stub(importlib.abc.MetaPathFinder, importlib.abc.Loader):
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] == "p":
                    return importlib.machinery.ModuleSpec(name, self, is_package=True)
            def create_module(self, spec):
                return types.ModuleType(spec.name)
            def exec_module(self, module):
                module.other = mock.MagicMock()
        sys.meta_path.insert(0, Stub())
        sys.modules["absent"] = mock.MagicMock()
        import p
        spec = importlib.util.spec_from_file_location("p.m", "p/m.py")
        m = importlib.util.module_from_spec(spec)
        sys.modules["p.m"] = m
        spec.loader.exec_module(m)
        assert m.f() == 2
        """,
    )
    edits = [
        Edit(("p/m.py", "return a", "return a + 1")),
        Edit(("p/m.py", "return a", "return a + 2")),
    ]
    assert lab.agree(edits, mode) == [0, 1]


def test_mocks_of_what_the_server_needs(lab):
    lab.write(
        tree_m=MODULE,
        check_check="""\
        import os, time, m
        from unittest import mock
        with mock.patch("builtins.open"), mock.patch("os.fork"), mock.patch("time.monotonic"), \\
             mock.patch("os.listdir"), mock.patch("os._exit"), mock.patch("os.path.realpath"), \\
             mock.patch("os.getpid"), mock.patch("time.sleep"):
            two = m.f()
        assert two == 2
        """,
    )
    assert lab.agree([GOOD, BAD]) == [0, 1]


def test_modules_for_preload(any_lab):
    lab = any_lab
    lab.write(
        check_helper="X = 1\n",
        tree_m="import decimal\n" + MODULE,
        check_check="""\
        import json, helper
        import m
        import xml.dom.minidom
        import os, sys, types
        sys.modules["absent"] = types.ModuleType("absent")
        import colorsys
        """,
    )
    named = lab.warm("split").end["modules"]
    assert [n for n in named if n in ("json", "decimal", "xml.dom.minidom")] == [
        "json",
        "decimal",
        "xml.dom.minidom",
    ]
    assert not {"m", "helper", "absent", "colorsys", "suture_warm"} & set(named)
    assert lab.warm("preload", [], preload=named).end


@pytest.mark.parametrize(
    "change",
    ["os.environ['X'] = '1'", "sys.meta_path.insert(0, Finder)", "sys.modules['x'] = None"],
)
def test_no_module_after_a_change_by_the_check(lab, change):
    lab.write(check_check="""\
        import json, os, sys
        class Finder:
            find_spec = staticmethod(lambda *a: None)
        %s
        import colorsys
        """ % change)
    assert lab.warm("split").end["modules"][:1] == ["json"]
    assert "colorsys" not in lab.warm("split").end["modules"]


def test_module_that_looks_for_the_tree_is_left_out(lab):
    site = lab.folder / "site"
    site.mkdir()
    (site / "third.py").write_text("try:\n    import m\nexcept ImportError:\n    pass\n")
    (site / "fourth.py").write_text("X = 1\n")
    lab.write(tree_m=MODULE, check_check="import third, fourth\n")
    run = lab.warm("split", PYTHONPATH="%s:%s:%s" % (WARM, site, lab.tree))
    assert run.end["modules"] == ["fourth"]


def test_preload_that_imports_the_tree_is_unable(lab):
    lab.write(tree_m=MODULE, check_check="import m\nassert m.f() == 2\n")
    run = lab.warm("preload", [GOOD], preload=["m"])
    assert run.answer(0) is None and "tree" in run.of("unable")[0]["reason"]


def test_preload_says_what_it_left_out(lab):
    lab.write(tree_m=MODULE, check_check="import m\nassert m.f() == 2\n")
    run = lab.warm("preload", [GOOD, BAD], preload=["no_such_module", "json"])
    assert "no_such_module" in run.of("start")[0]["reason"]
    assert [run.answer(0), run.answer(1)] == [0, 1]
