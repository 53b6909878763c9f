import CYajl

/// The callbacks of yajl, each with a `ParserContext`; returning 0 ends the parse.
enum JSONCallbacks {
    static var all: yajl_callbacks {
        unsafe yajl_callbacks(
            yajl_null: jsonNull, yajl_boolean: jsonBoolean, yajl_integer: nil, yajl_double: nil,
            yajl_number: jsonNumber, yajl_string: jsonText, yajl_start_map: jsonOpenObject,
            yajl_map_key: jsonKey, yajl_end_map: jsonClose, yajl_start_array: jsonOpenArray,
            yajl_end_array: jsonClose)
    }
}

/// The maximum lengths of a string and of a number that are kept.
private let longestText = 256

private func parser(_ context: UnsafeMutableRawPointer?) -> ParserContext {
    guard let context = unsafe context else { preconditionFailure("a parser has its context") }
    return unsafe Unmanaged<ParserContext>.fromOpaque(context).takeUnretainedValue()
}

@c(lull_json_null)
func jsonNull(_ context: UnsafeMutableRawPointer?) -> Int32 {
    unsafe parser(context).items.scalar(.other) ? 1 : 0
}

@c(lull_json_boolean)
func jsonBoolean(_ context: UnsafeMutableRawPointer?, _ value: Int32) -> Int32 {
    unsafe parser(context).items.scalar(.other) ? 1 : 0
}

@c(lull_json_number)
func jsonNumber(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int
) -> Int32 {
    let digits = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    let goOn = unsafe parser(context).items.scalar(
        unsafe digits.count > longestText
            ? .other
            : Double(String(decoding: digits, as: UTF8.self)).map { .number($0) } ?? .other)
    return goOn ? 1 : 0
}

@c(lull_json_text)
func jsonText(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int
) -> Int32 {
    let text = unsafe UnsafeBufferPointer(start: bytes, count: count)
    let goOn = unsafe parser(context).items.scalar(
        unsafe text.count > longestText ? .other : .text(String(decoding: text, as: UTF8.self)))
    return goOn ? 1 : 0
}

@c(lull_json_key)
func jsonKey(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int
) -> Int32 {
    unsafe parser(context).items.key(UnsafeBufferPointer(start: bytes, count: count)) ? 1 : 0
}

@c(lull_json_open_object)
func jsonOpenObject(_ context: UnsafeMutableRawPointer?) -> Int32 {
    unsafe parser(context).items.open(isArray: false) ? 1 : 0
}

@c(lull_json_open_array)
func jsonOpenArray(_ context: UnsafeMutableRawPointer?) -> Int32 {
    unsafe parser(context).items.open(isArray: true) ? 1 : 0
}

@c(lull_json_close)
func jsonClose(_ context: UnsafeMutableRawPointer?) -> Int32 {
    let parser = unsafe parser(context)
    return parser.items.close(at: parser.byte) ? 1 : 0
}
