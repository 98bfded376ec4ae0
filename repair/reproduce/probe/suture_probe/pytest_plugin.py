"""PYTEST_DONT_REWRITE

Shows the probe the exceptions that pytest catches and how each test ended. Loaded through
PYTEST_PLUGINS.
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


def pytest_runtest_logreport(report):
    try:
        from suture_probe import session

        current = session.current()
        if current is not None:
            current.test_step_ended(report.nodeid, report.when, report.outcome)
    except Exception:
        pass
