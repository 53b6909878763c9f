/// The URI of a file, from which the name of its thumbnail is derived.
///
/// The set of escaped characters affects that name, so this escapes what GLib does, whose rule all
/// programs of a desktop share.
struct FileURI: Hashable {
    /// `file:///home/jens/photos/me.png`, in ASCII.
    let text: String

    /// Creates the URI of an absolute path, byte by byte: names need not be UTF-8.
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

    /// Creates the URI of a file under its canonical path; nil if it has none.
    init?(file: String) {
        guard let path = CanonicalPath.of(file) else { return nil }
        self.init(path: path.utf8)
    }

    /// The name of the thumbnail in its directory.
    var thumbnailName: String { MD5.name(of: text, suffix: ".png") }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static let isPlain: [Bool] = {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        let plain = Array((letters + "!$&'()*+,:=@~_-./").utf8)
        return (0...255).map(plain.contains)
    }()
}
