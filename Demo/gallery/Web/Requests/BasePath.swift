/// The path below which a server's paths are, for a server that shares its host with others.
public struct BasePath: Sendable, Equatable {
    /// The bytes of the path without a slash at its end; none for the whole host.
    let bytes: [UInt8]

    /// The whole host.
    public static let root = BasePath(bytes: [])

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses a path such as `/photos`; nil if it could be read in two ways.
    ///
    /// Its components are letters, digits, and the signs that need no escape in an address.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isSound = parts.dropFirst().allSatisfy { part in
            RequestField.isName(part) && !part.elementsEqual(".".utf8)
                && !part.elementsEqual("..".utf8) && !part.contains { "#%^`|".utf8.contains($0) }
        }
        guard isSound else { return nil }
        self.bytes = bytes
    }

    /// The relation of a target to the path.
    enum Place: Equatable {
        /// Below the path, with the target as it is there.
        case below([UInt8])
        /// The path itself, whose relative addresses would be those of its parent.
        case itself
        case elsewhere
    }

    func place(of target: [UInt8]) -> Place {
        guard target.starts(with: bytes) else { return .elsewhere }
        let rest = target.dropFirst(bytes.count)
        switch rest.first {
        case UInt8(ascii: "/"): return .below(Array(rest))
        case UInt8(ascii: "?"), nil: return bytes.isEmpty ? .below(target) : .itself
        default: return bytes.isEmpty ? .below(target) : .elsewhere
        }
    }

    /// The address of its contents, relative to itself.
    var relative: String {
        String(decoding: bytes.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self) + "/"
    }
}
