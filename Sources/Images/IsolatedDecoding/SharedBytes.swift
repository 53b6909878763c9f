import CLullSandbox
import LullLibC
import IdleLoop
import ImageLoading

/// Bytes in a memory file (memfd) that is passed between processes.
///
/// A helper has one file for the pixels of all its pictures, because allocating a new file's pages
/// would take longer than most of its other work. The reader copies the bytes, and detects if there
/// are too few: if the other process changes the file meanwhile, it can only corrupt pixels.
enum SharedBytes {
    /// Creates an empty memory file.
    static func file() throws(LoopError) -> OpenedFile {
        let number = sandbox_memory_file()
        guard number >= 0 else { throw .system(call: "memfd_create", errno: errno) }
        return OpenedFile(owning: number)
    }

    /// Creates a memory file with these bytes, which is sealed against growing: memory that a
    /// helper writes to a file counts only toward its limit of file sizes.
    static func file(of bytes: [UInt8]) throws(LoopError) -> OpenedFile {
        let file = try file()
        try write(bytes.span, to: file)
        guard sandbox_seal(file.number) == 0 else { throw .system(call: "fcntl", errno: errno) }
        return file
    }

    /// Replaces the content of a file.
    static func write(_ bytes: Span<UInt8>, to file: OpenedFile) throws(LoopError) {
        // Truncated, so that no memory is kept beyond the bytes.
        guard ftruncate(file.number, bytes.count) == 0 else {
            throw .system(call: "ftruncate", errno: errno)
        }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBufferPointer { bytes in
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

    /// Returns the first bytes of a file; nil if it's shorter.
    static func read(_ file: OpenedFile, count: Int) -> PictureBuffer? {
        var bytes = PictureBuffer(capacity: count)
        bytes.append(addingCapacity: count) { output in
            unsafe output.withUnsafeMutableBufferPointer { room, filled in
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
        }
        return bytes.count == count ? bytes : nil
    }
}
