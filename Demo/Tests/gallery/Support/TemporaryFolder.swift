internal import Foundation
internal import TestSupport

/// A folder that is there as long as this object, and its files.
public final class TemporaryFolder {
    /// The folder's path.
    public let path = makeTemporaryFolder("gallery")

    /// Creates an empty folder.
    public init() {}

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Creates a folder in it.
    public func makeFolder(_ name: String) { unsafe mkdir(file(name), 0o700) }

    /// Writes a file, in place of one of that name.
    public func write(_ bytes: [UInt8], to name: String) { Self.write(bytes, to: file(name)) }

    /// Removes a file or an empty folder.
    public func delete(_ name: String) { unsafe remove(file(name)) }

    /// Writes a file at a path; it keeps its inode number if it is there.
    public static func write(_ bytes: [UInt8], to path: String) {
        let file = unsafe fopen(path, "w")!
        _ = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        unsafe fclose(file)
    }
}
