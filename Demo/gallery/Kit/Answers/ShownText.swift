internal import GalleryCatalogue
internal import GalleryFiles

/// Names as people are shown them: cut where they're too long to be sent by the hundreds.
///
/// A name has up to 255 bytes, and a path 8,000, any of which may take six to write: as `\u0001` in
/// JSON, as `&quot;` in HTML. So it's the written bytes that are bounded.
enum ShownText {
    /// The most bytes of a name, however it's escaped: any name of letters is whole.
    static let mostBytes = 512

    /// A name of these bytes, which needn't be text; O(``mostBytes``).
    static func of(_ bytes: some Collection<UInt8>) -> String {
        // No byte is shown in less than one.
        of(String(decoding: bytes.prefix(mostBytes + 1), as: UTF8.self))
    }

    /// A name; O(``mostBytes``).
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

    /// Returns the most bytes that a scalar is written in.
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
    /// The path's last part, as people are shown it: of a shortcut without its end.
    var shownName: String { ShownText.of(isShortcut ? lastPart.dropLast(4) : lastPart) }
}

extension Gallery {
    /// Returns the name of a section, as people are shown it: its folder's path, or the title.
    func name(ofSection number: Int) -> String {
        let folder = catalogue.sections[number].folder
        return folder == .root ? title : ShownText.of(folder.bytes)
    }
}
