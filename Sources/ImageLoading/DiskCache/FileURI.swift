/// The address of a file, after which its thumbnail is named.
///
/// Which characters are escaped decides the name of the thumbnail, so this escapes what GLib does,
/// whose rule is what the programs of a desktop share.
struct FileURI: Hashable {
    /// `file:///home/jens/photos/me.png`, in ASCII.
    let text: String

    /// The address of an absolute path, byte by byte: names need not be UTF-8.
    init(path: some Sequence<UInt8>) {
        var bytes = Array("file://".utf8)
        for byte in path {
            if Self.isPlain[Int(byte)] {
                bytes.append(byte)
            } else {
                bytes += [
                    UInt8(ascii: "%"), Self.digits[Int(byte) >> 4], Self.digits[Int(byte) & 15],
                ]
            }
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The address of a file under the name that all programs know it by; nil if it has none.
    init?(file: String) {
        guard let path = CanonicalPath.of(file) else { return nil }
        self.init(path: path.utf8)
    }

    /// The name of the thumbnail in its folder.
    var thumbnailName: String { MD5.name(of: text, suffix: ".png") }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static let isPlain: [Bool] = {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        let plain = Array((letters + "!$&'()*+,:=@~_-./").utf8)
        return (0...255).map(plain.contains)
    }()
}
