"""The warm server: one Python process of a check that tries many candidates, a fork for each.

It runs inside the check's interpreter and keeps to the rules of the probe: standard library only,
and little of it; Python 3.8 to 3.13; nothing of the check changes that need not. To these it adds
one: a verdict is the exit status of a child as the parent sees it, never a message; what cannot
be right is refused, so that the next tier serves it.

Settings come from the environment: SUTURE_WARM_PLAN (JSON file, see plan.py), SUTURE_WARM_RESULTS
(where result lines go, see results.py). The first process that comes claims the session and takes
both out of the environment.

| module | what it does |
|---|---|
| plan.py | what the session is asked for |
| results.py | result lines |
| session.py | life of the serving process: the check from start to end |
| driver.py | runs the check as the interpreter would, and ends it without finalising |
| split.py | tier split: forks at the first call of an edited function |
| switch.py | predicate switching: forces outcomes of conditions, a child for each |
| held.py | a process held at a point of the check, for window after window of split |
| adopt.py | prologues for functions that exist already |
| pytest_hold.py | the boundaries of a check that pytest runs |
| requests.py | where a held process is asked |
| preload.py | tier preload: imports third-party modules, runs the whole check in each fork |
| targets.py | which functions a candidate edits, and their new code |
| alike.py | candidates that cannot behave differently: one run tells of several |
| difference.py | the one expression in which two versions of a function differ |
| pure.py | values of expressions, without running code of the check |
| prologue.py | the statement that lets another body take over a call |
| conditions.py | finds conditions, and puts hooks around them |
| loader.py | where source becomes code |
| sources.py | files whose code a tier changes |
| children.py | forks children, limits and reaps them |
| fork_point.py | a place where children are forked |
| forkable.py | what forbids to fork here, and which descriptors a child must own |
| watch.py | audit hook: acts that soft isolation cannot contain |
| memory_files.py | edited files for children of preload |
| failure.py | how the check failed in a child |
| exits.py | exit functions: whether a child may leave without them |
| origin.py | whose code a file is |
| modules.py | which modules a preload may import |
"""


def start():
    """Claims the session when there is one: the object to run, or None."""
    import os

    plan = os.environ.get("SUTURE_WARM_PLAN")
    results = os.environ.get("SUTURE_WARM_RESULTS")
    if not plan or not results:
        return None
    try:
        claim = os.open(results + ".claimed", os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return None  # another process serves
    os.close(claim)
    del os.environ["SUTURE_WARM_PLAN"], os.environ["SUTURE_WARM_RESULTS"]
    from suture_warm import session

    return session.begin(plan, results)
