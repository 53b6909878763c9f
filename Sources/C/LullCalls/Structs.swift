internal import CLull
internal import LullLibC

/// Refuses a struct that is smaller than the known version, or in which an unknown member is set.
package func check<Struct>(
    _ pointer: UnsafePointer<Struct>, size: Int, _ argument: String
) throws(StatusError) {
    let known = MemoryLayout<Struct>.size
    try require(size >= known, "\(argument)->size", "is less than \(known)")
    guard size > known else { return }
    guard unsafe lull_is_known(pointer, size, known) else {
        throw StatusError(
            LULL_UNSUPPORTED, "\(argument) has a member set that only later versions know")
    }
}

/// Fills a struct whose size may differ from the known one: as many members as it has, and zeros
/// beyond.
package func fill<Struct: BitwiseCopyable>(
    _ pointer: UnsafeMutablePointer<Struct>?, _ size: Int, with value: inout Struct
) {
    guard let pointer = unsafe pointer, size > 0 else { return }
    let known = min(size, MemoryLayout<Struct>.size)
    unsafe memset(pointer, 0, size)
    unsafe memcpy(pointer, &value, known)
}
