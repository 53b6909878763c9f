/// An incremental parser of server-sent events.
struct EventReader {
    /// An event.
    struct Event {
        let name: String
        let data: String
    }

    private var bytes: [UInt8] = []
    private var isInHead = true
    private var name = ""
    private var data = ""
    /// The status of the answer, once it has been received.
    private(set) var status: Int?

    /// Parses the next bytes, and returns the complete events.
    mutating func take(_ more: some Sequence<UInt8>) -> [Event] {
        bytes += more
        var events: [Event] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: 10) {
            let line = bytes[start..<(end > start && bytes[end - 1] == 13 ? end - 1 : end)]
            start = end + 1
            if isInHead {
                takeHead(line)
            } else if let event = take(line: String(decoding: line, as: UTF8.self)) {
                events.append(event)
            }
        }
        bytes.removeFirst(start)
        return events
    }

    private mutating func takeHead(_ line: ArraySlice<UInt8>) {
        if status == nil {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        } else if line.isEmpty {
            isInHead = false
        }
    }

    private mutating func take(line: String) -> Event? {
        if line.isEmpty {
            defer { (name, data) = ("", "") }
            return data.isEmpty ? nil : Event(name: name, data: data)
        }
        if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { data += line.dropFirst(6) }
        return nil
    }
}
