import LullTesting
import ScrollModel

/// A reader of a recording in JSON, item by item.
protocol JSONFormat {
    /// The format that is read.
    static var dialect: TraceDialect { get }
    /// The names of the members that are kept, which include those with arrays of items.
    static var kept: [String] { get }
    static var streams: Set<String> { get }
    /// Whether the end of a top-level array may be missing.
    static var mayStayOpen: Bool { get }

    init(_ options: TraceFileOptions)

    /// Takes an item.
    mutating func take(_ item: JSONNode) throws(FormatError)

    /// Adds everything read to a recording; returns the time at which it begins, if known.
    mutating func finish(into recording: inout Recording) throws(FormatError) -> Instant?
}

extension JSONFormat {
    /// Reads a source to its end.
    static func read(
        _ source: consuming ByteSource, _ options: TraceFileOptions
    ) throws(TraceError) -> (recording: Recording, start: Instant?) {
        let items = JSONItems(keeping: kept, streams: streams)
        guard var parser = JSONParser(items) else {
            throw FormatError(found: "no memory", expected: "memory for a parser")
                .at(in: source.file)
        }
        var format = Self(options)
        var isEnd = false
        while !isEnd {
            var bytes = try source.next()
            // yajl rescans an unfinished string from its start for each chunk. A chunk at least as
            // long as what has come so far keeps the total cost within twice that of one pass.
            while let count = bytes?.count, count < parser.silence,
                let more = try source.next()
            {
                bytes?.append(contentsOf: more)
            }
            isEnd = bytes == nil
            var failure: FormatError?
            do {
                if let bytes {
                    try parser.parse(bytes)
                } else if !(mayStayOpen && items.isInTopArray) {
                    try parser.finish()
                }
            } catch {
                failure = error
            }
            for item in items.takeReady() {
                do { try format.take(item.node) } catch {
                    throw error.at(byte: item.byte, in: source.file)
                }
            }
            // If parsing failed, the error is at the last byte that was examined, or after it.
            if let failure {
                throw failure.at(byte: max(0, parser.byte - (isEnd ? 0 : 1)), in: source.file)
            }
        }
        var recording = Recording(limit: options.limit)
        do {
            let start = try format.finish(into: &recording)
            return (recording, start)
        } catch {
            throw error.at(byte: parser.byte, in: source.file)
        }
    }
}
