"""Tells files of the tree under repair from files of the check and from everything else."""

import os
import sys

TREE = "tree"
CHECK = "check"
OTHER = "other"


def _is_test_name(relative):
    """Whether a path inside the tree looks like a test: what pytest and unittest would collect, or
    a file that lives among tests."""
    folders, _, name = relative.rpartition("/")
    if name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py"):
        return True
    return any(part in ("test", "tests") or part.endswith("_tests") for part in folders.split("/"))


def _below(path, folder):
    return path == folder or path.startswith(folder.rstrip("/") + "/")


class Files:
    """Answers are cached by the file name as code objects spell it."""

    def __init__(self, tree, cwd):
        self._cwd = cwd
        self.tree = os.path.normpath(os.path.join(cwd, tree))
        self._real_tree = os.path.realpath(self.tree)
        self._prefixes = [
            os.path.normpath(p)
            for p in {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
            if p and os.path.normpath(p) not in ("/", self.tree)
        ]
        self._probe = os.path.dirname(os.path.abspath(__file__))
        self._helpers = []  # folders outside the tree whose files belong to the check
        self._cache = {}
        self.main = ""  # absolute path of the script that was started, if any
        self.command = None  # the text after -c, if any
        for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep):
            self._add_helper_folder(entry)

    def _add_helper_folder(self, entry):
        if not entry:
            return
        folder = os.path.normpath(os.path.join(self._cwd, entry))
        if folder != "/" and self._inside_tree(folder) is None and not _below(self._probe, folder):
            self._helpers.append(folder)

    def set_main(self, script):
        """Called once, when it is known which script runs. It is the check, unless the tree's own
        history knows it or it is an installed program."""
        self.main = os.path.normpath(os.path.join(self._cwd, script))
        self._cache.clear()
        if not self._installed(self.main, self._inside_tree(self.main) is not None):
            self._add_helper_folder(os.path.dirname(self.main))

    def set_command(self, text):
        self.command = text

    def kind(self, filename):
        known = self._cache.get(filename)
        if known is None:
            known = self._cache[filename] = self._classify(filename)
        return known[0]

    def name(self, filename):
        """Relative to the tree for files of the tree, else absolute."""
        self.kind(filename)
        return self._cache[filename][1]

    def absolute(self, filename):
        if filename.startswith("<"):
            return filename
        return os.path.normpath(os.path.join(self._cwd, filename))

    def _classify(self, filename):
        if not filename or filename.startswith("<"):
            return OTHER, filename
        path = self.absolute(filename)
        relative = self._inside_tree(path)
        if self._installed(path, relative is not None):
            return OTHER, path
        if relative is not None:
            if _is_test_name(relative) or (path == self.main and not self._in_history(relative)):
                return CHECK, path
            return TREE, relative
        if any(_below(path, folder) for folder in self._helpers) or _is_test_name(
            os.path.basename(path)
        ):
            return CHECK, path
        return OTHER, path

    def _installed(self, path, in_tree):
        """Whether a file belongs to an environment. An environment inside the tree is not the tree,
        and a tree inside a prefix (/usr/src) is not the environment."""
        prefixes = [p for p in self._prefixes if not in_tree or _below(p, self.tree)]
        return (
            "/site-packages/" in path
            or "/dist-packages/" in path
            or any(_below(path, prefix) for prefix in prefixes)
            or _below(path, self._probe)
        )

    def _inside_tree(self, path):
        """The path relative to the tree, or None. Symbolic links on the way do not matter."""
        if _below(path, self.tree):
            return path[len(self.tree) + 1 :]
        real = os.path.realpath(path)
        if _below(real, self._real_tree):
            return real[len(self._real_tree) + 1 :]
        return None

    def _in_history(self, relative):
        """Whether git tracks the file: then a script is a part of what is repaired, else it is what
        somebody wrote to show the bug. The index holds paths as plain bytes."""
        try:
            with open(os.path.join(self.tree, ".git", "index"), "rb") as index:
                return os.fsencode(relative) + b"\0" in index.read()
        except OSError:
            return False
