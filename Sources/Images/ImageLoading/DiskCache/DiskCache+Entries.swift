internal import CLullZlib

/// The content of an entry of a ``DiskCache``.
public struct DiskCacheEntry: Equatable, Sendable {
    /// A few bytes about the payload.
    public let metadata: [UInt8]
    /// The bytes that were stored.
    public let payload: [UInt8]
}

// The file of an entry has a magic number, the key, metadata and payload, and at the end a checksum
// of all of it; its name is a hash of the key.
extension DiskCache {
    /// Returns the name of a key's file in the directory.
    public func name(of key: String) -> String { MD5.name(of: key, suffix: suffix) }

    /// Returns the content that is stored under a key; nil if there is none.
    ///
    /// A file that isn't complete, or isn't the key's, is removed.
    public func find(_ key: String) -> DiskCacheEntry? {
        do throws(PictureError.Reason) {
            guard let file = try open(name(of: key)) else { return nil }
            if let entry = try entry(in: file, for: key) {
                recordUse(of: file)
                return entry
            }
        } catch {
            // A link or a pipe under the name is removed as well.
        }
        remove(key)
        return nil
    }

    /// Stores a payload in place of the key's entry; does nothing if that fails.
    public func store(_ payload: [UInt8], metadata: [UInt8] = [], for key: String) {
        store(pieces: [payload], metadata: metadata, for: key)
    }

    /// Stores a payload that is in several pieces; see ``store(_:metadata:for:)``.
    public func store(pieces: [[UInt8]], metadata: [UInt8] = [], for key: String) {
        guard pieces.reduce(metadata.count, { $0 + $1.count }) <= limit else { return }
        let head = start(of: key) + littleEndian(metadata.count) + metadata
        let content = [head] + pieces
        let sum = content.reduce(0) { checksum($0, $1[...]) }
        do throws(DiskCacheError) {
            var writer = try writer(at: name(of: key))
            for piece in content + [littleEndian(Int(sum))] { try writer.append(piece) }
            try writer.commit()
        } catch {
            // The cache has recorded the error.
        }
    }

    /// Removes a key's entry, if it exists.
    public func remove(_ key: String) { remove(at: name(of: key)) }

    /// Returns the first bytes of an entry, up to the length of the metadata.
    private func start(of key: String) -> [UInt8] {
        Array("LDC1".utf8) + littleEndian(key.utf8.count) + key.utf8
    }

    /// Returns the content of a file; nil if it isn't the key's, or isn't complete.
    private func entry(
        in file: PictureFile, for key: String
    ) throws(PictureError.Reason) -> DiskCacheEntry? {
        let start = start(of: key)
        guard (0...limit).contains(file.byteCount - start.count - 8) else { return nil }
        let bytes = try file.bytes(at: 0, count: file.byteCount)
        guard bytes.starts(with: start), bytes.count == file.byteCount,
            case let content = bytes.dropLast(4).dropFirst(start.count + 4),
            case let length = bytes[start.count..<content.startIndex].littleEndian,
            length <= content.count,
            bytes.suffix(4).littleEndian == Int(checksum(0, bytes.dropLast(4)))
        else { return nil }
        return DiskCacheEntry(
            metadata: Array(content.prefix(length)), payload: Array(content.dropFirst(length)))
    }
}

/// Returns the four bytes of a number in little-endian order.
private func littleEndian(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

/// Returns the checksum of some bytes, continued from that of the bytes before them.
private func checksum(_ sum: UInt, _ bytes: ArraySlice<UInt8>) -> UInt {
    unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe crc32(sum, bytes.baseAddress, UInt32(bytes.count))
    }
}
