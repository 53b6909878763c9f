import CLullPictureCodecs

/// The MD5 digest (RFC 1321), from which thumbnails are named.
///
/// It isn't used for security.
enum MD5 {
    /// Returns the digest as in the name of a thumbnail: 32 lowercase hexadecimal digits.
    static func hexadecimal(of message: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 16)
        unsafe picture_md5(message, message.count, &digest)
        return digest.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the name of a file that is derived from a text.
    static func name(of text: String, suffix: String) -> String {
        hexadecimal(of: Array(text.utf8)) + suffix
    }

    /// Returns whether a name can be derived from a text.
    static func isName(_ name: String, suffix: String) -> Bool {
        let digits = name.utf8.dropLast(suffix.utf8.count)
        return digits.count == 32 && name.hasSuffix(suffix)
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
