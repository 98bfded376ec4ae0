"""Modules and packages of the process, read from sys.modules and from folder listings."""

import os
import sys

from suture_probe import passive
from suture_probe.files import CHECK, OTHER, TREE

MAX_MODULES = 3000
MAX_MOCKED = 500
MAX_PACKAGES = 200
# Modules without a spec that nobody made by hand: the script itself, and what Cython adds.
_MADE_BY_MACHINES = ("__main__", "__mp_main__", "cython_runtime", "_cython_")
_open = open


def _entries(module):
    """A module's dictionary; None for what only pretends to be a module."""
    return passive.module_dict(module) if passive.is_module(module) else None


def _loaded():
    for name, module in list(sys.modules.items()):
        if type(name) is str:
            yield name, module


def tree_modules(files):
    """Name -> file relative to the tree, of modules whose source lies in the tree."""
    found = {}
    for name, module in _loaded():
        file = (_entries(module) or {}).get("__file__")
        if type(file) is str and files.kind(file) == TREE and len(found) < MAX_MODULES:
            found[name] = files.name(file)
    return found


def check_files(files):
    """Absolute paths of the scripts, test files and helpers that ran."""
    found = {}
    if files.main and files.kind(files.main) == CHECK:
        found[files.main] = None
    for _, module in _loaded():
        file = (_entries(module) or {}).get("__file__")
        if type(file) is str and files.kind(file) == CHECK:
            found[files.absolute(file)] = None
    return list(found)


def mocked_modules(files):
    """Name -> why, of modules that the check put in the place of real ones."""
    found = {}
    for name, module in _loaded():
        why = _why_not_real(name, module, files)
        if why and len(found) < MAX_MOCKED:
            found[name] = why
    return found


def _why_not_real(name, module, files):
    if module is None:
        return "blocked"
    entries = _entries(module)
    if entries is None:
        kind = type(module)
        if passive.is_mock(kind):
            return "a mock"
        return "not a module" if _made_by_check(passive.class_module(kind), files) else ""
    if type(entries.get("__file__")) is str:
        return ""
    kind = type(module)
    if kind is not passive.Module and _made_by_check(passive.class_module(kind), files):
        return passive.class_name(kind) + ", made by the check"
    spec = entries.get("__spec__")
    if spec is None:
        by_hand = (
            kind is passive.Module and "." not in name and not name.startswith(_MADE_BY_MACHINES)
        )
        return "made by hand" if by_hand else ""
    found, loader = passive.read_attribute(spec, "loader")
    if found and loader is not None and _made_by_check(passive.class_module(type(loader)), files):
        return "loaded by " + passive.class_name(type(loader)) + ", made by the check"
    return ""


def _made_by_check(module_name, files):
    if module_name == "__main__":
        return not files.main or files.kind(files.main) == CHECK
    entries = _entries(sys.modules.get(module_name)) or {}
    file = entries.get("__file__")
    return type(file) is str and files.kind(file) == CHECK


def packages(files):
    """Name and version of the distributions that imported top-level modules come from. Reads folder
    listings and top_level.txt only; importing importlib.metadata would cost more than all the rest.
    """
    by_folder = {}
    for name, module in _loaded():
        entries = _entries(module)
        file = (entries or {}).get("__file__")
        if "." in name or type(file) is not str or files.kind(file) != OTHER:
            continue
        folder = os.path.dirname(file)
        if os.path.basename(file).startswith("__init__."):
            folder = os.path.dirname(folder)
        by_folder.setdefault(folder, set()).add(name)
    found = {}
    for folder, names in by_folder.items():
        for distribution, version in _distributions(folder, names):
            if len(found) < MAX_PACKAGES:
                found.setdefault(distribution, version)
    return [{"name": name, "version": version} for name, version in sorted(found.items())]


def _distributions(folder, modules):
    """(name, version) of the distributions in a folder that provide any of these modules."""
    try:
        infos = sorted(e for e in os.listdir(folder) if e.endswith(".dist-info"))
    except OSError:
        return
    wanted = {_normal(m) for m in modules}
    rest = []
    for info in infos:
        name, _, version = info[: -len(".dist-info")].partition("-")
        if _normal(name) in wanted:
            wanted.discard(_normal(name))
            yield name, version
        else:
            rest.append((info, name, version))
    if not wanted:
        return
    for info, name, version in rest:
        try:
            with _open(os.path.join(folder, info, "top_level.txt"), "rb") as file:
                provided = file.read(1 << 16).decode("utf-8", "replace").split()
        except OSError:
            continue
        if any(_normal(top) in wanted for top in provided):
            yield name, version


def _normal(name):
    return name.replace("-", "_").replace(".", "_").lower()
