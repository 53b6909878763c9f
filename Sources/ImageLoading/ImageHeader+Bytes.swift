extension ImageHeader {
    /// Reads the header of a file whose bytes are in memory.
    ///
    /// - Parameters:
    ///   - bytes: All of the file.
    ///   - name: What errors call it.
    ///   - limits: What the file may be at most.
    /// - Returns: What the file says of its picture.
    /// - Throws: Why it cannot be decoded, as far as its header shows.
    public static func read(
        _ bytes: [UInt8], named name: String, limits: ImageLimits = ImageLimits()
    ) throws(ImageError) -> ImageHeader {
        do throws(ImageError.Reason) {
            return try ImageHeader(of: ImageFile(.bytes(bytes), limits: limits), limits: limits)
        } catch {
            throw ImageError(file: name, reason: error)
        }
    }
}
