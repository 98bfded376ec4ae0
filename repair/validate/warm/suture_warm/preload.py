"""Tier preload: imports third-party modules once, then runs the whole check in a child for each
candidate. Nothing of the tree is imported before the fork; a child gets the candidate's files from
memory."""

import sys

from suture_warm import forkable, memory_files, plan


class Preload:
    def __init__(self, session):
        self._session = session
        self._files = None

    def begin(self):
        """Imports and forks; returns in a child only, to run the check. The parent ends here."""
        session = self._session
        left_out = []
        for name in session.plan.preload:
            try:
                __import__(name)
            except BaseException as error:
                left_out.append("%s (%s)" % (name, type(error).__name__))
        session.say_start(**({"reason": "left out: " + ", ".join(left_out)} if left_out else {}))
        reason = (
            self._from_tree()
            or session.watch.earlier_reader()
            or forkable.obstacle(session.descriptors)
        )
        if reason is not None:
            session.unable(reason)
            session.leave()
        if session.requests is None:
            self._serve()
            return
        session.say_held([])
        for path in iter(session.requests.next, None):
            session.take(plan.read(path, session.plan.tree))
            if self._serve():
                return
            session.say_idle()
        session.leave()

    def _serve(self):
        """Forks a child for each candidate. True in a child, which has become its candidate."""
        session = self._session
        with session.watch:
            try:
                candidate = session.children.serve(session.plan.candidates, session.descriptors)
            except Exception as error:
                session.unable("%s: %s" % (type(error).__name__, error))
                session.leave()
            if candidate is not None:
                self._become(candidate)
                return True
        if session.requests is None:
            session.leave()
        return False

    def _from_tree(self):
        """Complaint about a module of the tree that was imported, or None."""
        tree = self._session.plan.tree + "/"
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) if type(module) is type(sys) else None
            if isinstance(file, str) and self._session.real(file).startswith(tree):
                return "preloading imports a module of the tree: %s" % name
        return None

    def _become(self, candidate):
        session = self._session
        try:
            contents = {}
            for path, splices in candidate.files.items():
                contents[path] = plan.apply(plan.read_bytes(path), splices)
            self._files = memory_files.MemoryFiles(session, contents, session.child_folder)
            self._files.install()
        except Exception as error:
            session.refuse(candidate, "its files could not be served: %r" % (error,))

    def script(self, path):
        data = self._files.content(path)
        if data is None:
            with self._session.watch:
                data = plan.read_bytes(path)
        return compile(data, path, "exec", 0, True)

    def refuse_file(self, path, how):
        """Before the fork nothing may read files of the tree."""
        self._session.unable("preloading reads a file of the tree: " + how)

    def unreached(self, candidate):
        return False

    def end(self):
        return {}
