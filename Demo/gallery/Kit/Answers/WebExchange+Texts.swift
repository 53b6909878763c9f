internal import GalleryWeb
internal import ReplayReport

// Answers of text.
extension WebExchange {
    /// Answers with a text, which is plain unless a header says otherwise.
    func reply(_ status: Int, _ headers: [(String, String)], _ text: String) {
        let isSaid = headers.contains { $0.0 == "Content-Type" }
        let type = isSaid ? [] : [("Content-Type", "text/plain; charset=utf-8")]
        reply(status, type + headers + [("Cache-Control", "no-store")], Array(text.utf8))
    }

    /// Answers with JSON.
    func reply(_ status: Int = 200, _ json: JSON) {
        var bytes: [UInt8] = []
        json.write(to: &bytes)
        reply(
            status,
            [("Content-Type", "application/json"), ("Cache-Control", "no-store")], bytes)
    }
}
