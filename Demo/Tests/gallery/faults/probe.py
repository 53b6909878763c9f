#!/usr/bin/env python3
"""Asks for /healthz every ten milliseconds until its standard input ends: on one connection that stays
open, and on a new one each time. Prints what it saw as JSON. A process of its own, so that nothing
else that a script does is in its figures.
"""

import json
import select
import socket
import sys
import time

PERIOD = 0.01
PATIENCE = 600.0
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n"


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port), PATIENCE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def ask(connection, ending=b""):
    """Whether it's well, in one request."""
    connection.sendall(REQUEST % ending)
    answer = b""
    while b"\r\n\r\nok\n" not in answer:
        some = connection.recv(4096)
        if not some:
            return False
        answer += some
    return answer.startswith(b"HTTP/1.1 200")


def main(port):
    kept = None
    figures = {"open": [], "new": [], "open_failed": 0, "new_failed": 0, "reopened": 0}
    due = time.monotonic()
    print("ready", flush=True)
    while True:
        due = max(due + PERIOD, time.monotonic())
        if select.select([sys.stdin], [], [], max(0, due - time.monotonic()))[0]:
            break
        began = time.monotonic()
        try:
            if kept is None:
                kept = connect(port)
                figures["reopened"] += 1
                began = time.monotonic()
            if not ask(kept):
                raise OSError
            figures["open"].append(time.monotonic() - began)
        except OSError:
            figures["open_failed"] += 1
            kept = None
        began = time.monotonic()
        try:
            with connect(port) as connection:
                if not ask(connection, b"Connection: close\r\n"):
                    raise OSError
            figures["new"].append(time.monotonic() - began)
        except OSError:
            figures["new_failed"] += 1
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]))
