import CSandbox
import Glibc
import IdleLoop
import ImageLoading

/// Bytes in a file in memory that goes from one process to the other.
///
/// A helper has one for the pixels of all its pictures, since a new one's pages would take it longer
/// than most of its other work. Whoever takes the bytes copies them, and is told if there are too few:
/// what the other process does to the file meanwhile can only spoil pixels.
enum SharedBytes {
    /// Returns an empty file.
    static func file() throws(LoopError) -> OpenedFile {
        let number = sandbox_memory_file()
        guard number >= 0 else { throw .system(call: "memfd_create", errno: errno) }
        return OpenedFile(owning: number)
    }

    /// Returns a file of these bytes, which nobody can make longer: memory that a helper writes into a
    /// file counts for none of its limits but that of a file's length.
    static func file(of bytes: [UInt8]) throws(LoopError) -> OpenedFile {
        let file = try file()
        try write(bytes, to: file)
        guard sandbox_seal(file.number) == 0 else { throw .system(call: "fcntl", errno: errno) }
        return file
    }

    /// Makes these bytes what is in a file.
    static func write(_ bytes: [UInt8], to file: OpenedFile) throws(LoopError) {
        // Beyond them no memory is kept.
        guard ftruncate(file.number, bytes.count) == 0 else {
            throw .system(call: "ftruncate", errno: errno)
        }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe pwrite(
                    file.number, bytes.baseAddress! + done, bytes.count - done, done)
            }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw .system(call: "pwrite", errno: errno)
            }
        }
    }

    /// Returns the first bytes of a file; nil if there are fewer.
    static func read(_ file: OpenedFile, count: Int) -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count {
                let got = unsafe pread(
                    file.number, room.baseAddress! + filled, count - filled, filled)
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    break
                }
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
