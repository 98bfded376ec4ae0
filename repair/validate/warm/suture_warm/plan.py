"""What a session is asked for: a JSON file.

{"mode": "split" | "preload", "tree": "/abs/tree", "jobs": 2, "child_timeout": 12.5,
 "preload": ["module", ...], "stop": "when_answered" | "at_end",
 "candidates": [{"index": 7, "files": {"pkg/a.py": [[start_byte, end_byte, "text"], ...]}}]}

Mode "switch" has, instead of candidates, what switch.py needs:

{"mode": "switch", "conditions": [["pkg/a.py", start_byte, end_byte], ...],
 "children": 200, "single_visits": 2}

Offsets count bytes of the file in the tree; splices are sorted and do not overlap. SUTURE_WARM_TREE
in the environment, when set, says where the tree really is: a run may use a copy.

With "requests", the path of a named pipe, the plan has no candidates: the process is held and
serves one window after the other; each line of the pipe is the path of a plan (requests.py).
"""

import os

import _json


class Candidate:
    """One change to try. `files` maps absolute real paths to splices (start, end, bytes)."""

    def __init__(self, index, files):
        self.index = index
        self.files = files


class Condition:
    """A condition to force. `files` as of a candidate; nothing of the file is replaced."""

    def __init__(self, index, path, start, end):
        self.index = index
        self.path = path
        self.start, self.end = start, end
        self.files = {path: ()}


class Plan:
    """`candidates`: in mode "switch" the conditions."""

    def __init__(self, mode, tree, jobs, child_timeout, preload, stop, requests, candidates, limits):
        self.mode = mode
        self.tree = tree
        self.jobs = jobs
        self.child_timeout = child_timeout
        self.preload = preload
        self.stop = stop
        self.requests = requests
        self.candidates = candidates
        self.most_children, self.single_visits = limits

    def paths(self):
        """Every edited file, as real path."""
        return {path for candidate in self.candidates for path in candidate.files}


class _Reading:
    """How the C scanner is to read: what json.JSONDecoder would tell it."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo = {}


def read(path, tree=None):
    """The plan in a file. `tree`: where the tree is, when that is known."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read().strip()
    fields, _ = _json.make_scanner(_Reading)(text, 0)
    if tree is None:
        tree = os.path.realpath(os.environ.pop("SUTURE_WARM_TREE", fields["tree"]))
    real = {}  # relative path -> real path, resolved once
    candidates = []
    for entry in fields.get("candidates", ()):
        files = {}
        for name, splices in entry["files"].items():
            if name not in real:
                real[name] = os.path.realpath(os.path.join(tree, name))
            files[real[name]] = [
                (start, end, text.encode("utf-8", "surrogateescape"))
                for start, end, text in splices
            ]
        candidates.append(Candidate(entry["index"], files))
    for name, start, end in fields.get("conditions", ()):
        path = os.path.realpath(os.path.join(tree, name))
        candidates.append(Condition(len(candidates), path, start, end))
    return Plan(
        fields["mode"],
        tree,
        max(1, int(fields.get("jobs", 1))),
        float(fields["child_timeout"]),
        fields.get("preload", []),
        fields.get("stop", "when_answered"),
        fields.get("requests"),
        candidates,
        (int(fields.get("children", 1000)), int(fields.get("single_visits", 0))),
    )


def read_bytes(path, opened=open):
    """A whole file. `opened` is `open` as it was before the check could replace it."""
    with opened(path, "rb") as file:
        return file.read()


def apply(data, splices):
    """`data` with the splices put in."""
    parts, last = [], 0
    for start, end, text in splices:
        parts += [data[last:start], text]
        last = end
    parts.append(data[last:])
    return b"".join(parts)
