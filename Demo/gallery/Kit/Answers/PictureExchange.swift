internal import GalleryFiles
internal import GalleryWeb
internal import ReplayText

/// A request for a picture, or its substitute in tests.
protocol PictureExchange: AnyObject {
    /// The address or network whose limits apply.
    var owner: String { get }
    /// Whether nobody waits for it yet: it is to be made when nothing else is.
    var isAhead: Bool { get }
    /// The callback for the end, called once, when it was answered or the client has left.
    var onEnd: (() -> Void)? { get set }
    /// Whether the client has left, as far as the system knows.
    var hasLeft: Bool { get }
    /// Sends the answer.
    func reply(_ status: Int, _ headers: [(String, String)], _ body: [UInt8])
}

extension WebExchange: PictureExchange {
    /// The network, or a unix socket's address; an IPv6 client can use all addresses of its
    /// network.
    var owner: String { network.map { HexNumber.text($0) } ?? address }

    /// Of the urgencies of RFC 9218, those above 3 are less urgent than usual.
    var isAhead: Bool {
        guard let text = header("Priority"), text.hasPrefix("u=") else { return false }
        return text.dropFirst(2).first?.wholeNumberValue.map { $0 > 3 } ?? false
    }
}

extension PictureExchange {
    /// Answers with a text, which is plain unless a header sets another type.
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

    /// Answers 404.
    func notFound() {
        reply(404, [], "there is nothing here\n")
    }
}
