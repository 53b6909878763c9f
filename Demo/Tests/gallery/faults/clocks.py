"""Faults of time and of processes: rows 17 to 22, 27 and 30."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from case import ROOT, hold, hold_time, row
from gallery import Skipped
from pages import Pages
from reading import ask_all
from watch import Watch


@row(17, "stopped for long", anywhere=True)
def stopped(case):
    seconds = 30 if case.long else 10
    gallery = case.start(300)
    with Watch(gallery, pages=4, probes=False) as watch:
        pages = watch.pages
        lost, clients = pages.lost, gallery.metrics()["gallery_clients"]
        turns = gallery.metrics()["lull_loop_turns_total{loop=\"gallery\"}"]
        os.kill(gallery.pid, signal.SIGSTOP)
        time.sleep(seconds)
        state = Path(f"/proc/{gallery.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        os.kill(gallery.pid, signal.SIGCONT)
        began = time.monotonic()
        hold(gallery.ask("/healthz")[0] == 200, "not well afterwards")
        answered = time.monotonic() - began
        time.sleep(1)
        burst = gallery.metrics()["lull_loop_turns_total{loop=\"gallery\"}"] - turns
    hold(state == "T", f"it was {state}")
    hold(pages.lost == lost, f"{pages.lost - lost} streams were lost")
    hold(gallery.metrics()["gallery_clients"] <= clients, "pages came anew")
    hold(burst < 3000, f"{burst:.0f} turns in the second after")
    return (f"SIGSTOP for {seconds} s",
            f"healthz {answered * 1000:.0f} ms after, {burst:.0f} turns in the next second, no stream lost, "
            + watch.text)


# A shell first: in the first process that it's loaded into, libfaketime leaves a program in Swift
# without its arguments.
SHELL = ["sh", "-c", 'exec "$@"', "sh"]


def faked(case):
    """How a program is started whose wall clock can be set: by a file."""
    for library in Path("/usr/lib").glob("*/faketime/libfaketime.so.1"):
        file = case.folder / "time"
        file.write_text("+0\n")
        return file, {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(file),
                      "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    raise Skipped("there is no libfaketime")


@row(18, "the wall clock steps")
def wall_clock(case):
    file, environment = faked(case)
    gallery = case.start(300, before=SHELL, env=environment, cache=case.folder / "cache")
    photo = next(iter(gallery.photos.glob("folder*/*")))
    with Watch(gallery, pages=4) as watch:
        lost = watch.pages.lost
        for step in ("+3600", "-86400", "+864000", "+0"):
            file.write_text(step + "\n")
            # A file of the future, or of the past.
            os.utime(photo, (time.time() + 7200,) * 2)
            os.kill(gallery.pid, signal.SIGHUP)
            time.sleep(1.2)
    years = {line[:13] for line in gallery.log().splitlines() if line[:2] == "20"}
    hold(len(years) >= 3, f"the log's hours: {years}")
    hold(watch.pages.lost == lost, f"{watch.pages.lost - lost} streams were lost")
    return f"+1 h, -1 day, +10 days and back; the log has {len(years)} hours", watch.text


@row(19, "the monotonic clock is far ahead")
def monotonic_clock(case):
    case.need("unshare")
    case.need_root()
    hits = []
    for days in (1_000, 50_000):
        seconds = days * 86_400
        gallery = case.gallery(case.photos(60, f"photos-{days}"),
                               before=["unshare", "-T", "--monotonic", str(seconds), "--fork"])
        gallery.wait(60)
        answers = ask_all(gallery, gallery.keys())
        hold(all(status == 200 for status, _ in answers.values()), f"{days} days: not all there")
        hits.append(f"{days} days")
        hold(gallery.close()[0] is not None, f"{days} days: it didn't end")
    return (f"begun {' and '.join(hits)} after the machine was",
            "all 60 pictures each time, and it ended when asked; a jump while it runs is for the unit "
            "tests' own clock, as the kernel has none")


@row(20, "waiting for events fails")
def epoll(case):
    hits = []
    photos = case.photos(60)
    before, log = case.strace("epoll_wait:error=EINTR:when=10+3", quick=True)
    gallery = case.gallery(photos, before=before)
    gallery.wait(60)
    with Watch(gallery, pages=2, p99=0.1) as watch:
        time.sleep(1.5)
    interrupted = log().count("INJECTED")
    gallery.close()
    hold(interrupted > 10, f"{interrupted} interrupted")
    before, log = case.strace("epoll_wait:error=EBADF:when=40+", quick=True)
    gallery = case.gallery(photos, before=before)
    for _ in range(400):
        if not gallery.is_alive():
            break
        gallery.ask("/healthz", timeout=0.5)
        time.sleep(0.005)
    hold(not gallery.is_alive(), "it goes on without events")
    status, lines = gallery.process.returncode, len(gallery.log().splitlines())
    hold(status not in (0, None), f"it ended with {status}, as if it were asked to")
    hold("can't go on" in gallery.log() and lines < 20, f"{lines} lines: {gallery.log()[-300:]}")
    return (f"EINTR at {interrupted} waits, then EBADF at {log().count('INJECTED')}",
            f"interrupted: {watch.text}; failed: it ended with {status} and said why in {lines} lines")


@row(21, "a child process inherits", anywhere=True)
def inheritance(case):
    gallery = case.start(120, cache=case.folder / "cache")
    pages = Pages(gallery, 4)
    hold(pages.settles() is not None, "pages didn't come to rest")
    looked, open_ones = 0, set()
    for _ in range(300):
        for number in os.listdir(f"/proc/{gallery.pid}/fd"):
            try:
                facts = Path(f"/proc/{gallery.pid}/fdinfo/{number}").read_text()
                name = os.readlink(f"/proc/{gallery.pid}/fd/{number}")
            except OSError:
                continue
            looked += 1
            flags = int(facts.split("flags:")[1].split()[0], 8)
            if int(number) > 2 and not flags & os.O_CLOEXEC:
                open_ones.add(f"{number} {name}")
        time.sleep(0.005)
    pages.close()
    hold(not open_ones, f"a child would have {open_ones}")
    said = unit_tests("ProgramTests.ForkTests")
    return (f"{looked} descriptors looked at while pages scrolled" + "; ProgramTests.ForkTests" * bool(said),
            "each would be closed in a child" + f"; {said}" * bool(said))


@row(22, "threads are refused")
def no_threads(case):
    # For good, then for a while.
    before, log = case.strace("clone3:error=EAGAIN", "clone:error=EAGAIN")
    gallery = case.gallery(case.photos(60), before=before)
    with Watch(gallery, pages=0) as watch:
        time.sleep(2)
        pages = [gallery.ask(path)[0] for path in ("/", "/list", "/metrics", "/scripts/view.js")]
    refused = log().count("INJECTED")
    hold(0 < refused < 20, f"{refused} threads refused")
    hold(set(pages) == {200}, f"answered {pages}")
    before, log = case.strace("clone3:error=EAGAIN:when=1..3")
    later = case.gallery(gallery.photos, before=before)
    back = later.wait(60)
    good = sum(status == 200 for status, _ in ask_all(later, later.keys()).values())
    hold(log().count("INJECTED") == 3, f"{log().count('INJECTED')} threads refused for a while")
    hold(good == 60, f"{good} of 60 pictures when threads were to be had")
    return (f"{refused} threads refused for good, then 3",
            f"without threads it serves what needs none, {watch.text}; when there were some all 60 rows "
            f"after {back:.1f} s, and all pictures")


@row(27, "killed and started again under load", anywhere=True)
def killed_again(case):
    cache = case.folder / "cache"
    gallery = case.start(600, cache=cache)
    pages = Pages(gallery, 6)
    hold(pages.settles() is not None, "pages didn't come to rest")
    ups = []
    for _ in range(3):
        gallery.kill()
        ups.append(gallery.start())
        gallery.check_alive()
        time.sleep(1)
    gallery.wait(600)
    back = pages.settles(since=time.monotonic())
    pages.close()
    hold(pages.lost >= 6, f"{pages.lost} streams were lost")
    hold(back is not None, "pages didn't come to rest afterwards")
    hold_time(max(ups) < 1, f"up after {max(ups):.2f} s")
    hold(not pages.broken, f"{pages.broken} pictures weren't whole")
    # A unix socket: one that nobody answers at is replaced, one at which somebody does isn't.
    path = case.folder / "socket"
    first = case.gallery(gallery.photos, listen=f"unix:{path}")
    second = case.gallery(gallery.photos, listen=f"unix:{path}")
    hold(first.is_alive() and not second.is_alive(), "a socket in use was taken away")
    first.kill()
    hold(path.exists(), "the socket went by itself")
    third = case.gallery(gallery.photos, listen=f"unix:{path}")
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(600)
        client.connect(str(path))
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        hold(b" 200 " in client.recv(100), "a stale socket wasn't replaced")
    return (f"killed 3 times with 6 pages, {pages.lost} streams lost",
            f"up after {max(ups) * 1000:.0f} ms at most, pages full after {back:.1f} s, "
            "a stale socket replaced, one in use not")


def unit_tests(*names):
    """Runs some of the unit tests, where they're built; gives what they say of themselves."""
    # Tests/run says how they were built.
    build = os.environ.get("LULL_DEBUG_BUILD", "").split()
    folder = build[build.index("--scratch-path") + 1] if "--scratch-path" in build else ".build"
    tests = ROOT / folder / "debug/lullPackageTests.xctest"
    if not shutil.which("swift") or not tests.exists():
        return None
    command = ["swift", "test", *build, "--disable-xctest", "--skip-build"]
    for name in names:
        command += ["--filter", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3000)
    last = re.findall(r"Test run with ([1-9].*)", done.stdout + done.stderr)
    hold(done.returncode == 0 and last, (done.stdout + done.stderr)[-300:])
    return last[-1].rstrip(".")


@row(30, "the library is misused", anywhere=True)
def misuse(case):
    names = ["IdleLoopTests.CancelTests", "IdleLoopTests.OverflowTests", "IdleLoopTests.QueueTests",
             "IdleLoopTests.ShutdownTests", "IdleLoopTests.SourceTests"]
    said = unit_tests(*names)
    if not said:
        raise Skipped("the unit tests aren't built: swift build --build-tests")
    return (f"swift test --filter {'|'.join(names)}: re-entry, other threads, cancelling from inside, "
            "misuse", said)
