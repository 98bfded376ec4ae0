"""Edited files for a child of preload: the tree stays as it is, the child sees its candidate.

Imports get it from the loader, readers from a copy in the child's own folder. Whoever reaches the
file by another way is seen by the watch, and the child's verdict does not count.
"""

import builtins
import io
import posix
import sys

_external = sys.modules["_frozen_importlib_external"]
_real_open = io.open
_real_open_code = io.open_code


class MemoryFiles:
    """`contents`: real path -> bytes; `folder`: where copies may be put."""

    def __init__(self, session, contents, folder):
        self._session = session
        self._contents = contents
        self._names = {path.rpartition("/")[2] for path in contents}
        self._folder = folder
        self._copies = {}

    def install(self):
        """Serves from now on."""
        builtins.open = io.open = self._open
        io.open_code = self._open_code
        tokenize = sys.modules.get("tokenize")  # keeps `open` under a name of its own
        if getattr(tokenize, "_builtin_open", None) is _real_open:
            tokenize._builtin_open = self._open
        self._serve_loaders()
        # A .pyc carries the time and size of the file in the tree: it must not hold a candidate.
        sys.dont_write_bytecode = True

    def content(self, path):
        """The candidate's text of a file, or None."""
        try:
            path = posix.fspath(path)
            if isinstance(path, bytes):
                path = path.decode("utf-8", "surrogateescape")
        except TypeError:
            return None  # a descriptor
        if path.rpartition("/")[2] not in self._names:
            return None
        with self._session.watch:
            return self._contents.get(self._session.real(path))

    def _serve_loaders(self):
        their_code = _external.SourceLoader.get_code
        their_data = _external.FileLoader.get_data
        files = self

        def get_code(self, fullname):
            path = self.get_filename(fullname)
            if files.content(path) is None:
                return their_code(self, fullname)
            return self.source_to_code(self.get_data(path), path)

        def get_data(self, path):
            content = files.content(path)
            return their_data(self, path) if content is None else content

        _external.SourceLoader.get_code = get_code
        _external.FileLoader.get_data = get_data

    def _open(self, file, mode="r", *arguments, **named):
        content = None if isinstance(file, int) else self.content(file)
        if content is None or "r" not in mode or "+" in mode:
            return _real_open(file, mode, *arguments, **named)
        named.pop("opener", None)
        return _real_open(self._copy(file, content), mode, *arguments[:4], **named)

    def _open_code(self, path):
        content = self.content(path)
        return _real_open_code(path) if content is None else io.BytesIO(content)

    def _copy(self, file, content):
        real = self._session.real(posix.fspath(file))
        if real not in self._copies:
            with self._session.watch:
                folder = "%s/.suture-%d" % (self._folder, len(self._copies))
                posix.mkdir(folder)
                copy = folder + "/" + real.rpartition("/")[2]
                with _real_open(copy, "wb") as written:
                    written.write(content)
            self._copies[real] = copy
        return self._copies[real]
