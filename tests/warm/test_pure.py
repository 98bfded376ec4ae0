"""pure.py gives what evaluating gives, or says that it cannot tell, and runs no code of others."""

import abc
import ast
import sys
import types

import pytest
from conftest import WARM

sys.path.insert(0, str(WARM))
from suture_warm import pure  # noqa: E402

sys.path.remove(str(WARM))

ran = []


class Plain:
    shared = 7

    def __init__(self):
        self.x, self.items, self.none = 1, [1, 2], None

    def method(self):
        return 1


class Slotted:
    __slots__ = ("x", "empty")

    def __init__(self):
        self.x = 5


class Touchy:
    """Whatever is done to it is noted."""

    known = 1

    def note(self, *_):
        ran.append(1)
        return True

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __contains__ = note
    __getitem__ = __add__ = __radd__ = note
    __hash__ = object.__hash__

    def __len__(self):
        return len(ran.append(1) or "a")

    def __getattr__(self, name):
        ran.append(1)
        return 1

    @property
    def asked(self):
        ran.append(1)
        return 1


class Colour(abc.ABC):
    RED = 1
    BLUE = 2


class Meta(type):
    def __instancecheck__(cls, given):
        ran.append(1)
        return True


class Odd(metaclass=Meta):
    pass


class Text(str):
    def __eq__(self, other):
        ran.append(1)
        return True

    __hash__ = str.__hash__


plain, slotted, touchy, text = Plain(), Slotted(), Touchy(), Text("a")
module = types.ModuleType("module")
module.flag = True
number, word, pair, table, nothing = 3, "word", (1, "b"), {"k": 1, 2: "v"}, None

SAME = """
number > 2 | number >= 4 or word == 'word' | not number | -number | number + 1 == 4 | number % 2
plain.x | plain.shared == 7 | plain.items[0] | plain.items[-1] == 2 | plain.none is None
slotted.x == 5 | module.flag | hasattr(module, 'flag') | hasattr(plain, 'x') | hasattr(plain, 'y')
hasattr(plain, 'method') | hasattr(pair, 'append') | hasattr(word, 'x') | len(word) | len(pair)
pair[1] | table['k'] | table[2] == 'v' | 'k' in table | 3 not in table | 'or' in word
number in (1, 2, 3) | number in [4, 5] | plain in (plain, 1) | Colour.RED == Colour.BLUE
plain == plain | plain != slotted | plain == 3 | pair == (1, 'b') | [1] == [1] | 1 < number < 3
isinstance(number, int) | isinstance(plain, (int, Plain)) | isinstance(True, int)
isinstance(plain, Slotted) | type(plain) is Plain | 1 if number else touchy | number and word
nothing is not None and nothing.x | touchy is None | touchy is touchy | touchy.known | bool(pair)
len(table) == 2 | number == 3.0 | (number, word)[0] | 0 and touchy.asked | word != None
"""
UNKNOWN = """
touchy == 1 | touchy and 1 | not touchy | touchy.asked | touchy.lazy | len(touchy) | touchy > 1
touchy in (1, 2) | 1 in touchy | touchy[0] | touchy + 1 | hasattr(touchy, 'lazy') | text == 'b'
isinstance(1, Odd) | text in ('b', 'c') | plain.method | (touchy, 1) == (1, 1) | text in table
module.lazy | [touchy] == [1] | plain.method is None
"""
RAISES = """
nothing.x | undefined | pair[5] | table['no'] | number < word | number / 0 | plain.y | Plain.nope
"""


def expressions(texts):
    return [text.strip() for line in texts.strip().splitlines() for text in line.split("|")]


def evaluated(text):
    node = ast.parse(text, mode="eval").body
    assert pure.is_pure(node), text
    del ran[:]  # pytest itself touches what it finds in here
    return pure.value(node, pure.Scope(eval("lambda: (%s)" % text)))


@pytest.mark.parametrize("text", expressions(SAME))
def test_is_what_evaluating_gives(text):
    value = evaluated(text)
    assert not ran
    expected = eval(text)
    del ran[:]
    assert value == expected and type(value) is type(expected)


@pytest.mark.parametrize("text", expressions(UNKNOWN))
def test_cannot_be_told(text):
    with pytest.raises(pure.Unknown):
        evaluated(text)
    assert not ran


@pytest.mark.parametrize("text", expressions(RAISES))
def test_would_raise(text):
    with pytest.raises(pure.Raises):
        evaluated(text)
    with pytest.raises(Exception):
        eval(text)


@pytest.mark.parametrize(
    "text",
    ["f(x)", "x.f()", "[y for y in x]", "(y := x)", "lambda: x", "x.__private", "x ** 9", "f'{x}'"]
    + ["await x", "(yield)", "x[1:2]", "{1: 2}", "isinstance(x)", "len(*x)", "x @ y"],
)
def test_is_not_pure_by_its_look(text):
    if text.startswith("await"):
        node = ast.parse("async def f(): " + text).body[0].body[0].value
    else:
        node = ast.parse(text, mode="eval").body
    assert not pure.is_pure(node)


def test_a_builtin_by_another_name_is_not_believed():
    names = {"isinstance": lambda *_: True, "__builtins__": __builtins__}
    node = ast.parse("isinstance(1, str)", mode="eval").body
    with pytest.raises(pure.Unknown):
        pure.value(node, pure.Scope(eval("lambda: isinstance", names)))


def test_truth():
    assert pure.truth(plain) and not pure.truth([]) and pure.truth(len)
    for strange in (touchy, text):
        with pytest.raises(pure.Unknown):
            pure.truth(strange)


def test_same():
    nan = float("nan")
    assert pure.same(1, 1) and pure.same((1, ("a",)), (1, ("a",))) and pure.same(plain, plain)
    assert pure.same(nan, nan) and pure.same(nan, float("nan")) is False
    for a, b in [(1, True), (1, 1.0), (0.0, -0.0), (plain, Plain()), ("a", b"a"), ((1,), (True,))]:
        assert not pure.same(a, b)
    with pytest.raises(pure.Unknown):
        pure.same([1], [1])
