import CYajl

/// A streaming JSON parser that hands what it meets to `JSONItems`.
@safe
struct JSONParser: ~Copyable {
    /// What has been picked out so far.
    let items: JSONItems

    /// How long a single text or number may be.
    private static let longestToken = 16 << 20

    private let handle: OpaquePointer
    private let callbacks: UnsafeMutablePointer<yajl_callbacks>
    private let context: ParserContext
    /// How many bytes have been parsed since something was met.
    private(set) var silence = 0

    /// A parser of one JSON value after another; nil without memory.
    init?(_ items: JSONItems) {
        self.items = items
        context = ParserContext(items)
        unsafe callbacks = .allocate(capacity: 1)
        unsafe callbacks.initialize(to: JSONCallbacks.all)
        let pointer = unsafe Unmanaged.passUnretained(context).toOpaque()
        guard let handle = unsafe yajl_alloc(callbacks, nil, pointer) else {
            unsafe callbacks.deallocate()
            return nil
        }
        unsafe self.handle = handle
        unsafe context.handle = handle
        unsafe lull_yajl_allow_many(handle)
    }

    deinit {
        unsafe yajl_free(handle)
        unsafe callbacks.deallocate()
    }

    /// The byte of the text up to which it has been parsed.
    var byte: Int { context.byte }

    /// Parses the next bytes.
    mutating func parse(_ bytes: [UInt8]) throws(Complaint) {
        let calls = items.calls
        let status = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe yajl_parse(handle, buffer.baseAddress, buffer.count)
        }
        guard status == yajl_status_ok else { throw complaint() }
        context.start += bytes.count
        silence = items.calls == calls ? silence + bytes.count : 0
        guard silence <= Self.longestToken else {
            throw Complaint(
                found: "a text of more than 16 MiB", expected: "events of a recording")
        }
    }

    /// Says that there are no more bytes.
    mutating func finish() throws(Complaint) {
        let status = unsafe yajl_complete_parse(handle)
        guard status == yajl_status_ok, !items.isOpen else {
            throw items.complaint
                ?? Complaint(found: "the end in the middle", expected: "the rest of the JSON")
        }
    }

    private func complaint() -> Complaint {
        if let complaint = items.complaint { return complaint }
        guard let text = unsafe yajl_get_error(handle, 0, nil, 0) else {
            return Complaint(found: "an error", expected: "JSON")
        }
        defer { unsafe yajl_free_error(handle, text) }
        // "lexical error: invalid char in json text.\n"
        let words = unsafe String(cString: text).split(separator: ": ").last ?? "an error"
        return Complaint(found: String(words.prefix { $0 != "\n" && $0 != "." }), expected: "JSON")
    }
}

/// What the callbacks need of a parser.
@safe
final class ParserContext {
    let items: JSONItems
    /// Where in the text the bytes begin that are being parsed.
    var start = 0
    var handle: OpaquePointer?

    init(_ items: JSONItems) {
        self.items = items
    }

    /// The byte of the text up to which it has been parsed.
    var byte: Int { start + (unsafe handle.map { unsafe yajl_get_bytes_consumed($0) } ?? 0) }
}
