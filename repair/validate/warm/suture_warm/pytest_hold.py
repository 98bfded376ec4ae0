"""A pytest plugin: each test begins at a boundary (held.py), and how one fails is noted. pytest
finds it by PYTEST_PLUGINS."""

from suture_warm import held

held.forget_plugin()


def pytest_runtest_protocol(item, nextitem):
    held.boundary()


def pytest_exception_interact(node, call, report):
    if report.when != "collect":
        held.failed(call.excinfo.value)


pytest_runtest_protocol.pytest_impl = {"tryfirst": True}
