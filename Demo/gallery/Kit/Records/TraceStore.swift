/// The traces that were recorded last, bounded in number and in bytes; the program's end is theirs.
struct TraceStore {
    /// The most traces; the oldest makes room.
    static let limit = 16
    /// The most bytes in all.
    static let byteLimit = 64 << 20

    private var traces: [(name: String, bytes: [UInt8])] = []

    /// Returns a trace as a file of lines of JSON; nil if it isn't there, or not any more.
    func bytes(named name: String) -> [UInt8]? {
        traces.first { $0.name == name }?.bytes
    }

    /// Adds a recording that has ended.
    mutating func add(_ recording: consuming Recording) {
        traces.append((recording.name, recording.file()))
        while traces.count > Self.limit
            || traces.count > 1 && traces.reduce(0, { $0 + $1.bytes.count }) > Self.byteLimit
        {
            traces.removeFirst()
        }
    }
}
