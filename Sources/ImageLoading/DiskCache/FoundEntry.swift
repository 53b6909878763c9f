import Glibc

/// An entry that is there, open.
struct FoundEntry: ~Copyable {
    private static let day = 86_400

    private let descriptor: FileDescriptor
    private let status: stat
    let attributes: ThumbnailAttributes

    /// Opens an entry and reads its head; nil if there is none, or it is something else.
    init?(_ path: String) {
        guard let descriptor = try? FileDescriptor(opening: path) else { return nil }
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let attributes = ThumbnailAttributes(of: descriptor)
        else { return nil }
        self.descriptor = descriptor
        self.status = status
        self.attributes = attributes
    }

    /// Notes that the entry was used, once a day.
    ///
    /// The system itself may not: many disks are mounted so that reading leaves no trace.
    func noteUse(now: Duration) {
        let lastUse = max(status.st_atim.tv_sec, status.st_mtim.tv_sec)
        let (seconds, attoseconds) = now.components
        guard lastUse <= Int(seconds) - Self.day else { return }
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        _ = unsafe futimens(descriptor.number, [time, status.st_mtim])
    }
}
