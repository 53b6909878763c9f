/// Where a decoder gets the bytes of a picture from.
enum PictureInput {
    /// A file, by its name.
    case path(String)
    /// A file that somebody opened, and closes.
    case descriptor(Int32)
    /// What was fetched.
    case bytes([UInt8])
    /// What is being fetched.
    case arriving(ArrivingBytes)
}
