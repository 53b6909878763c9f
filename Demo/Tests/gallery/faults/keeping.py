"""Faults of where thumbnails are kept: rows 7 to 10."""

import hashlib
import os
import time
from concurrent.futures import ThreadPoolExecutor

from case import hold, row
from gallery import Failure
from reading import ask_all
from watch import Watch


def entries(cache):
    """What is kept, whole or left behind half-written."""
    names = [path for path in (cache / "thumbnails").glob("*")]
    left = [path for path in (cache / "thumbnails").glob(".*")]
    return [path for path in names if not path.name.startswith(".")], left


def wait_kept(gallery):
    """Waits until nothing more is about to be kept: what is waited for is made, and then told of."""
    cache = lambda: gallery.jobs().get("thumbnail cache", {"waiting": 0})
    for _ in range(12_000):
        if not cache()["waiting"]:
            return
        time.sleep(0.05)
    hold(False, "keeping comes to no end")


def sums(answers):
    return {name: hashlib.sha256(body).hexdigest()
            for name, (status, body) in answers.items() if status == 200}


@row(7, "the disk for thumbnails is full")
def full_disk(case):
    case.need_root()
    photos, hits, held = case.photos(60), [], []
    for name, options in (("64 KB", "size=64k"), ("20 inodes", "size=16m,nr_inodes=20")):
        cache = case.mount("mount", "-t", "tmpfs", "-o", options, "none", at=case.folder / name)
        gallery = case.gallery(photos, cache=cache)
        gallery.wait(60)
        with Watch(gallery, pages=2) as watch:
            answers = ask_all(gallery, gallery.keys())
            wait_kept(gallery)
        kept, left = entries(cache)
        space = os.statvfs(cache)
        hold(space.f_bfree < 8 or space.f_ffree < 2, f"{name}: there was room left")
        hold(not left, f"{name}: {len(left)} files left half-written")
        hold(len(sums(answers)) == 60, f"{name}: {len(sums(answers))} of 60 served")
        # What was kept there before it was full is whole.
        gallery.kill()
        gallery.start()
        gallery.wait(60)
        hold(sums(ask_all(gallery, gallery.keys())) == sums(answers), f"{name}: others after a restart")
        hits.append(f"{name}: {len(kept)} kept, then full")
        held.append(watch.text)
    return "; ".join(hits), f"all 60 served, nothing half-written, {held[-1]}"


@row(8, "files may not grow", anywhere=True)
def file_size(case):
    case.need("prlimit")
    cache = case.folder / "cache"
    gallery = case.gallery(case.photos(60), cache=cache, before=["prlimit", "--fsize=2048:2048"])
    gallery.wait(60)
    with Watch(gallery, pages=2) as watch:
        served = sums(ask_all(gallery, gallery.keys()))
        wait_kept(gallery)
    kept, left = entries(cache)
    hold(len(served) == 60, f"{len(served)} of 60 served")
    hold(not kept and not left, f"{len(kept)} kept, {len(left)} half-written")
    with open(f"/proc/{gallery.pid}/limits") as limits:
        hold(any("file size" in line and "2048" in line for line in limits), "there was no limit")
    return "no file may be longer than 2 KB", f"SIGXFSZ kills nobody, nothing half-written, {watch.text}"


@row(9, "killed at a chosen system call")
def killed(case):
    photos = case.photos(24)
    plain = case.gallery(photos)
    plain.wait(24)
    keys = plain.keys()
    right = sums(ask_all(plain, keys))
    plain.close()
    # They count in each thread by itself.
    calls = [("renameat", n) for n in (1, 2, 3, 5)] + [("write", n) for n in (6, 8, 9, 11, 14)]
    calls += [("close", n) for n in (24, 28, 33, 40)]

    def one(fault):
        call, number = fault
        cache = case.folder / f"cache-{call}-{number}"
        (cache / "thumbnails").mkdir(parents=True)
        before, _ = case.strace(f"{call}:signal=KILL:when={number}")
        gallery = case.gallery(photos, cache=cache, before=before)
        try:
            gallery.wait(24, timeout=5)
        except Failure:
            pass  # killed already
        if gallery.is_alive():
            for name, key in keys:
                if gallery.ask(f"/thumbnails/{key}", timeout=5)[0] == 0:
                    break
            time.sleep(0.2)
        hit = not gallery.is_alive()
        gallery.kill()
        _, left = entries(cache)
        for path in left:
            os.utime(path, (time.time() - 7200,) * 2)
        again = case.gallery(photos, cache=cache)
        again.wait(24)
        hold(sums(ask_all(again, keys)) == right, f"{call} {number}: other pictures after it")
        for _ in range(50):
            if not entries(cache)[1]:
                break
            time.sleep(0.05)
        hold(not entries(cache)[1], f"{call} {number}: what was left behind stays")
        again.close()
        return hit, len(left)

    with ThreadPoolExecutor(3) as some:
        found = list(some.map(one, calls))
    hits = sum(hit for hit, _ in found)
    hold(hits >= 9, f"only {hits} of {len(calls)} were hit")
    return (f"{hits} of {len(calls)} kills at rename, write and close hit, "
            f"{sum(left for _, left in found)} files left half-written",
            f"after a restart all 24 pictures were the same bytes, what was left behind was swept")


@row(10, "keeping fails late, and what was kept is damaged")
def late_failures(case):
    photos, hits, right = case.photos(24), [], None
    for error in ("EIO", "ENOSPC", "EACCES"):
        fault = f"renameat:error={error}:when={len(hits) + 1}"
        cache = case.folder / f"cache-{len(hits)}"
        before, log = case.strace(fault, trace="renameat,fsync,fdatasync")
        gallery = case.gallery(photos, cache=cache, before=before)
        gallery.wait(24)
        answers = ask_all(gallery, gallery.keys())
        wait_kept(gallery)
        injected, synced = log().count("INJECTED"), log().count("sync(")
        kept, left = entries(cache)
        right = right or sums(answers)
        hold(injected, f"{fault}: not injected")
        hold(len(right) == 24 and sums(answers) == right, f"{fault}: {len(sums(answers))} of 24")
        # It keeps nothing for a minute after that; each of the three workers counts by itself.
        hold(not left and len(kept) <= 3 * len(hits), f"{fault}: {len(kept)} kept, {len(left)} half-written")
        hits.append(f"{fault.replace(':', ' ')} ({synced} fsyncs)")
        gallery.close()
    # As after a power cut: it doesn't wait for the disk, so entries may be anything.
    cache = case.folder / "damaged"
    gallery = case.gallery(photos, cache=cache)
    gallery.wait(24)
    ask_all(gallery, gallery.keys())
    wait_kept(gallery)
    gallery.close()
    kept, _ = entries(cache)
    hold(len(kept) == 24, f"{len(kept)} kept")
    for number, path in enumerate(sorted(kept)):
        data = bytearray(path.read_bytes())
        if number % 3 == 0:
            data = b""
        elif number % 3 == 1:
            data = data[: len(data) // 2]
        else:
            data[len(data) // 2] ^= 1
        path.write_bytes(data)
    again = case.gallery(photos, cache=cache)
    again.wait(24)
    hold(sums(ask_all(again, again.keys())) == right, "damaged entries were served")
    return (f"{', '.join(hits)}; {len(kept)} entries emptied, cut or changed by a bit",
            "nothing was put in place that wasn't whole, all 24 pictures were the same bytes")
