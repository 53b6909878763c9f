import LullTesting

/// The bytes of a file or of standard input in chunks, decompressed if they are gzip.
struct ByteSource: ~Copyable {
    /// The maximum size of a chunk, in bytes.
    static let chunk = 64 * 1024

    /// The file's name.
    let file: String
    /// Whether the file is compressed.
    private(set) var isPacked = false
    private let input: InputDescriptor
    private var inflater: Inflater?
    private var packed: [UInt8] = []
    private var position = 0
    private var ahead: [UInt8] = []

    /// Opens a file; `-` is standard input.
    init(_ file: String) throws(TraceError) {
        let input = try InputDescriptor(file)
        var start = try input.next() ?? []
        while start.count == 1, start[0] == 0x1F, let more = try input.next() { start += more }
        self.file = file
        self.input = input
        isPacked = start.starts(with: [0x1F, 0x8B])
        if isPacked { packed = start } else { ahead = start }
    }

    /// Returns the first `count` bytes, or fewer if the file is shorter; `next` returns them again.
    mutating func peek(_ count: Int) throws(TraceError) -> [UInt8] {
        while ahead.count < count, let more = try read() { ahead += more }
        return Array(ahead.prefix(count))
    }

    /// Skips the next bytes, which `peek` has returned.
    mutating func skip(_ count: Int) {
        ahead.removeFirst(count)
    }

    /// Returns the next bytes, or nil at the end.
    mutating func next() throws(TraceError) -> [UInt8]? {
        guard !ahead.isEmpty else { return try read() }
        defer { ahead = [] }
        return ahead
    }

    private mutating func read() throws(TraceError) -> [UInt8]? {
        guard isPacked else { return try input.next() }
        while true {
            if position == packed.count {
                guard let more = try input.next() else {
                    guard inflater?.isAtEnd ?? true else {
                        throw damaged("the end of the file inside its gzip data")
                    }
                    return nil
                }
                packed = more
                position = 0
            }
            let bytes = try unpack()
            if !bytes.isEmpty { return bytes }
        }
    }

    private mutating func unpack() throws(TraceError) -> [UInt8] {
        do {
            if inflater == nil { inflater = try Inflater() }
            return try inflater?.unpack(&packed, from: &position, atMost: Self.chunk) ?? []
        } catch {
            throw damaged(error == .noMemory ? "no memory to unpack it" : "damaged gzip data")
        }
    }

    private func damaged(_ found: String) -> TraceError {
        TraceError(
            kind: .malformed, file: file, line: nil, found: found, expected: "a whole gzip file")
    }
}
