/// The kinds of files, by the extensions of their names in lower case.
public enum PictureType {
    /// The media types of the pictures that are shown.
    public static let shown = table(
        ("image/jpeg", "jpg jpeg jpe jif jfif jfi pjp pjpeg"), ("image/png", "png apng"),
        ("image/webp", "webp"), ("image/gif", "gif"), ("image/heic", "heic heif hif"),
        ("image/avif", "avif"))

    private static func table(_ types: (String, String)...) -> [[UInt8]: String] {
        var table: [[UInt8]: String] = [:]
        for (type, words) in types {
            for word in words.utf8.split(separator: UInt8(ascii: " ")) {
                table[Array(word)] = type
            }
        }
        return table
    }
}

extension PictureType {
    /// Returns the extension of a name in lower case; empty if there is none.
    public static func ending(of name: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let tail = name.suffix(16)
        guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else { return [] }
        return tail[tail.index(after: dot)...].map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
    }
}
