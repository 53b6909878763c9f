import Glibc
import TestSupport

/// A file that is there as long as this object.
final class TemporaryFile {
    /// A directory of its own, so that the file may have any name.
    let directory: String
    let path: String

    init(_ bytes: [UInt8], name: String = "picture") {
        directory = makeTemporaryFolder("image-loading")
        path = "\(directory)/\(name)"
        write(bytes)
    }

    deinit {
        unsafe unlink(path)
        unsafe rmdir(directory)
    }

    /// Replaces what is in the file.
    func write(_ bytes: [UInt8]) {
        let file = unsafe fopen(path, "w")!
        _ = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        unsafe fclose(file)
    }

    /// How many of the process's descriptors are open on this file.
    var openDescriptors: Int { TestSupport.openDescriptors(of: path) }
}
