import Glibc
import Testing

/// Two descriptors that are tied together: one for a log, the other for who reads it, or doesn't.
final class LogEnd {
    enum Kind: CaseIterable, Codable {
        case pipe, socket, datagrams, terminal
    }

    private(set) var reader: Int32
    let writer: Int32

    init(_ kind: Kind) throws {
        var ends: [Int32] = [-1, -1]
        switch kind {
        case .pipe: try #require(unsafe Glibc.pipe(&ends) == 0)
        case .socket, .datagrams:
            // Of datagrams each write can be told from the next.
            let type = Int32((kind == .socket ? SOCK_STREAM : SOCK_DGRAM).rawValue)
            try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
        case .terminal:
            ends[0] = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            // What unlockpt(3) and ptsname(3) do, which Swift doesn't see.
            var (lock, number): (CInt, CUnsignedInt) = (0, 0)
            try #require(unsafe ioctl(ends[0], UInt(0x4004_5431), &lock) == 0)
            try #require(unsafe ioctl(ends[0], UInt(0x8004_5430), &number) == 0)
            ends[1] = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            try #require(ends[1] >= 0)
        }
        (reader, writer) = (ends[0], ends[1])
        try #require(fcntl(reader, F_SETFL, O_NONBLOCK) == 0)
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// What one read gives; nil if there's nothing.
    func read() -> String? {
        var room = [UInt8](repeating: 0, count: 8192)
        let count = unsafe Glibc.read(reader, &room, room.count)
        return count <= 0 ? nil : String(validating: room.prefix(count), as: UTF8.self)
    }

    /// All that is there, a terminal's ends of lines as a program writes them.
    func readAll() -> String {
        var text = ""
        while let more = read() { text += more }
        return String(text.unicodeScalars.filter { $0 != "\r" })
    }

    /// Has a terminal take nothing more, as Ctrl-S does, or take on.
    ///
    /// One that nobody reads isn't full once and for all: the kernel goes on moving what it has.
    func hold(_ isHeld: Bool) throws {
        try #require(tcflow(writer, isHeld ? TCOOFF : TCOON) == 0)
    }

    /// Nobody reads any more.
    func closeReader() {
        close(reader)
        reader = -1
    }
}
