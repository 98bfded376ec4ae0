"""Starts the warm server in the first Python process of a check, then gives way.

The folder of this file is put first on PYTHONPATH. The folder leaves sys.path again, and the
sitecustomize that would have been found without us (further down sys.path) runs under its own
name. In the process that serves, the check itself then runs from here (driver.py); in every other
process the interpreter goes on as ever.
"""

import sys


def _start_warm():
    """The session that this process serves, or None."""
    here = __file__.rpartition("/")[0]
    session = None
    try:
        import suture_warm

        session = suture_warm.start()
    except Exception:
        pass  # a server that cannot start must not be noticed
    sys.path[:] = [entry for entry in sys.path if entry.rstrip("/") != here]
    return session


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


_session = _start_warm()
if _session is None:
    _run_next()
else:
    _session.run(_run_next)  # returns only when the interpreter has to run the check itself
