internal import Glibc
internal import IdleLoop

/// A nonblocking connection to the server, with buffered output.
final class Connection {
    private let loop: MainLoop
    private let socket: Int32
    private var reading: Watch?
    private var writing: Watch?
    private var unsent: [UInt8] = []
    private let onBytes: (ArraySlice<UInt8>) -> Void
    private let onEnd: () -> Void

    /// Connects; nil if no socket is available.
    ///
    /// `onEnd` is called when the server has closed the connection or can't be reached, not after
    /// `close()`.
    init?(
        to server: ServerAddress, from number: Int, on loop: MainLoop,
        onBytes: @escaping (ArraySlice<UInt8>) -> Void, onEnd: @escaping () -> Void
    ) {
        guard let socket = server.connect(from: number) else { return nil }
        self.loop = loop
        self.socket = socket
        self.onBytes = onBytes
        self.onEnd = onEnd
        reading = try? loop.watch(socket, for: .readable) { [weak self] _ in self?.receive() }
    }

    deinit {
        close()
    }

    var isOpen: Bool { reading != nil }

    func close() {
        guard reading != nil else { return }
        reading?.cancel()
        reading = nil
        writing?.cancel()
        writing = nil
        Glibc.close(socket)
    }

    /// Sends bytes, now or when there is room.
    func send(_ text: String) {
        unsent += text.utf8
        flush()
    }

    private func flush() {
        while !unsent.isEmpty, isOpen {
            let count = unsafe unsent.withUnsafeBytes { bytes in
                unsafe Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                unsent.removeFirst(count)
            } else if errno == EAGAIN || errno == ENOTCONN {
                return waitForRoom()
            } else if errno != EINTR {
                return end()
            }
        }
        writing?.cancel()
        writing = nil
    }

    private func waitForRoom() {
        guard writing == nil else { return }
        writing = try? loop.watch(socket, for: .writable) { [weak self] _ in self?.flush() }
    }

    private func receive() {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe room.withUnsafeMutableBytes { room in
            unsafe recv(socket, room.baseAddress, room.count, 0)
        }
        if count > 0 { return onBytes(room[..<count]) }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        end()
    }

    private func end() {
        close()
        onEnd()
    }
}
