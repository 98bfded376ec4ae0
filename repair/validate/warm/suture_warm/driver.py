"""Runs the check as the interpreter would after `site`, and ends the process without finalising.

Finalising an interpreter that has loaded a large framework takes longer than most candidates.
So the process that serves runs `__main__` itself, does what the interpreter does before it
finalises (threads, exit functions, flushing), and leaves by os._exit with the same status.
"""

import os
import sys

import _signal

_WITH_ARGUMENT = "WX"


class Main:
    """The program that the command line asks for: a script, a module, or a text."""

    def __init__(self, kind, what):
        self.kind = kind  # "script" | "module" | "text"
        self.what = what


def command_line():
    """(Main, None), or (None, why the command line is not understood)."""
    if sys.flags.interactive or sys.flags.inspect or os.environ.get("PYTHONINSPECT"):
        return None, "the interpreter is asked to stay interactive"
    words = getattr(sys, "orig_argv", None) or _proc_words()
    position = 1
    while position < len(words):
        word = words[position]
        if word == "-" or not word.startswith("-"):
            break
        if word.startswith("--"):
            if word != "--check-hash-based-pycs":
                return None, "option %s" % word
            position += 2
            continue
        for at, letter in enumerate(word[1:], 2):
            rest = word[at:]
            if letter in "cm":
                what = rest or (words[position + 1] if position + 1 < len(words) else None)
                if what is None:
                    return None, "option -%s without argument" % letter
                return Main({"c": "text", "m": "module"}[letter], what), None
            if letter in _WITH_ARGUMENT:
                position += not rest
                break
            if letter in "xi":
                return None, "option -%s" % letter
        position += 1
    if position >= len(words) or words[position] == "-":
        return None, "the program comes from standard input"
    return _script(words[position])


def _proc_words():
    with open("/proc/self/cmdline", "rb") as file:
        return [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]


def _script(path):
    if not os.path.isfile(path) or path.endswith(".pyc"):
        return None, "the program is no Python file"
    for hook in sys.path_hooks:
        try:
            hook(path)
        except ImportError:
            continue
        return None, "the program is an archive"
    return Main("script", path), None


def finish_site(run_next):
    """What remains of `site`: the next sitecustomize, and usercustomize."""
    site = sys.modules.get("site")
    sys.modules.pop("sitecustomize", None)
    try:
        run_next()
    except Exception as error:
        sys.modules.pop("sitecustomize", None)
        if not (isinstance(error, ImportError) and error.name == "sitecustomize"):
            _site_error(error)
    if site is not None and site.ENABLE_USER_SITE:
        site.execusercustomize()


def _site_error(error):
    if sys.flags.verbose:
        sys.excepthook(type(error), error, error.__traceback__)
    else:
        sys.stderr.write(
            "Error in sitecustomize; set PYTHONVERBOSE for traceback:\n"
            "%s: %s\n" % (type(error).__name__, error)
        )


def run(main, compile_script, must_show, failed):
    """Runs `main` to its end: the exit status, or minus the signal to die of.

    `compile_script(path)` makes the code object of a script. `must_show(hook)` says whether
    the hook that shows the exception at the end must be called: it takes longer than most candidates.
    `failed(error)` gets that exception, whose traceback begins in the check.
    """
    try:
        try:
            _execute(main, compile_script)
        except SystemExit as error:
            return _exit_status(error)
        except KeyboardInterrupt as error:
            _print(error, must_show)
            return -int(_signal.SIGINT)
        except BaseException as error:
            _without_us(error)
            failed(error)
            return _print(error, must_show)
        return 0
    finally:
        if main.kind == "script":  # the interpreter takes them away again before exit functions run
            names = sys.modules["__main__"].__dict__ if "__main__" in sys.modules else {}
            names.pop("__file__", None)
            names.pop("__cached__", None)


def _execute(main, compile_script):
    names = sys.modules["__main__"].__dict__
    if main.kind == "script":
        path = main.what
        _prepend(os.path.dirname(os.path.realpath(path)))
        if sys.version_info >= (3, 9) and not path.startswith("/"):
            path = os.getcwd() + "/" + path
        code = compile_script(path)
        names["__file__"] = path
        names["__cached__"] = None
        loader = sys.modules["_frozen_importlib_external"].SourceFileLoader
        names["__loader__"] = loader("__main__", path)
        exec(code, names)
    elif main.kind == "text":
        _prepend("")
        exec(compile(main.what, "<string>", "exec", 0, True), names)
    else:
        _prepend(os.getcwd())
        import runpy

        runpy._run_module_as_main(main.what)


def _prepend(folder):
    if not sys.flags.isolated and not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, folder)


def _exit_status(error):
    code = error.code
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    try:
        sys.stdout.flush()
    except Exception:
        pass
    try:
        print(code, file=sys.stderr)
    except Exception:
        pass
    return 1


def _print(error, must_show):
    """Shows an exception that nobody caught, without our own frames. The status."""
    traceback = _without_us(error)
    if not must_show(sys.excepthook):
        return 1
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, traceback
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    try:
        sys.stdout.flush()
    except Exception:
        pass
    try:
        sys.excepthook(type(error), error, traceback)
    except SystemExit as again:
        return _exit_status(again)
    except BaseException as failure:
        failure.__context__ = None
        _complain(failure, "Error in sys.excepthook:\n")
        _complain(error, "\nOriginal exception was:\n")
    return 1


def _without_us(error):
    """The traceback of an exception, which begins in the check."""
    ours = __file__.rpartition("/")[0]
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_frame.f_code.co_filename.startswith(ours):
        traceback = traceback.tb_next
    error.__traceback__ = traceback
    return traceback


def join_threads():
    """Waits for threads, as before finalisation."""
    threading = sys.modules.get("threading")
    if threading is not None:
        try:
            threading._shutdown()
        except BaseException as error:
            _complain(error)


def run_exit_functions():
    import atexit

    try:
        atexit._run_exitfuncs()
    except BaseException:
        pass  # printed already; Python 3.8 and 3.9 raise the last one again


def _complain(error, headline=""):
    try:
        sys.stderr.write(headline)
        sys.__excepthook__(type(error), error, _without_us(error))
    except BaseException:
        pass  # no stream to say it on


def flush(status):
    """Flushes the standard streams: the status, which a failure changes as ever."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name, None)
        try:
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
        except BaseException:
            status = 120
    return status


def leave(status):
    """Ends the process at once with the status that run() gave."""
    if status < 0:
        _signal.signal(-status, _signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status & 0xFF)
