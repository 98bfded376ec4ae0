"""What a failing assert, comparison or helper call compared, and with which values.

The failing expression is found in source text, in the frame that wrote it down: a helper such as
`check(condition, message)` or `assertEqual(a, b)` raises, its caller wrote the values. Its parts
are then looked up without calling anything: names in the frame, attributes and items as passive.py
can read them, and the results of calls that the trace recorded for exactly that place in the
source. A part that cannot be had this way is reported with type "?".
"""

import _ast
import sys

from suture_probe import passive, source
from suture_probe.files import CHECK, OTHER

MAX_OPERANDS = 24
_MAX_DEPTH = 4
_EXITS = ("exit", "_exit", "fail", "abort")
_UNKNOWN = {"type": "?"}


class Stop:
    """A place on a stack: the frame, the line, and the offset of its instruction."""

    __slots__ = ("frame", "line", "lasti", "kind")

    def __init__(self, frame, line, lasti, kind):
        self.frame, self.line, self.lasti, self.kind = frame, line, lasti, kind


class Operands:
    def __init__(self, sources, describer, calls):
        self._sources = sources
        self._describer = describer
        self._calls = calls  # CallResults of trace.py, or None

    def of_stack(self, stops):
        """Operands for a failure; `stops` outermost first."""
        try:
            stop, nodes, text = self._failing_expressions(stops)
        except Exception:
            return []
        found, seen = [], set()
        for node in nodes:
            expression = text.segment(node)
            if expression in seen or isinstance(node, _ast.Constant) or len(found) == MAX_OPERANDS:
                continue
            seen.add(expression)
            value = self._describe(node, stop)
            if value["type"] != "module":
                found.append({"expression": expression, "value": value})
        return found

    def _failing_expressions(self, stops):
        for stop in reversed(stops):
            if stop.kind == OTHER:
                continue
            text = self._sources.get(stop.frame.f_code.co_filename)
            if text is None:
                continue
            path = text.path_to(stop.line)
            condition = _condition_of(path)
            if condition == "caller":
                continue
            if condition is not None:
                return stop, list(_parts(condition)), text
            call = _call_of(path[-1]) if stop.kind == CHECK and stop is not stops[-1] else None
            if call is not None:
                return stop, list(_parts_of_arguments(call)), text
            break  # an error on the way, not a comparison
        return None, [], None

    def _describe(self, node, stop):
        try:
            known, value, description = self._evaluate(node, stop)
        except Exception:
            return dict(_UNKNOWN)
        if description is not None:
            return description
        if known:
            return self._describer.describe(value, 1, True)
        return dict(_UNKNOWN)

    def _evaluate(self, node, stop):
        """(known, live value, description): a live value where it can be had, else the description
        that was recorded when the value was seen."""
        recorded = None
        if isinstance(node, _ast.Constant):
            return True, node.value, None
        if isinstance(node, _ast.Name):
            found, value = _lookup(stop.frame, node.id)
            return found, value, None
        if isinstance(node, _ast.Attribute):
            known, base, description = self._evaluate(node.value, stop)
            if known:
                found, value = _attribute(base, node.attr)
                if found:
                    return True, value, None
            elif description is not None:
                recorded = description.get("attributes", {}).get(node.attr)
        elif isinstance(node, _ast.Subscript):
            found, value, recorded = self._item(node, stop)
            if found:
                return True, value, None
        elif isinstance(node, _ast.Call):
            found, value = self._harmless_call(node, stop)
            if found:
                return True, value, None
        elif isinstance(node, _ast.UnaryOp) and isinstance(node.op, _ast.USub):
            known, value, _ = self._evaluate(node.operand, stop)
            if known and type(value) in (int, float):
                return True, -value, None
        elif isinstance(node, (_ast.Tuple, _ast.List)):
            parts = [self._evaluate(item, stop) for item in node.elts]
            if all(known for known, _, _ in parts):
                values = [value for _, value, _ in parts]
                return True, tuple(values) if isinstance(node, _ast.Tuple) else values, None
        if recorded is None and self._calls is not None:
            recorded = self._calls.result_at(stop.frame.f_code, node, self._callee(node, stop))
        return False, None, recorded

    def _item(self, node, stop):
        index = node.slice
        if not isinstance(index, _ast.expr):  # Python 3.8: wrapped in Index
            index = getattr(index, "value", None)
        if index is None or isinstance(index, getattr(_ast, "Slice", ())):
            return False, None, None
        known_key, key, _ = self._evaluate(index, stop)
        if not known_key or type(key) not in (int, str):
            return False, None, None
        known, base, description = self._evaluate(node.value, stop)
        if known and (type(base) in (list, tuple, dict) or _is_torch_size(base)):
            try:
                return True, base[key], None
            except (LookupError, TypeError):
                return False, None, None
        if description is not None:
            if type(key) is str or "entries" in description:
                return False, None, description.get("entries", {}).get(passive.scalar_text(key))
            items = description.get("items", [])
            return False, None, items[key] if 0 <= key < len(items) else None
        return False, None, None

    def _harmless_call(self, node, stop):
        """`len`, `type` and conversions of builtin containers of builtin scalars."""
        if not isinstance(node.func, _ast.Name) or len(node.args) != 1 or node.keywords:
            return False, None
        name = node.func.id
        known, function = _lookup(stop.frame, name)
        if not known or function is not vars(sys.modules["builtins"]).get(name):
            return False, None
        known, value, description = self._evaluate(node.args[0], stop)
        if not known:
            length = description.get("length") if description and name == "len" else None
            return length is not None, length
        if name == "type":
            return True, type(value)
        if name == "len":
            for base in passive.mro(type(value)):
                if base is dict or base is list or base is tuple or base is set or base is str:
                    overridden = type(value) is not base and passive.has_own(
                        type(value), "__len__", base
                    )
                    return not overridden, None if overridden else base.__len__(value)
            return False, None
        if name in ("list", "tuple", "set", "sorted", "dict") and type(value) in (
            list,
            tuple,
            dict,
            set,
        ):
            if all(type(item) in (int, str, bool, float) for item in value):
                return True, function(value)
        return False, None

    def _callee(self, node, stop):
        """Name and, where it can be had, code of the function that a call expression calls."""
        if not isinstance(node, _ast.Call):
            return None, None
        function = node.func
        name = getattr(function, "attr", None) or getattr(function, "id", None)
        known, value, _ = self._evaluate(function, stop)
        if known and type(value) is passive.Method:
            value = value.__func__
        return name, value.__code__ if known and type(value) is passive.Function else None


def _lookup(frame, name):
    local = frame.f_locals
    if name in local:
        return True, local[name]
    if name in frame.f_globals:
        return True, frame.f_globals[name]
    builtins = vars(sys.modules["builtins"])
    return (True, builtins[name]) if name in builtins else (False, None)


def _attribute(base, name):
    if name in ("shape", "dtype", "device", "requires_grad", "ndim"):
        described = passive.class_module(type(base)) in ("torch", "torch.nn.parameter", "numpy")
        if described and passive.is_array(type(base)):
            return True, passive.read_c_field(base, name)
    return passive.read_attribute(base, name)


def _is_torch_size(x):
    return passive.class_name(type(x)) == "Size" and passive.class_module(type(x)) == "torch"


def _condition_of(path):
    """The expression that a statement asserts; "caller" when the statement only raises what a
    caller wrote; None when it is neither."""
    statement = path[-1]
    if isinstance(statement, _ast.Assert):
        test = statement.test
    elif isinstance(statement, _ast.Raise) or _is_exit(statement):
        test = _guard_of(path)
    elif isinstance(statement, (_ast.If, _ast.While)):
        test = statement.test  # on one line with its body
        inner = statement.body[0] if statement.body else None
        if not (isinstance(inner, _ast.Raise) or _is_exit(inner)):
            return None
    else:
        return None
    function = source.function_of(path)
    if function is not None:
        own = source.parameters(function) - {"self", "cls"}
        named = source.names_in(test) if test is not None else set()
        # A helper that tests nothing but its own arguments: what they are is written in the caller.
        if own and (test is None or (named and named <= own)):
            return "caller"
    return test


def _guard_of(path):
    """The condition of the `if` that a statement stands under, within its function."""
    for parent, child in zip(reversed(path[:-1]), reversed(path)):
        if isinstance(parent, source._FUNCTIONS):
            return None
        if isinstance(parent, (_ast.If, _ast.While)):
            return parent.test
    return None


def _is_exit(statement):
    call = statement.value if isinstance(statement, _ast.Expr) else None
    if not isinstance(call, _ast.Call):
        return False
    name = getattr(call.func, "attr", None) or getattr(call.func, "id", None)
    return name in _EXITS


def _call_of(statement):
    value = getattr(statement, "value", None)
    if isinstance(statement, (_ast.With, _ast.AsyncWith)) and statement.items:
        value = statement.items[0].context_expr
    return value if isinstance(value, _ast.Call) else None


def _parts_of_arguments(call):
    arguments = list(call.args) + [keyword.value for keyword in call.keywords]
    for argument in arguments:
        argument = argument.value if isinstance(argument, _ast.Starred) else argument
        if isinstance(argument, (_ast.Compare, _ast.BoolOp, _ast.UnaryOp)):
            yield from _parts(argument)
        elif not isinstance(argument, (_ast.JoinedStr, _ast.Lambda)):
            yield argument
            yield from _inside(argument, 1)


def _parts(node, depth=0):
    """The expressions of a condition whose values decide it, most telling first."""
    if isinstance(node, _ast.BoolOp):
        for value in node.values:
            yield from _parts(value, depth)
    elif isinstance(node, _ast.UnaryOp) and isinstance(node.op, _ast.Not):
        yield from _parts(node.operand, depth)
    elif isinstance(node, _ast.Compare):
        sides = [node.left] + node.comparators
        yield from sides
        for side in sides:
            yield from _inside(side, depth + 1)
    else:
        yield node
        yield from _inside(node, depth + 1)


def _inside(node, depth):
    """Arguments and owners within an operand."""
    if depth > _MAX_DEPTH:
        return
    inner = []
    if isinstance(node, _ast.Call):
        inner = list(node.args) + [keyword.value for keyword in node.keywords]
        if isinstance(node.func, _ast.Attribute):
            inner.append(node.func.value)
    elif isinstance(node, (_ast.Attribute, _ast.Subscript)):
        inner = [node.value]
    elif isinstance(node, _ast.BinOp):
        inner = [node.left, node.right]
    elif isinstance(node, _ast.Compare):
        inner = [node.left] + node.comparators
    elif isinstance(node, _ast.UnaryOp):
        inner = [node.operand]
    for part in inner:
        if isinstance(part, (_ast.Constant, _ast.Lambda, _ast.JoinedStr, _ast.GeneratorExp)):
            continue
        if isinstance(part, _ast.Compare):
            yield from _parts(part, depth)
            continue
        yield part
        yield from _inside(part, depth + 1)
