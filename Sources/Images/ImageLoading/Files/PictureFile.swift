import LullLibC

/// The bytes of one file: an open regular file, or bytes in memory.
///
/// The file is closed when the last of its readers releases it.
///
/// A pipe or a device under the name of a photo is rejected, not read.
public final class PictureFile {
    /// The file, to be read elsewhere as well; nil for bytes in memory.
    package let opened: OpenedFile?
    /// The bytes in memory; those of a file are none.
    private let memory: ArrivingBytes
    private let path: String?
    /// The length of the file when it was opened, or when all bytes will have arrived.
    public let byteCount: Int
    /// The state of the file when it was opened; nil for bytes in memory.
    let state: FileStatus?
    /// The number of reads.
    private(set) var reads = 0
    /// A closure that is called before each read; an error that it throws replaces the read.
    var beforeRead: (() throws(PictureError.Reason) -> Void)?
    /// The error that `beforeRead` has thrown, for callers through C that can't propagate it.
    private(set) var refusal: PictureError.Reason?
    /// Whether a read reached the end of the bytes that have arrived.
    var cameShort = false
    /// The number of bytes that had arrived when a read found none to return.
    private var starvedAt: Int?

    init(_ bytes: ArrivingBytes, limits: PictureLimits) throws(PictureError.Reason) {
        byteCount = bytes.expected ?? bytes.bytes.count
        (memory, opened, path, state) = (bytes, nil, nil, nil)
        try check(limits)
    }

    init(
        _ file: OpenedFile, at path: String? = nil, limits: PictureLimits
    ) throws(PictureError.Reason) {
        guard let status = FileStatus(of: file) else { throw .cannotRead(errno: errno) }
        guard status.isRegularFile else { throw .notARegularFile }
        byteCount = status.bytes
        (memory, opened, self.path, state) = (ArrivingBytes(all: []), file, path, status)
        try check(limits)
    }

    private func check(_ limits: PictureLimits) throws(PictureError.Reason) {
        guard byteCount > 0 else { throw .empty }
        try limits.check(fileBytes: byteCount)
    }

    /// Whether all bytes have arrived.
    var isComplete: Bool { memory.isComplete }

    /// The length of the file as far as it's known: of bytes that end early, fewer than announced.
    var end: Int { opened == nil && isComplete ? memory.bytes.count : byteCount }

    /// Whether a read found no bytes, and none have arrived since.
    var isStarved: Bool { starvedAt == memory.bytes.count && !isComplete }

    /// Whether the file was written to since it was opened, or another file has its name now.
    ///
    /// A file that was deleted hasn't changed.
    var hasChanged: Bool {
        guard let state else { return false }
        let now = [opened.flatMap(FileStatus.init(of:)), path.flatMap { FileStatus(ofFile: $0) }]
        return now.contains { $0.map { !$0.hasContent(of: state) } ?? false }
    }

    /// Fills the buffer with the bytes from `offset` on, and returns their number.
    ///
    /// The number is smaller than the buffer only at the end of the file, which is never later than
    /// when the file was opened: its length is the same for all readers. Of a file that is still
    /// arriving there may be fewer bytes anywhere. If there are none at all, the error is
    /// `cannotRead(errno: EAGAIN)`, on which a job waits for more.
    public func read(
        at offset: Int, into room: inout MutableRawSpan
    ) throws(PictureError.Reason) -> Int {
        reads += 1
        do throws(PictureError.Reason) {
            try beforeRead?()
        } catch {
            refusal = error
            throw error
        }
        let count = min(room.byteCount, byteCount - offset)
        guard count > 0 else { return 0 }
        if let opened { return try opened.read(count, at: offset, into: &room) }
        let there = min(count, max(0, memory.bytes.count - offset))
        if there < count, !isComplete {
            cameShort = true
            guard there > 0 else {
                starvedAt = memory.bytes.count
                throw .cannotRead(errno: EAGAIN)
            }
        }
        guard there > 0 else { return 0 }
        unsafe room.withUnsafeMutableBytes { room in
            unsafe memory.bytes.withUnsafeBytes { bytes in
                unsafe room.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + there]))
            }
        }
        return there
    }

    /// Returns the bytes from an offset on; fewer at the end of the file.
    public func bytes(at offset: Int, count: Int) throws(PictureError.Reason) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        var room = unsafe span.mutableBytes
        let got = try read(at: offset, into: &room)
        bytes.removeLast(count - got)
        return bytes
    }

    /// Reads the whole file and discards it, so that the system has it in memory.
    func readThrough() throws(PictureError.Reason) {
        var piece = [UInt8](repeating: 0, count: min(byteCount, 1 << 18))
        var span = piece.mutableSpan
        var room = unsafe span.mutableBytes
        for offset in stride(from: 0, to: byteCount, by: room.byteCount) {
            _ = try read(at: offset, into: &room)
        }
    }

    /// Returns an error of reading the file, or `changedWhileRead` if the file has changed.
    ///
    /// For a file that has become shorter, an error `truncated` is kept.
    func checked(_ error: PictureError.Reason) -> PictureError.Reason {
        guard hasChanged else { return error }
        if case .truncated = error, let now = opened.flatMap(FileStatus.init(of:)),
            now.bytes < byteCount
        {
            return error
        }
        return .changedWhileRead
    }
}
