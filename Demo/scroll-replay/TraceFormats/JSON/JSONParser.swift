import CYajl

/// A streaming JSON parser that passes its values to `JSONItems`.
@safe
struct JSONParser: ~Copyable {
    /// The items found so far.
    let items: JSONItems

    /// The maximum length of a single string or number, in bytes.
    private static let longestToken = 16 << 20

    private let handle: OpaquePointer
    private let callbacks: UnsafeMutablePointer<yajl_callbacks>
    private let context: ParserContext
    /// The number of bytes parsed since the last callback.
    private(set) var silence = 0

    /// Creates a parser of consecutive JSON values; nil if memory is exhausted.
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

    /// The offset in the text up to which it has been parsed.
    var byte: Int { context.byte }

    /// Parses the next bytes.
    mutating func parse(_ bytes: [UInt8]) throws(FormatError) {
        let calls = items.calls
        let status = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe yajl_parse(handle, buffer.baseAddress, buffer.count)
        }
        guard status == yajl_status_ok else { throw failure() }
        context.start += bytes.count
        silence = items.calls == calls ? silence + bytes.count : 0
        guard silence <= Self.longestToken else {
            throw FormatError(
                found: "a text of more than 16 MiB", expected: "events of a recording")
        }
    }

    /// Ends the text.
    mutating func finish() throws(FormatError) {
        let status = unsafe yajl_complete_parse(handle)
        guard status == yajl_status_ok, !items.isOpen else {
            throw items.failure
                ?? FormatError(found: "the end in the middle", expected: "the rest of the JSON")
        }
    }

    private func failure() -> FormatError {
        if let failure = items.failure { return failure }
        guard let text = unsafe yajl_get_error(handle, 0, nil, 0) else {
            return FormatError(found: "an error", expected: "JSON")
        }
        defer { unsafe yajl_free_error(handle, text) }
        // "lexical error: invalid char in json text.\n"
        let words = unsafe String(cString: text).split(separator: ": ").last ?? "an error"
        return FormatError(
            found: String(words.prefix { $0 != "\n" && $0 != "." }), expected: "JSON")
    }
}

/// The part of a parser that the callbacks use.
@safe
final class ParserContext {
    let items: JSONItems
    /// The offset in the text of the bytes that are being parsed.
    fileprivate var start = 0
    fileprivate var handle: OpaquePointer?

    init(_ items: JSONItems) {
        self.items = items
    }

    /// The offset in the text up to which it has been parsed.
    var byte: Int { start + (unsafe handle.map { unsafe yajl_get_bytes_consumed($0) } ?? 0) }
}
