import CSandbox
import Glibc
import IdleLoop
import ImageLoading

/// Bytes in a file in memory that goes from one process to the other.
///
/// It is sealed before it is sent: whoever takes it knows that its length will not change, and that
/// nobody can write to it any more.
enum SharedBytes {
    /// Returns a sealed file of these bytes.
    static func file(of bytes: [UInt8]) throws(LoopError) -> OpenedFile {
        let number = sandbox_memory_file()
        guard number >= 0 else { throw .system(call: "memfd_create", errno: errno) }
        let file = OpenedFile(owning: number)
        try write(bytes, to: number)
        guard sandbox_seal(number) == 0 else {
            throw .system(call: "fcntl(F_ADD_SEALS)", errno: errno)
        }
        return file
    }

    /// Returns the bytes of a file that somebody sent; nil if it isn't sealed or not `count` bytes long.
    static func read(_ file: OpenedFile, count: Int) -> [UInt8]? {
        guard sandbox_is_sealed(file.number) else { return nil }
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, status.st_size == count else { return nil }
        let number = file.number
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count {
                let got = unsafe pread(number, room.baseAddress! + filled, count - filled, filled)
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    break
                }
            }
        }
        return bytes.count == count ? bytes : nil
    }

    private static func write(_ bytes: [UInt8], to number: Int32) throws(LoopError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(number, bytes.baseAddress! + done, bytes.count - done)
            }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw .system(call: "write", errno: errno)
            }
        }
    }
}
