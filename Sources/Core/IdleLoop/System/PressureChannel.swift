internal import CLullLibevent
internal import LullLibC

/// An open source of memory pressure events.
struct PressureChannel: ~Copyable {
    /// The way in which events are received.
    enum Kind {
        /// The kernel notifies through a file whose descriptor is always reported as readable.
        case trigger
        /// Another process writes to a pipe or socket.
        case stream
        /// The file must be read periodically.
        case figures
    }

    let descriptor: Int32
    let kind: Kind

    private init(_ descriptor: Int32, _ kind: Kind) {
        self.descriptor = descriptor
        self.kind = kind
    }

    deinit { close(descriptor) }

    /// Opens the source at a path; returns nil if it reports nothing.
    ///
    /// A kernel file reports nothing until it's written to: with the greeting, or the trigger if
    /// there is none.
    static func open(
        _ path: String, writing greeting: [UInt8], orToFile trigger: [UInt8]
    ) -> PressureChannel? {
        var status = stat()
        guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return openFile(path, greeting.isEmpty ? trigger : greeting)
        case S_IFIFO:
            // Opened for writing too, the pipe has no end of file when the last writer closes it.
            let pipe = unsafe LullLibC.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            return pipe < 0 ? nil : PressureChannel(pipe, .stream)
        case S_IFSOCK: return connectSocket(path, greeting)
        default: return nil
        }
    }

    /// Reads the received data; returns whether more can follow.
    ///
    /// It reads at most the capacity of a pipe, so that a sender that never stops doesn't block the
    /// loop.
    func drain() -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
            for _ in 0..<16 {
                let count = unsafe read(descriptor, room.baseAddress, room.count)
                if count == 0 { return false }
                if count < 0, errno != EINTR { return errno == EAGAIN }
            }
            return true
        }
    }

    /// The share of the last 10 s in which some task stalled for memory, in per cent.
    var share: Double? { figure("avg10").flatMap { Double($0) } }

    /// The total time for which some task has stalled for memory, in microseconds.
    var stall: UInt64? { figure("total").flatMap { UInt64($0) } }

    /// Returns the value of a field in the file's first line: `some avg10=0.12 avg60=…`.
    private func figure(_ name: String) -> Substring? {
        guard let line = descriptorText(descriptor)?.prefix(while: { $0 != "\n" }),
            line.hasPrefix("some ")
        else { return nil }
        let field = line.split(separator: " ").first { $0.hasPrefix("\(name)=") }
        return field?.dropFirst(name.count + 1)
    }

    private static func openFile(_ path: String, _ trigger: [UInt8]) -> PressureChannel? {
        let flags = O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file = unsafe LullLibC.open(path, O_RDWR | flags)
        if file >= 0 {
            // Nothing is written to an ordinary file.
            if lull_is_kernel_file(file) == 1, write(trigger, to: file) {
                return PressureChannel(file, .trigger)
            }
            close(file)
        }
        let figures = unsafe LullLibC.open(path, O_RDONLY | flags)
        guard figures >= 0 else { return nil }
        let channel = PressureChannel(figures, .figures)
        guard channel.share != nil else { return nil }
        return consume channel
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe LullLibC.write(descriptor, bytes.baseAddress, bytes.count)
        }
        return count == bytes.count
    }

    private static func connectSocket(_ path: String, _ greeting: [UInt8]) -> PressureChannel? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            unsafe room.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { return nil }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(AF_UNIX, kind, 0)
        guard number >= 0 else { return nil }
        let channel = PressureChannel(number, .stream)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(number, address, length) == 0
            }
        }
        guard isConnected, greeting.isEmpty || send(greeting, to: number) else { return nil }
        return consume channel
    }

    /// Writes to a socket whose other end may be closed, without raising SIGPIPE.
    private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe LullLibC.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        return count == bytes.count
    }
}

/// Decodes base64 text (RFC 4648, section 4); returns nil if it's malformed.
package func decodedBase64(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
    for digit in digits {
        let value: UInt8
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        default: return nil
        }
        bits = bits << 6 | UInt32(value)
        count += 6
        guard count >= 8 else { continue }
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return count == 6 ? nil : bytes
}
