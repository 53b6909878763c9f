/// The latest traces, limited in number and in bytes, and kept until the program ends.
struct TraceStore {
    /// The maximum number of traces; the oldest is removed for a new one.
    static let limit = 16
    /// The maximum size of all traces, in bytes.
    static let byteLimit = 64 << 20

    private var traces: [(name: String, bytes: [UInt8])] = []

    /// Returns a trace as a file of JSON lines; nil if it doesn't exist, or was removed.
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
