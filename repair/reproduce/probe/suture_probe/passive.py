"""Values as data, without running code that belongs to them.

Looking at a value is not harmless in Python: `len`, `repr`, `bool`, `getattr` and `isinstance` may
all run code of the value's class. Mocks record such calls, lazy modules load, proxies connect,
tensors synchronise with a device. So this module

- asks `type(x)` (never `x.__class__`) and compares types by identity;
- reads classes through the descriptors of `type` itself, so that no metaclass takes part;
- reads instance attributes from the instance's own dictionary and from slots, found as plain C
  descriptors on the class; properties and `__getattr__` never run;
- uses C functions of builtin types unbound (`dict.__len__(x)`), so that no override takes part;
- knows nothing of mocks but that they are mocks: type "?".

Format of a description (all keys but "type" may be missing):
  type, module     class name and its module
  repr             short text of numbers, strings, None, small containers of these
  length           of builtin containers and strings
  shape, dtype, device   of tensors and arrays
  keys, entries    of dicts: string keys; values by repr of their key
  items            first items of lists and tuples
  attributes       of instances: name -> description
  class            index into `Describer.classes`: the names that the class and its bases have
  extra            further names of the instance dictionary
  dynamic          true when the class answers for more names than these (__getattr__)
  callable, signature    of functions, methods and classes
"""

import sys
from _weakref import ref

MAX_TEXT = 200
MAX_ITEMS = 4
MAX_KEYS = 50
MAX_ENTRIES = 16
MAX_ATTRIBUTES = 60
MAX_MEMBERS = 300
MAX_SMALL_TENSOR = 16
_HUGE_INT_BITS = 512
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: the class was made at run time, not in C

# The own accessors of `type`, out of reach of metaclasses.
mro = type.__dict__["__mro__"].__get__
namespace = type.__dict__["__dict__"].__get__
class_name = type.__dict__["__name__"].__get__
class_qualname = type.__dict__["__qualname__"].__get__
_class_module = type.__dict__["__module__"].__get__
_class_flags = type.__dict__["__flags__"].__get__

Function = type(lambda: None)
Method = type(type("_", (), {"m": lambda self: None})().m)
Builtin = type(len)
Module = type(sys)
Code = type((lambda: None).__code__)
_GetSet = type(type.__dict__["__dict__"])
_Member = type(Function.__dict__["__globals__"])
_Property = property

module_dict = Module.__dict__["__dict__"].__get__
# Where a torch.nn.Module keeps what its __getattr__ answers for, and what only clutters it.
_MODULE_TABLES = ("_parameters", "_buffers", "_modules")
_MODULE_NOISE = ("_hooks", "_hooks_with_kwargs", "_hooks_always_called")
# Classes are compared by identity: `==` and hashing may run a metaclass.
_SCALARS = frozenset(map(id, (int, float, complex, bool, str, bytes, type(None), type(Ellipsis))))
_CONTAINERS = frozenset(map(id, (list, tuple, dict, set, frozenset)))
_BASES = frozenset(map(id, (list, tuple, dict, set, frozenset, str, bytes, int, float)))

_HERE = __file__.rpartition("/")[0] + "/"


def class_module(cls):
    name = _class_module(cls)
    return name if type(name) is str else ""


def is_class(x):
    return any(base is type for base in mro(type(x)))


def is_module(x):
    return any(base is Module for base in mro(type(x)))


def is_mock(cls):
    for base in mro(cls):
        module = class_module(base)
        if module in ("unittest.mock", "mock", "mock.mock"):
            return True
    return False


def find_in_class(cls, name):
    """The raw entry of a name on a class or its bases: (found, value)."""
    for base in mro(cls):
        entries = namespace(base)
        if name in entries:
            return True, entries[name]
    return False, None


def has_own(cls, name, base):
    """Whether a subclass of `base` defines `name` anew."""
    return find_in_class(cls, name)[1] is not namespace(base).get(name)


def raised_by_check(error):
    """Whether a signal handler of the check raised this while the probe was running: then it is the
    check's, and must not stay here."""
    if isinstance(error, (MemoryError, RecursionError)):
        return False
    traceback = error.__traceback__
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return not traceback.tb_frame.f_code.co_filename.startswith(_HERE)


def instance_dict(x):
    """The instance's own dictionary, or None when it has none that can be read safely."""
    cls = type(x)
    found, descriptor = find_in_class(cls, "__dict__")
    if not found or type(descriptor) not in (_GetSet, _Member):
        return None
    try:
        entries = descriptor.__get__(x, cls)
    except Exception as error:
        if raised_by_check(error):
            raise
        return None
    return entries if type(entries) is dict else None


def read_attribute(x, name):
    """(found, value) of an attribute, as far as it can be told without running code."""
    if is_mock(type(x)):
        return False, None
    if is_class(x):
        found, value = find_in_class(x, name)
        plain = found and (type(value) is Function or not _is_descriptor(value))
        return (True, value) if plain else (False, None)
    if is_module(x):
        entries = module_dict(x)
        return (True, entries[name]) if name in entries else (False, None)
    on_class, entry = find_in_class(type(x), name)
    if on_class and type(entry) is _Member:
        try:
            return True, entry.__get__(x, type(x))
        except AttributeError:
            return False, None
    if on_class and type(entry) is _Property:
        return False, None
    entries = instance_dict(x)
    if entries is not None:
        if name in entries:
            return True, entries[name]
        for table in _MODULE_TABLES:
            inner = entries.get(table)
            if type(inner) is dict and name in inner:
                return True, inner[name]
    if on_class and not _is_descriptor(entry):
        return True, entry
    return False, None


def _is_descriptor(value):
    return any("__get__" in namespace(base) for base in mro(type(value)))


def short(text, limit=MAX_TEXT):
    return text if len(text) <= limit else text[: limit - 3] + "..."


def scalar_text(x):
    """The repr of a scalar of exact builtin type."""
    kind = type(x)
    if kind is str:
        # A long text is cut as text, so that what is shown stays a valid literal where it can.
        return repr(x) if len(x) <= MAX_TEXT else repr(x[: MAX_TEXT - 10]) + "..."
    if kind is bytes:
        return repr(x) if len(x) <= MAX_TEXT // 2 else repr(x[: MAX_TEXT // 2 - 10]) + "..."
    if kind is int and int.bit_length(x) > _HUGE_INT_BITS:
        return "<int of %d bits>" % int.bit_length(x)
    return repr(x)


def text_of(x, depth=3, limit=MAX_TEXT):
    """A repr that looks only into exact builtin types; everything else is "<class name>"."""
    kind = type(x)
    if id(kind) in _SCALARS:
        return scalar_text(x)
    if depth > 0 and id(kind) in _CONTAINERS:
        return short(_container_text(x, kind, depth, limit), limit)
    if is_class(x):
        return "<class %s>" % class_name(x)
    if kind is Function:
        return "<function %s>" % x.__qualname__
    return "<%s>" % ("?" if is_mock(kind) else class_name(kind))


def _container_text(x, kind, depth, limit):
    parts, used = [], 0
    source = dict.items(x) if kind is dict else x
    more = False
    for element in source:
        if used > limit or len(parts) >= 100:
            more = True
            break
        if kind is dict:
            text = (
                text_of(element[0], depth - 1, limit) + ": " + text_of(element[1], depth - 1, limit)
            )
        else:
            text = text_of(element, depth - 1, limit)
        parts.append(text)
        used += len(text) + 2
    if kind is set or kind is frozenset:
        parts.sort()  # string hashes differ from run to run
    if more:
        parts.append("...")
    body = ", ".join(parts)
    if kind is list:
        return "[" + body + "]"
    if kind is tuple:
        return "(" + body + (",)" if len(parts) == 1 else ")")
    if kind is dict:
        return "{" + body + "}"
    if kind is set:
        return "{" + body + "}" if parts else "set()"
    return "frozenset({" + body + "})" if parts else "frozenset()"


def signature_of(function, bound=False):
    """The parameter list of a Python function as source text: "(a, *, b=1, **rest)"."""
    for _ in range(5):  # a decorator that names what it wraps takes the same arguments
        inner = function.__dict__.get("__wrapped__") if type(function.__dict__) is dict else None
        if type(inner) is not Function:
            break
        function = inner
    code = function.__code__
    names = code.co_varnames
    positional = list(names[: code.co_argcount])
    keyword_only = list(names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    rest = code.co_argcount + code.co_kwonlyargcount
    defaults = function.__defaults__ or ()
    keyword_defaults = function.__kwdefaults__ or {}
    parts = []
    first_default = len(positional) - len(defaults)
    for index, name in enumerate(positional):
        if index >= first_default:
            name += "=" + _default_text(defaults[index - first_default])
        parts.append(name)
        if index + 1 == code.co_posonlyargcount:
            parts.append("/")
    if bound and positional:
        del parts[0]
        if parts and parts[0] == "/":
            del parts[0]
    if code.co_flags & 0x04:
        parts.append("*" + names[rest])
        rest += 1
    elif keyword_only:
        parts.append("*")
    for name in keyword_only:
        parts.append(
            name + ("=" + _default_text(keyword_defaults[name]) if name in keyword_defaults else "")
        )
    if code.co_flags & 0x08:
        parts.append("**" + names[rest])
    return "(" + ", ".join(parts) + ")"


def _default_text(value):
    text = text_of(value, 2, 60)
    return "..." if "<" in text and type(value) is not str else text


class _ClassFacts:
    """What is read from a class once."""

    __slots__ = (
        "ref",
        "name",
        "module",
        "base",
        "slots",
        "dynamic",
        "enum",
        "fields",
        "index",
        "names",
    )


class Describer:
    """Makes descriptions. `classes` grows with the classes met: a list of lists of member names."""

    def __init__(self):
        self.classes = []
        self._facts = {}

    def describe(self, x, levels=1, values=False):
        """`levels`: how many levels of attributes to follow. `values`: also read the numbers of
        small CPU tensors, which is safe only when no tensor mode of the check can be active."""
        try:
            return self._describe(x, levels, values)
        except Exception as error:
            if raised_by_check(error):
                raise
            return {"type": "?"}

    def _describe(self, x, levels, values):
        kind = type(x)
        if id(kind) in _SCALARS:
            out = {"type": class_name(kind), "module": "builtins", "repr": scalar_text(x)}
            if kind is str or kind is bytes:
                out["length"] = len(x)
            return out
        if is_mock(kind):
            return {"type": "?"}
        if id(kind) in _CONTAINERS:
            out = {"type": class_name(kind), "module": "builtins", "repr": text_of(x)}
            self._add_content(out, x, kind, levels, values)
            return out
        if kind is Function or kind is Method or kind is Builtin:
            return _describe_callable(x, kind)
        if is_class(x):
            return self._describe_class(x)
        if is_module(x):
            name = module_dict(x).get("__name__")
            return {
                "type": "module",
                "module": "builtins",
                "repr": name if type(name) is str else "",
            }
        array = _describe_array(x, kind, values)
        facts = self._facts_of(kind)
        out = {"type": facts.name, "module": facts.module}
        if array is not None:
            out.update(array)
        if facts.base is not None:
            self._add_content(out, x, facts.base, levels, values)
        self._add_attributes(out, x, facts, levels, values)
        if facts.enum:
            name = (instance_dict(x) or {}).get("_name_")
            if type(name) is str:
                out["repr"] = facts.name + "." + name
        return out

    def _add_content(self, out, x, base, levels, values):
        """Content of a builtin container or scalar, or of a subclass of one, through `base`."""
        if base in (int, float, str, bytes):
            if type(x) is not base:
                out["repr"] = (
                    scalar_text(base.__getnewargs__(x)[0])
                    if base is not float
                    else float.__repr__(x)
                )
            if base is str or base is bytes:
                out["length"] = base.__len__(x)
            return
        out["length"] = base.__len__(x)
        inner = levels - 1 if levels > 0 else -1
        if base is dict:
            keys, entries = [], {}
            for key, value in dict.items(x):
                if type(key) is str and len(keys) < MAX_KEYS:
                    keys.append(short(key))
                if (
                    inner >= 0
                    and len(entries) < MAX_ENTRIES
                    and (type(key) is str or type(key) is int)
                ):
                    entries[scalar_text(key)] = self._describe(value, inner, values)
                if len(keys) >= MAX_KEYS:
                    break
            if keys:
                out["keys"] = keys
            if entries:
                out["entries"] = entries
        elif base in (list, tuple) and inner >= 0:
            items = []
            for item in base.__iter__(x):
                if len(items) == MAX_ITEMS:
                    break
                items.append(self._describe(item, inner, values))
            if items:
                out["items"] = items

    def _describe_class(self, x):
        out = {"type": class_name(type(x)), "module": class_module(type(x))}
        out["callable"] = class_module(x) + ":" + class_qualname(x)
        for name in ("__init__", "__new__"):
            found, function = find_in_class(x, name)
            if found and type(function) is staticmethod:
                function = function.__func__
            if found and type(function) is Function:
                out["signature"] = signature_of(function, bound=True)
                break
        facts = self._facts_of(x)
        out["class"] = self._index_of(facts)
        return out

    def _add_attributes(self, out, x, facts, levels, values):
        if facts.dynamic:
            out["dynamic"] = True
        out["class"] = self._index_of(facts)
        found = {}
        if facts.fields:
            for name, item in zip(facts.fields, tuple.__iter__(x)):
                found[name] = item
        for name, slot in facts.slots:
            try:
                found[name] = slot.__get__(x, type(x))
            except Exception as error:
                if raised_by_check(error):
                    raise
        entries = instance_dict(x) or {}
        tables = [entries.get(table) for table in _MODULE_TABLES]
        is_torch_module = type(entries.get("_modules")) is dict
        for name, value in list(dict.items(entries)):
            # A torch.nn.Module has a dozen dictionaries of hooks, nearly always empty.
            if type(name) is str and not (is_torch_module and name.endswith(_MODULE_NOISE)):
                found[name] = value
        for table in tables:
            for name, value in list(dict.items(table)) if type(table) is dict else ():
                if type(name) is str:
                    found.setdefault(name, value)
        if not found:
            return
        if levels <= 0:
            out["extra"] = list(found)[:MAX_MEMBERS]
            return
        attributes, extra = {}, []
        for name, value in found.items():
            if len(attributes) < MAX_ATTRIBUTES:
                attributes[name] = self._describe(value, levels - 1, values)
            elif len(extra) < MAX_MEMBERS:
                extra.append(name)
        out["attributes"] = attributes
        if extra:
            out["extra"] = extra

    def _facts_of(self, cls):
        # Keyed by identity, held weakly: hashing a class may run its metaclass, and a strong
        # reference would keep classes alive that the check expects to die.
        known = self._facts.get(id(cls))
        if known is not None and known.ref() is cls:
            return known
        facts = self._facts[id(cls)] = self._read_class(cls)
        return facts

    def _read_class(self, cls):
        facts = _ClassFacts()
        facts.ref = ref(cls)
        facts.name, facts.module = class_name(cls), class_module(cls)
        facts.base = facts.fields = facts.index = None
        facts.dynamic = facts.enum = False
        facts.slots, names = [], {}
        for base in mro(cls):
            own = namespace(base)
            in_python = bool(_class_flags(base) & _HEAP_TYPE)
            if id(base) in _BASES and facts.base is None:
                facts.base = base
            if class_module(base) == "enum" and class_name(base) == "Enum":
                facts.enum = True
            if base is not object:
                for name in list(own):
                    if type(name) is str and not (name.startswith("__") and name.endswith("__")):
                        names.setdefault(name)
                        if in_python and type(own[name]) is _Member:
                            facts.slots.append((name, own[name]))
            if in_python:
                for hook in ("__getattr__", "__getattribute__"):
                    if type(own.get(hook)) is Function:
                        facts.dynamic = True
            fields = own.get("_fields")
            if facts.base is None and type(fields) is tuple and all(type(f) is str for f in fields):
                facts.fields = fields
        if facts.base is not tuple:
            facts.fields = None
        facts.names = list(names)[:MAX_MEMBERS]
        return facts

    def _index_of(self, facts):
        if facts.index is None:
            facts.index = len(self.classes)
            self.classes.append(facts.names)
        return facts.index


def _describe_callable(x, kind):
    if kind is Builtin:
        name = x.__qualname__
        out = {"type": "builtin_function_or_method", "module": "builtins"}
        module = x.__module__
        if type(name) is str:
            out["callable"] = (module if type(module) is str else "builtins") + ":" + name
        return out
    function = x.__func__ if kind is Method else x
    out = {"type": "method" if kind is Method else "function", "module": "builtins"}
    if type(function) is not Function:
        return out
    module, name = function.__module__, function.__qualname__
    if type(module) is str and type(name) is str:
        out["callable"] = module + ":" + name
    out["signature"] = signature_of(function, bound=kind is Method)
    return out


def _attribute_of(module_name, name):
    module = sys.modules.get(module_name)
    return module_dict(module).get(name) if type(module) is Module else None


def is_array(cls):
    """Whether a class is exactly torch's tensor or parameter or numpy's array."""
    module, name = class_module(cls), class_name(cls)
    wanted = (("torch", "Tensor"), ("torch.nn.parameter", "Parameter"), ("numpy", "ndarray"))
    return (module, name) in wanted and cls is _attribute_of(module, name)


def read_c_field(x, name):
    """A field of a tensor or array, out of sight of torch's function modes."""
    if class_module(type(x)) == "numpy":
        return _read(x, name)
    with module_dict(_attribute_of("torch", "_C"))["DisableTorchFunction"]():
        return _read(x, name)


def _read(x, name):
    """A field of a C type, only when it is a C field."""
    found, descriptor = find_in_class(type(x), name)
    if not found or type(descriptor) is not _GetSet:
        raise TypeError(name)
    return descriptor.__get__(x, type(x))


def _describe_array(x, kind, values):
    """Shape, dtype and device of tensors and arrays, None for all else. Only for the exact classes:
    fake, lazy and wrapped tensors are subclasses that run code of their own."""
    module = class_module(kind)
    if module in ("torch", "torch.nn.parameter"):
        torch_name = class_name(kind)
        if torch_name in ("dtype", "device", "Size", "layout") and kind is _attribute_of(
            "torch", torch_name
        ):
            return {"repr": short(kind.__repr__(x))}
        if is_array(kind):
            return _describe_tensor(x, values)
    elif module == "numpy":
        if is_array(kind):
            dtype = _read(x, "dtype")
            out = {"shape": [int(n) for n in _read(x, "shape")], "dtype": _numpy_dtype(dtype)}
            if values and 0 < _read(x, "size") <= MAX_SMALL_TENSOR and out["dtype"] != "object":
                out["repr"] = short("array(%s)" % text_of(kind.tolist(x)))
            return out
        generic = _attribute_of("numpy", "generic")
        if generic is not None and any(base is generic for base in mro(kind)):
            item = generic.item(x)
            return {"repr": text_of(item), "shape": [], "dtype": class_name(kind)}
    return None


def _numpy_dtype(dtype):
    names = {"f": "float", "i": "int", "u": "uint", "c": "complex"}
    kind = dtype.kind
    if kind in names:
        return "%s%d" % (names[kind], dtype.itemsize * 8)
    return {"b": "bool", "O": "object", "U": "str", "S": "bytes"}.get(kind, kind)


def _describe_tensor(x, values):
    core = _attribute_of("torch", "_C")
    # Under a function mode even reading a shape is a call that the check may see.
    with module_dict(core)["DisableTorchFunction"]():
        out = {
            "shape": [n if type(n) is int else -1 for n in _read(x, "shape")],
            "dtype": repr(_read(x, "dtype")),
            "device": str(_read(x, "device")),
        }
        count = 1
        for n in out["shape"]:
            count *= n
        if values and 0 < count <= MAX_SMALL_TENSOR and out["device"] == "cpu":
            try:
                out["repr"] = short("tensor(%s)" % text_of(type(x).tolist(x)))
            except Exception:
                pass  # sparse, quantised or functional tensors
    return out
