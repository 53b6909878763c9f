/// The name of a file beneath a folder: bytes, which needn't be text in any encoding.
///
/// Parts are parted by slashes; there is none at its beginning or end, and no part is empty, `.` or
/// `..`.
public struct FilePath: Hashable, Sendable {
    /// The bytes of the name; none is zero.
    public let bytes: [UInt8]

    /// The folder itself.
    public static let root = FilePath(unchecked: [])

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A name of these bytes; nil if it isn't one, or leads upwards.
    public init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !bytes.contains(0), parts.allSatisfy(Self.isPart) else { return nil }
        self.bytes = bytes
    }

    /// Returns the name of something in the folder of this name; nil if the part isn't one.
    public func appending(_ part: [UInt8]) -> FilePath? {
        guard !part.contains(0), !part.contains(UInt8(ascii: "/")), Self.isPart(part[...])
        else { return nil }
        return FilePath(unchecked: bytes.isEmpty ? part : bytes + [UInt8(ascii: "/")] + part)
    }

    /// The folder in which it is; nil for the folder itself.
    public var parent: FilePath? {
        guard !bytes.isEmpty else { return nil }
        let end = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
        return FilePath(unchecked: Array(bytes[..<end]))
    }

    /// The number of its parts.
    public var depth: Int {
        bytes.isEmpty ? 0 : 1 + bytes.count { $0 == UInt8(ascii: "/") }
    }

    /// The bytes of the last part.
    public var lastPart: ArraySlice<UInt8> {
        bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
    }

    /// The last part, as text for people: what isn't UTF-8 is repaired.
    public var name: String { String(decoding: lastPart, as: UTF8.self) }

    /// All of it, as text for people: what isn't UTF-8 is repaired.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    private static func isPart(_ part: ArraySlice<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        return !part.isEmpty && !part.elementsEqual([dot]) && !part.elementsEqual([dot, dot])
    }
}

extension FilePath: CustomStringConvertible {
    /// All of it, as text for people.
    public var description: String { text }
}
