"""The contenders' servers: the gallery, and nginx with image_filter or thumbor behind a cache.

All serve the same pictures under as many names as rows. Each server starts with empty caches.
"""

import html
import importlib.util
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Demo/Tests/gallery/browser"))

from gallery import Gallery, free_port  # noqa: E402

BAR = 52  # the height of the bar at the window's top, in px, in all pages
WIDTH = 400  # that of the list in a window of 412 px, as the gallery's page has it
SIZE = (384, 288)  # thumbnails fit in this, as the gallery's do
QUALITY = 82
PROCESSES = os.cpu_count()
MODULE = "modules/ngx_http_image_filter_module.so"


class Photos:
    """Folders of links to a few photos: one for the gallery, and one with the rows' numbers."""

    def __init__(self, source, folder, rows):
        self.folder = folder
        self.rows = rows
        originals = folder / "originals"
        originals.mkdir()
        # Copied first, as links don't reach into another file system.
        names = sorted(p for p in source.iterdir() if p.suffix in (".jpg", ".png"))
        copies = [Path(shutil.copy2(name, originals)) for name in names]
        chosen = random.Random(1)
        self.chosen = [chosen.choice(copies) for _ in range(rows)]

    def links(self, name, are_numbers):
        """A new folder with a picture for each row."""
        place = self.folder / name
        place.mkdir()
        for row, photo in enumerate(self.chosen):
            os.link(photo, place / (f"{row}" if are_numbers else f"{row:05}{photo.suffix}"))
        return place


def cpu_seconds(pid):
    """The CPU time of a process, of those that it started, and of its children that have ended."""
    ticks, children = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended
        number = int(stat.parent.name)
        ticks[number] = sum(map(int, fields[11:15]))
        children.setdefault(int(fields[1]), []).append(number)

    def total(number):
        return ticks.get(number, 0) + sum(map(total, children.get(number, [])))

    return total(pid) / os.sysconf("SC_CLK_TCK")


class GalleryServer:
    """The gallery, with its own page."""

    reach = None

    def __init__(self, program, photos, name, _list):
        folder = photos.links(name, are_numbers=False)
        self.gallery = Gallery(program, folder, photos.folder / f"{name}.log")
        try:
            self.gallery.wait(photos.rows)
        except BaseException:
            self.close()
            raise
        self.address = self.gallery.address
        self.port = self.gallery.port

    def list(self):
        """The answer to /list, and where each row is in lines of `WIDTH`."""
        return self.gallery.read("/list?from=0"), self.gallery.list(WIDTH)[1]

    def cpu(self):
        return cpu_seconds(self.gallery.process.pid)

    def made(self, page):
        """How many thumbnails were made, and the rows of those that the person's page was told of.

        With many visitors they don't all stay in memory; those found in its disk cache count, too.
        """
        text = self.gallery.read("/metrics").decode()
        count = re.search(r"^gallery_pictures_made_total(?:{.*})? ([\d.e+]+)$", text, re.M)
        return int(float(count[1])), set(page.evaluate("told"))

    def close(self):
        self.gallery.close()


# The front caches what the back makes, once for all who ask for it at the same time.
CONFIGURATION = """
daemon off;
{user}
worker_processes {processes};
pid {folder}/pid;
error_log {folder}/error.log;
load_module {module};
events {{ worker_connections 8192; }}
http {{
    types {{ text/html html; }}
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    sendfile on;
    tcp_nodelay on;
    gzip on;
    keepalive_timeout 75;
    keepalive_requests 100000;
    proxy_cache_path {folder}/cache levels=1:2 keys_zone=thumbs:10m max_size=512m use_temp_path=off;
    log_format seen '$remote_addr $upstream_cache_status $status $uri';
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        root {folder}/root;
        location = /list {{ default_type application/json; gzip off; }}
        location = /healthz {{ default_type text/plain; return 200 "ok\\n"; }}
        location /thumbs/ {{
            access_log {folder}/seen.log seen;
            proxy_cache thumbs;
            proxy_cache_lock on;
            proxy_cache_lock_timeout 60s;
            proxy_cache_lock_age 60s;
            proxy_cache_valid 200 1h;
            proxy_ignore_headers Cache-Control Expires Vary Set-Cookie;
            proxy_hide_header Cache-Control;
            add_header Cache-Control "public, max-age=31536000, immutable";
            proxy_read_timeout 120s;
            proxy_pass {back};
        }}
    }}
    server {{
        listen unix:{folder}/back;
        location /thumbs/ {{
            alias {photos}/;
            image_filter resize {size[0]} {size[1]};
            image_filter_jpeg_quality {quality};
            image_filter_buffer 32m;
        }}
    }}
}}
"""

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="icon" href="data:,">
<style>
body {{ margin: 0; font: 15px/1.35 system-ui, "DejaVu Sans", sans-serif; color: #1d2226 }}
header {{ position: fixed; z-index: 3; inset: 0 0 auto; height: {bar}px; box-sizing: border-box;
    padding: 16px; background: #fff; border-bottom: 1px solid #dfe2e4 }}
main {{ position: relative; width: {width}px; height: {height}px; margin: {bar}px auto 0;
    overflow-anchor: none }}
.row {{ position: absolute; contain: strict }}
img {{ width: 100%; height: 100%; object-fit: cover; background: #e8eaec }}
</style>
<header>{title}</header>
<main id="list">
{rows}
</main>
{script}
"""

OBSERVER = """<script>
const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        const image = target.querySelector("img");
        image.src = image.dataset.src;
        observer.unobserve(target);
    }
}, { rootMargin: "MARGIN 0px" });
for (const row of document.querySelectorAll(".row")) observer.observe(row);
</script>"""


def page(title, margin, rows):
    """A plain page; with a margin its pictures wait for an observer, else for the browser."""
    source = "data-src" if margin else 'loading="lazy" src'
    lines = [
        f'<div class="row" data-row="{row}" style="top:{top:.2f}px;height:{bottom - top:.2f}px;'
        f'left:{left:.2f}px;width:{width:.2f}px">'
        f'<img {source}="/thumbs/{row}" alt="{row:05}"></div>'
        for row, (top, bottom, left, width) in enumerate(rows)
    ]
    script = OBSERVER.replace("MARGIN", margin) if margin else ""
    return PAGE.format(
        title=html.escape(title), bar=BAR, width=WIDTH, height=rows[-1][1], rows="\n".join(lines),
        script=script,
    )


class PlainServer:
    """nginx with a plain page, and its thumbnails made by image_filter or by thumbor."""

    def __init__(self, photos, name, title, list, margin=None, reach=0, has_thumbor=False):
        answer, rows = list
        self.reach = reach
        self.nginx = self.thumbor = None
        self.folder = folder = photos.folder / f"{name}-server"
        (folder / "root").mkdir(parents=True)
        pictures = photos.links(name, are_numbers=True)
        (folder / "root/list").write_bytes(answer)
        (folder / "root/index.html").write_text(page(title, margin, rows))
        back = f"http://unix:{folder}/back:"
        if has_thumbor:
            port = free_port()
            self._start_thumbor(pictures, port)
            back = f"http://127.0.0.1:{port}/unsafe/fit-in/{SIZE[0]}x{SIZE[1]}/"
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        (folder / "conf").write_text(
            CONFIGURATION.format(
                folder=folder, port=self.port, photos=pictures, size=SIZE, quality=QUALITY,
                processes=PROCESSES, back=back, module=module(),
                user="user root;" if os.getuid() == 0 else "",
            )
        )  # fmt: skip
        self.nginx = subprocess.Popen(
            [nginx(), "-p", str(folder), "-c", str(folder / "conf"), "-e", str(folder / "log")]
        )
        try:
            wait_for(self.address + "healthz", self.nginx)
        except BaseException:
            self.close()
            raise

    def _start_thumbor(self, pictures, port):
        settings = {
            "LOADER": "thumbor.loaders.file_loader", "FILE_LOADER_ROOT_PATH": str(pictures),
            "STORAGE": "thumbor.storages.no_storage", "QUALITY": QUALITY, "MAX_AGE": 31536000,
        }  # fmt: skip
        conf = self.folder / "thumbor.conf"
        conf.write_text("".join(f"{key} = {value!r}\n" for key, value in settings.items()))
        self.thumbor = subprocess.Popen(
            [
                sys.executable, "-m", "thumbor.server", "--ip", "127.0.0.1", "--port", str(port),
                "--conf", str(conf), "--processes", str(PROCESSES), "--log-level", "error",
            ],
            stdout=open(self.folder / "thumbor.log", "wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        try:
            wait_for(f"http://127.0.0.1:{port}/healthcheck", self.thumbor)
        except BaseException:
            self.close()
            raise

    def cpu(self):
        servers = [self.nginx, self.thumbor] if self.thumbor else [self.nginx]
        return sum(cpu_seconds(server.pid) for server in servers)

    def made(self, _page):
        """How many thumbnails were made, and the rows of those that the person's page asked for."""
        made, own, failed = set(), set(), 0
        for line in (self.folder / "seen.log").read_text().splitlines():
            owner, cache, status, path = line.split()
            failed += status not in ("200", "304", "499")
            row = int(path.rsplit("/", 1)[1])
            made.add(row)
            if owner == "127.0.0.1":
                own.add(row)
        if failed:
            reason = (self.folder / "error.log").read_text().splitlines()[-1]
            print(f"{failed} pictures failed, the last: {reason}", file=sys.stderr)
        return len(made), own

    def close(self):
        for server in (self.nginx, self.thumbor):
            if not server:
                continue
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        if self.thumbor:
            # Its processes outlive the one that started them.
            try:
                os.killpg(self.thumbor.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def wait_for(address, process):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(address, timeout=5).read()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"{process.args[0]} doesn't answer at {address}")


def nginx():
    """The path of nginx, or None."""
    return shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")


def module():
    """The path of nginx's image_filter, or None."""
    places = (Path(place) / MODULE for place in ("/usr/lib/nginx", "/usr/lib64/nginx", "/etc/nginx"))
    return next((place for place in places if place.exists()), None)


def has_thumbor():
    return importlib.util.find_spec("thumbor") is not None


# Chromium loads what comes within 1250 px on a fast connection. The margin is the window's height.
CONTENDERS = {
    "gallery": None,
    "lazy": dict(reach=1250),
    "observer": dict(margin="0px", reach=0),
    "margin": dict(margin="100%", reach=915),
    "thumbor lazy": dict(reach=1250, has_thumbor=True),
}


def start(contender, program, photos, name, list):
    """A contender's server, with pictures and caches of its own."""
    options = CONTENDERS[contender]
    if options is None:
        return GalleryServer(program, photos, name, list)
    return PlainServer(photos, name, contender, list, **options)
