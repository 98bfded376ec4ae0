"""The evidence as a JSON file.

Has its own encoder: the check may have replaced the module `json`, and importing it early would
change what the check finds imported.
"""

import os

MAX_BYTES = 8 << 20
_open, _write, _close, _rename = os.open, os.write, os.close, os.rename


def encode(value):
    parts = []
    _encode(value, parts.append)
    return "".join(parts)


def _encode(value, emit):
    kind = type(value)
    if kind is str:
        emit(_text(value))
    elif kind is bool:
        emit("true" if value else "false")
    elif kind is int:
        # Larger numbers would not survive the way to 64 bits.
        emit(str(value) if -(1 << 62) < value < 1 << 62 else "0")
    elif kind is dict:
        separator = "{"
        for key, item in value.items():
            emit(separator + _text(key) + ":")
            _encode(item, emit)
            separator = ","
        emit("}" if value else "{}")
    elif kind is list or kind is tuple:
        separator = "["
        for item in value:
            emit(separator)
            _encode(item, emit)
            separator = ","
        emit("]" if value else "[]")
    else:
        emit("null")


def _text(text):
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return '"' + text + '"'
    return '"' + "".join(map(_character, text)) + '"'


def _character(c):
    if c == '"' or c == "\\":
        return "\\" + c
    code = ord(c)
    if 0x20 <= code < 0x7F:
        return c
    if 0xD800 <= code < 0xE000:
        return "\\ufffd"  # half a character
    if code < 0x10000:
        return "\\u%04x" % code
    code -= 0x10000
    return "\\u%04x\\u%04x" % (0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF))


def _smaller(evidence, step):
    """The evidence with less in it, what matters least going first."""
    if step == 0:
        for entry in evidence["called"]:
            entry.pop("locals", None)
    elif step == 1:
        for entry in evidence["called"]:
            entry.pop("arguments", None)
            entry.pop("returned", None)
        evidence["swallowed"] = []
    elif step == 2:
        evidence["classes"] = [[] for _ in evidence["classes"]]
        del evidence["called"][100:]
    elif step == 3:
        for exception in evidence["exceptions"]:
            for frame in exception["frames"][:-3]:
                frame.pop("locals", None)
    else:
        evidence.update(exceptions=[], swallowed=[], operands=[], called=[], modules={}, mocked={})


def write(path, evidence):
    """Writes all or nothing."""
    for step in range(6):
        data = encode(evidence).encode("ascii")
        if len(data) <= MAX_BYTES:
            break
        _smaller(evidence, step)
    temporary = "%s.tmp%d" % (path, os.getpid())
    descriptor = _open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        view = memoryview(data)
        while view:
            view = view[_write(descriptor, view) :]
    finally:
        _close(descriptor)
    _rename(temporary, path)
