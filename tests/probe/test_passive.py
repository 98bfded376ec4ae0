"""The probe looks, and nothing notices."""


def test_mocks_record_nothing(any_lab):
    run = any_lab.check(
        tree="""
            def use(m):
                kept = m
                return kept
        """,
        check="""
            from unittest import mock
            import lib
            m = mock.MagicMock()
            deep = {"m": [m, mock.sentinel.x]}
            lib.use(m)
            lib.use(deep)
            assert m.mock_calls == [] and m.method_calls == [], m.mock_calls
            assert m is None
        """,
    )
    assert "assert m is None" in run.output
    assert run.local("<module>", "m") == {"type": "?"}
    assert run.called("use")["arguments"]["m"] == {"type": "?"}
    assert run.local("<module>", "deep")["repr"] == "{'m': [<?>, <?>]}"


def test_no_hook_of_an_object_runs(any_lab):
    run = any_lab.check(
        tree="""
            log = []

            class Meta(type):
                def __instancecheck__(cls, x): log.append("instancecheck"); return True
                def __subclasscheck__(cls, x): log.append("subclasscheck"); return True
                def __eq__(cls, other): log.append("meta eq"); return True
                def __hash__(cls): log.append("meta hash"); return 1
                def __getattribute__(cls, name):
                    if name not in ("__name__", "__mro__"):
                        log.append("meta getattribute " + name)
                    return type.__getattribute__(cls, name)

            class Touchy(metaclass=Meta):
                def __init__(self): self.__dict__["own"] = 1
                def __len__(self): log.append("len"); return 3
                def __bool__(self): log.append("bool"); return True
                def __repr__(self): log.append("repr"); return "x"
                def __str__(self): log.append("str"); return "x"
                def __eq__(self, other): log.append("eq"); return True
                def __hash__(self): log.append("hash"); return 1
                def __iter__(self): log.append("iter"); return iter(())
                def __getattr__(self, name): log.append("getattr " + name); return self
                def __getattribute__(self, name):
                    if name != "__dict__":
                        log.append("getattribute " + name)
                    return object.__getattribute__(self, name)
                @property
                def lazy(self): log.append("property"); return 1
                @property
                def __class__(self): log.append("__class__"); return dict

            class Words(dict):
                def __len__(self): log.append("dict len"); return 99
                def __iter__(self): log.append("dict iter"); return iter(())
                def items(self): log.append("dict items"); return []
                def keys(self): log.append("dict keys"); return []
                def __getitem__(self, key): log.append("dict getitem"); return 1

            class Several(list):
                def __len__(self): log.append("list len"); return 99
                def __iter__(self): log.append("list iter"); return iter(())

            class Loud(Exception):
                def __str__(self): log.append("exception str"); return "loud"

            def swallow(a, b, c):
                try:
                    raise Loud(a)
                except Loud:
                    pass
                return a
        """,
        check="""
            import lib
            t, w, s = lib.Touchy(), lib.Words(k=1), lib.Several([1, 2])
            del lib.log[:]
            lib.swallow(t, w, s)
            box = [t, {"w": w}, (s,)]
            print(lib.log)
            assert (t, w, s, box) is None
        """,
    )
    assert run.output.startswith("[]\n")
    frame = run.evidence["exceptions"][-1]["frames"][0]["locals"]
    assert frame["w"]["length"] == 1 and frame["w"]["entries"]["'k'"]["repr"] == "1"
    assert frame["s"]["length"] == 2
    assert (frame["t"]["type"], frame["t"]["dynamic"]) == ("Touchy", True)
    assert frame["t"]["attributes"]["own"]["repr"] == "1"


def test_hooks_stay_quiet_after_the_run_too(any_lab):
    """Values are looked at once more when the exception ends the check, and at exit."""
    run = any_lab.check(
        tree="""
            class Lazy:
                def __getattr__(self, name):
                    print("loaded", name)
                    return 1
                def __len__(self):
                    print("measured")
                    return 1
        """,
        check="""
            import lib, sys
            lazy = sys.modules["lazy_module"] = lib.Lazy()
            assert lazy is None
        """,
    )
    assert "loaded" not in run.output and "measured" not in run.output
    assert run.local("<module>", "lazy")["type"] == "Lazy"


def test_objects_die_when_they_would(any_lab):
    run = any_lab.check(
        tree="""
            import weakref
            class Thing: pass
            def use():
                thing = Thing()
                return weakref.ref(thing)
            def dynamic():
                class Local(Thing): pass
                Local()
            def fail():
                thing = Thing()
                try:
                    raise ValueError(weakref.ref(thing))
                except ValueError as error:
                    return error.args[0]
        """,
        check="""
            import gc, lib
            assert lib.use()() is None
            lib.dynamic()
            ref = lib.fail()
            gc.collect()
            assert lib.Thing.__subclasses__() == []
            assert ref() is None
        """,
    )
    assert run.status == 0, run.output


def test_signals_of_the_check_reach_the_check(any_lab):
    run = any_lab.check(
        tree="""
            def spin():
                while True:
                    step()
            def step():
                return 1
        """,
        check="""
            import lib, signal
            class Late(Exception): pass
            def handler(*_): raise Late
            for i in range(20):
                signal.signal(signal.SIGALRM, handler)
                signal.setitimer(signal.ITIMER_REAL, 0.01)
                try:
                    lib.spin()
                except Late:
                    pass
            print("done")
        """,
        timeout=30,
    )
    assert run.output == "done\n"


def test_other_tracers_keep_the_trace(any_lab):
    run = any_lab.check(
        tree="def f(): return 1",
        check="""
            import sys
            seen = []
            def tracer(frame, event, arg):
                seen.append(frame.f_code.co_name)
            sys.settrace(tracer)
            import lib
            lib.f()
            sys.settrace(None)
            print("f" in seen)
            assert False
        """,
    )
    assert run.output.startswith("True") and run.failure["type"] == "AssertionError"
    assert run.evidence["called"] == []


def test_nothing_is_left_in_sight(any_lab):
    run = any_lab.check(
        tree="X = 1",
        check="""
            import sys
            import lib
            print(sys.path, [m for m in sys.modules if "sitecustomize" in m], sys.excepthook is sys.__excepthook__)
            print(sys.stdout, len(sys.argv), sys.getrecursionlimit())
        """,
    )
    assert run.status == 0


def test_warnings_as_errors(any_lab):
    run = any_lab.check(
        tree='def f(): return "a"',
        check='import lib\nx = "\\\\d"\nassert lib.f() == x',
        env={"PYTHONWARNINGS": "error"},
    )
    assert run.operands["lib.f()"]["repr"] == "'a'"


def test_a_check_that_breaks_the_library(any_lab):
    """Stand-ins for json, builtins.open and os.path at exit time do not stop the writing."""
    run = any_lab.check(
        tree="X = 1",
        check="""
            import builtins, json, sys
            from unittest import mock
            import lib
            sys.modules["json"] = mock.MagicMock()
            sys.modules["ast"] = sys.modules["linecache"] = None
            builtins.open = mock.MagicMock()
            assert lib.X == 2
        """,
        compare=False,
    )
    assert run.operands["lib.X"]["repr"] == "1"


def test_numpy_and_torch_are_read_through_their_own_fields(lab):
    """With stand-ins of the same names: a class that only looks like a tensor is not trusted."""
    run = lab.check(
        tree="""
            class Tensor:
                @property
                def shape(self): raise SystemExit("asked")
            Tensor.__module__ = "torch"
            def use(t): return t
        """,
        check="""
            import lib, sys, types
            torch = types.ModuleType("torch")
            torch.Tensor = lib.Tensor
            sys.modules["torch"] = torch
            t = lib.use(lib.Tensor())
            assert t is None
        """,
    )
    assert run.failure["type"] == "AssertionError"
