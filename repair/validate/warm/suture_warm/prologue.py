"""The statement that lets another body take over a call.

    if __suture_enter__(3): return __suture_take__(3, lambda: (x, y))(a, *args, k=k, **kw)

`__suture_enter__` says whether this process has other code for function 3 (and forks on the first
call). `__suture_take__` makes a function of that code; the lambda is never called, it carries the
cells of the free variables. A call in progress cannot change its code; this way its first
statement can still give it away. No local variable is added.
"""

from suture_warm import targets

_ONLY_AST = 0x400


class Unfit(Exception):
    """A function that cannot carry the prologue; the text says why."""


def check(node):
    """Raises Unfit when the call cannot be passed on."""
    for argument in node.args.kwonlyargs:
        if argument.arg.startswith("__") and not argument.arg.endswith("__"):
            raise Unfit("has a private keyword-only parameter")


def insert(node, identity, free):
    """Puts the prologue into a function node. `free`: names of the variables to bind."""
    cells = "lambda: (%s,)" % ", ".join(sorted(free)) if free else "None"
    call = "__suture_take__(%d, %s)(%s)" % (identity, cells, _arguments(node.args))
    kind = targets.shape(node)
    if kind == "generator":
        call = "(yield from %s)" % call
    elif kind == "coroutine":
        call = "await " + call
    text = "if __suture_enter__(%d): return %s" % (identity, call)
    if kind == "coroutine":  # `await` parses only in there
        text = "async def f():\n " + text
    body = compile(text, "<suture>", "exec", _ONLY_AST, True).body
    if kind == "coroutine":
        body = body[0].body
    place(body, node)
    at = 0 if targets.docstring(node) is None else 1
    node.body[at:at] = body


def _arguments(arguments):
    words = [a.arg for a in getattr(arguments, "posonlyargs", []) + arguments.args]
    if arguments.vararg:
        words.append("*" + arguments.vararg.arg)
    words += ["%s=%s" % (a.arg, a.arg) for a in arguments.kwonlyargs]
    if arguments.kwarg:
        words.append("**" + arguments.kwarg.arg)
    return ", ".join(words)


def place(nodes, function):
    """Gives every node the position of the head of `function`, or of any other statement."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if "lineno" in node._attributes:
            node.lineno = node.end_lineno = function.lineno
            node.col_offset = node.end_col_offset = function.col_offset
        for field in node._fields:
            value = getattr(node, field, None)
            for child in value if isinstance(value, list) else [value]:
                if hasattr(child, "_fields"):
                    pending.append(child)
