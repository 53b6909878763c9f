/// The traces that were recorded last, until the program ends: so many, and so large in all.
struct TraceShelf {
    /// How many there are at most, the oldest making room.
    static let limit = 16
    /// How many bytes they have in all.
    static let byteLimit = 64 << 20

    private var traces: [(name: String, bytes: [UInt8])] = []

    /// A trace as a file of lines of JSON; nil if it's not here, or not any more.
    func bytes(named name: String) -> [UInt8]? {
        traces.first { $0.name == name }?.bytes
    }

    /// Keeps a recording that has ended.
    mutating func add(_ recording: consuming Recording) {
        traces.append((recording.name, recording.file()))
        while traces.count > Self.limit
            || traces.count > 1 && traces.reduce(0, { $0 + $1.bytes.count }) > Self.byteLimit
        {
            traces.removeFirst()
        }
    }
}
