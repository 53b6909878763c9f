internal import GalleryFiles
internal import GalleryKit
internal import Glibc

/// A configuration file: a line `option = value` for each option, named as on the command line.
///
/// ```text
/// # The name behind which the proxy is.
/// host = photos.example
/// trusted-proxy = 127.0.0.1
/// ```
///
/// Empty lines, and lines that begin with `#` or `;`, are ignored. Everything else is an error.
struct ConfigurationFile {
    /// An option and its value.
    struct Setting: Equatable {
        let name: String
        let value: String
        let line: Int
    }

    let path: String
    let settings: [Setting]

    /// The maximum size of a file, in bytes.
    private static let limit = 64 << 10

    /// Reads a file.
    init(_ path: String) throws(ConfigurationError) {
        do {
            let bytes = try Self.bytes(of: path)
            guard bytes.count <= Self.limit else {
                throw ConfigurationError(path, nil, "longer than \(Self.limit) bytes")
            }
            try self.init(bytes, at: path)
        } catch let error as ConfigurationError {
            throw error
        } catch {
            throw ConfigurationError(path, nil, StartFailure.reason(of: error))
        }
    }

    /// Parses the bytes of a file.
    init(_ bytes: [UInt8], at path: String) throws(ConfigurationError) {
        self.path = path
        var settings: [Setting] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let fail = { (reason: String) in ConfigurationError(path, index + 1, reason) }
            guard let text = String(validating: line, as: UTF8.self),
                !text.unicodeScalars.contains(where: {
                    $0.value < 32 && !"\t\r".contains(Character($0))
                })
            else { throw fail("not text") }
            let words = Self.trimmed(text[...])
            if words.isEmpty || words.hasPrefix("#") || words.hasPrefix(";") { continue }
            guard let sign = words.firstIndex(of: "=") else { throw fail("not OPTION = VALUE") }
            let name = Self.trimmed(words[..<sign])
            let value = Self.trimmed(words[words.index(after: sign)...])
            guard !name.isEmpty, !name.hasPrefix("-"),
                name.allSatisfy({ $0.isASCII && $0.isLowercase || $0 == "-" })
            else { throw fail("'\(name)' is no option") }
            guard !value.isEmpty else { throw fail("'\(name)' has no value") }
            settings.append(Setting(name: name, value: value, line: index + 1))
        }
        self.settings = settings
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Returns the bytes of a file, and at least one more than the limit if there are more.
    private static func bytes(of path: String) throws(FileError) -> [UInt8] {
        // A pipe without a writer must not stop the loop when the file is read again.
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", errno: errno) }
        let file = FileDescriptor(owning: descriptor)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = unsafe read(file.number, &part, part.count)
            guard count >= 0 else { throw .system(call: "read", errno: errno) }
            if count == 0 { break }
            bytes += part[..<count]
        }
        return bytes
    }
}

/// An error in a configuration file, with its place.
struct ConfigurationError: Error, CustomStringConvertible {
    let path: String
    /// The number of the line; nil if the error isn't one line's.
    let line: Int?
    let reason: String

    init(_ path: String, _ line: Int?, _ reason: String) {
        self.path = path
        self.line = line
        self.reason = reason
    }

    /// The place and the reason: `/etc/gallery.conf:3: Unknown option '--hosts'`.
    var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(reason)" }
}
