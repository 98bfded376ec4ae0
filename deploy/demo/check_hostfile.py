"""A user's complaint: a bad line in the hostfile is reported as "{line}" instead of the line itself.

Needs the standard library only: the launcher is loaded from the release's source, its own package and
the libraries that it does not use here are stand-ins.
"""
import importlib.util
import sys
import types


class Anything(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return types.SimpleNamespace(error=print, info=print, warning=print) if name == "logger" else Anything(name)

    def __call__(self, *args, **kwargs):
        return self

    def __iter__(self):
        return iter(())

    def __add__(self, other):
        return other

    def __radd__(self, other):
        return other


class StandIns:
    """Finds a stand-in for every module of the package but the one under test, and for torch."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("deepspeed", "torch"):
            return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec):
        return Anything(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, StandIns())
spec = importlib.util.spec_from_file_location("deepspeed.launcher.runner", "deepspeed/launcher/runner.py")
runner = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runner)

assert runner._parse_hostfile(["# a comment", "worker-0 slots=4", "worker-1 slots=2"]) == {"worker-0": 4, "worker-1": 2}
try:
    runner._parse_hostfile(["worker-0 slots=four"])
except ValueError as error:
    assert "worker-0 slots=four" in str(error), f"the message does not show the bad line: {error}"
else:
    raise AssertionError("a bad line was accepted")
