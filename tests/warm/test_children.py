"""What children may do, what ends them, and what they leave behind."""

import json
import os
import subprocess
import time

import pytest
from conftest import Edit

MODULE = "def f():\n    return 1\n"
CHECK = "import m\nassert m.f() == 2\n"


def edit(body):
    """f with another body, one statement a line."""
    new = "".join("\n    " + line for line in body.splitlines())
    return Edit(("m.py", "def f():\n    return 1", "def f():" + new))


def answer(lab, body, mode="split", **settings):
    run = lab.warm(mode, [edit(body)], **settings)
    return run.answer(0) if run.answer(0) != "refused" else run.reason(0)


@pytest.fixture
def plain(lab):
    lab.write(tree_m=MODULE, check_check=CHECK)
    return lab


@pytest.mark.parametrize("mode", ["split", "preload"])
def test_ways_to_end(plain, mode):
    bodies = [
        "raise SystemExit(5)",
        "import sys; sys.exit('text')",
        "import os; os._exit(6)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import os; os.abort()",
        "raise KeyboardInterrupt",
        "return 2",
        "import threading; threading.Thread(target=print).start(); return 2",
        "import atexit; atexit.register(print, 'bye'); return 2",
    ]
    plain.agree([edit(body) for body in bodies], mode=mode)


@pytest.mark.parametrize("mode", ["split", "preload"])
def test_time_out_ends_a_child_alone(plain, mode):
    started = time.monotonic()
    bodies = [
        "while True: pass",
        "import time; time.sleep(99)",
        "import signal; signal.signal(15, signal.SIG_IGN)\nwhile True: pass",
        "return 2",
        "return 3",
    ]
    run = plain.warm(mode, [edit(body) for body in bodies], timeout=1.0)
    assert [run.answer(index) for index in range(5)] == ["timeout"] * 3 + [0, 1]
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("mode", ["split", "preload"])
@pytest.mark.parametrize(
    "body, reason",
    [
        ("import subprocess; subprocess.run(['true'])\nreturn 2", "starts a process"),
        ("import os; os.system('true')\nreturn 2", "starts a process"),
        (
            "import os; pid = os.fork() or os._exit(0)\nos.waitpid(pid, 0)\nreturn 2",
            "starts a process",
        ),
        ("import os; os.execv('/bin/true', ['true'])", "starts a process"),
        (
            "import multiprocessing as m\nm.get_context('spawn').Process(target=print).start()\nreturn 2",
            "starts a process",
        ),
        ("open('here', 'w').close()\nreturn 2", "changes a file"),
        ("import os; os.mkdir('/tmp/suture-no-such-folder/x')", "changes a file"),
        ("import os; os.rename('m.py', 'n.py')\nreturn 2", "changes a file"),
        ("import os; os.remove('m.py')\nreturn 2", "changes a file"),
        ("import os; os.kill(os.getppid(), 0)\nreturn 2", "signal"),
        ("import socket; socket.socket().bind(('127.0.0.1', 0))\nreturn 2", "socket"),
        ("import socket; socket.socket(socket.AF_UNIX).connect('/nowhere')", "socket"),
    ],
)
def test_refuses_what_isolation_cannot_contain(plain, mode, body, reason):
    before = sorted(path.name for path in plain.tree.iterdir())
    got = answer(plain, body, mode)
    assert reason in str(got), got
    if "m.py" not in body and "here" not in body:
        assert sorted(path.name for path in plain.tree.iterdir()) == before


@pytest.mark.parametrize("mode", ["split", "preload"])
def test_own_temporary_folder(plain, mode):
    body = (
        "import tempfile, os\n"
        "d = tempfile.mkdtemp(); open(d + '/x', 'w').close(); os.mkdir(d + '/y')\n"
        "with tempfile.TemporaryDirectory() as e: open(e + '/x', 'w').close()\n"
        "return 2 if d.startswith(os.environ['TMPDIR']) else 3"
    )
    assert answer(plain, body, mode) == 0
    assert not list(plain.temporary.iterdir())


def test_reading_the_source(lab):
    """Who reads the text of an edited file would see the base: refused in split, served in preload."""
    reads = [
        "import inspect, m\nassert 'return 2' in inspect.getsource(m.f) and m.f()\n",
        "import m\nassert 'return 2' in open(m.__file__).read() and m.f()\n",
        "import m, pathlib\nassert 'return 2' in pathlib.Path(m.__file__).read_text() and m.f()\n",
        "import m\nm.f()\nimport linecache\nassert 'return 2' in linecache.getlines(m.__file__)[1]\n",
        "import m\nm.f()\nimport io\nassert b'return 2' in io.open(m.__file__, 'rb').read()\n",
        "import m\nm.f()\nassert 'return 2' in m.__loader__.get_source('m')\n",
    ]
    for check in reads:
        lab.write(tree_m=MODULE, check_check=check)
        assert lab.warm("split", [edit("return 2")]).answer(0) == "refused", check
        lab.agree([edit("return 2"), edit("return 3")], mode="preload")


def test_reading_past_the_served_files_is_refused(lab):
    lab.write(
        tree_m=MODULE,
        check_check="import m, os\nassert b'return 2' in os.read(os.open(m.__file__, os.O_RDONLY), 99)\n",
    )
    assert lab.warm("preload", [edit("return 2")]).answer(0) == "refused"


def test_data_files_are_served_in_preload(lab):
    lab.write(
        tree_m="def f():\n    return open('m.txt').read()\n", check_check=CHECK.replace("2", "'b'")
    )
    (lab.tree / "m.txt").write_text("a")
    edits = [Edit(("m.txt", "a", "b")), Edit(("m.txt", "a", "c"))]
    assert lab.agree(edits, mode="preload") == [0, 1]
    assert lab.warm("split", edits).answer(0) == "refused"


def test_file_run_as_text_is_refused(lab):
    lab.write(
        tree_m=MODULE, check_check="n = {}\nexec(open('m.py').read(), n)\nassert n['f']() == 2\n"
    )
    assert lab.warm("split", [edit("return 2")]).answer(0) == "refused"


def test_traceback_of_an_edited_file_is_no_reading(lab):
    lab.write(
        tree_m=MODULE,
        check_check="""\
        import logging, m, traceback, warnings
        try:
            m.f()
        except KeyError:
            traceback.print_exc()
            logging.exception("x")
        warnings.warn_explicit("x", UserWarning, m.__file__, 2)
        """,
    )
    assert lab.agree([edit("raise KeyError"), edit("raise TypeError")]) == [0, 1]


@pytest.mark.parametrize(
    "before, reason",
    [
        (
            "import threading, time; threading.Thread(target=time.sleep, args=(2,)).start()",
            "thread",
        ),
        ("import socket; s = socket.socket()", "socket"),
        ("import select; s = select.epoll()", "eventpoll"),
        ("import os; p = os.pipe()", "pipe"),
        ("w = open('out', 'w')", "writing"),
        ("import subprocess; p = subprocess.Popen(['sleep', '2'])", "alive"),
    ],
)
def test_refuses_to_fork(lab, before, reason):
    lab.write(tree_m=MODULE, check_check=before + "\n" + CHECK)
    run = lab.warm("split", [edit("return 2")])
    assert reason in run.reason(0), run.lines
    assert run.end["status"] == 1  # the check itself went on to its end


def test_asyncio_is_refused(lab):
    lab.write(
        tree_m="async def f():\n    return 1\n",
        check_check="import asyncio, m\nassert asyncio.run(m.f()) == 2\n",
    )
    assert lab.warm("split", [Edit(("m.py", "return 1", "return 2"))]).answer(0) == "refused"


def test_short_helpers_are_no_obstacle(lab):
    lab.write(tree_m=MODULE, check_check="import subprocess\nsubprocess.run(['true'])\n" + CHECK)
    assert lab.agree([edit("return 2"), edit("return 3")]) == [0, 1]


def test_open_files_keep_their_place(lab):
    """Children share no offset, neither of a file that is read nor of an unlinked one."""
    (lab.tree / "text").write_text("ab")
    lab.write(
        tree_m="def f(file):\n    return file.read(1)\n",
        check_check="""\
        import m, os, tempfile
        t = tempfile.TemporaryFile("w+b", buffering=0)
        t.write(b"x")
        file = open("text", buffering=1)
        os.lseek(file.fileno(), 1, 0)
        assert m.f(file) == "b"
        t.write(b"y")
        t.seek(0)
        assert t.read() == b"xy" and file.read() == ""
        assert m.VALUE == 1
        """,
    )
    change = ("m.py", "return file.read(1)", "global VALUE; VALUE = %d; return file.read(1)")
    edits = [Edit(change[:2] + (change[2] % (n % 2),)) for n in range(6)]
    assert lab.agree(edits) == [1, 0] * 3


def test_floods_go_nowhere(plain):
    body = "import sys\nfor _ in range(300):\n    print('x' * 9999); sys.stderr.write('y' * 9999)\nreturn 2"
    run = plain.warm("split", [edit(body)])
    assert run.answer(0) == 0 and "xxx" not in run.output and "yyy" not in run.output


def test_many_children_leave_nothing(lab):
    lab.write(
        tree_m=MODULE + "def last():\n    return 0\n",
        check_check="""\
        import m, os
        def look():
            return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))
        before = look()
        m.f()
        assert look() == before, look()
        try:
            os.waitpid(-1, os.WNOHANG)
            raise SystemExit("a child is left")
        except ChildProcessError:
            pass
        raise SystemExit(7)
        """,
    )
    ends = [
        "return 2",
        "import os; os._exit(3)",
        "import os; os.kill(os.getpid(), 9)",
        "open('x', 'w')",
    ]
    edits = [edit(ends[n % 4] + "\nn = %d" % n) for n in range(200)]
    # One that is never reached keeps the check running to its end, where it looks at itself.
    run = lab.warm("split", edits + [Edit(("m.py", "return 0", "return 1"))])
    expected = [7, 3, -9, "refused"] * 50 + ["unreached"]
    assert [run.answer(index) for index in range(201)] == expected
    assert run.end["status"] == 7
    assert not list(lab.temporary.iterdir())
    assert not [pid for pid in os.listdir("/proc") if pid.isdigit() and _runs(pid, str(lab.checks))]


def _runs(pid, words):
    try:
        with open("/proc/%s/cmdline" % pid, "rb") as file:
            return words.encode() in file.read()
    except OSError:
        return False


def test_check_that_never_ends(lab):
    """Whoever started the session kills it; the answers are there by then."""
    lab.write(
        tree_m=MODULE + "def g():\n    return 1\n",
        check_check="import m\nm.f()\nwhile m.g(): pass\n",
    )
    ends = Edit(("m.py", "def g():\n    return 1", "def g():\n    return 0"))
    hangs = Edit(("m.py", "def g():\n    return 1", "def g():\n    while True: pass"))
    run = lab.warm("split", [ends, hangs], timeout=1.0)
    assert [run.answer(0), run.answer(1)] == [0, "timeout"]
    lab.write(
        tree_m=MODULE + "def h():\n    return 1\n",
        check_check="import m\nm.f()\nwhile True: pass\n",
    )
    with pytest.raises(subprocess.TimeoutExpired):
        lab.warm(
            "split",
            [
                edit("raise SystemExit(4)"),
                Edit(("m.py", "def h():\n    return 1", "def h():\n    return 0")),
            ],
            wait=4,
        )
    assert '"index":0,"status":4' in (lab.folder / "results").read_text()


def test_alarm_of_the_check(lab):
    lab.write(
        tree_m=MODULE,
        check_check="""\
        import m, signal, time
        def ring(*_):
            raise TimeoutError
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 1.5)
        assert m.f() == 2
        """,
    )
    run = lab.warm(
        "split",
        [
            edit("import time; time.sleep(2)\nreturn 2"),
            edit("return 2"),
            edit("import time; time.sleep(2); raise SystemExit(9)"),
        ],
        jobs=1,
    )
    assert [run.answer(n) for n in range(3)] == [1, 0, 1]


def test_exit_functions_change_nothing(lab):
    """A folder that the check made before the fork and removes at its end stays until its own end."""
    lab.write(
        tree_m=MODULE + "def g():\n    return 1\n",
        check_check="""\
        import atexit, m, os, shutil, tempfile
        folder = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, folder)
        two = m.f()
        assert os.path.isdir(folder)
        assert two == 2
        """,
    )
    # g is never reached, so the check itself goes on, and needs its folder.
    edits = [
        edit("return 2"),
        edit("return 3"),
        Edit(("m.py", "def g():\n    return 1", "def g():\n    pass")),
    ]
    assert lab.agree(edits) == [0, 1, 1]


def test_exit_functions_that_matter_run(plain):
    bodies = [
        "import atexit, os; atexit.register(os._exit, 5); return 2",
        "import atexit, os; atexit.register(lambda: os._exit(6)); return 3",
        "import weakref, os, m; weakref.finalize(m, lambda: os._exit(7)); return 2",
        "import atexit, shutil; atexit.register(shutil.rmtree, 'nowhere'); return 2",
    ]
    assert plain.agree([edit(body) for body in bodies]) == [5, 6, 7, 0]


@pytest.mark.parametrize("mode", ["split", "preload"])
def test_how_the_check_failed_is_told(lab, mode):
    """By the child, which runs no code of the check for it."""
    lab.write(
        tree_m="""
            class Odd(Exception):
                def __str__(self):
                    raise SystemError
            def f():
                return 1
        """,
        check_check="import m\nvalue = m.f()\nassert value == 2, value\n",
    )
    bodies = ["return 2", "return 3", "raise Odd('why', 2)", "raise SystemExit(4)"]
    run = lab.warm(mode, [Edit(("m.py", "return 1", body)) for body in bodies])
    told = {line["index"]: line.get("failure") for line in run.of("verdict")}
    assert told[0] is None and told[3] is None
    other = json.loads(told[1])
    assert (other["type"], other["message"]) == ("AssertionError", "3")
    assert [frame[1:] for frame in other["frames"]] == [[3, "<module>"]]
    odd = json.loads(told[2])
    assert (odd["module"], odd["type"], odd["message"]) == ("m", "Odd", "why")
    # In split the edited body has a frame of its own.
    assert [odd["frames"][at][1:] for at in (0, -1)] == [[2, "<module>"], [6, "f"]]


def test_what_cannot_be_told_changes_nothing(lab):
    """The check ends once, and as ever."""
    lab.write(
        tree_m="calls = 0\ndef f():\n    global calls\n    calls += 1\n    return 1\n",
        check_check="import m, sys\nif m.calls: sys.exit(5)\nassert m.f() == 2, 10**5000\n",
    )
    lab.agree([Edit(("m.py", "return 1", "return %d" % value)) for value in (2, 3)])


def test_how_a_test_failed_is_told(lab):
    lab.write(
        tree_m=MODULE,
        tree_test_m="import m\ndef test_f():\n    assert m.f() == 2, 'no'\n    m.missing\n",
    )
    edits = [Edit(("m.py", "return 1", body)) for body in ("return 3", "return 2")]
    run = lab.warm("held", edits, ["-m", "pytest", "-q", "test_m.py"])
    told = {line["index"]: json.loads(line["failure"]) for line in run.of("verdict")}
    first, second = told[0], told[1]
    assert (first["type"], first["frames"][-1][1:]) == ("AssertionError", [3, "test_f"])
    assert (second["type"], second["frames"][-1][1:]) == ("AttributeError", [4, "test_f"])
