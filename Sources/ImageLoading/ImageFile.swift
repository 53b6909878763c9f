import Glibc

/// The bytes of one file: an open regular file, or what was fetched of one.
///
/// It is closed when the last of those who read it lets go of it.
///
/// A pipe or a device under the name of a photo is refused, not read.
package final class ImageFile {
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

    convenience init(_ input: ImageInput, limits: ImageLimits) throws(ImageError.Reason) {
        switch input {
        case .path(let path): try self.init(path: path, limits: limits)
        case .descriptor(let number):
            try self.init(FileDescriptor(borrowing: number), at: nil, limits: limits)
        case .bytes(let bytes): try self.init(bytes, limits: limits)
        }
    }

    package convenience init(path: String, limits: ImageLimits) throws(ImageError.Reason) {
        try self.init(FileDescriptor(opening: path), at: path, limits: limits)
    }

    private init(
        _ descriptor: consuming FileDescriptor, at path: String?, limits: ImageLimits
    ) throws(ImageError.Reason) {
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

    private init(_ bytes: [UInt8], limits: ImageLimits) throws(ImageError.Reason) {
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
    /// Fewer than there is room for only at the end of the file.
    package func read(
        at offset: Int, into room: inout MutableRawSpan
    ) throws(ImageError.Reason) -> Int {
        switch storage {
        case .open(let descriptor): try Self.read(descriptor, at: offset, into: &room)
        case .bytes(let bytes): Self.copy(bytes, from: offset, into: &room)
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

    private static func copy(
        _ bytes: [UInt8], from offset: Int, into room: inout MutableRawSpan
    ) -> Int {
        let count = max(0, min(room.byteCount, bytes.count - offset))
        guard count > 0 else { return 0 }
        unsafe room.withUnsafeMutableBytes { room in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe room.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            }
        }
        return count
    }

    private static func read(
        _ descriptor: borrowing FileDescriptor, at offset: Int, into room: inout MutableRawSpan
    ) throws(ImageError.Reason) -> Int {
        let number = descriptor.number
        var count = 0
        while count < room.byteCount {
            let got = unsafe room.withUnsafeMutableBytes { room in
                unsafe pread(
                    number, room.baseAddress! + count, room.count - count,
                    offset + count)
            }
            if got == 0 { break }
            if got > 0 {
                count += got
            } else if errno != EINTR {
                throw .cannotRead(errno: errno)
            }
        }
        return count
    }
}
