"""Faults of networks and of those who connect: rows 1 and 23 to 26, and 29."""

import os
import random
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

from case import ROOT, hold, hold_time, row
from gallery import Skipped
from pages import Pages
from reading import ask_all
from watch import Watch, share

HERE = Path(__file__).resolve().parent


def connect(port, address="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", port), 600, source_address=(address, 0))


@row(1, "descriptors are exhausted", anywhere=True)
def no_descriptors(case):
    case.need("prlimit")
    gallery = case.start(60, before=["prlimit", "--nofile=40:40"])
    kept = connect(gallery.port)

    def well():
        kept.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return b"200" in kept.recv(1000)

    hold(well(), "not well before")
    keys = gallery.keys()
    lines, spent = len(gallery.log().splitlines()), gallery.spent()
    crowd = [connect(gallery.port) for _ in range(60)]
    began, times, most = time.monotonic(), [], 0
    while time.monotonic() < began + 4:
        asked = time.monotonic()
        hold(well(), "not well on the open connection")
        times.append(time.monotonic() - asked)
        most = max(most, gallery.descriptors())
        time.sleep(0.01)
    lines, spent = len(gallery.log().splitlines()) - lines, gallery.spent() - spent
    kept.sendall(f"GET /thumbnails/{keys[0][1]} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    for one in crowd:
        one.close()
    ended = time.monotonic()
    while gallery.ask("/healthz")[0] != 200:
        hold(time.monotonic() < ended + 600, "no connection afterwards")
    back = time.monotonic() - ended
    answer = kept.recv(100).split(b"\r\n")[0].decode()
    good = sum(status == 200 for status, _ in ask_all(gallery, keys).values())
    hold("errno: 24" in gallery.log(), "it never was out of descriptors")
    hold(most >= 40, f"{most} descriptors")
    hold(lines <= 6, f"{lines} lines in 4 s")
    hold_time(spent / 4 < 0.08, f"{spent / 4:.0%} of a processor")
    hold_time(share(times, 0.99) < 0.05, f"healthz p99 {share(times, 0.99) * 1000:.1f} ms")
    hold(good == 60, f"{good} of 60 afterwards")
    kept.close()
    return (f"40 descriptors, 60 connections: {most} open, EMFILE told",
            f"healthz p99 {share(times, 0.99) * 1000:.1f} ms on an open connection, {spent / 4:.1%} of a "
            f"processor, {lines} lines in 4 s, a picture asked for meanwhile: {answer}, "
            f"connections again after {back * 1000:.0f} ms, all 60 pictures there")


@row(23, "inotify overflows, and has no watches left", alone=True)
def inotify(case):
    gallery = case.start(300)
    folder = gallery.photos / "folder 0"
    sources = sorted(folder.glob("0*"))
    size = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    os.kill(gallery.pid, signal.SIGSTOP)
    events = 0
    while events < size + 2000:
        for number in range(2000):
            os.link(sources[0], folder / f"more {number:05}.jpg")
        for number in range(2000):
            os.unlink(folder / f"more {number:05}.jpg")
        events += 4000
    for source in sources[:40]:
        os.link(source, folder / f"new {source.name}")
    for source in sources[40:60]:
        source.unlink()
    os.kill(gallery.pid, signal.SIGCONT)
    back = gallery.wait(320)
    with Watch(gallery, pages=2) as watch:
        time.sleep(1)
    # As many watches as a user may have in a namespace of its own: two for sixty folders.
    case.need("unshare")
    many = case.folder / "many"
    for number in range(60):
        (many / f"{number}").mkdir(parents=True)
        os.link(sources[number % 30], many / f"{number}/one{sources[number % 30].suffix}")
    few = case.gallery(many, before=[
        "unshare", "-U", "-r", "sh", "-c", 'echo 2 > /proc/sys/user/max_inotify_watches && exec "$@"', "sh"])
    few.wait(60)
    hold("cannotWatch" in few.log(), f"watches weren't refused: {few.log()[-300:]}")
    told = few.log().count("cannotWatch")
    hold(told == 1, f"told {told} times")
    os.link(sources[0], many / "59/two.jpg")
    os.kill(few.pid, signal.SIGHUP)
    again = few.wait(61)
    return (f"{events} events while it was stopped (its queue has {size}); ENOSPC at the third watch",
            f"320 rows {back:.1f} s after, {watch.text}; without watches: told once, "
            f"a rescan found what was new in {again:.1f} s")


@row(24, "the network loses packets, and is slow")
def lossy(case):
    """Run by itself in a network of its own, see below."""
    case.need("unshare", "ip")
    case.need_root()
    if os.environ.get("FAULTS_NETWORK") != "own":
        done = subprocess.run(
            ["unshare", "-n", sys.executable, str(HERE / "faults.py"), "--program", case.program,
             "--inside", "24"], env=os.environ | {"FAULTS_NETWORK": "own"},
            capture_output=True, text=True)
        if done.returncode == 77:
            raise Skipped(done.stdout.strip())
        hold(done.returncode == 0, (done.stdout + done.stderr).strip()[-400:])
        return done.stdout.strip().split(" || ")
    case.run("ip", "link", "set", "lo", "up")
    gallery = case.start(300)
    pages = Pages(gallery, 4)
    hold(pages.settles() is not None, "pages didn't come to rest")
    hits = []
    if shutil.which("nft"):
        for rule in ("add table ip lull", "add chain ip lull in { type filter hook input priority 0; }",
                     "add rule ip lull in numgen random mod 100 < 10 counter drop"):
            case.run("nft", *rule.split(" "))
        time.sleep(5)
        dropped = re.search(r"packets (\d+)", case.run("nft", "list", "table", "ip", "lull"))
        case.run("nft", "delete", "table", "ip", "lull")
        hold(int(dropped[1]) > 10, f"{dropped[1]} dropped")
        hits.append(f"{dropped[1]} packets dropped (10 %)")
    if shutil.which("tc"):
        case.run("tc", *"qdisc add dev lo root tbf rate 400kbit burst 10kb latency 200ms".split())
        time.sleep(4)
        case.run("tc", "qdisc", "del", "dev", "lo", "root")
        hits.append("4 s of 400 kbit/s")
    if not hits:
        raise Skipped("there is neither nft nor tc")
    gallery.check_alive()
    back = pages.settles(since=time.monotonic())
    hold(back is not None, "pages didn't come to rest afterwards")
    hold(not pages.broken, f"{pages.broken} pictures weren't whole")
    with Watch(gallery, pages=0) as watch:
        pages.close()
        time.sleep(1)
    return (", ".join(hits), f"pages full {back:.1f} s after, {pages.fetched} pictures, "
            f"{pages.lost} streams begun anew, {watch.text}")


@row(25, "clients don't read, and report without end", alone=True, anywhere=True)
def deaf(case):
    gallery = case.start(300)
    keys = gallery.keys()
    for _, key in keys[:30]:
        gallery.ask(f"/pictures/{key}")
    over = threading.Event()
    counts = {}

    def flood(number):
        """As many reports as one connection takes."""
        with connect(gallery.port, f"127.0.0.{20 + number}") as one:
            one.sendall(b"POST /clients HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n")
            name = re.search(rb'"client":"(\w+)"', one.recv(2000))
            one.close()
        if not name:
            return
        path = f"/clients/{name[1].decode()}/reports?v=1&h=800&e=" + ";".join(
            f"f,{n},{n * 50}" for n in range(200))
        request = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        while not over.is_set():
            try:
                with connect(gallery.port, f"127.0.0.{20 + number}") as one:
                    while not over.is_set():
                        one.sendall(request)
                        answer = one.recv(4096)
                        status = int(answer.split(b" ", 2)[1]) if answer else 0
                        counts[status] = counts.get(status, 0) + 1
            except (OSError, IndexError):
                counts["closed"] = counts.get("closed", 0) + 1

    with Watch(gallery, pages=2, memory=48 << 10) as watch:
        began = time.monotonic()
        floods = [threading.Thread(target=flood, args=(n,)) for n in range(3)]
        for thread in floods:
            thread.start()
        crowd = []
        before, most = gallery.memory(), 0
        for number in range(100):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.bind((f"127.0.0.{2 + number // 50}", 0))
            one.connect(("127.0.0.1", gallery.port))
            one.setblocking(False)
            request = b"".join(
                b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % path for path in
                [f"/pictures/{keys[number % 30][1]}".encode(), b"/scripts/view.js"] * 24)
            try:
                one.send(request)
            except OSError:
                pass
            crowd.append(one)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            most = max(most, gallery.memory() - before)
            time.sleep(0.02)
        over.set()
        for thread in floods:
            thread.join()
        allowed = 3 * (120 + 60 * (time.monotonic() - began))
        for one in crowd:
            one.close()
    hold(most <= (100 * 256 + (32 << 10)), f"{most / 1024:.0f} MiB for 100 that don't read")
    hold(counts.get(204, 0) <= allowed, f"{allowed:.0f} reports may be taken, answered {counts}")
    hold_time(counts.get(429, 0) > counts.get(204, 0), f"reports answered {counts}")
    return (f"100 connections asked for 48 answers each and read none; reports answered {counts}",
            f"{most / 1024:.0f} MiB at most for them, {watch.text}")


@row(26, "ten thousand connections, and a byte a second", alone=True, anywhere=True)
def crowd(case):
    wanted = 10_000
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    if limit[1] != resource.RLIM_INFINITY:
        wanted = min(wanted, limit[1] - 500)
    gallery = case.start(300)
    before = gallery.memory()
    with Watch(gallery, pages=2, memory=32 << 10) as watch:
        kept, addresses = [], 7
        for number in range(wanted):
            one = socket.socket()
            one.setblocking(False)
            one.bind((f"127.0.1.{1 + number % addresses}", 0))
            try:
                one.connect(("127.0.0.1", gallery.port))
            except BlockingIOError:
                pass
            kept.append(one)
            if number % 50 == 0:
                time.sleep(0.002)
        most = grown = 0
        end = time.monotonic() + 600
        while most <= 3000 and time.monotonic() < end:
            most, grown = gallery.descriptors(), gallery.memory() - before
            time.sleep(0.1)
        # Those who say something, a byte at a time.
        slow = [connect(gallery.port, f"127.0.2.{n + 1}") for n in range(20)]
        for one in slow:
            one.setblocking(False)
        text = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 600
        began, gone = time.monotonic(), []
        for byte in text:
            for one in list(slow):
                try:
                    one.send(bytes([byte]))
                    one.recv(1000)
                    raise EOFError
                except BlockingIOError:
                    continue
                except (OSError, EOFError):
                    slow.remove(one)
                    gone.append(time.monotonic() - began)
            if not slow:
                break
            time.sleep(1)
        left, end = gallery.descriptors(), time.monotonic() + 600
        while left >= 200 and time.monotonic() < end:
            time.sleep(0.1)
            left = gallery.descriptors()
        for one in kept:
            one.close()
    hold(3000 < most < 4096 + 100, f"{most} descriptors")
    hold(not slow, f"{len(slow)} slow ones stay")
    hold_time(max(gone) < 12, f"slow ones went after {gone[:3]}")
    hold(left < 200, f"{left} descriptors stay")
    return (f"{wanted} connections from 7 addresses: {most} descriptors at most, {grown / 1024:.0f} MiB; "
            f"20 that send a byte a second",
            f"512 each were let in and went after 10 s, slow ones after {max(gone):.1f} s, {watch.text}")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth=8, color=2, data=b"", extra=b""):
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", data)
            + chunk(b"IEND", b""))


def hostile(folder):
    """Pictures that are meant to do harm; gives how many."""
    folder.mkdir()
    zeros = zlib.compress(bytes(32 << 20), 9)
    made = {
        "empty.png": b"", "signature.png": b"\x89PNG\r\n\x1a\n", "text.jpg": b"<html>" * 99,
        "huge.png": png(2**31 - 1, 2**31 - 1), "wide.png": png(200_000, 1, data=zeros),
        "bomb.png": png(20_000, 20_000, 1, 0, zlib.compress(bytes(2501 * 20_000), 9)),
        "limit.png": png(12_000, 4_000, 8, 0, zlib.compress(bytes(12_001 * 4_000), 9)),
        "none.png": png(0, 0), "early.png": png(4000, 4000, data=zlib.compress(bytes(12001 * 9))),
        "profile.png": png(64, 64, 8, 0, zlib.compress(bytes(65 * 64)),
                           chunk(b"iCCP", b"bomb\0\0" + zeros)),
        "words.png": png(64, 64, 8, 0, zlib.compress(bytes(65 * 64)),
                         chunk(b"zTXt", b"Comment\0\0" + zeros)),
        "chunks.png": png(64, 64, 8, 0, zlib.compress(bytes(65 * 64)),
                          b"".join(chunk(b"tEXt", b"a\0b") for _ in range(50_000))),
        "huge.jpg": b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01",
        "huge.gif": b"GIF89a\xff\xff\xff\xff\xf7\0\0" + bytes(768) + b",\0\0\0\0\xff\xff\xff\xff\0\x08\0;",
        "huge.webp": b"RIFF\xff\xff\xff\xffWEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff",
    }
    progressive = next(
        p for p in sorted((ROOT / "Demo/photos").glob("*.jpg")) if b"\xff\xc2" in p.read_bytes()[:4000])
    data = progressive.read_bytes()
    scan = data.index(b"\xff\xda")
    following = data.index(b"\xff\xda", scan + 2)
    made["scans.jpg"] = data[:following] + data[scan:following] * 300 + b"\xff\xd9"
    chosen = random.Random(29)
    kinds = {"jpeg": "jpg", "exif": "jpg", "png": "png", "gif": "gif", "webp": "webp"}
    for path in sorted((ROOT / "Tests/Fuzz/corpus").glob("*/*")):
        if path.parent.name not in kinds:
            continue  # a program's, not a picture's
        whole = path.read_bytes()
        for number in range(8):
            hurt = bytearray(whole)
            for _ in range(number * 2):
                hurt[chosen.randrange(len(hurt))] = chosen.randrange(256)
            if number > 4:
                del hurt[chosen.randrange(len(hurt)):]
            made[f"{path.parent.name}-{path.name}-{number}.{kinds[path.parent.name]}"] = bytes(hurt)
    for name, data in made.items():
        (folder / name).write_bytes(data)
    return len(made)


@row(29, "pictures are meant to do harm", alone=True, anywhere=True)
def hostile_pictures(case):
    photos = case.photos(60)
    made = hostile(photos / "hostile")
    gallery = case.gallery(photos)
    gallery.wait(60 + made, timeout=600)
    with Watch(gallery, pages=3, memory=48 << 10) as watch:
        keys = gallery.keys()
        most = 0
        over = threading.Event()

        def look():
            nonlocal most
            while not over.wait(0.02):
                most = max(most, gallery.memory())

        looker = threading.Thread(target=look)
        looker.start()
        statuses = {}
        for kind in ("thumbnails", "pictures"):
            for name, (status, body) in ask_all(gallery, keys, kind).items():
                statuses[status] = statuses.get(status, 0) + 1
                hold(status in (200, 404, 422, 503), f"{name} was answered {status}")
        over.set()
        looker.join()
        longest = gallery.metrics()['lull_queue_run_longest_seconds{loop="gallery",queue="pictures"}']
    hold(most < 640 << 10, f"{most / 1024:.0f} MiB")
    return (f"{made} pictures, each asked for small and large: {statuses}",
            f"at most {most / 1024:.0f} MiB, the longest slice {longest * 1000:.1f} ms, {watch.text}")
