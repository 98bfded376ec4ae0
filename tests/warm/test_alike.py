"""Candidates that are said to be like another end as it does; what is not certain is run."""

import pytest
from conftest import Edit


def edits(old, *new, file="m.py"):
    return [Edit((file, old, text)) for text in new]


def served(lab, candidates, **settings):
    """{index: None for one that was run, "base" or the index of the one that it is like}. Every
    status is that of a fresh process."""
    lab.agree(candidates, **settings)
    run = lab.warm("split", candidates, **settings)
    found = {line["index"]: None for line in run.of("verdict")}
    found.update((line["index"], line.get("like", "base")) for line in run.of("alike"))
    assert len(found) == len(candidates), run.lines
    return found


def test_one_that_behaves_as_the_original_is_not_run(any_lab):
    any_lab.write(
        tree_m="def f(a):\n    if a > 3:\n        return 1\n    return 2\n",
        check_check="import m\nassert m.f(3) == 1\n",
    )
    assert served(any_lab, edits("a > 3", "a > 4", "a >= 3", "a == 5 or a > 7")) == {
        0: "base",
        1: None,
        2: "base",
    }


def test_those_that_leave_the_original_together_are_run_once(any_lab):
    any_lab.write(
        tree_m="def f(a):\n    if a > 3:\n        return 1\n    return 2\n",
        check_check="import m\nassert m.f(3) == 7\n",
    )
    found = served(any_lab, edits("a > 3", "a >= 3", "a > 2", "not a > 3", "a is not None"))
    assert found == {0: None, 1: 0, 2: 0, 3: 0}


def test_one_that_passes_tells_of_its_like(lab):
    lab.write(
        tree_m="def f(a):\n    return 1 if a > 3 else 2\n",
        check_check="import m\nassert m.f(3) == 1\n",
    )
    assert lab.agree(edits("a > 3", "a >= 3", "a > 2", "a > 5")) == [0, 0, 1]
    assert served(lab, edits("a > 3", "a >= 3", "a > 2", "a > 5")) == {0: None, 1: 0, 2: "base"}


def test_what_follows_the_parting_counts(lab):
    # All leave the original at the first visit; what they do at the second, which the original
    # does not have or has in another state, tells them apart.
    lab.write(
        tree_m="""\
        def f(n):
            found = []
            while len(found) < n:
                found.append(len(found))
                if len(found) == 7:
                    break
            return found
        """,
        check_check="import m\nassert m.f(0) == [0, 1, 2]\n",
    )
    candidates = edits(
        "len(found) < n", "len(found) < 2", "len(found) < 3", "not found", "len(found) <= 2", "True"
    )
    assert lab.agree(candidates) == [1, 0, 1, 0, 1]
    assert served(lab, candidates) == {0: None, 1: None, 2: None, 3: 1, 4: None}


def test_at_a_later_visit(lab):
    lab.write(
        tree_m="def f(x):\n    return [y for y in x if y > 1]\n",
        check_check="import m\nassert m.f([3, 2, 1, 0, 5]) == [3, 2, 1, 5]\n",
    )
    candidates = edits("y > 1", "y >= 1", "y != 0", "y > 2", "y", "y > 4", "y in (2, 3, 5)")
    assert served(lab, candidates) == {0: None, 1: 0, 2: None, 3: 0, 4: None, 5: "base"}


def test_an_expression_that_is_never_evaluated(lab):
    lab.write(
        tree_m="def f(x):\n    if x:\n        return x > 1\n    return 0\n",
        check_check="import m\nassert m.f(0)\n",
    )
    assert served(lab, edits("x > 1", "x > 2", "x < 1")) == {0: "base", 1: "base"}


def test_where_the_expression_raises(lab):
    lab.write(
        tree_m="def f(x):\n    if x.size > 1:\n        return 1\n    return 0\n",
        check_check="import m\nassert m.f(None) == 0\n",
    )
    candidates = edits("x.size > 1", "x is not None and x.size > 1", "x.size > 2", "x is not None")
    assert lab.agree(candidates) == [0, 1, 0]
    assert served(lab, candidates) == {0: None, 1: None, 2: None}


def test_where_looking_would_run_code(lab):
    lab.write(
        tree_m="""\
        class A:
            asked = 0
            known = 3
            @property
            def size(self):
                self.asked += 1
                return 3
            def __getattr__(self, name):
                self.asked += 1
                return 3
            def __eq__(self, other):
                self.asked += 1
                return False
            __hash__ = None
        def f(a):
            if a.known == 4:
                return 0
            return a.asked
        """,
        check_check="import m\nassert m.f(m.A()) == 7\n",
    )
    candidates = edits(
        "a.known == 4", "a.size == 4", "a.lazy == 4", "a == 4", "a in (4, 5)", "a.known == 5"
    )
    lab.write(check_check="import m\nassert m.f(m.A()) == 0\n")
    found = served(lab, candidates)
    assert [found[index] for index in range(4)] == [None] * 4
    lab.write(check_check="import m\nassert m.f(m.A()) == 7\n")
    assert served(lab, candidates)[4] == "base"


def test_impure_expressions_are_run(lab):
    lab.write(
        tree_m="def g(x):\n    return x\ndef f(x):\n    if g(x) > 1:\n        return 1\n    return 2\n",
        check_check="import m\nassert m.f(1) == 1\n",
    )
    assert served(lab, edits("g(x) > 1", "g(x) > 2", "g(x) > 3", "g(x) >= 1")) == dict.fromkeys(
        range(3)
    )


def test_a_part_of_an_impure_condition(lab):
    lab.write(
        tree_m="def g(x):\n    return x\ndef f(x):\n    if g(x) and x > 1:\n        return 1\n    return 2\n",
        check_check="import m\nassert m.f(1) == 1\n",
    )
    assert served(lab, edits("x > 1", "x > 2", "x > 3", "x >= 1")) == {
        0: "base",
        1: "base",
        2: None,
    }


def test_values(lab):
    lab.write(
        tree_m="def g(a, b):\n    return a + b\ndef f(x, y, z):\n    return g(x, y)\n",
        check_check="import m\nassert m.f(1, 2, 2) == 4\n",
    )
    # 2 == 2.0 and 1 == True, but they are not the same.
    candidates = edits("(x, y)", "(x, z)", "(x, 2)", "(x, 3)", "(x, 2.0)", "(True, y)", "(x, x + 2)")
    assert served(lab, candidates) == {0: "base", 1: "base", 2: None, 3: None, 4: None, 5: 2}


def test_values_with_identity(lab):
    lab.write(
        tree_m="def f(x, y):\n    held = x\n    held.append(1)\n    return y\n",
        check_check="import m\nassert m.f([], []) == [1]\na = []\nassert m.f(a, a) == [1]\n",
    )
    assert served(lab, edits("held = x", "held = y", "held = [x][0]", "held = x or y")) == {
        0: None,
        1: "base",
        2: None,
    }


FORMS = {
    "method": (
        "class A:\n    _x = 1\n    __y = 2\n    def f(self, n):\n        return 1 if n > self._x else 0\n",
        "import m\nassert m.A().f(1) == 1\n",
        ("n > self._x", "n >= self._x", "n > self.__y", "n > self._x + 1", "self.__y > 2"),
        {0: None, 1: None, 2: "base", 3: None},
    ),
    "closure": (
        "def outer(a, b):\n    c = 3\n    def inner(x):\n        return x > a\n    return inner, c\n",
        "import m\nassert m.outer(1, 0)[0](1)\n",
        ("x > a", "x > b", "x > c", "x > a + 1", "x >= a"),
        {0: None, 1: "base", 2: "base", 3: 0},
    ),
    "generator": (
        "def f(n):\n    for i in range(n):\n        if i % 2 == 1:\n            yield i\n",
        "import m\nassert list(m.f(4)) == [0, 2]\n",
        ("i % 2 == 1", "i % 2 == 0", "i % 2 != 1", "i in (1, 3)", "i != 2"),
        {0: None, 1: 0, 2: "base", 3: None},
    ),
    "coroutine": (
        "async def f(a):\n    if a > 1:\n        return 1\n    return 2\n",
        "import m\ntry:\n    m.f(1).send(None)\nexcept StopIteration as end:\n    assert end.value == 1\n",
        ("a > 1", "a > 2", "a > 0", "a >= 1"),
        {0: "base", 1: None, 2: 1},
    ),
    "unbound": (
        "def f(a):\n    if a > 1:\n        late = a\n    else:\n        return 0\n    return late\n",
        "import m\nassert m.f(1) == 1\n",
        ("a > 1", "late > 1", "a > 2", "a > 0 and a"),
        {0: None, 1: "base", 2: None},
    ),
    "a global of the same name": (
        "x = 5\ndef f(a):\n    def g():\n        global x\n        return a > x\n    return g()\n",
        "import m\nassert m.f(5)\n",
        ("a > x", "a >= x", "a > x + 1", "a == x"),
        {0: None, 1: "base", 2: 0},
    ),
    "builtins": (
        "def f(a):\n    return len(a) > 1 if isinstance(a, list) else None\n",
        "import m\nassert m.f((1, 2))\n",
        ("isinstance(a, list)", "isinstance(a, (list, tuple))", "hasattr(a, 'append')", "a", "not a"),
        {0: None, 1: "base", 2: 0, 3: "base"},
    ),
}


@pytest.mark.parametrize("name", sorted(FORMS))
def test_forms(any_lab, name):
    module, check, texts, expected = FORMS[name]
    any_lab.write(tree_m=module, check_check=check)
    assert served(any_lab, edits(*texts)) == expected


def test_held(lab):
    lab.write(
        tree_m="def f(a):\n    if a > 3:\n        return 1\n    return 2\n",
        check_check="import m\nx = m.f(3)\nassert x == 7\n",
    )
    candidates = edits("a > 3", "a >= 3", "a > 2", "a > 4")
    lab.agree(candidates, mode="held")
    run = lab.warm("held", candidates)
    assert {line["index"] for line in run.of("alike")} == {1, 2}


def test_a_child_that_loads_the_file_again_watches_no_more(lab):
    lab.write(
        tree_m="def f(a):\n    return 1 if a > 1 else 2\n",
        check_check="""\
        import importlib, m
        m.f(1)
        importlib.reload(m)
        assert m.f(3) == 2
        """,
    )
    assert served(lab, edits("a > 1", "a > 2", "a > 3")) == {0: None, 1: None}


def test_a_hang(lab):
    lab.write(
        tree_m="def f(n):\n    while n > 0:\n        n -= 0\n    return n\n",
        check_check="import m\nassert m.f(3) == 3\n",
    )
    run = lab.warm("split", edits("n > 0", "n > 1", "n > 2", "n > 3"), timeout=1.0)
    assert [run.answer(index) for index in range(3)] == ["timeout", "timeout", 0]


def test_every_pair_agrees_with_fresh(lab):
    """Many conditions of one loop, whose runs part in many ways."""
    lab.write(
        tree_m="""\
        def f(items, limit):
            kept, seen = [], 0
            for item in items:
                seen += 1
                if item > limit:
                    kept.append(item)
                    limit += 1
            return kept, seen, limit
        """,
        check_check="import m\nassert m.f([4, 1, 5, 2, 6, 3], 2) == ([4, 5, 6], 6, 6)\n",
    )
    texts = [
        "item %s %s" % (operator, right)
        for operator in ("<", "<=", "==", "!=", ">=")
        for right in ("limit", "limit + 1", "seen", "len(kept)", "3")
    ]
    found = served(lab, edits("item > limit", *texts))
    assert 0 < sum(like is not None for like in found.values()) < len(texts)
