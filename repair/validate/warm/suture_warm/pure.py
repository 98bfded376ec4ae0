"""Expressions whose value can be told without running code of the check.

`is_pure(node)` says by the look of it whether this may be tried; `value(node, scope)` then gives
what evaluating the expression would give at this moment, without evaluating it: a property, an
overloaded operator, a lazy module never runs. Where that cannot be told (Unknown), or where
evaluating would raise (Raises), it says so; nothing is guessed.
"""

import builtins

import _ast
import _operator

_Function = type(lambda: 0)
_Builtin = type(len)
_Module = type(builtins)
_Member = type(_Function.__dict__["__globals__"])
_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__

_SCALARS = (int, float, complex, bool, str, bytes, type(None), type(Ellipsis))
_NUMBERS = (int, float, bool)
_ORDERED = (int, float, bool, str, bytes)
_CONTAINERS = (tuple, list, dict, set, frozenset)
_LOOKUPS = ("Name", "Attribute", "Subscript", "Constant")
_LARGEST = 1000  # container that is looked through
_LONGEST = 10000
# name -> the function, before a check could replace it, and how many arguments it takes
_CALLS = {
    "isinstance": (isinstance, 2),
    "len": (len, 1),
    "hasattr": (hasattr, 2),
    "type": (type, 1),
    "bool": (bool, 1),
}
_COMPARE = {
    "Eq": _operator.eq,
    "NotEq": _operator.ne,
    "Lt": _operator.lt,
    "LtE": _operator.le,
    "Gt": _operator.gt,
    "GtE": _operator.ge,
}
_BINARY = {
    "Add": _operator.add,
    "Sub": _operator.sub,
    "Mult": _operator.mul,
    "Div": _operator.truediv,
    "FloorDiv": _operator.floordiv,
    "Mod": _operator.mod,
}


class Unknown(Exception):
    """The value cannot be told without running code of the check."""


class Raises(Exception):
    """Evaluating the expression raises."""


class Scope:
    """The variables that a lambda sees where it is made. The lambda is never called."""

    def __init__(self, function):
        self._cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        self._names = function.__globals__

    def get(self, name):
        cell = self._cells.get(name)
        if cell is not None:
            try:
                return cell.cell_contents
            except ValueError:
                raise Raises("NameError")
        if type(self._names) is not dict:
            raise Unknown
        if name in self._names:
            return self._names[name]
        known = self._names.get("__builtins__")
        known = known.__dict__ if type(known) is _Module else known
        if type(known) is not dict:
            raise Unknown
        if name in known:
            return known[name]
        raise Raises("NameError")


# ---- by its look


def is_pure(node):
    kind = type(node).__name__
    if kind == "Name":
        return not _is_private(node.id) and type(node.ctx) is _ast.Load
    if kind == "Attribute":
        return not _is_private(node.attr) and type(node.ctx) is _ast.Load and is_pure(node.value)
    if kind == "Constant":
        return True
    if kind == "BoolOp":
        return all(map(is_pure, node.values))
    if kind == "Compare":
        return is_pure(node.left) and all(map(is_pure, node.comparators))
    if kind == "UnaryOp":
        return type(node.op).__name__ in ("Not", "USub") and is_pure(node.operand)
    if kind == "BinOp":
        return (
            type(node.op).__name__ in _BINARY and is_pure(node.left) and is_pure(node.right)
        )
    if kind == "IfExp":
        return is_pure(node.test) and is_pure(node.body) and is_pure(node.orelse)
    if kind in ("Tuple", "List"):
        return type(node.ctx) is _ast.Load and all(map(is_pure, node.elts))
    if kind == "Subscript":
        return type(node.ctx) is _ast.Load and is_pure(node.value) and is_pure(_key(node))
    if kind == "Call":
        known = _CALLS.get(node.func.id) if type(node.func).__name__ == "Name" else None
        return (
            known is not None
            and not node.keywords
            and len(node.args) == known[1]
            and all(map(is_pure, node.args))
        )
    return False


def _is_private(name):
    """Whether a class changes the name."""
    return name.startswith("__") and not name.endswith("__")


def _key(node):
    key = node.slice
    return key.value if type(key).__name__ == "Index" else key  # Python 3.8


# ---- its value


def value(node, scope):
    """The value; raises Unknown or Raises."""
    return _VALUES[type(node).__name__](node, scope)


def truth(given):
    """bool(given), without running code of the check."""
    kind = type(given)
    if _one_of(kind, _SCALARS + _CONTAINERS) or kind in (_Function, _Builtin, _Module, type):
        return bool(given)
    for name in ("__bool__", "__len__"):
        if _in_class(kind, name)[0]:
            raise Unknown
    return True


def same(a, b):
    """Whether nothing can tell the two values apart. Raises Unknown for what is made anew."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if _one_of(type(a), _SCALARS):
        return a == b and repr(a) == repr(b)
    if type(a) is tuple:
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is list:
        raise Unknown
    return False


def _one_of(kind, kinds):
    return any(kind is each for each in kinds)


def _in_class(kind, name):
    """The raw entry of a name on a class or its bases: (found, entry)."""
    for base in _mro(kind):
        entries = _namespace(base)
        if name in entries:
            return True, entries[name]
    return False, None


def _name(node, scope):
    return scope.get(node.id)


def _constant(node, scope):
    return node.value


def _attribute(node, scope):
    return attribute(value(node.value, scope), node.attr)


def attribute(owner, name):
    kind = type(owner)
    if kind is _Module:
        entries = _Module.__dict__["__dict__"].__get__(owner)
        if name in entries:
            return entries[name]
        raise Unknown
    if any(base is type for base in _mro(kind)):
        return _of_class(owner, name)
    if _looks_up_itself(kind):
        raise Unknown
    found, entry = _in_class(kind, name)
    if found and type(entry) is _Member:
        try:
            return entry.__get__(owner, kind)
        except AttributeError:
            raise Unknown  # __getattr__ may be asked
    is_descriptor = found and _in_class(type(entry), "__get__")[0]
    if is_descriptor and _is_data(entry):
        raise Unknown
    entries = _instance_dict(owner, kind)
    if entries is not None and name in entries:
        return entries[name]
    if is_descriptor:
        raise Unknown  # a method is made anew
    if found:
        return entry
    if _in_class(kind, "__getattr__")[0]:
        raise Unknown
    raise Raises("AttributeError")


def _looks_up_itself(kind):
    """Whether attributes of such objects are found in another way than object's."""
    if _one_of(kind, _SCALARS + _CONTAINERS):
        return False
    return _in_class(kind, "__getattribute__")[1] is not object.__dict__["__getattribute__"]


def _is_data(entry):
    kind = type(entry)
    return _in_class(kind, "__set__")[0] or _in_class(kind, "__delete__")[0]


def _instance_dict(owner, kind):
    found, descriptor = _in_class(kind, "__dict__")
    if not found:
        return None
    if not type(descriptor).__name__ == "getset_descriptor":
        raise Unknown
    entries = descriptor.__get__(owner, kind)
    if type(entries) is not dict:
        raise Unknown
    return entries


def _of_class(owner, name):
    meta = type(owner)
    if _in_class(meta, name)[0]:
        raise Unknown
    if _in_class(meta, "__getattribute__")[1] is not type.__dict__["__getattribute__"]:
        raise Unknown
    found, entry = _in_class(owner, name)
    if not found:
        if _in_class(meta, "__getattr__")[0]:
            raise Unknown
        raise Raises("AttributeError")
    if type(entry) is not _Function and _in_class(type(entry), "__get__")[0]:
        raise Unknown
    return entry


def _bool_op(node, scope):
    stops_at = type(node.op) is _ast.Or
    for each in node.values:
        given = value(each, scope)
        if each is not node.values[-1] and truth(given) == stops_at:
            return given
    return given


def _unary(node, scope):
    given = value(node.operand, scope)
    if type(node.op) is _ast.Not:
        return not truth(given)
    if not _one_of(type(given), _NUMBERS):
        raise Unknown
    return -given


def _binary(node, scope):
    left, right = value(node.left, scope), value(node.right, scope)
    if type(left) is str and type(right) is str and type(node.op) is _ast.Add:
        if len(left) + len(right) > _LONGEST:
            raise Unknown
        return left + right
    for side in (left, right):
        if not _one_of(type(side), _NUMBERS) or type(side) is int and side.bit_length() > 512:
            raise Unknown
    try:
        return _BINARY[type(node.op).__name__](left, right)
    except ArithmeticError:
        raise Raises("ArithmeticError")


def _if_exp(node, scope):
    return value(node.body if truth(value(node.test, scope)) else node.orelse, scope)


def _tuple(node, scope):
    return tuple([value(each, scope) for each in node.elts])


def _list(node, scope):
    return [value(each, scope) for each in node.elts]


def _subscript(node, scope):
    owner, key = value(node.value, scope), value(_key(node), scope)
    try:
        if type(owner) in (tuple, list) and type(key) in (int, bool):
            return owner[key]
        if type(owner) is dict and _are_scalars(owner) and _one_of(type(key), _SCALARS):
            return owner[key]
    except LookupError as error:
        raise Raises(type(error).__name__)
    raise Unknown


def _are_scalars(container):
    return len(container) <= _LARGEST and all(_one_of(type(each), _SCALARS) for each in container)


def _compare(node, scope):
    left_node, left = node.left, value(node.left, scope)
    for op, right_node in zip(node.ops, node.comparators):
        right = value(right_node, scope)
        outcome = _compared(type(op).__name__, left_node, left, right_node, right)
        if not outcome:
            return outcome
        left_node, left = right_node, right
    return outcome


def _compared(op, left_node, left, right_node, right):
    if op in ("Is", "IsNot"):
        if not _have_identity(left_node, left) or not _have_identity(right_node, right):
            raise Unknown
        return (left is right) == (op == "Is")
    if op in ("In", "NotIn"):
        return _contains(right, left) == (op == "In")
    if op in ("Eq", "NotEq"):
        return _equal(left, right) == (op == "Eq")
    if not _one_of(type(left), _ORDERED) or not _one_of(type(right), _ORDERED):
        raise Unknown
    try:
        return _COMPARE[op](left, right)
    except TypeError:
        raise Raises("TypeError")


def _have_identity(node, given):
    """Whether `is` means the same for this value as for the one that evaluating gives."""
    if given is None or type(given) is bool:
        return True
    return type(node).__name__ in _LOOKUPS or type(given) is type


def _equal(left, right, depth=4):
    """left == right, as a bool."""
    if _one_of(type(left), _SCALARS) and _one_of(type(right), _SCALARS):
        return left == right
    if depth and type(left) is type(right) and type(left) in (tuple, list):
        if max(len(left), len(right)) > _LARGEST:
            raise Unknown
        if len(left) != len(right):
            return False
        return all([a is b or _equal(a, b, depth - 1) for a, b in zip(left, right)])
    for side in (left, right):
        kind = type(side)
        if not _one_of(kind, _SCALARS + _CONTAINERS):
            if _in_class(kind, "__eq__")[1] is not object.__dict__["__eq__"]:
                raise Unknown
            if _in_class(kind, "__ne__")[1] is not object.__dict__["__ne__"]:
                raise Unknown
    if _one_of(type(left), _CONTAINERS) and _one_of(type(right), _CONTAINERS):
        raise Unknown
    return left is right


def _contains(container, item):
    kind = type(container)
    if kind is str:
        if type(item) is not str:
            raise Unknown
        return item in container
    if kind in (tuple, list):
        if len(container) > _LARGEST:
            raise Unknown
        return any([each is item or _equal(each, item) for each in list(container)])
    if kind in (dict, set, frozenset):
        if not _are_scalars(container) or not _one_of(type(item), _SCALARS):
            raise Unknown
        return item in container
    raise Unknown


def _call(node, scope):
    function = scope.get(node.func.id)
    if function is not _CALLS[node.func.id][0]:
        raise Unknown
    if function is hasattr:
        owner, name = value(node.args[0], scope), value(node.args[1], scope)
        if type(name) is not str:
            raise Unknown
        return _has(owner, name)
    given = [value(each, scope) for each in node.args]
    if function is isinstance:
        return _is_instance(*given)
    if function is type:
        return type(given[0])
    if function is bool:
        return truth(given[0])
    if not _one_of(type(given[0]), _CONTAINERS + (str, bytes)):
        raise Unknown
    return len(given[0])


def _has(owner, name):
    try:
        attribute(owner, name)
    except Raises:
        return False
    except Unknown:
        kind = type(owner)  # a plain method is there, though it is made anew
        if any(base is type for base in _mro(kind)) or kind is _Module:
            raise
        if _looks_up_itself(kind):
            raise
        if type(_in_class(kind, name)[1]) is not _Function:
            raise
    return True


def _is_instance(given, classes):
    if type(classes) is tuple:
        return any([_is_instance(given, each) for each in classes])
    if not any(base is type for base in _mro(type(classes))):
        raise Unknown
    check = _in_class(type(classes), "__instancecheck__")[1]
    if check is not type.__dict__["__instancecheck__"]:
        raise Unknown
    if any(base is classes for base in _mro(type(given))):
        return True
    if _in_class(type(given), "__class__")[1] is not object.__dict__["__class__"]:
        raise Unknown
    return False


_VALUES = {
    "Name": _name,
    "Constant": _constant,
    "Attribute": _attribute,
    "BoolOp": _bool_op,
    "UnaryOp": _unary,
    "BinOp": _binary,
    "IfExp": _if_exp,
    "Tuple": _tuple,
    "List": _list,
    "Subscript": _subscript,
    "Compare": _compare,
    "Call": _call,
}
