import LullLibC

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
        guard let path = Self.canonical(file) else { return nil }
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

    /// Returns the path under which all programs of a desktop know a file: absolute, without empty, `.`
    /// and `..` parts, with symbolic links left as they are, as GLib makes it; nil if there is none, or
    /// if it would be another file's.
    private static func canonical(_ path: String) -> String? {
        guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
        guard let whole = path.utf8.first == slash ? path : currentFolder().map({ "\($0)/\(path)" })
        else { return nil }
        var parts: [Substring] = []
        var goesUp = false
        for part in whole.utf8.split(separator: slash).map(Substring.init) where part != "." {
            if part == ".." {
                goesUp = true
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        // POSIX allows exactly two slashes at the start to have a special meaning.
        let slashes = whole.utf8.prefix { $0 == slash }.count
        let canonical = (slashes == 2 ? "//" : "/") + parts.joined(separator: "/")
        // Behind a symbolic link, `..` may lead to a different directory than the path suggests.
        guard goesUp else { return canonical }
        guard let file = FileStatus(ofFile: whole), let other = FileStatus(ofFile: canonical) else {
            return nil
        }
        return file.hasContent(of: other) ? canonical : nil
    }

    private static let slash = UInt8(ascii: "/")

    private static func currentFolder() -> String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(validatingCString: path)
    }
}
