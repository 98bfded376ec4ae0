"""Questions to the packages installed in an interpreter.

    python ask.py FOLDER '["own", "names"]'

reads questions from the pipe FOLDER/questions and writes answers to FOLDER/answers: JSON, one line
each. A process of its own, clean of the check and of the tree under repair: a stub says yes to
everything, and an installed copy of the project under repair knows its future. So the working
folder (the tree), folders of check helpers, and the modules with own names are out of bounds.

A question is answered by a child: what answering one imports does not change the answer to the
next, and a package that ends its process costs one answer. The package that a question is about is
imported before the fork, once for all children.

| ask | with | answer |
|---|---|---|
| has_module | module | true or false |
| names_of | module | its names, dunder names left out; [] when it cannot be imported |
| exporters | name, near | [{module, name, kind}], modules that have the name |
| signature | callable "module:qualified.name" | [{name, kind, default?}] or null |
| version | module | version of its distribution, "" when there is none |
"""

import sys

MAX_NAMES = 5000
MAX_EXPORTERS = 8
MAX_VERIFIED = 5
MAX_SOURCE_BYTES = 1 << 20
# Modules of the standard library that do something when they are imported, or are only for itself.
LOUD_MODULES = (
    "antigravity",
    "this",
    "idlelib",
    "test",
    "turtledemo",
    "lib2to3",
    "site",
    "__phello__",
)


def clean_path(path, cwd):
    """sys.path without this script's folder, the tree (the working folder) and check helpers."""
    import os

    given = [os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    prefixes = {os.path.abspath(p) for p in (sys.prefix, sys.base_prefix)}
    below = lambda entry, folder: (entry + "/").startswith(folder.rstrip("/") + "/")

    def keep(entry):
        if "/site-packages" in entry or "/dist-packages" in entry:
            return True
        if below(entry, cwd):  # unless it is an environment that somebody made inside the tree
            return any(below(entry, p) and below(p, cwd) and p != cwd for p in prefixes)
        return entry not in given or has_distributions(entry)

    return [p for p in path[1:] if p and keep(os.path.abspath(p))]


def has_distributions(folder):
    """Whether a folder is a target of `pip install --target`."""
    import os

    try:
        return any(name.endswith(".dist-info") for name in os.listdir(folder))
    except OSError:
        return False


class Answers:
    def __init__(self, own):
        self._own = set(own)

    def answer(self, question):
        try:
            handler = getattr(self, "ask_" + question["ask"])
            return handler(**{k: v for k, v in question.items() if k != "ask"})
        except BaseException as error:  # a package that exits while it is imported is no answer
            if isinstance(error, KeyboardInterrupt):
                raise
            return None

    def prepare(self, question):
        """Imports the package that the question is about, unless looking it up is enough."""
        about = question.get("callable") or question.get("near") or question.get("module") or ""
        package = about.partition(":")[0].split(".")[0]
        only_looks = question.get("ask") in ("has_module", "version") and about == package
        if not only_looks:
            self._import(package)

    def _is_own(self, module):
        return module.split(".")[0] in self._own

    def ask_has_module(self, module):
        import importlib.util

        if self._is_own(module):
            return False
        try:
            return importlib.util.find_spec(module) is not None
        except (ImportError, AttributeError, ValueError):
            return False

    def ask_names_of(self, module):
        found = self._import(module)
        if found is None:
            return []
        names = set(dir(found))
        names.update(getattr(found, "__all__", ()))
        return sorted(n for n in names if self._is_public(found, n))[:MAX_NAMES]

    def _is_public(self, module, name):
        if not isinstance(name, str) or (name.startswith("_") and name.endswith("__")):
            return False
        value = vars(module).get(name)
        # What a package took over from the project under repair is the project's later knowledge.
        origin = getattr(value, "__module__", None) or getattr(value, "__name__", None)
        return not (isinstance(origin, str) and self._is_own(origin))

    def ask_signature(self, callable):
        import inspect

        module, _, path = callable.partition(":")
        target = self._import(module)
        if target is None or not path:
            return None
        for part in path.split("."):
            target = getattr(target, part)
        try:
            found = inspect.signature(target)
        except (TypeError, ValueError):
            found = documented_signature(target)
        return [describe_parameter(p) for p in found.parameters.values()] if found else None

    def ask_version(self, module):
        import importlib.metadata as metadata

        top = module.split(".")[0]
        if self._is_own(top):
            return ""
        try:
            return metadata.version(top)
        except metadata.PackageNotFoundError:
            pass
        for distribution in metadata.distributions():
            provided = (distribution.read_text("top_level.txt") or "").split()
            if top in provided:
                return distribution.version
        return ""

    def ask_exporters(self, name, near):
        """Looks for the name in source text, then imports only the modules that may have it: of
        each kind the nearest few."""
        groups = self._candidates(name, near)
        found = {}
        for private in (False, True):  # private modules are for when there is nothing else
            for modules in groups:
                chosen = sorted(
                    (m for m in modules if is_private(m) == private),
                    key=lambda m: closeness(m, near),
                )
                for module in chosen[:MAX_VERIFIED]:
                    home = self._verify(module, name, found)
                    if home and home not in found and not is_private(home):
                        self._verify(home, name, found)
            if found:
                break
        exports = sorted(
            found.values(), key=lambda e: (not e["home"], closeness(e["module"], near))
        )
        return [{k: v for k, v in e.items() if k != "home"} for e in exports[:MAX_EXPORTERS]]

    def _verify(self, module, name, found):
        """Adds the module to `found` when it has the name; says where the value was defined."""
        imported = self._import(module)
        if imported is None or not hasattr(imported, name) or not self._is_public(imported, name):
            return ""
        value = getattr(imported, name)
        home = getattr(value, "__module__", None)
        found[module] = {
            "module": module,
            "name": name,
            "kind": kind_of(value),
            "home": home == module,
        }
        return home if isinstance(home, str) else ""

    def _candidates(self, name, near):
        """Modules that seem to define the name; those in the package of `near` that import it;
        those that pass on all names of another module, which may be its home (collections.abc)."""
        import re

        word = re.escape(name).encode()
        define = re.compile(
            rb"^(?:async )?(?:def|class)\s+%s\b|^%s\s*[:=]" % (word, word), re.MULTILINE
        )
        take = re.compile(
            rb"^\s*(?:from\s+\S+\s+)?import\s[^#\n]*\b%s\b"
            rb"|^    %s,?$" % (word, word),  # the latter: in the brackets of an import
            re.MULTILINE,
        )
        pass_on = re.compile(rb"^from\s+\S+\s+import\s+\*", re.MULTILINE)
        top = near.split(".")[0] if near else ""
        defining, importing, passing_on = set(), set(), set()
        sources = dict(library_sources())
        sources.update(package_sources(self._find(top), top))
        for module, path in sources.items():
            try:
                with open(path, "rb") as file:
                    text = file.read(MAX_SOURCE_BYTES)
            except OSError:
                continue
            if define.search(text):
                defining.add(module)
            elif module.split(".")[0] == top and take.search(text):
                importing.add(module)
            elif pass_on.search(text):
                passing_on.add(module)
        for module in compiled_modules():
            if hasattr(self._import(module), name):
                defining.add(module)
        return defining, importing, passing_on

    def _find(self, top):
        import importlib.util

        try:
            return importlib.util.find_spec(top) if top and not self._is_own(top) else None
        except (ImportError, ValueError):
            return None

    def _import(self, module):
        import importlib

        if self._is_own(module) or not module:
            return None
        try:
            return importlib.import_module(module)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            return None


def package_sources(spec, top):
    """(module, file) of all source files of a package or module."""
    import os

    if spec is None:
        return
    if spec.submodule_search_locations is None:
        if spec.origin and spec.origin.endswith(".py"):
            yield top, spec.origin
        return
    for root in spec.submodule_search_locations:
        yield from sources_below(root, [top])


def library_sources():
    """(module, file) of the standard library."""
    import os
    import sysconfig

    library = sysconfig.get_path("stdlib")
    for entry in sorted(os.listdir(library)):
        path = os.path.join(library, entry)
        if entry.endswith(".py") and entry[:-3].isidentifier() and entry[:-3] not in LOUD_MODULES:
            yield entry[:-3], path
        elif os.path.isfile(os.path.join(path, "__init__.py")) and entry not in LOUD_MODULES:
            yield from sources_below(path, [entry])


def compiled_modules():
    """Public modules of the standard library that have no source text."""
    import os
    import sysconfig

    names = set(sys.builtin_module_names)
    try:
        names.update(
            f.split(".")[0]
            for f in os.listdir(os.path.join(sysconfig.get_path("stdlib"), "lib-dynload"))
        )
    except OSError:
        pass
    return sorted(
        n for n in names if n.isidentifier() and not n.startswith("_") and not n.startswith("xx")
    )


def sources_below(root, prefix):
    import os

    for folder, folders, files in os.walk(root):
        relative = os.path.relpath(folder, root)
        parts = prefix + ([] if relative == "." else relative.split(os.sep))
        folders[:] = sorted(d for d in folders if d.isidentifier() and d not in ("test", "tests"))
        for file in sorted(files):
            if file == "__init__.py":
                yield ".".join(parts), os.path.join(folder, file)
            elif file.endswith(".py") and file[:-3].isidentifier() and file != "__main__.py":
                yield ".".join(parts + [file[:-3]]), os.path.join(folder, file)


def closeness(module, near):
    """Orders modules: near before far, short before long."""
    parts = module.split(".")
    common = 0
    for a, b in zip(parts, near.split(".")):
        if a != b:
            break
        common += 1
    return -common, len(parts), module


def is_private(module):
    return any(part.startswith("_") for part in module.split("."))


def describe_parameter(parameter):
    data = {"name": parameter.name, "kind": parameter.kind.name}
    if parameter.default is not parameter.empty:
        simple = parameter.default is None or type(parameter.default) in (bool, int, float, str)
        data["default"] = repr(parameter.default)[:200] if simple else ""
    return data


def documented_signature(target):
    """Functions written in C often state their parameters in the first line of their text."""
    import inspect
    import re

    match = re.match(
        r"\s*[\w.]+(\(.*?\))\s*(?:->.*)?$",
        (getattr(target, "__doc__", None) or "").strip().split("\n")[0],
    )
    if match is None:
        return None
    scope = {}
    try:
        exec("def function%s: pass" % match.group(1), {}, scope)
    except Exception:
        return None
    return inspect.signature(scope["function"])


def kind_of(value):
    import types

    if isinstance(value, type):
        return "class"
    if isinstance(value, types.ModuleType):
        return "module"
    return "function" if callable(value) else "value"


def answer_in_child(answers, question):
    """The JSON of the answer; null when the child did not live to give it."""
    import json
    import os

    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(here)
        with os.fdopen(there, "w") as pipe:
            pipe.write(json.dumps(answers.answer(question)) + "\n")
        # Threads and exit handlers of what was imported have nothing to add.
        os._exit(0)
    os.close(there)
    with os.fdopen(here) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return text if text.endswith("\n") else "null\n"


def main(arguments):
    import io
    import json
    import os
    import warnings

    folder, own = arguments
    sys.path[:] = clean_path(sys.path, os.path.abspath(os.getcwd()))
    warnings.simplefilter("ignore")
    sys.stdout = io.StringIO()  # packages may print while they are imported
    answers = Answers(json.loads(own))
    with open(os.path.join(folder, "answers"), "w") as told:
        with open(os.path.join(folder, "questions")) as asked:
            for line in asked:
                question = json.loads(line)
                answers.prepare(question)
                told.write(answer_in_child(answers, question))
                told.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
