internal import GalleryFiles
internal import Glibc
internal import IdleLoop

/// A nonblocking connection to the server, with buffered output.
final class Connection {
    private let loop: MainLoop
    private var socket: FileDescriptor?
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
        self.loop = loop
        self.onBytes = onBytes
        self.onEnd = onEnd
        socket = server.connect(from: number)
        guard let descriptor else { return nil }
        reading = try? loop.watch(descriptor, for: .readable) { [weak self] _ in self?.receive() }
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
        socket = nil
    }

    private var descriptor: Int32? { socket?.number }

    /// Sends bytes, now or when there is room.
    func send(_ text: String) {
        unsent += text.utf8
        flush()
    }

    private func flush() {
        while !unsent.isEmpty, isOpen, let descriptor {
            let count = unsafe unsent.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
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
        guard writing == nil, let descriptor else { return }
        writing = try? loop.watch(descriptor, for: .writable) { [weak self] _ in self?.flush() }
    }

    private func receive() {
        guard let descriptor else { return }
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe room.withUnsafeMutableBytes { room in
            unsafe recv(descriptor, room.baseAddress, room.count, 0)
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
