internal import CLullZlib
internal import LullLibC

/// A layout whose entries contain their own key and a checksum.
///
/// A file has a magic number, the key's text, metadata and payload, and at the end a checksum of
/// all of it; its name is a hash of the key's text. A file that doesn't match is removed, and
/// counts as absent.
public struct CheckedLayout<Key: Hashable & Sendable>: DiskCacheLayout {
    /// The maximum size of an entry's metadata and payload together, in bytes.
    public let limit: Int
    private let text: @Sendable (Key) -> String

    /// Creates a layout for keys each of which has a text of its own.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of an entry's metadata and payload together, in bytes.
    ///   - text: Returns the text of a key.
    ///
    /// Traps if the limit isn't 0 to 2^30.
    public init(limit: Int = 64 << 20, text: @escaping @Sendable (Key) -> String) {
        precondition((0...1 << 30).contains(limit), "an entry has at most 2^30 bytes")
        self.limit = limit
        self.text = text
    }

    /// The cache's own directory.
    public var folders: [String] { [""] }

    /// Returns the hash of the key's text, with the suffix `.lull`.
    public func path(of key: Key) -> String { MD5.name(of: text(key), suffix: Self.suffix) }

    /// Returns whether a name can be that of an entry.
    public func isEntry(_ name: String) -> Bool { MD5.isName(name, suffix: Self.suffix) }

    private static var suffix: String { ".lull" }

    /// Returns the first bytes of an entry, up to the length of the metadata.
    fileprivate func start(of key: Key) -> [UInt8] {
        let text = Array(text(key).utf8)
        return Array("LDC1".utf8) + littleEndian(UInt32(text.count)) + text
    }

    /// Returns the content of a file; nil if it isn't the key's, or isn't complete.
    fileprivate func content(
        of file: DiskCacheEntry, for key: Key
    ) -> CheckedEntry? {
        let start = start(of: key)
        let count = file.byteCount - start.count - 8
        guard (0...limit).contains(count),
            let head = file.bytes(start.count + 4, at: 0), head.starts(with: start),
            case let length = head.suffix(4).littleEndian, length <= count,
            let metadata = file.bytes(length, at: head.count),
            let payload = file.bytes(count - length, at: head.count + length),
            let end = file.bytes(4, at: file.byteCount - 4),
            end[...].littleEndian == Int([head, metadata, payload].reduce(0, checksum))
        else { return nil }
        return CheckedEntry(metadata: metadata, payload: payload)
    }
}

extension CheckedLayout where Key == String {
    /// Creates a layout for keys that are texts.
    ///
    /// - Parameter limit: The maximum size of an entry's metadata and payload together, in bytes.
    public init(limit: Int = 64 << 20) {
        self.init(limit: limit) { $0 }
    }
}

/// The content of an entry of a ``CheckedLayout``.
public struct CheckedEntry: Equatable, Sendable {
    /// A few bytes about the payload.
    public let metadata: [UInt8]
    /// The bytes that were stored.
    public let payload: [UInt8]
}

extension DiskCache {
    /// Returns the content that is stored under a key; nil if there is none, or if it isn't
    /// complete.
    public func find<Key>(_ key: Key) -> CheckedEntry? where Layout == CheckedLayout<Key> {
        do throws(PictureError.Reason) {
            guard let file = try open(key) else { return nil }
            if let content = layout.content(of: file, for: key) {
                recordUse(of: file)
                return content
            }
        } catch {
            // A link or a pipe under the name is removed as well.
        }
        remove(key)
        return nil
    }

    /// Stores a payload in place of the key's entry; does nothing if that fails.
    public func store<Key>(
        _ payload: [UInt8], metadata: [UInt8] = [], for key: Key
    ) where Layout == CheckedLayout<Key> {
        store(pieces: [payload], metadata: metadata, for: key)
    }

    /// Stores a payload that is in several pieces; see ``store(_:metadata:for:)``.
    public func store<Key>(
        pieces: [[UInt8]], metadata: [UInt8] = [], for key: Key
    ) where Layout == CheckedLayout<Key> {
        guard pieces.reduce(metadata.count, { $0 + $1.count }) <= layout.limit else { return }
        let head = layout.start(of: key) + littleEndian(UInt32(metadata.count)) + metadata
        let content = [head] + pieces
        let sum = littleEndian(UInt32(content.reduce(0, checksum)))
        do throws(DiskCacheError) {
            var writer = try writer(for: key)
            for piece in content + [sum] { try writer.append(piece) }
            try writer.commit()
        } catch {
            // The cache has recorded the error.
        }
    }
}

/// Returns the bytes of a number in little-endian order.
private func littleEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

/// Returns the checksum of some bytes, continued from that of the bytes before them.
private func checksum(_ sum: UInt, _ bytes: [UInt8]) -> UInt {
    unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe crc32(sum, bytes.baseAddress, UInt32(bytes.count))
    }
}
