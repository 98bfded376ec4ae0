"""Whose code a file is: own (the check's, the tree's) or third-party (the standard library too)."""

import sys
from os.path import dirname, realpath


class Origin:
    """Own is what lies in the tree, beside the script of the check, in folders that the check has
    put on sys.path, and this server. Made before the check begins."""

    def __init__(self, tree, main):
        ours = dirname(dirname(realpath(__file__)))
        self._folders = [tree + "/", ours + "/"]
        if main.kind == "script":
            self._folders.append(dirname(realpath(main.what)) + "/")
        self._path = set(sys.path)
        self._known = {}

    def is_own(self, file):
        real = realpath(file)
        added = [realpath(entry) + "/" for entry in sys.path if entry not in self._path]
        return any(real.startswith(folder) for folder in self._folders + added)

    def is_third_party(self, file):
        """Of the file name of a code object; text that is in no file is the check's."""
        known = self._known.get(file)
        if known is None:
            found = file.startswith("<frozen") or (file.startswith("/") and not self.is_own(file))
            known = self._known[file] = found
        return known
