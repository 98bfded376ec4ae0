"""PYTEST_DONT_REWRITE

Shows the probe the exceptions that pytest catches. Loaded through PYTEST_PLUGINS.
"""


def pytest_exception_interact(node, call, report):
    try:
        from suture_probe import session

        current = session.current()
        if current is not None:
            _, value, traceback = call.excinfo._excinfo
            current.test_failed(value, traceback)
    except Exception:
        pass
