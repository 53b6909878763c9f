"""A client of the WebSocket protocol (RFC 6455), with Python's own library alone.

    socket = WebSocket("127.0.0.1", 9222, "/session")
    socket.send("{}")
    for text in socket.messages():
        …
"""

import base64
import hashlib
import os
import socket
import struct

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


class WebSocket:
    """A connection to a server of this machine; one thread reads and one at a time writes."""

    def __init__(self, host, port, path, timeout=10):
        self.socket = socket.create_connection((host, port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.file = self.socket.makefile("rb", buffering=1 << 20)
        status = self.file.readline(8192).decode(errors="replace").strip()
        headers = {}
        while (line := self.file.readline(8192).strip()) and len(headers) < 100:
            name, _, value = line.decode(errors="replace").partition(":")
            headers[name.lower()] = value.strip()
        proof = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        expected = base64.b64encode(proof).decode()
        if " 101" not in status or headers.get("sec-websocket-accept") != expected:
            self.close()
            raise OSError(f"no WebSocket at {host}:{port}{path}: {status!r}")
        # From now on silence is no fault: whoever waits for an answer has a limit.
        self.socket.settimeout(None)

    def send(self, text):
        self._write(TEXT, text.encode())

    def messages(self):
        """The texts that come, until the connection ends."""
        parts = []
        try:
            while True:
                is_last, kind, data = self._read()
                if kind == CLOSE:
                    return
                if kind == PING:
                    self._write(PONG, data)
                elif kind in (CONTINUATION, TEXT, BINARY):
                    parts.append(data)
                    if is_last:
                        yield b"".join(parts).decode()
                        parts = []
        except (OSError, ValueError):
            return  # closed

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    def _read(self):
        first, second = self._take(2)
        length = second & 0x7F
        if length > 125:
            length = int.from_bytes(self._take(2 if length == 126 else 8), "big")
        return first & 0x80, first & 0x0F, self._take(length)

    def _take(self, count):
        data = self.file.read(count)
        if len(data) < count:
            raise OSError("the connection has ended")
        return data

    def _write(self, kind, data):
        size = len(data)
        head = struct.pack("!B", 0x80 | kind)
        if size < 126:
            head += struct.pack("!B", 0x80 | size)
        elif size < 1 << 16:
            head += struct.pack("!BH", 0x80 | 126, size)
        else:
            head += struct.pack("!BQ", 0x80 | 127, size)
        # A client's frames are masked, so that no proxy takes them for requests.
        mask = os.urandom(4)
        long = (mask * (size // 4 + 1))[:size]
        masked = int.from_bytes(data, "big") ^ int.from_bytes(long, "big")
        self.socket.sendall(head + mask + masked.to_bytes(size, "big"))
