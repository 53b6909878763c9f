extension PictureHeader {
    /// Reads the header of a file whose bytes are in memory.
    ///
    /// - Parameters:
    ///   - bytes: All of the file.
    ///   - name: What errors call it.
    ///   - limits: What the file may be at most.
    /// - Returns: What the file says of its picture.
    /// - Throws: Why it cannot be decoded, as far as its header shows.
    public static func read(
        _ bytes: [UInt8], named name: String, limits: PictureLimits = PictureLimits()
    ) throws(PictureError) -> PictureHeader {
        try read(.bytes(bytes), named: name, limits: limits)
    }
}
