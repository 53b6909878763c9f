"""A proxy (SOCKS 5, RFC 1928) whose link is slow, for browsers that emulate none.

    link = SlowLink(latency=150, speed=500)
    … link.port …
    link.close()
"""

import socket
import threading
import time


class SlowLink:
    """A link of a throughput in kbit/s, which all connections share; requests take the latency."""

    def __init__(self, latency, speed):
        self.latency = latency / 1000
        self.bytes = speed * 125
        self.lock = threading.Lock()
        self.free_at = 0.0
        self.sockets = []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        for end in (self.server, *self.sockets):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def _accept(self):
        try:
            while True:
                client, _ = self.server.accept()
                self.sockets.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()
        except OSError:
            return  # closed

    def _serve(self, client):
        try:
            with client, client.makefile("rb", buffering=0) as file:
                _, methods = file.read(2)
                file.read(methods)
                client.sendall(b"\5\0")
                *_, kind = file.read(4)
                if kind == 1:
                    host = socket.inet_ntoa(file.read(4))
                else:
                    host = file.read(file.read(1)[0]).decode()
                port = int.from_bytes(file.read(2), "big")
                with socket.create_connection((host, port), 10) as server:
                    server.settimeout(None)
                    self.sockets.append(server)
                    client.sendall(b"\5\0\0\1" + bytes(6))
                    up = threading.Thread(target=self._up, args=(client, server), daemon=True)
                    up.start()
                    self._down(server, client)
        except (OSError, ValueError):
            return  # closed

    def _up(self, client, server):
        try:
            while data := client.recv(1 << 16):
                time.sleep(self.latency)
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def _down(self, server, client):
        while data := server.recv(2048):
            with self.lock:
                self.free_at = max(self.free_at, time.monotonic()) + len(data) / self.bytes
                end = self.free_at
            time.sleep(max(0, end - time.monotonic()))
            client.sendall(data)
        client.shutdown(socket.SHUT_RDWR)
