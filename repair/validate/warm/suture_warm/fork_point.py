"""A place in the run of the check where children are forked."""

import sys

from suture_warm import forkable


class Refused(Exception):
    """Nothing can be forked here; the text says why."""


def serve(session, children, pending):
    """Forks a child for each of `pending`. In a child: which one it is; in the parent, when all
    have ended: None. Raises Refused."""
    with session.watch:
        reason = forkable.obstacle(session.descriptors)
        if reason is not None:
            raise Refused(reason)
        randomness = random_state()
        mine = children.serve(pending, session.descriptors)
        if mine is not None:
            restore_random_state(randomness)
    return mine


def random_state():
    """State of the module `random`, which seeds itself anew in a child."""
    module = sys.modules.get("random")
    generator = getattr(module, "_inst", None) if type(module) is type(sys) else None
    return (generator, generator.getstate()) if generator is not None else None


def restore_random_state(state):
    if state is not None:
        state[0].setstate(state[1])
