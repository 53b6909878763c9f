import Glibc

/// The bytes of one file: an open regular file, or what was fetched of one.
///
/// It is closed when the last of those who read it lets go of it.
///
/// A pipe or a device under the name of a photo is refused, not read.
package final class PictureFile {
    private enum Storage: ~Copyable {
        case open(FileDescriptor)
        case bytes([UInt8])
    }

    private let storage: Storage
    private let path: String?
    /// The length that the file had when it was opened.
    package let byteCount: Int
    /// The state that the file was in when it was opened; nil for bytes.
    let state: FileState?
    /// How often it was read.
    private(set) var reads = 0
    /// Called before each read; what it throws is thrown in place of the read.
    var beforeRead: (() throws(PictureError.Reason) -> Void)?
    /// What it has thrown, for those who are called through C and can't pass it on.
    private(set) var refusal: PictureError.Reason?

    convenience init(_ input: PictureInput, limits: PictureLimits) throws(PictureError.Reason) {
        switch input {
        case .path(let path): try self.init(path: path, limits: limits)
        case .descriptor(let number):
            try self.init(FileDescriptor(borrowing: number), at: nil, limits: limits)
        case .bytes(let bytes): try self.init(bytes, limits: limits)
        }
    }

    package convenience init(path: String, limits: PictureLimits) throws(PictureError.Reason) {
        try self.init(FileDescriptor(opening: path), at: path, limits: limits)
    }

    private init(
        _ descriptor: consuming FileDescriptor, at path: String?, limits: PictureLimits
    ) throws(PictureError.Reason) {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else {
            throw .cannotRead(errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
        guard status.st_size > 0 else { throw .empty }
        try limits.check(fileBytes: status.st_size)
        self.path = path
        byteCount = status.st_size
        state = FileState(status)
        storage = .open(descriptor)
    }

    private init(_ bytes: [UInt8], limits: PictureLimits) throws(PictureError.Reason) {
        guard !bytes.isEmpty else { throw .empty }
        try limits.check(fileBytes: bytes.count)
        path = nil
        byteCount = bytes.count
        state = nil
        storage = .bytes(bytes)
    }

    /// What has happened to the file since it was opened; nil if nothing has.
    ///
    /// A file that was deleted has not changed.
    var change: FileChange? {
        switch storage {
        case .open(let descriptor): change(of: descriptor)
        case .bytes: nil
        }
    }

    /// Fills the room with the bytes from `offset` on, and says how many there were.
    ///
    /// Fewer than there is room for only at the end of the file, which is never later than where it
    /// was when the file was opened: what is said of its length then holds for all who read it.
    package func read(
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
        switch storage {
        case .open(let descriptor): return try descriptor.read(count, at: offset, into: &room)
        case .bytes(let bytes):
            unsafe room.withUnsafeMutableBytes { room in
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe room.copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
                }
            }
            return count
        }
    }

    /// What an error about the file comes to, now that the file may have changed.
    ///
    /// One that has become shorter is `truncated` where that is how it shows.
    func told(_ error: PictureError.Reason) -> PictureError.Reason {
        switch (error, change) {
        case (_, nil), (.truncated, .shortened): error
        default: .changedWhileRead
        }
    }

    private func change(of descriptor: borrowing FileDescriptor) -> FileChange? {
        var status = stat()
        if unsafe fstat(descriptor.number, &status) == 0, FileState(status) != state {
            return status.st_size < byteCount ? .shortened : .rewritten
        }
        guard let path, let now = FileState(ofFile: path), now != state else { return nil }
        return .replaced
    }
}
