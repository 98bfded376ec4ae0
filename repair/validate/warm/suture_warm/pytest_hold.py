"""A pytest plugin: each test begins at a boundary (held.py). pytest finds it by PYTEST_PLUGINS."""

from suture_warm import held

held.forget_plugin()


def pytest_runtest_protocol(item, nextitem):
    held.boundary()


pytest_runtest_protocol.pytest_impl = {"tryfirst": True}
