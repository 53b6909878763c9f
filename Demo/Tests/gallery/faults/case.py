"""What a row of the table is given: a place of its own, the program, tools."""

import functools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from gallery import Failure, Gallery, Skipped, make_photos

ROOT = Path(__file__).resolve().parents[4]
rows = {}
# Whether taking too long is a failure, too: on a machine with nothing else to do.
judges_times = False


def row(number, name, anywhere=False, alone=False):
    """A row of the table: a function of a case that gives what was hit and what held.

    anywhere: it needs no tool and no rights. alone: others would be in its figures.
    """
    def note(function):
        rows[number] = function
        function.title, function.anywhere, function.alone = name, anywhere, alone
        return function
    return note


class Case:
    def __init__(self, program, long=False):
        self.program, self.long = program, long
        self.folder = Path(tempfile.mkdtemp(prefix="gallery-fault-"))
        self.folder.chmod(0o755)
        self.undo = []

    def close(self):
        for step in reversed(self.undo):
            try:
                step()
            except (OSError, subprocess.SubprocessError, Failure):
                pass
        shutil.rmtree(self.folder, ignore_errors=True)

    def photos(self, rows=300, name="photos"):
        return make_photos(ROOT / "Demo/photos", self.folder / name, rows)

    def gallery(self, photos, *options, **more):
        gallery = Gallery(self.program, photos, *options, **more)
        self.undo.append(gallery.close)
        self.undo.append(lambda: os.kill(gallery.pid, signal.SIGCONT))
        return gallery

    def start(self, rows=300, *options, **more):
        """A gallery of so many rows that has listed them."""
        gallery = self.gallery(self.photos(rows), *options, **more)
        gallery.wait(rows)
        return gallery

    # Tools.

    def need(self, *tools):
        for tool in tools:
            if not shutil.which(tool):
                raise Skipped(f"there is no {tool}")

    def need_root(self):
        if os.geteuid():
            raise Skipped("only root can do this")

    def run(self, *command, check=True):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        if check and done.returncode:
            raise Skipped(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[:200]}")
        return done.stdout

    def mount(self, *command, at):
        """Mounts something that's unmounted at the end."""
        at.mkdir(exist_ok=True)
        self.run(*command, at)
        self.undo.append(lambda: self.run("umount", "--lazy", at, check=False))
        return at

    def group(self, controller, **limits):
        """A control group, version 1, with these limits; gives its folder."""
        self.need_root()
        base = Path("/sys/fs/cgroup") / controller
        if not (base / "tasks").exists():
            raise Skipped(f"there is no cgroup v1 of {controller}")
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, names, path = line.split(":", 2)
            if controller in names.split(",") and (base / path.lstrip("/")).is_dir():
                base = base / path.lstrip("/")
        group = base / f"lull-fault-{os.getpid()}"
        try:
            group.mkdir()
            for name, value in limits.items():
                (group / name.replace("__", ".")).write_text(str(value))
        except OSError as error:
            raise Skipped(f"no control group of {controller}: {error}") from None
        self.undo.append(group.rmdir)
        return group

    def strace(self, *injections, trace=None, quick=False):
        """How a program is started with faults at its system calls; the second is what it writes.

        quick: it stops at these calls alone, but counts not all of them.
        """
        self.need("strace")
        log = Path(tempfile.mktemp(prefix="strace-", dir=self.folder))
        calls = trace or ",".join(sorted({i.split(":")[0] for i in injections}))
        command = ["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={calls}"]
        command += ["--seccomp-bpf"] * quick
        for injection in injections:
            command += ["-e", f"inject={injection}"]
        check = subprocess.run([*command, "true"], capture_output=True, text=True)
        if check.returncode:
            raise Skipped(f"strace can't: {check.stderr.strip()[:120]}")
        log.unlink(missing_ok=True)
        return command, lambda: log.read_text(errors="replace") if log.exists() else ""

    def attach(self, gallery, injection, paths=()):
        """Has system calls of a running program fail; gives what is written of it, and an end."""
        self.need("strace")
        log = Path(tempfile.mktemp(prefix="strace-", dir=self.folder))
        command = ["strace", "-f", "-q", "-o", str(log), "-e", f"trace={injection.split(':')[0]}",
                   "-e", f"inject={injection}"]
        for path in paths:
            command += ["-P", str(path)]
        process = subprocess.Popen([*command, "-p", str(gallery.pid)], stderr=subprocess.PIPE)
        self.undo.append(process.kill)
        for _ in range(200):
            status = Path(f"/proc/{gallery.pid}/status").read_text()
            if f"TracerPid:\t{process.pid}\n" in status:
                break
            if process.poll() is not None:
                raise Skipped("strace can't: " + process.stderr.read().decode().strip()[:120])
            time.sleep(0.01)

        def end():
            process.terminate()
            process.wait()

        return lambda: log.read_text(errors="replace"), end

    @functools.cached_property
    def failing_memory(self):
        """A library that has chosen allocations fail, loaded before all others."""
        compiler = next((c for c in ("cc", "clang", "gcc") if shutil.which(c)), None)
        if not compiler:
            raise Skipped("there is no C compiler")
        library = self.folder / "failing.so"
        self.run(compiler, "-O1", "-shared", "-fPIC", "-o", library,
                 Path(__file__).with_name("failing.c"), "-ldl")
        return library


def hold(condition, text):
    """What must hold."""
    if not condition:
        raise Failure(text)


def hold_time(condition, text):
    """What must hold where nothing else runs."""
    hold(condition or not judges_times, text)
