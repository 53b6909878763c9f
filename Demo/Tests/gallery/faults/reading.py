"""Faults of what is read: rows 2 to 6."""

import os
import random
import socket
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from case import hold, hold_time, row
from gallery import Skipped
from pages import Pages
from watch import Watch

HERE = Path(__file__).resolve().parent


def ask_all(gallery, keys, kind="thumbnails"):
    """Asks for each picture; gives names by status, with the texts of failures."""
    found = {}
    for name, key in keys:
        status, body = gallery.ask(f"/{kind}/{key}")
        found[name] = (status, body)
    return found


@row(2, "opening and reading fail")
def failing_calls(case):
    photos = case.photos(24)
    files = [path for path in photos.glob("folder*/*")]
    faults = ["openat2:error=EMFILE", "openat2:error=EIO", "openat2:error=EACCES",
              "openat2:error=ENOENT", "openat2:error=EINTR", "pread64:error=EIO",
              "pread64:error=EINTR", "pread64:retval=0"]

    def one(fault):
        call = fault.split(":")[0]
        gallery = case.gallery(photos)
        gallery.wait(24)
        # A file is opened once or twice, and read in a dozen parts.
        often, paths = (3, ()) if call == "openat2" else (31, files)
        log, end = case.attach(gallery, f"{fault}:when=1+{often}", paths)
        answers = ask_all(gallery, gallery.keys()) | ask_all(gallery, gallery.keys())
        gallery.check_alive()
        end()
        injected, calls = log().count("INJECTED"), len(log().splitlines())
        hold(injected > 3, f"{fault}: injected {injected} times")
        for status, body in answers.values():
            hold(status in (200, 404, 422, 503), f"{fault}: answered {status}")
            hold(status == 200 or body.strip(), f"{fault}: a failure without its reason")
        good = sum(status == 200 for status, _ in answers.values())
        hold(good >= 12 and (good == 24 or "EINTR" not in fault), f"{fault}: {good} of 24 there")
        hold(calls <= 24 * 10 + 40, f"{fault}: {calls} calls for 24 pictures")
        jobs = gallery.jobs()["pictures"]
        hold(jobs["accepted"] == jobs["ended"] + jobs["waiting"], f"{fault}: {jobs}")
        status, took = gallery.close()
        hold(status == 0, f"{fault}: it ended with {status} after {took:.0f} s")
        return f"{fault.replace(':', ' ')} at {injected} of {calls} calls: {good}/24"

    with ThreadPoolExecutor(8) as some:
        hits = list(some.map(one, faults))
    return "; ".join(hits), "other pictures came, each failure had its reason, no storm of retries"


@row(3, "a slow disk")
def slow_disk(case):
    case.need("bindfs")
    case.need_root()
    photos = case.photos(300)
    slow = case.mount("bindfs", "--read-rate=600k", photos, at=case.folder / "slow")
    gallery = case.gallery(slow)
    gallery.wait(300)
    name, key = gallery.keys()[290]
    began = time.monotonic()
    status, body = gallery.ask(f"/thumbnails/{key}")
    took = time.monotonic() - began
    with Watch(gallery, pages=0, patience=600) as watch:
        pages = Pages(gallery, 3)
        time.sleep(6)
        fetched = pages.fetched
        pages.close()
    hold(status == 200 and took > 0.1, f"the disk wasn't slow: {took:.2f} s")
    hold(fetched > 0, "no picture came")
    return (f"bindfs at 600 KB/s: the first picture took {took:.2f} s",
            f"{fetched} pictures meanwhile, {watch.text}")


def passthrough(case, source, *options):
    """A file system of our own over a folder: some of its files hang, some break off."""
    case.need_root()
    python = next((p for p in ("/usr/bin/python3", sys.executable) if subprocess.run(
        [p, "-c", "import fusepy"], capture_output=True).returncode == 0), None)
    if not python:
        raise Skipped("there is no python3-fusepy")
    place = case.folder / "fuse"
    place.mkdir()
    log = open(case.folder / "fuse.log", "wb")
    process = subprocess.Popen(
        [python, str(HERE / "hurtfs.py"), str(source), str(place), *options],
        stdout=log, stderr=log)
    case.undo.append(process.wait)
    case.undo.append(process.kill)
    case.undo.append(lambda: case.run("umount", "--lazy", place, check=False))
    for _ in range(200):
        if os.path.ismount(place):
            return place, process, lambda: (case.folder / "fuse.log").read_text()
        time.sleep(0.02)
    raise Skipped("no file system could be mounted: " + (case.folder / "fuse.log").read_text()[-150:])


@row(4, "a disk hangs, breaks off, and is gone")
def hanging_disk(case):
    photos = case.photos(120)
    files = sorted(photos.glob("folder*/*"))
    for number in (3, 60):
        files[number].rename(files[number].with_name(f"{number:05} hang{files[number].suffix}"))
    for number in (5, 40, 90):
        files[number].rename(files[number].with_name(f"{number:05} eio{files[number].suffix}"))
    armed = case.folder / "armed"
    place, process, log = passthrough(case, photos, str(armed))
    gallery = case.gallery(place)
    gallery.wait(120)
    keys = gallery.keys()
    armed.touch()
    answers = {}

    def ask(name, key):
        answers[name] = gallery.ask(f"/thumbnails/{key}", timeout=600)[0]

    odd = [threading.Thread(target=ask, args=pair) for pair in keys
           if "hang" in pair[0] or "eio" in pair[0]]
    with Watch(gallery, pages=0) as watch:
        for thread in odd:
            thread.start()
        time.sleep(0.3)
        began = time.monotonic()
        rest = ask_all(gallery, [p for p in keys if "hang" not in p[0] and "eio" not in p[0]])
        took = time.monotonic() - began
        sleeps, errors = log().count("HANG"), log().count("EIO")
        armed.unlink()
        for thread in odd:
            thread.join()
    bad = {name: status for name, (status, _) in rest.items() if status != 200}
    hold(not bad, f"others failed: {bad}")
    hold(sleeps >= 2 and errors >= 3, f"{sleeps} hung, {errors} broke off")
    hold(set(answers.values()) == {200}, f"when the disk was whole again: {answers}")
    armed.touch()
    # Once more, and asked to end while a worker hangs.
    again = case.gallery(place)
    again.wait(120)
    threading.Thread(target=again.ask, args=(f"/thumbnails/{[k for n, k in keys if 'hang' in n][0]}",)).start()
    time.sleep(0.5)
    status, end = again.close()
    hold(status == 0, f"ended with {status} while a read hung")
    hold_time(end < 12, f"ended with {status} after {end:.1f} s while a read hung")
    # The disk goes.
    process.kill()
    process.wait()
    status, body = gallery.ask(f"/pictures/{keys[10][1]}")
    hold(status == 503, f"answered {status} without a disk")
    hold(gallery.ask("/healthz")[0] == 200, "not well without a disk")
    return (f"{sleeps} reads hung 4 s, {errors} broke off with EIO, then the disk was killed",
            f"115 others in {took:.1f} s, asked to end while one hung: {end:.1f} s, "
            f"then ENOTCONN: {status}, {watch.text}")


@row(5, "what isn't a picture is named like one", anywhere=True)
def odd_files(case):
    photos = case.photos(100)
    place = photos / "folder 0"
    os.mkfifo(place / "fifo.png")
    (place / "folder.png").mkdir()
    os.symlink("loop.png", place / "loop.png")
    os.symlink("/etc/passwd", place / "outside.png")
    os.symlink("../../../../../../etc/hostname", place / "above.jpg")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(place / "socket.png"))
    with open(place / "huge.png", "wb") as huge:
        huge.write(b"\x89PNG\r\n\x1a\n")
        huge.truncate(10 << 30)
    made = 7
    if os.geteuid() == 0:
        os.mknod(place / "device.png", 0o644 | stat.S_IFCHR, os.makedev(1, 5))
        made += 1
    gallery = case.gallery(photos)
    gallery.wait()
    with Watch(gallery, pages=3) as watch:
        keys = gallery.keys()
        odd = ask_all(gallery, [pair for pair in keys if not pair[0][:5].isdigit()])
        # Others become so after they were listed.
        swapped = [path for path in sorted(place.glob("0*"))[40:60]]
        names = {path.name: None for path in swapped}
        late = {name: key for name, key in keys if name in names}
        for path in swapped:
            path.unlink()
            os.mkfifo(path)
        found = [gallery.ask(f"/pictures/{key}")[0] for key in late.values()]
        time.sleep(1)
    hold(all(status != 200 for status, _ in odd.values()), f"served: {odd.keys()}")
    hold(all(status in (404, 422) for status in found), f"answered {set(found)}")
    server.close()
    return (f"{made} odd files of which {len(odd)} were listed, {len(swapped)} pictures became FIFOs",
            f"none was served, none was waited for: {watch.text}")


@row(6, "pictures are truncated, replaced and removed while they're read", anywhere=True)
def races(case):
    gallery = case.start(120)
    files = sorted((gallery.photos / "folder 0").glob("0*"))[:40]
    whole = {path: path.read_bytes() for path in files}
    sums = {}
    count, over = [0, 0, 0], threading.Event()
    scratch = case.folder / "new"
    seconds = 30 if case.long else 10

    def hurt():
        chosen, end = random.Random(6), time.monotonic() + seconds
        while time.monotonic() < end or sum(count) < 30:
            path = chosen.choice(files)
            what = chosen.randrange(3)
            try:
                # A file of its own each time, as the others are links to one.
                scratch.write_bytes(whole[path])
                os.replace(scratch, path)
                if what == 0:
                    os.truncate(path, chosen.randrange(len(whole[path])))
                elif what == 1:
                    path.unlink()
                count[what] += 1
            except OSError:
                pass

    answered = {}

    def fetch(seed):
        chosen, end = random.Random(seed), time.monotonic() + seconds
        while time.monotonic() < end or not answered.get(200):
            for name, key in chosen.sample(gallery.keys(), 20):
                status, body = gallery.ask(f"/thumbnails/{key}")
                answered[status] = answered.get(status, 0) + 1
                if status == 200 and body[:2] == b"\xff\xd8" and body[-2:] != b"\xff\xd9":
                    answered["broken"] = answered.get("broken", 0) + 1

    with Watch(gallery, pages=2) as watch:
        threads = [threading.Thread(target=hurt)] + [
            threading.Thread(target=fetch, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for path in files:
            scratch.write_bytes(whole[path])
            os.replace(scratch, path)
        back = gallery.wait(120)
    hold(not answered.get("broken") and not answered.get(0), f"answers: {answered}")
    # What changed last may not have been looked at yet.
    good, end = 0, time.monotonic() + 600
    while good < 120 and time.monotonic() < end:
        good = sum(status == 200 for status, _ in ask_all(gallery, gallery.keys()).values())
    hold(good == 120, f"{good} of 120 pictures in the end")
    return (f"{count[0]} truncated, {count[1]} removed, {count[2]} replaced while "
            f"{sum(answered.values())} were fetched: {answered}",
            f"all 120 there {back:.1f} s after, {watch.text}")
