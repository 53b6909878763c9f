/// A file's path relative to a folder: bytes, which needn't be text in any encoding.
///
/// Components are separated by slashes; there is none at the beginning or end, and no component is
/// empty, `.` or `..`.
public struct FilePath: Hashable, Sendable {
    /// The bytes of the path; none is zero.
    public let bytes: [UInt8]

    /// The path of the folder itself.
    public static let root = FilePath(unchecked: [])

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a path from bytes; nil if they aren't one, or lead upwards.
    public init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !bytes.contains(0), parts.allSatisfy(Self.isPart) else { return nil }
        self.bytes = bytes
    }

    /// Returns this path with a component appended; nil if the component isn't valid.
    public func appending(_ part: [UInt8]) -> FilePath? {
        guard !part.contains(0), !part.contains(UInt8(ascii: "/")), Self.isPart(part[...])
        else { return nil }
        return FilePath(unchecked: bytes.isEmpty ? part : bytes + [UInt8(ascii: "/")] + part)
    }

    /// The path of the parent folder; nil for the folder itself.
    public var parent: FilePath? {
        guard !bytes.isEmpty else { return nil }
        let end = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
        return FilePath(unchecked: Array(bytes[..<end]))
    }

    /// The number of components.
    public var depth: Int {
        bytes.isEmpty ? 0 : 1 + bytes.count { $0 == UInt8(ascii: "/") }
    }

    /// The bytes of the last component.
    public var lastPart: ArraySlice<UInt8> {
        bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
    }

    /// The last component as text, with invalid UTF-8 repaired.
    public var name: String { String(decoding: lastPart, as: UTF8.self) }

    /// The path as text, with invalid UTF-8 repaired.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    private static func isPart(_ part: ArraySlice<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        return !part.isEmpty && !part.elementsEqual([dot]) && !part.elementsEqual([dot, dot])
    }
}

extension FilePath: CustomStringConvertible {
    /// The path as text.
    public var description: String { text }
}
