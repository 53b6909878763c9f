import Foundation

/// A folder that is there as long as this object.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/isolated-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    /// The program that behaves as this name of it says.
    func fake(_ name: String) throws -> String {
        let link = "\(path)/\(name)"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: Bench.products.appending(path: "fake-helper").path)
        return link
    }
}
