"""Which third-party modules of this check a preload may import before the check starts.

Only those that the check or the tree asked for (what they import in turn comes with them), found by
the standard loaders, outside of the tree and of the check. Left out is what could see a difference:
a module during whose import a module of the tree was looked for, and everything that came after the
check had changed os.environ, put a stand-in into sys.modules or a finder into sys.meta_path.
"""

import sys
from os import environ
from os.path import isdir, isfile, realpath

from suture_warm import driver

_external = sys.modules["_frozen_importlib_external"]
_LOADERS = (
    _external.SourceFileLoader,
    _external.ExtensionFileLoader,
    _external.SourcelessFileLoader,
)
_IMPORTLIB = ("_frozen_importlib", "_frozen_importlib_external", "importlib._bootstrap_external")


_Module = type(sys)
_Spec = type(sys.__spec__)


class Modules:
    """First in sys.meta_path, finds nothing, remembers who was looked for."""

    def __init__(self, tree, origin):
        self._tree = tree
        self._origin = origin
        self._environment = dict(environ._data)
        self._finders = list(sys.meta_path)
        self._seen = set(sys.modules)
        self._asked = {}  # names, in the order in which the check and the tree asked for them
        self._tainted = set()  # modules that looked for a module of the tree while importing
        self._changed = False
        self._tops = {}  # first part of a name -> whether the tree provides it
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        try:
            self._looked_for(name, path)
        except Exception:
            self._changed = True  # what we cannot understand is no ground to preload on
        return None

    def environment_changed(self):
        """By us: that is no change of the check's."""
        self._environment = dict(environ._data)

    def _looked_for(self, name, path):
        importing = self._importing()
        if importing:
            if self._is_of_tree(name, path):
                self._tainted.update(importing)
            elif environ._data != self._environment:
                self._environment = dict(environ._data)  # it changes again when preloaded
            return
        self._changed = self._changed or self._check_changed_something()
        if not self._changed and not self._is_of_tree(name, path):
            self._asked[name] = True

    def _importing(self):
        """Third-party modules whose import is in progress."""
        found = []
        frame = sys._getframe(3)
        while frame is not None:
            code = frame.f_code
            if code.co_filename == driver.__file__:
                break  # below it the interpreter starts
            if code.co_name == "<module>" and self._origin.is_third_party(code.co_filename):
                name = frame.f_globals.get("__name__")
                if name != "__main__":
                    found.append(name)
            frame = frame.f_back
        return found

    def _is_of_tree(self, name, path):
        if path is not None and any(realpath(p).startswith(self._tree) for p in path):
            return True
        top = name.partition(".")[0]
        known = self._tops.get(top)
        if known is None:
            roots = {self._tree, self._tree + "/src"}
            roots.update(p for p in map(realpath, sys.path) if p.startswith(self._tree))
            places = [root + "/" + top for root in roots]
            known = any(isdir(place) or isfile(place + ".py") for place in places)
            self._tops[top] = known
        return known

    def _check_changed_something(self):
        if environ._data != self._environment or self not in sys.meta_path:
            return True
        for finder in sys.meta_path:
            if finder is not self and finder not in self._finders:
                if self._is_own_class(finder if isinstance(finder, type) else type(finder)):
                    return True
                self._finders.append(finder)
        if self._seen - sys.modules.keys():
            return True
        new = [name for name in list(sys.modules) if name not in self._seen]
        self._seen.update(new)
        return any(self._is_stand_in(name, sys.modules.get(name)) for name in new)

    def _is_own_class(self, kind):
        home = sys.modules.get(kind.__module__)
        file = _attributes(home).get("__file__")
        return not isinstance(file, str) or self._origin.is_own(file)

    def _is_stand_in(self, name, module):
        spec = _attributes(module).get("__spec__")
        if type(spec) is _Spec:
            loader = spec.loader
            kind = loader if isinstance(loader, type) else type(loader)
            return (
                loader is not None
                and kind.__module__ not in _IMPORTLIB
                and self._is_own_class(kind)
            )
        top = name.partition(".")[0]
        kind = type(module)
        if kind is _Module:  # made by hand: by the package that it belongs to?
            return top == name or _standard(sys.modules.get(top)) is None
        home = module.__module__ if kind is type else kind.__module__
        return not isinstance(home, str) or home.partition(".")[0] != top

    def loadable(self):
        """Names of the modules to import, in order."""
        found = []
        for name in self._asked:
            parts = name.split(".")
            chain = [".".join(parts[: n + 1]) for n in range(len(parts))]
            specs = [_standard(sys.modules.get(part)) for part in chain]
            if self._tainted.isdisjoint(chain) and None not in specs:
                if not any(self._origin.is_own(spec.origin) for spec in specs):
                    found.append(name)
        return found


def _attributes(module):
    """The dictionary of a module, without asking the module."""
    try:
        return object.__getattribute__(module, "__dict__")
    except Exception:
        return {}


def _standard(module):
    """The spec of a module that a standard loader loaded from a file, or None."""
    spec = _attributes(module).get("__spec__")
    if isinstance(module, _Module) and type(spec) is _Spec and type(spec.loader) in _LOADERS:
        return spec
    return None
