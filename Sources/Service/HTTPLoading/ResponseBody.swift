/// A response that is arriving: its heads, and the body as far as it may have one.
///
/// It doesn't depend on libcurl: it takes lines and bytes, and gives errors.
struct ResponseBody {
    let request: HTTPLoadRequest
    let byteLimit: Int
    /// Whether the body is delivered in pieces, so that ``bytes`` has only the part not yet
    /// delivered.
    let isStreamed: Bool
    /// The maximum size of a body that is kept to be stored, in bytes; zero if it isn't stored.
    let keptLimit: Int
    /// Returns whether a content coding, given in lowercase, is undone before its bytes arrive.
    private let decodes: (String) -> Bool
    private(set) var head = ResponseHead()
    private(set) var bytes: [UInt8] = []
    /// The pieces of the body that were delivered, if they are kept to be stored.
    private(set) var pieces: [[UInt8]]?
    /// The number of bytes of the body that have arrived.
    private(set) var received = 0
    /// The error for which the rest of the response is refused.
    private(set) var failure: HTTPLoadError?
    private var discarded = 0

    init(
        to request: HTTPLoadRequest, byteLimit: Int, isStreamed: Bool = false, keptLimit: Int = 0,
        decodes: @escaping (String) -> Bool
    ) {
        self.request = request
        self.decodes = decodes
        self.byteLimit = byteLimit
        self.isStreamed = isStreamed
        self.keptLimit = keptLimit
    }

    /// The state before the response.
    var unanswered: ResponseBody {
        ResponseBody(
            to: request, byteLimit: byteLimit, isStreamed: isStreamed, keptLimit: keptLimit,
            decodes: decodes)
    }

    /// Whether the head is that of what was requested.
    var isSuccess: Bool { request.accepts(head.status) }

    /// The fraction of the body that has arrived, from 0 to 1; nil before its length is known.
    var share: Double? {
        guard isSuccess, let length = head.length, length > 0 else { return nil }
        return min(1, Double(received) / Double(length))
    }

    /// Adds a line of a head, and returns false if the transfer is to be ended.
    mutating func add(line: String) -> Bool {
        let wasWhole = head.isWhole
        head.add(line)
        if head.isTooLarge { return end(.badReply("its head has no end")) }
        // Once for each head, not for each piece: a server chooses how much there is to parse in
        // it.
        guard head.isWhole, !wasWhole else { return true }
        pieces = keptLimit > 0 && head.isStorable ? [] : nil
        guard head.isLengthClear else {
            return end(.badReply("its length is \((head.contentLength ?? "").prefix(80))"))
        }
        guard isSuccess, head.hasBody else { return true }
        if let codings = head.undecodable(decodes) {
            return end(.unsupportedCoding(String(codings.prefix(80))))
        }
        guard let length = head.sentLength else { return true }
        guard length <= byteLimit else { return end(.tooLarge(found: length, limit: byteLimit)) }
        if received == 0, !isStreamed { bytes.reserveCapacity(min(length, 1 << 18)) }  // untrusted
        return true
    }

    /// Adds bytes of a body, and returns false if the transfer is to be ended.
    mutating func add(_ more: UnsafeRawBufferPointer) -> Bool {
        guard isSuccess else {
            // The body of an error is skipped, so that its connection can be reused.
            discarded += more.count
            return discarded <= 1 << 16 || end(.status(head.status, retryAfter: nil))
        }
        let count = received + more.count
        guard count <= byteLimit else { return end(.tooLarge(found: count, limit: byteLimit)) }
        unsafe bytes.append(contentsOf: more)
        received = count
        return true
    }

    /// Removes and returns the bytes of the body that have arrived.
    mutating func takeBytes() -> [UInt8] {
        let piece = exchange(&bytes, with: [])
        if received > keptLimit { pieces = nil }
        pieces?.append(piece)
        return piece
    }

    /// Discards the body, because nobody waits for it any more.
    mutating func forget() { (bytes, pieces) = ([], nil) }

    private mutating func end(_ error: HTTPLoadError) -> Bool {
        failure = error
        return false
    }
}
