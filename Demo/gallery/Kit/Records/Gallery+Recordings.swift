internal import GalleryFiles
internal import GalleryWeb
internal import ReplayReport

// Recordings of pages.
extension Gallery {
    func record(_ exchange: WebExchange, _ client: Client) {
        if exchange.query["on"] == "1" {
            guard beginRecording(of: client) else {
                return exchange.reply(503, [("Retry-After", "60")], "too many are recorded\n")
            }
        } else {
            endRecording(of: client)
        }
        exchange.reply(200, .members([("trace", tellOfRecording(client))]))
    }

    /// Tells a page whether it is being recorded, and returns the trace's address.
    @discardableResult
    func tellOfRecording(_ client: Client) -> JSON {
        let name = client.recording?.name ?? client.lastTrace
        let trace = name.map { JSON.text("/trace/\($0).jsonl") } ?? .null
        client.tell(
            "recording",
            JSON.members([("on", .flag(client.recording != nil)), ("trace", trace)]).rendered)
        return trace
    }

    /// The number of pages that are being recorded.
    var recordings: Int { clients.all.count { $0.recording != nil } }

    /// Starts to record a page, unless it is being recorded; returns false if there is no room.
    func beginRecording(of client: Client) -> Bool {
        guard client.recording == nil else { return true }
        guard recordings < limits.recordings else { return false }
        client.recording = Recording(name: HexNumber.random())
        return true
    }

    /// Ends the recording of a page, if there is one, and stores its trace.
    func endRecording(of client: Client) {
        guard let recording = client.recording else { return }
        client.recording = nil
        client.lastTrace = recording.name
        traces.add(recording)
    }

    func answerTrace(_ exchange: WebExchange, _ name: String) {
        guard name.hasSuffix(".jsonl"),
            let bytes = traces.bytes(named: String(name.dropLast(6)))
        else { return exchange.notFound() }
        var rest = bytes[...]
        exchange.reply(
            200, [("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store")],
            parts: {
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(64 << 10) }
                return Array(rest.prefix(64 << 10))
            })
    }
}
