"""The probe: watches one run of a check from inside its interpreter, passively.

It runs where suture has no say, so it keeps to four rules:
- standard library only, and little of it; Python 3.8 to 3.13;
- nothing of the check changes: not its output, not its exit status, not what it calls;
- no code of the objects it looks at runs (see passive.py);
- whatever goes wrong in here stays in here.

Settings come from the environment: SUTURE_PROBE_OUT (file to write), SUTURE_PROBE_TREE (absolute
folder of the tree under repair), SUTURE_PROBE_DEADLINE (seconds after which stacks are written,
because the run will soon be killed).

| module | what it does |
|---|---|
| session.py | life of the probe in a process: start, events, exit, forks, deadline |
| files.py | which file belongs to the tree, to the check, to neither |
| trace.py | which functions and lines ran, with which values (sys.settrace) |
| failures.py | exceptions and stacks as data |
| operands.py | values compared by a failing assert |
| passive.py | values as data |
| source.py | syntax trees of source files |
| inventory.py | modules of the tree, stand-ins for modules, versions of packages |
| writer.py | the evidence as a JSON file |
| pytest_plugin.py | failures that pytest catches, how each test ended |
| ask.py | a program of its own: questions to installed packages |
"""


def start():
    import os

    out = os.environ.get("SUTURE_PROBE_OUT")
    tree = os.environ.get("SUTURE_PROBE_TREE")
    if not out or not tree:
        return
    from suture_probe import session

    session.begin(out, tree, os.environ.get("SUTURE_PROBE_DEADLINE"))
