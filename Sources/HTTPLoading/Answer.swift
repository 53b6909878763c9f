/// A response as it arrives: its heads, and its body as far as it may have one.
///
/// It knows no library: lines and bytes come in, and what is wrong with them comes out.
struct Answer {
    let byteLimit: Int
    /// Whether the body is taken in pieces, so that ``bytes`` has only what wasn't taken yet.
    let isStreamed: Bool
    /// The most bytes of a body that is kept to be stored, as far as it may be; none otherwise.
    let keptLimit: Int
    private(set) var head = ResponseHead()
    private(set) var bytes: [UInt8] = []
    /// All that was taken, if it is kept.
    private(set) var pieces: [[UInt8]]?
    /// The number of bytes of the body that have come.
    private(set) var received = 0
    /// The reason why no more of it is wanted.
    private(set) var failure: HTTPLoadError?
    private var discarded = 0

    init(byteLimit: Int, isStreamed: Bool = false, keptLimit: Int = 0) {
        self.byteLimit = byteLimit
        self.isStreamed = isStreamed
        self.keptLimit = keptLimit
    }

    /// The part of the body that has come, from 0 to 1; nil before its length is known.
    var share: Double? {
        guard head.isSuccess, let length = head.length, length > 0 else { return nil }
        return min(1, Double(received) / Double(length))
    }

    /// Takes in a line of a head; false if no more is wanted.
    mutating func add(line: String) -> Bool {
        let wasWhole = head.isWhole
        head.add(line)
        // Once for a head, not for each piece: a server chooses how much there is to read in it.
        if head.isWhole, !wasWhole { pieces = keptLimit > 0 && head.isStorable ? [] : nil }
        if head.isTooLarge { return end(.badReply("its head has no end")) }
        guard head.isWhole, head.isSuccess, let length = head.length else { return true }
        guard length <= byteLimit else { return end(.tooLarge(found: length, limit: byteLimit)) }
        if received == 0, !isStreamed { bytes.reserveCapacity(min(length, 1 << 18)) }  // it may lie
        return true
    }

    /// Takes in some of a body; false if no more is wanted.
    mutating func add(_ more: UnsafeRawBufferPointer) -> Bool {
        guard head.isSuccess else {
            // The text of an error is passed over, so that its connection can be used again.
            discarded += more.count
            return discarded <= 1 << 16 || end(.status(head.status, retryAfter: nil))
        }
        let count = received + more.count
        guard count <= byteLimit else { return end(.tooLarge(found: count, limit: byteLimit)) }
        unsafe bytes.append(contentsOf: more)
        received = count
        return true
    }

    /// Takes out what has come of the body.
    mutating func takeBytes() -> [UInt8] {
        let piece = exchange(&bytes, with: [])
        if received > keptLimit { pieces = nil }
        pieces?.append(piece)
        return piece
    }

    /// Lets go of the body, as nobody wants it any more.
    mutating func forget() { (bytes, pieces) = ([], nil) }

    private mutating func end(_ error: HTTPLoadError) -> Bool {
        failure = error
        return false
    }
}
