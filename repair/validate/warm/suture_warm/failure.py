"""How a check failed in a child: what an exception shows without running code of the check."""

from suture_warm import results

_LONGEST = 300  # characters of a message
_MOST_FRAMES = 12
_MOST_TEXT = 1500  # characters of the whole
_SIMPLE = (int, float, bool, type(None))


def describe(error):
    """JSON: the type's name and module, the message, frames (file, line, function; outermost first).

    `error`: its traceback begins in the check.
    """
    kind = type(error)
    frames = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        frames.append([code.co_filename, traceback.tb_lineno, code.co_name])
        traceback = traceback.tb_next
    fields = {
        "type": str.__str__(kind.__name__),
        "module": kind.__module__ if type(kind.__module__) is str else "",
        "message": _message(error),
        "frames": frames,
    }
    while True:
        text = results.encode(fields).decode("ascii")
        if len(frames) < 2 or len(frames) <= _MOST_FRAMES and len(text) <= _MOST_TEXT:
            return text
        del frames[len(frames) // 3]  # the inner ones tell more, and the outermost one


def _message(error):
    arguments = BaseException.args.__get__(error)
    first = arguments[0] if arguments else ""
    if type(first) is str:
        return first[:_LONGEST]
    return repr(first)[:_LONGEST] if type(first) in _SIMPLE else ""
