import LullLibC

/// The canonical path under which all programs of a desktop know a file: absolute, without empty,
/// `.` and `..` parts, with symbolic links left as they are.
enum CanonicalPath {
    /// Returns the path, made as GLib makes it; nil if there is none, or if it would be another
    /// file's.
    static func of(_ path: String) -> String? {
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
