internal import Glibc

// Internet shortcuts, files `NAME.url` with a line `URL=https://…`, as browsers and desktops write
// them: each is a picture on a server.
extension FilePath {
    /// Whether it is the path of an Internet shortcut, by its extension.
    public var isShortcut: Bool {
        String(decoding: lastPart.suffix(4), as: UTF8.self).lowercased() == ".url"
    }
}

extension OpenFile {
    /// Returns the address in an Internet shortcut; nil if there is none.
    public borrowing func shortcutAddress() -> String? {
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("URL=") }
        return line.map { String($0.dropFirst(4)) }
    }
}
