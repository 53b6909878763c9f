internal import GalleryWeb
internal import ReplayReport

// Answers of JSON; for those of text see `PictureExchange`.
extension WebExchange {
    /// Answers with JSON.
    func reply(_ status: Int = 200, _ json: JSON) {
        var bytes: [UInt8] = []
        json.write(to: &bytes)
        reply(
            status,
            [("Content-Type", "application/json"), ("Cache-Control", "no-store")], bytes)
    }
}
