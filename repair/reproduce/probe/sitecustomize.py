"""Starts the probe in every Python process of a traced check, then gives way.

The folder of this file is put first on PYTHONPATH. After this file has run, the process looks as
it would without it: the folder is off sys.path again, and the sitecustomize that would have been
found without us (further down sys.path) has run under its own name.
"""

import sys


def _start_probe():
    here = __file__.rpartition("/")[0]
    try:
        import suture_probe

        suture_probe.start()
    except Exception:
        pass  # a probe that cannot start must not be noticed
    sys.path[:] = [entry for entry in sys.path if entry.rstrip("/") != here]


def _run_next():
    """Loads the sitecustomize that this file hides. Its errors go to `site`, as ever."""
    finder = sys.modules["_frozen_importlib_external"].PathFinder
    spec = finder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        # The words with which an import fails that finds nothing: `site` then goes on in silence,
        # and no module of this name stays behind.
        raise ImportError("No module named 'sitecustomize'", name="sitecustomize")
    module = sys.modules["_frozen_importlib"].module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_start_probe()
_run_next()
