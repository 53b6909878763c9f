internal import Foundation
internal import GalleryFiles

/// The name of a file for a browser that saves it.
enum FileName {
    private static let unreserved = CharacterSet(
        charactersIn: "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// Returns the media type of a name, by its extension.
    static func type(of name: String) -> String {
        PictureType.shown[PictureType.ending(of: name.utf8)] ?? "application/octet-stream"
    }

    /// Returns the value of the header `Content-Disposition` (RFC 6266): the name in UTF-8 (RFC
    /// 8187), and in ASCII for those who don't know that.
    static func disposition(of name: String) -> String {
        let isPlain = { (byte: UInt8) in
            UInt8(ascii: " ")...UInt8(ascii: "~") ~= byte && !"\"\\%/".utf8.contains(byte)
        }
        let ascii = name.unicodeScalars.map { $0.isASCII && isPlain(UInt8($0.value)) ? $0 : "_" }
        let encoded = name.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        var plain = ""
        plain.unicodeScalars += ascii
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
