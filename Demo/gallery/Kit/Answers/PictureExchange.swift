internal import GalleryFiles
internal import GalleryWeb
internal import ReplayReport

/// A request for a picture, or a test's stand-in.
protocol PictureExchange: AnyObject {
    /// The address or network whose limits it counts for.
    var owner: String { get }
    /// Called once, when it was answered or nobody waits for the answer any more.
    var onEnd: (() -> Void)? { get set }
    /// Whether nobody waits for the answer any more, as far as the system knows.
    var hasLeft: Bool { get }
    /// Answers.
    func reply(_ status: Int, _ headers: [(String, String)], _ body: [UInt8])
}

extension WebExchange: PictureExchange {
    /// The network, or a unix socket's address: whoever has one address of an IPv6 network has them all.
    var owner: String { network.map { HexNumber.text($0) } ?? address }
}

extension PictureExchange {
    /// Answers with a text, which is plain unless a header says otherwise.
    func reply(_ status: Int, _ headers: [(String, String)], _ text: String) {
        let isSaid = headers.contains { $0.0 == "Content-Type" }
        let type = isSaid ? [] : [("Content-Type", "text/plain; charset=utf-8")]
        reply(status, type + headers + [("Cache-Control", "no-store")], Array(text.utf8))
    }
}

extension WebExchange {
    /// Answers with JSON.
    func reply(_ status: Int = 200, _ json: JSON) {
        reply(
            status, [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            json.bytes)
    }

    /// Answers that there is nothing.
    func notFound() {
        reply(404, [], "there is nothing here\n")
    }
}
