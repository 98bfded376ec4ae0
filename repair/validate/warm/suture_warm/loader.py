"""Where source becomes code: SourceLoader.get_code, which also serves finders of the check."""

import sys

_external = sys.modules["_frozen_importlib_external"]


def install(is_ours, compile_source):
    """Lets `compile_source(path, data, loader)` make the code of the files that `is_ours(path)`
    accepts, past any .pyc; None leaves a file to the loader."""
    loader_type = _external.SourceLoader
    theirs = loader_type.get_code

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        if is_ours(path):
            code = compile_source(path, self)
            if code is not None:
                return code
        return theirs(self, fullname)

    loader_type.get_code = get_code


def read_unseen(watch):
    """Lets the import system read source without the watch taking it for a reader of text."""
    loader_type = _external.SourceLoader
    theirs = loader_type.get_code

    def get_code(self, fullname):
        with watch:
            return theirs(self, fullname)

    loader_type.get_code = get_code


def makes_code_itself(loader):
    """Whether a loader compiles in a way of its own."""
    return type(loader).source_to_code is not _external.SourceLoader.source_to_code
