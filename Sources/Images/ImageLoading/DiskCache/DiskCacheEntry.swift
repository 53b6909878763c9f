import LullLibC

/// An entry of a disk cache that is open for reading.
struct DiskCacheEntry {
    private let file: OpenedFile
    private let status: FileStatus

    /// The length of the file when it was opened.
    var byteCount: Int { status.bytes }

    /// Opens an entry; nil if there is none.
    ///
    /// - Throws: `notARegularFile` for anything that isn't an entry: a link, a pipe, a device, a
    ///   directory.
    init?(_ path: String) throws(PictureError.Reason) {
        do throws(PictureError.Reason) {
            file = try OpenedFile(path, O_NOFOLLOW)
        } catch {
            switch error {
            case .notARegularFile, .cannotOpen(errno: ELOOP): throw .notARegularFile
            default: return nil
            }
        }
        guard let status = FileStatus(of: file), status.isRegularFile else {
            throw .notARegularFile
        }
        self.status = status
    }

    /// Returns bytes of the file; nil if it's too short, or can't be read.
    func bytes(_ count: Int, at offset: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        var room = unsafe span.mutableBytes
        let got = try? file.read(count, at: offset, into: &room)
        return got == count ? bytes : nil
    }

    /// Records that the entry was used, once a day.
    ///
    /// The system itself may not: many disks are mounted without recording access times.
    func recordUse(now: Duration) {
        guard status.lastUse <= now - .seconds(86_400) else { return }
        let times = [now, status.lastChange].map { time in
            let (seconds, attoseconds) = time.components
            return timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        }
        _ = unsafe futimens(file.number, times)
    }
}
