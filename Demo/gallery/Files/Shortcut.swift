internal import Glibc

// Internet shortcuts, files `NAME.url` with a line `URL=https://…`, as browsers and desktops write
// them: here each stands for a picture on a server.
extension FilePath {
    /// Whether it's the name of an Internet shortcut, by its end.
    public var isShortcut: Bool {
        String(decoding: lastPart.suffix(4), as: UTF8.self).lowercased() == ".url"
    }
}

extension OpenFile {
    /// Returns the address that is in an Internet shortcut; nil if none is.
    public borrowing func shortcutAddress() -> String? {
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("URL=") }
        return line.map { String($0.dropFirst(4)) }
    }
}
