"""The files whose code a tier changes: where they are loaded, or run as the check's script."""

from suture_warm import loader, plan


class Sources:
    """`paths`: real paths; `make_code(path, data)` makes the code object of one of them;
    `refuse_file(path, reason)` hears that it cannot be."""

    def __init__(self, session, paths, make_code, refuse_file):
        self._session = session
        self._paths = paths
        self._names = {path.rpartition("/")[2] for path in paths}
        self._make_code = make_code
        self._refuse_file = refuse_file
        loader.install(self.is_target, self._load)

    def script(self, path):
        """The code of the script that the check runs."""
        with self._session.watch:
            data = plan.read_bytes(path)
        if self._session.real(path) in self._paths:
            code = self.code(path, data)
            if code is not None:
                return code
        return compile(data, path, "exec", 0, True)

    def code(self, path, data):
        """The changed code of a file; None when it cannot be made."""
        try:
            return self._make_code(path, data)
        except Exception as error:
            self._refuse_file(path, "the file could not be prepared: %r" % (error,))
            return None

    def is_target(self, path):
        if path.rpartition("/")[2] not in self._names:
            return False
        with self._session.watch:
            return self._session.real(path) in self._paths

    def _load(self, path, loader_object):
        if loader.makes_code_itself(loader_object):
            self._refuse_file(path, "a loader of its own makes its code")
            return None
        with self._session.watch:
            data = loader_object.get_data(path)
        return self.code(path, data)
