/// An answer as it comes: its heads, and its body as far as it may have one.
///
/// It knows no library: lines and bytes come in, and what is wrong with them comes out.
struct Answer {
    let byteLimit: Int
    private(set) var head = ResponseHead()
    private(set) var bytes: [UInt8] = []
    /// Why no more of it is wanted.
    private(set) var failure: HTTPLoadError?
    private var discarded = 0

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// How much of the body has come, from 0 to 1; nil before it's said how long it is.
    var share: Double? {
        guard head.isSuccess, let length = head.length, length > 0 else { return nil }
        return min(1, Double(bytes.count) / Double(length))
    }

    /// Takes in a line of a head; false if no more is wanted.
    mutating func add(line: String) -> Bool {
        head.add(line)
        if head.isTooLarge { return end(.badReply("its head has no end")) }
        guard head.isWhole, head.isSuccess, let length = head.length else { return true }
        guard length <= byteLimit else { return end(.tooLarge(found: length, limit: byteLimit)) }
        if bytes.isEmpty { bytes.reserveCapacity(min(length, 1 << 18)) }  // it may lie
        return true
    }

    /// Takes in some of a body; false if no more is wanted.
    mutating func add(_ more: UnsafeRawBufferPointer) -> Bool {
        guard head.isSuccess else {
            // What an error has to say is passed over, so that its connection can be used again.
            discarded += more.count
            return discarded <= 1 << 16 || end(.status(head.status, retryAfter: nil))
        }
        let count = bytes.count + more.count
        guard count <= byteLimit else { return end(.tooLarge(found: count, limit: byteLimit)) }
        unsafe bytes.append(contentsOf: more)
        return true
    }

    private mutating func end(_ error: HTTPLoadError) -> Bool {
        failure = error
        return false
    }
}
