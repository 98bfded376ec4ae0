"""Predicate switching tells which outcome of which condition turns the check green."""

import pytest

# name -> (module of the tree, check, condition, {(outcome, visit): status}, (visits, true, lost)).
# Outcomes that change nothing are not tried: they have no entry.
CASES = {
    "function": (
        "def f(a):\n    if a > 3:\n        return 1\n    return 2\n",
        "import m\nassert m.f(3) == 1\n",
        "a > 3",
        {(True, 0): 0},
        (1, 0, 0),
    ),
    "the other way is red as well": (
        "def f(a):\n    if a > 3:\n        return 1\n    return 2\n",
        "import m\nassert m.f(3) == 7\n",
        "a > 3",
        {(True, 0): 1},
        (1, 0, 0),
    ),
    "method": (
        "class A:\n    __x = 1\n    def f(self):\n        return 'a' if self.__x == 2 else 'b'\n",
        "import m\nassert m.A().f() == 'a'\n",
        "self.__x == 2",
        {(True, 0): 0},
        (1, 0, 0),
    ),
    "elif": (
        "def f(a):\n    if a == 1:\n        return 1\n    elif (\n        a == 2\n    ):\n        return 2\n",
        "import m\nassert m.f(3) == 2\n",
        "(\n        a == 2\n    )",
        {(True, 0): 0},
        (1, 0, 0),
    ),
    "generator": (
        "def f(n):\n    for i in range(n):\n        if i % 2:\n            yield i\n",
        "import m\nassert list(m.f(3)) == [0, 1, 2]\n",
        "i % 2",
        {(True, 0): 0, (False, 0): 1},
        (3, 1, 0),
    ),
    "asynchronous generator": (
        """\
        async def f(n):
            for i in range(n):
                if i % 2:
                    yield i
        """,
        """\
        import m
        async def collect():
            return [i async for i in m.f(2)]
        try:
            collect().send(None)
        except StopIteration as end:
            assert end.value == [0, 1]
        """,
        "i % 2",
        {(True, 0): 0, (False, 0): 1},
        (2, 1, 0),
    ),
    "closure": (
        """\
        def outer(limit):
            def inner(a):
                return 1 if a < limit else 0
            return inner
        """,
        "import m\nassert m.outer(2)(2) == 1\n",
        "a < limit",
        {(True, 0): 0},
        (1, 0, 0),
    ),
    "filter": (
        "def f(xs):\n    return [x for x in xs if x > 1 if x < 9]\n",
        "import m\nassert m.f([1, 2]) == [1, 2]\n",
        "x > 1",
        {(True, 0): 0, (False, 0): 1},
        (2, 1, 0),
    ),
    "assert": (
        "def f(x):\n    assert x > 1, x\n    return x\n",
        "import m\nassert m.f(1) == 1\n",
        "x > 1",
        {(True, 0): 0},
        (1, 0, 0),
    ),
    "module level": (
        "import sys\nif len(sys.argv) > 7:\n    X = 1\nelse:\n    X = 2\n",
        "import m\nassert m.X == 1\n",
        "len(sys.argv) > 7",
        {(True, 0): 0},
        (1, 0, 0),
    ),
    "loop, at every visit": (
        "def f(n):\n    while n > 0:\n        n -= 1\n        if n == 2:\n            break\n    return n\n",
        "import m\nassert m.f(2) == 2\n",
        "n > 0",
        # Forced true it never ends.
        {(False, 0): 0, (True, 0): "refused"},
        (3, 2, 0),
    ),
    "loop, at one visit": (
        "def f(n):\n    done = 0\n    while done < n:\n        done += 1\n    return done\n",
        "import m\nassert m.f(2) == 1\n",
        "done < n",
        {(False, 0): 1, (False, 1): 1, (False, 2): 0, (True, 0): "refused"},
        (3, 2, 0),
    ),
    "a condition that raises": (
        "def f(x):\n    if x.size > 1:\n        return 1\n    return 0\n",
        "import m\nassert m.f(None) == 0\n",
        "x.size > 1",
        {(True, 0): 1, (False, 0): 0},
        (0, 0, 1),
    ),
    "one that raises in a call, the third time": (
        "def f(x):\n    if len(x) > 1:\n        return 1\n    return 0\n",
        "import m\nassert [m.f('ab'), m.f(''), m.f(None)] == [0, 0, 0]\n",
        "len(x) > 1",
        {(False, 0): 0, (True, 0): 1},
        (2, 1, 1),
    ),
    "what it calls is needed": (
        """\
        class Reader:
            at = 0
            def more(self):
                self.at += 1
                return False
        def f():
            r = Reader()
            if r.more():
                return r.at
        """,
        "import m\nassert m.f() == 1\n",
        "r.more()",
        {(True, 0): 0},
        (1, 0, 0),
    ),
}


def forced(run, index=0):
    """{(outcome, visit): exit status, "timeout" or "refused"} of a condition."""
    found = {}
    for line in run.of("switched"):
        if line["index"] == index:
            key = (line["outcome"], line["visit"])
            assert key not in found
            found[key] = line.get("status", "timeout" if line.get("timeout") else "refused")
    return found


def counts(run, index=0):
    line = next(line for line in run.of("verdict") if line["index"] == index)
    return line["visits"], line["true"], line["lost"]


@pytest.mark.parametrize("name", sorted(CASES))
def test_cases(any_lab, name):
    module, check, condition, expected, seen = CASES[name]
    any_lab.write(tree_m=module, check_check=check)
    run = any_lab.switch([("m.py", condition)])
    assert forced(run) == expected, (run.lines, run.output)
    assert counts(run) == seen


def test_in_pytest(lab):
    lab.write(
        tree_m="def f(a):\n    if a > 3:\n        return 1\n    return 2\n",
        check_test_it="import m\ndef test_one():\n    assert m.f(3) == 1\n",
    )
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(lab.checks / "test_it.py")]
    run = lab.switch([("m.py", "a > 3")], arguments)
    assert forced(run) == {(True, 0): 0}, (run.lines, run.output)


def test_never_reached(lab):
    lab.write(
        tree_m="def f(a):\n    return a if a else 0\ndef g(a):\n    return 1 if a > 1 else 2\n",
        check_check="import m\nassert m.g(1) == 1\n",
    )
    run = lab.switch([("m.py", "a else"), ("m.py", "a > 1 else")], trim=len(" else"))
    assert run.answer(0) == "unreached"
    assert forced(run, 1) == {(True, 0): 0}


def test_a_thousand_visits(lab):
    lab.write(
        tree_m="def f(i, seen):\n    if i in seen:\n        return 0\n    return 1\n",
        check_check="import m\nassert sum(m.f(i, ()) for i in range(1000)) == 999\n",
    )
    run = lab.switch([("m.py", "i in seen")], single_visits=2)
    assert counts(run) == (1000, 0, 0)
    # At every visit it is red, at one visit only it is green.
    assert forced(run) == {(True, 0): 1, (True, 1): 0}, run.lines


def test_the_last_visit(lab):
    lab.write(
        tree_m="def f(x):\n    if x > 1:\n        return 1\n    return 0\n",
        check_check="import m\nfor x in (5, 6, 7): last = m.f(x)\nassert last == 0 and m.f(8) == 1\n",
    )
    run = lab.switch([("m.py", "x > 1")], single_visits=1)
    assert forced(run) == {(False, 0): 1, (False, 3): 0}
    assert counts(run) == (3, 3, 0)


def test_a_visit_that_only_the_forced_run_has(lab):
    lab.write(
        tree_m="def f(x):\n    if x > 1:\n        raise ValueError(x)\n    return x\n",
        check_check="""\
        import m
        assert m.f(2) == 2
        try:
            m.f(3)
        except ValueError:
            pass
        else:
            raise SystemExit(1)
        """,
    )
    run = lab.switch([("m.py", "x > 1")])
    assert counts(run) == (1, 1, 0)
    assert forced(run) == {(False, 0): 1, (False, 1): 0}
    assert [line["again"] for line in run.of("switched")] == [True, True]


def test_one_that_raises_and_then_is_needed_as_it_is(lab):
    lab.write(
        tree_m="def f(x):\n    if len(x) > 1:\n        return 1\n    return 0\n",
        check_check="import m\nassert [m.f(None), m.f('ab'), m.f('')] == [0, 1, 0]\n",
    )
    run = lab.switch([("m.py", "len(x) > 1")])
    assert counts(run) == (0, 0, 1)
    assert forced(run) == {(True, 0): 1, (False, 0): 1, (True, 1): 1, (False, 1): 0}


def test_one_visit_is_not_tried_where_every_visit_is_green(lab):
    lab.write(
        tree_m="def f(x):\n    if x > 1:\n        return 1\n    return 0\n",
        check_check="import m\nassert m.f(2) + m.f(3) == 0\n",
    )
    assert forced(lab.switch([("m.py", "x > 1")], single_visits=4)) == {(False, 0): 0}


def test_several_conditions_share_the_children(lab):
    lab.write(
        tree_m="""\
        def f(a, b):
            if a:
                return 1
            if b:
                return 2
            return 3
        """,
        check_check="import m\nassert m.f(0, 0) == 2\n",
    )
    run = lab.switch([("m.py", "b:"), ("m.py", "a:")], trim=1, children=1)
    assert forced(run, 0) == {(True, 0): 0}
    assert forced(run, 1) == {}
    assert next(line for line in run.of("verdict") if line["index"] == 1)["reason"]


def test_a_condition_within_another(lab):
    lab.write(
        tree_m="def f(a, b):\n    return 1 if (2 if a else b) else 0\n",
        check_check="import m\nassert m.f(0, 0) == 1\n",
    )
    run = lab.switch([("m.py", "2 if a else b"), ("m.py", "a else")], trim=0)
    assert forced(run, 0) == {(True, 0): 0}


def test_recursion_within_a_condition(lab):
    lab.write(
        tree_m="def f(n):\n    if n == 0 or f(n - 1) == 1:\n        return 1\n    return 0\n",
        check_check="import m\nassert m.f(2) == 0\n",
    )
    run = lab.switch([("m.py", "n == 0 or f(n - 1) == 1")])
    assert counts(run) == (3, 3, 0)
    assert forced(run)[(False, 0)] == 0


def test_where_the_source_is_read(lab):
    lab.write(
        tree_m="import inspect\ndef f(a):\n    return 1 if a else 0\nTEXT = inspect.getsource(f)\n",
        check_check="import m\nassert m.f(0)\n",
    )
    run = lab.switch([("m.py", "a else")], trim=5)
    assert run.answer(0) == "refused"
    assert forced(run) == {}


def test_what_is_no_condition(lab):
    lab.write(tree_m="def f(a):\n    return a + 1\n", check_check="import m\nassert m.f(0) == 2\n")
    assert "no condition" in lab.switch([("m.py", "a + 1")]).reason(0)


def test_threads(lab):
    lab.write(
        tree_m="def f(a):\n    return 1 if a else 0\n",
        check_check="""\
        import m, threading
        stop = threading.Event()
        thread = threading.Thread(target=stop.wait)
        thread.start()
        try:
            assert m.f(0)
        finally:
            stop.set()
        """,
    )
    run = lab.switch([("m.py", "a else")], trim=5)
    assert "threads run" in run.of("unable")[0]["reason"]
