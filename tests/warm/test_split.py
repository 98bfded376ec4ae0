"""Tier split gives the verdict of a fresh process for every kind of function."""

import pytest
from conftest import Edit

# name -> (module of the tree, check, [(old, new), ...]); each case has an edit that turns the check
# green and one that does not.
CASES = {
    "function": (
        "def f(a):\n    return a + 1\n",
        "import m\nassert m.f(1) == 3\n",
        [("a + 1", "a + 2"), ("a + 1", "a + 3"), ("return a + 1", "b = a\n    return b + 2")],
    ),
    "one line": (
        "def f(a): return a + 1\n",
        "import m\nassert m.f(1) == 3\n",
        [("a + 1", "a + 2"), ("a + 1", "a + 3")],
    ),
    "docstring": (
        'def f(a):\n    """Says\n    it."""\n    return a + 1\n',
        'import m\nassert m.f(1) == 3 and m.f.__doc__.startswith("Says")\n',
        [("a + 1", "a + 2"), ("a + 1", "a + 3")],
    ),
    "method": (
        "class A:\n    def __init__(self):\n        self.x = 1\n    def f(self, n):\n        return self.x + n\n",
        "import m\na = m.A()\nassert a.f(1) == 3\n",
        [("self.x + n", "self.x + n + 1"), ("self.x + n", "n"), ("self.x = 1", "self.x = 2")],
    ),
    "static and class method": (
        """\
        class A:
            @staticmethod
            def s(a):
                return a
            @classmethod
            def c(cls, a):
                return cls.s(a)
        """,
        "import m\nassert m.A.c(1) == 2 == m.A().s(1)\n",
        [("return a\n", "return a + 1\n"), ("cls.s(a)", "a + 1"), ("return a\n", "return a + 2\n")],
    ),
    "property": (
        """\
        class A:
            _v = 1
            @property
            def v(self):
                return self._v
            @v.setter
            def v(self, value):
                self._v = value
        """,
        "import m\na = m.A()\na.v = 2\nassert a.v == 3\n",
        [("return self._v", "return self._v + 1"), ("= value", "= value + 1"), ("= value", "= 7")],
    ),
    "closure": (
        """\
        def outer(n, unused=5):
            step = 1
            def inner(a):
                return a + n
            return inner
        """,
        "import m\nassert m.outer(1)(1) == 3\nassert m.outer(2)(1) == 4\n",
        [
            ("return a + n", "return a + n + step"),  # a variable that was none of inner's before
            ("return a + n", "return a + step"),
            ("step = 1", "n += 1"),
            ("return a + n", "return a + n + unused - 4"),
        ],
    ),
    "nonlocal": (
        """\
        def counter():
            count = 0
            def up():
                nonlocal count
                count += 1
                return count
            return up
        """,
        "import m\nup = m.counter()\nup()\nassert up() == 4\n",
        [("count += 1", "count += 2"), ("count += 1", "count -= 1")],
    ),
    "closure of a closure": (
        """\
        def a(x):
            def b(y):
                def c(z):
                    return x + z
                return c
            return b
        """,
        "import m\nassert m.a(1)(2)(3) == 6\n",
        [("return x + z", "return x + y + z"), ("return x + z", "return y + z")],
    ),
    "super": (
        """\
        class A:
            def f(self):
                return 1
        class B(A):
            def f(self):
                return 2
            def g(self):
                return super().f()
        """,
        "import m\nassert m.B().f() == 3\nassert m.B().g() == 1\n",
        [("return 2", "return super().f() + 2"), ("return 2", "return super().f()")],
    ),
    "decorated": (
        """\
        import functools
        def twice(f):
            @functools.wraps(f)
            def wrapper(*args, **kwargs):
                return f(*args, **kwargs) * 2
            return wrapper
        @twice
        def f(a):
            return a
        """,
        "import m\nassert m.f(1) == 4\n",
        [("return a\n", "return a + 1\n"), ("* 2", "* 4"), ("* 2", "* 3")],
    ),
    "lru_cache": (
        "import functools\n@functools.lru_cache(None)\ndef f(a):\n    return a\n",
        "import m\nm.f(1)\nassert m.f(1) == 2\nassert m.f.cache_info().hits == 1\n",
        [("return a", "return a + 1"), ("return a", "return a + 2")],
    ),
    "generator": (
        "def g(n):\n    for i in range(n):\n        got = yield i\n        if got:\n            return got\n",
        "import m\nassert list(m.g(2)) == [1, 2]\ni = m.g(1)\nnext(i)\ntry:\n    i.send(4)\n"
        "except StopIteration as e:\n    assert e.value == 4\n",
        [("yield i", "yield i + 1"), ("yield i", "yield i + 2"), ("return got", "return 5")],
    ),
    "contextmanager": (
        """\
        import contextlib
        @contextlib.contextmanager
        def c(log):
            log.append("in")
            yield 1
            log.append("out")
        """,
        """\
        import m
        log = []
        try:
            with m.c(log) as one:
                raise KeyError
        except KeyError:
            pass
        assert log == ["in", "out"] and one == 1, log
        """,
        [
            (
                'yield 1\n    log.append("out")',
                'try:\n        yield 1\n    finally:\n        log.append("out")',
            ),
            ("yield 1", "yield 2"),
        ],
    ),
    "coroutine by hand": (
        "async def f(a):\n    return a\n",
        "import m\nc = m.f(1)\ntry:\n    c.send(None)\nexcept StopIteration as e:\n    assert e.value == 2\n",
        [("return a", "return a + 1"), ("return a", "return a + 2")],
    ),
    "captured": (
        """\
        import functools
        def f(a):
            return a
        def g(a, by=f):
            return by(a)
        h = functools.partial(f, 1)
        registry = {"f": f}
        """,
        "from m import f\nimport m\nassert m.g(1) == m.h() == m.registry['f'](1) == f(1) == 2\n",
        [("    return a\n", "    return a + 1\n"), ("    return a\n", "    return a + 2\n")],
    ),
    "recursion": (
        "def fact(n):\n    if n < 1:\n        return 0\n    return n * fact(n - 1)\n",
        "import m\nassert m.fact(5) == 120\n",
        [("return 0", "return 1"), ("n * fact(n - 1)", "n"), ("n * fact(n - 1)", "fact(n)")],
    ),
    "dataclass": (
        """\
        import dataclasses
        @dataclasses.dataclass
        class D:
            a: int = 1
            def __post_init__(self):
                self.b = self.a
        """,
        "import m\nd = m.D(2)\nassert d.b == 3 and d == m.D(2)\n",
        [("self.b = self.a", "self.b = self.a + 1"), ("self.b = self.a", "self.b = 0")],
    ),
    "private names": (
        """\
        class A:
            __x = 1
            def f(self, __y):
                return self.__x + __y
            def __g(self):
                return 5
        """,
        "import m\nassert m.A().f(1) == 6\n",
        [("self.__x + __y", "self.__g() + __y"), ("self.__x + __y", "self.__z")],
    ),
    "parameters": (
        "def f(a, /, b, *args, c, d=4, **kw):\n    return 0\n",
        "import m\nassert m.f(1, 2, 3, 3, c=9, z=5) == (1, 2, (3, 3), 9, 4, {'z': 5})\n",
        [("return 0", "return a, b, args, c, d, kw"), ("return 0", "return a, b, args, d, c, kw")],
    ),
    "nested class": (
        """\
        class A:
            class B:
                def f(self):
                    return __class__.__qualname__ + "!"
        if True:
            class C:
                try:
                    def f(self):
                        return 1
                except NameError:
                    pass
        """,
        "import m\nassert m.A.B().f() == 'A.B'\nassert m.C().f() == 1\n",
        [(' + "!"', ""), ("return 1", "return 2"), (' + "!"', ' + "?"')],
    ),
    "two functions": (
        "def f(a):\n    return a\n\n\ndef g(a):\n    return f(a)\n",
        "import m\nassert m.g(1) == 5\n",
        [
            (("return a", "return a + 2"), ("return f(a)", "return f(a) + 2")),
            (("return a", "return a + 2"), ("return f(a)", "return f(a) + 3")),
        ],
    ),
    "future annotations": (
        '"""Doc."""\nfrom __future__ import annotations\ndef f(a):\n    def g(x: nothing): pass\n    return g.__annotations__["x"]\n',
        "import m\nassert m.f(1) == 'int'\n",
        [("nothing", "int"), ("nothing", "str")],
    ),
    "module called while importing": (
        "def f(a):\n    return a\nVALUE = f(1)\n",
        "import m\nassert m.VALUE == 2\n",
        [("return a", "return a + 1"), ("return a", "return a + 2")],
    ),
    "random numbers": (
        "def f(a):\n    return a\n",
        "import random\nrandom.seed(3)\na = random.random()\nrandom.seed(3)\nimport m\nassert m.f(0) == random.random() - a\n"
        "random.seed(4)\n",
        [("return a", "return a * 1.0"), ("return a", "return 9")],
    ),
}


def edits(name):
    for edit in CASES[name][2]:
        places = edit if isinstance(edit[0], tuple) else (edit,)
        yield Edit(*[("m.py", old, new) for old, new in places])


@pytest.mark.parametrize("name", sorted(CASES))
def test_agrees(any_lab, name):
    module, check, _ = CASES[name]
    any_lab.write(tree_m=module, check_check=check)
    statuses = any_lab.agree(list(edits(name)))
    assert 0 in statuses and any(statuses), statuses


@pytest.mark.parametrize("name", sorted(CASES))
def test_preload_agrees(lab, name):
    module, check, _ = CASES[name]
    lab.write(tree_m=module, check_check=check)
    lab.agree(list(edits(name)), mode="preload", preload=["json", "random"])


@pytest.mark.parametrize(
    "old, new",
    [
        ("import os\n", "import os, sys\n"),
        ("LIMIT = 1", "LIMIT = 2"),
        ("def f(a, b=1)", "def f(a, b=2)"),
        ("def f(a, b=1)", "def g(a, b=1)"),
        ("@functools.lru_cache(None)", "@functools.lru_cache(1)"),
        ('"""Doc."""', '"""Docs."""'),
        ("return b\n", "yield b\n"),
        ("return b\n", "return b\nOTHER = 1\n"),
        ("x = 1", "x = 2"),
        ("lambda: 1", "lambda: 2"),
        ("    async def a(self):\n        yield 1", "    async def a(self):\n        yield 2"),
        ("return b\n", "import sys; return sys._getframe(1)\n"),
    ],
)
def test_refuses_what_is_not_a_function_body(lab, old, new):
    lab.write(
        tree_m="""\
        import functools
        import os
        LIMIT = 1
        L = lambda: 1
        @functools.lru_cache(None)
        def f(a, b=1):
            \"\"\"Doc.\"\"\"
            return b
        class C:
            x = 1
            async def a(self):
                yield 1
        """,
        check_check="import m\nm.f(1)\n",
    )
    run = lab.warm("split", [Edit(("m.py", old, new))])
    assert run.answer(0) == "refused", run.lines
    assert run.end["status"] == run.status == 0  # nothing was served, so the check ran to its end


def test_preload_serves_what_split_refuses(lab):
    lab.write(tree_m="LIMIT = 1\n", check_check="import m\nassert m.LIMIT == 2\n")
    lab.agree([Edit(("m.py", "= 1", "= 2")), Edit(("m.py", "= 1", "= 3"))], mode="preload")


def test_name_that_cannot_be_bound_is_refused(lab):
    # In the candidate `n` of inner is the variable of outer, in the base it is inner's own.
    lab.write(
        tree_m="def outer(n):\n    def inner():\n        n = 5\n        return n\n    return inner\n",
        check_check="import m\nassert m.outer(1)() == 1\n",
    )
    run = lab.warm("split", [Edit(("m.py", "n = 5", "pass"))])
    assert run.answer(0) == "refused", run.lines


def test_unreached(lab):
    lab.write(
        tree_m="def f():\n    return 1\ndef g():\n    return 1\n",
        tree_n="def h():\n    return 1\nX = 1\n",
        check_check="import m\nassert m.f() == 2\n",
    )
    run = lab.warm(
        "split",
        [
            Edit(("m.py", "def g():\n    return 1", "def g():\n    return 2")),
            Edit(("n.py", "return 1", "return 2")),  # a file that is never loaded
            Edit(("n.py", "X = 1", "X = 2")),
        ],
    )
    assert [run.answer(i) for i in range(3)] == ["unreached", "unreached", "refused"]
    assert run.end["status"] == run.status == 1


def test_stops_when_all_is_answered(lab):
    lab.write(
        tree_m="def f():\n    return 1\n",
        check_check="import m\nm.f()\nopen('went on', 'w').close()\n",
    )
    run = lab.warm("split", [Edit(("m.py", "return 1", "raise SystemExit(3)"))])
    assert run.answer(0) == 3
    assert "status" not in run.end and not (lab.tree / "went on").exists()


def test_file_loaded_after_the_fork(lab):
    lab.write(
        tree_m="def f():\n    import n\n    return n.g() + 1\n",
        tree_n="X = 1\ndef g():\n    return 1\n",
        check_check="import m\nassert m.f() == 5\n",
    )
    both = ("m.py", "+ 1", "+ 2"), ("n.py", "return 1", "return 3")
    lab.agree([Edit(*both), Edit(("n.py", "return 1", "return 4"))])
    run = lab.warm("split", [Edit(both[0], ("n.py", "X = 1", "X = 2"))])
    assert run.answer(0) == "refused"


def test_source_with_its_own_encoding_and_line_ends(lab):
    (lab.tree / "m.py").write_bytes(
        b"# -*- coding: latin-1 -*-\r\nclass A:\r\n    def f(self):\r\n        return '\xe9'\r\n"
    )
    (lab.tree / "n.py").write_bytes(
        b"\xef\xbb\xbfdef f(a):\n\treturn 'x'\nclass B:\n\tdef g(self):\n\t\treturn 1\n"
    )
    lab.write(
        check_check="import m, n\nassert m.A().f() == '\\xe9a'\nassert n.f(1) == 'x'\nassert n.B().g() == 1\n"
    )
    good = ("m.py", "        return ", "        return 'a' and 'a'.join(('', '')) + ")
    lab.agree(
        [
            Edit(
                (
                    "m.py",
                    "    def f(self):\r\n        return",
                    "    def f(self):\r\n        return '\\xe9a' or",
                )
            ),
            Edit(good, ("n.py", "\t\treturn 1", "\t\treturn 2")),
            Edit(("n.py", "return 1", "return 2")),
        ]
    )


def test_positions_stay(lab):
    lab.write(
        tree_m="import sys\n\n\n\nclass A:\n    def f(self):\n        return 0\n",
        check_check="""\
        import m, traceback
        try:
            m.A().f()
        except KeyError as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            assert frame.lineno == 8 and frame.filename.endswith("/m.py"), frame
        """,
    )
    assert lab.agree([Edit(("m.py", "return 0", "x = 0\n        raise KeyError"))]) == [0]
