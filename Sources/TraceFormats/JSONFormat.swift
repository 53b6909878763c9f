import LullTesting

/// A recording in JSON, being read item by item.
protocol JSONFormat {
    /// What it is.
    static var dialect: TraceDialect { get }
    /// The members that matter, and those that hold arrays of items.
    static var kept: [String] { get }
    static var streams: Set<String> { get }
    /// Whether an array at the top may lack its end.
    static var mayStayOpen: Bool { get }

    init(_ options: TraceFileOptions)

    /// Takes an item.
    mutating func take(_ item: JSONNode) throws(Complaint)

    /// Adds what was read to a recording; gives the time at which it begins, if known.
    mutating func finish(into recording: inout Recording) throws(Complaint) -> Int64?
}

extension JSONFormat {
    /// Reads a source to its end.
    static func read(
        _ source: consuming ByteSource, _ options: TraceFileOptions
    ) throws(TraceError) -> (recording: Recording, start: Int64?) {
        let items = JSONItems(keeping: kept, streams: streams)
        guard var parser = JSONParser(items) else {
            throw Complaint(found: "no memory", expected: "memory for a parser")
                .at(in: source.file)
        }
        var format = Self(options)
        var isEnd = false
        while !isEnd {
            var bytes = try source.next()
            // A text that goes on for long is looked at again from its start each time: go on with
            // as much as was there before, so that all of it costs no more than twice.
            while let count = bytes?.count, count < parser.silence,
                let more = try source.next()
            {
                bytes?.append(contentsOf: more)
            }
            isEnd = bytes == nil
            var failure: Complaint?
            do {
                if let bytes {
                    try parser.parse(bytes)
                } else if !(mayStayOpen && items.isInTopArray) {
                    try parser.finish()
                }
            } catch {
                failure = error
            }
            let ready = items.ready
            items.ready.removeAll(keepingCapacity: true)
            for item in ready {
                do { try format.take(item.node) } catch {
                    throw error.at(byte: item.byte, in: source.file)
                }
            }
            // What can't be parsed is the last byte that was looked at, or what is missing after it.
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
