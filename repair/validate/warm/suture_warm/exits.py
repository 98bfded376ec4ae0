"""Exit functions: whether a child may leave without running them.

They cannot change the exit status, except by ending the process themselves, and those of large
frameworks take longer than most candidates. So a child runs them only when one of them is not
third-party code.
"""

import atexit
import sys

_Function = type(lambda: 0)
_Method = type(_Function.__get__(lambda self: 0, 0))
_Builtin = type(len)


class ExitFunctions:
    """Notes what atexit.register is given."""

    def __init__(self, origin):
        self._origin = origin
        self._matter = False
        theirs = atexit.register

        def register(func, *args, **kwargs):
            self._matter = self._matter or not self._is_harmless(func)
            return theirs(func, *args, **kwargs)

        atexit.register = register

    def matter(self):
        """Whether one of them could change how the process ends."""
        finalize = getattr(sys.modules.get("weakref"), "finalize", None)
        finalizers = list(getattr(finalize, "_registry", {}).values())
        return self._matter or not all(self._is_harmless(info.func) for info in finalizers)

    def _is_harmless(self, func):
        if type(func) is _Method:
            func = func.__func__
        if type(func) is _Function:
            return self._origin.is_third_party(func.__code__.co_filename)
        return type(func) is _Builtin and func.__module__ != "posix"
