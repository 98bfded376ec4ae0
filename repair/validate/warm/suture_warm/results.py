"""Result lines: one JSON object a line, each shorter than LIMIT bytes, each one write."""

import os

import _json  # the C half of json: this process must not import more than it needs

LIMIT = 4000


class Results:
    def __init__(self, path):
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)

    def say(self, event, **fields):
        fields = {"event": event, **fields}
        reason = fields.get("reason")
        if reason is not None:
            fields["reason"] = reason[:500]
        line = encode(fields)
        while len(line) >= LIMIT and fields.get("modules"):
            names = fields["modules"]
            fields["modules"] = names[: len(names) * (LIMIT - 200) // len(line)]
            line = encode(fields)
        try:
            os.write(self._descriptor, line)
        except OSError:
            pass  # nobody listens any more; whoever started us notices on his own

    def close(self):
        os.close(self._descriptor)


def encode(fields):
    return (_text(fields) + "\n").encode("ascii")


def _text(value):
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _json.encode_basestring_ascii(value)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (_text(k), _text(v)) for k, v in value.items())
    return "[%s]" % ",".join(map(_text, value))
