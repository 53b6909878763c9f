internal import GalleryCatalogue
internal import GalleryFiles

/// Names as they are displayed, truncated if they are too long to be sent by the hundreds.
///
/// A name has up to 255 bytes, and a path 8,000, each of which may take six when escaped: as
/// `\u0001` in JSON, as `&quot;` in HTML. Therefore the limit is on escaped bytes.
enum ShownText {
    /// The maximum number of escaped bytes of a name, which leaves any name of letters whole.
    static let mostBytes = 512

    /// Returns a name of these bytes, which needn't be text; O(``mostBytes``).
    static func of(_ bytes: some Collection<UInt8>) -> String {
        // Each byte takes at least one when displayed.
        of(String(decoding: bytes.prefix(mostBytes + 1), as: UTF8.self))
    }

    /// Returns a name; O(``mostBytes``).
    static func of(_ name: String) -> String {
        let room = mostBytes - "…".utf8.count
        var (count, end) = (0, name.startIndex)
        for index in name.unicodeScalars.indices {
            let scalar = name.unicodeScalars[index]
            count += bytes(of: scalar)
            if count > mostBytes { return name[..<end] + "…" }
            if count <= room { end = name.unicodeScalars.index(after: index) }
        }
        return name
    }

    /// Returns the maximum number of bytes of an escaped scalar.
    private static func bytes(of scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "\"", "'", "<", ">", "&", "\\", "\0"..."\u{1F}", "\u{7F}"..."\u{9F}",
            "\u{2028}", "\u{2029}":
            6
        default: UTF8.width(scalar)
        }
    }
}

extension FilePath {
    /// The path's last component as it is displayed.
    var shownName: String { ShownText.of(lastPart) }
}

extension Catalogue {
    /// Returns the name of a folder's section as it is displayed: its path, or the gallery's title.
    func shownName(ofSection number: Int, title: String) -> String {
        let folder = sections[number].folder
        return folder == .root ? title : ShownText.of(folder.bytes)
    }
}
