internal import CLull
public import CLullPictures
internal import IdleLoop
internal import ImageLoading
internal import LullCalls
internal import LullLibC

/// Fills a request with the defaults; see lull-pictures.h.
@c @implementation
public func lull_picture_request_init(
    _ request: UnsafeMutablePointer<lull_picture_request>!, _ size: Int
) {
    var defaults = unsafe lull_picture_request()
    unsafe defaults.size = size
    unsafe defaults.descriptor = -1
    unsafe defaults.priority = LULL_PRIORITY_NORMAL
    unsafe fill(request, size, with: &defaults)
}

/// A request of C's that makes sense: where the bytes are, and the size.
struct CheckedRequest {
    /// The path of the file, for errors; empty if the bytes are elsewhere.
    let name: String
    let origin: PictureOrigin
    let targetSize: PixelSize
    /// Whether the picture is in a file with a path of characters, whose thumbnail may be on disk.
    let isFile: Bool

    /// Checks a request, copies the bytes and duplicates the descriptor.
    init(
        _ request: lull_picture_request, limits: PictureLimits
    ) throws(StatusError) {
        let (path, bytes, descriptor) = unsafe (request.path, request.bytes, request.descriptor)
        let given = unsafe [path != nil, bytes != nil, descriptor != -1].count { $0 }
        try require(
            given == 1, "request", "has \(given) of path, bytes and descriptor, not one")
        let sides = unsafe (request.width, request.height)
        try require(1...0xFFFF ~= sides.0, "request->width", "isn't 1 to 65,535")
        try require(1...0xFFFF ~= sides.1, "request->height", "isn't 1 to 65,535")
        try unsafe require(
            request.byte_count >= 0, "request->byte_count", "is more than there can be")
        try unsafe require(
            0...5 ~= request.priority.rawValue, "request->priority", "is none of lull_priority")
        targetSize = PixelSize(width: Int(sides.0), height: Int(sides.1))
        if let path = unsafe path {
            name = unsafe String(cString: path)
            isFile = unsafe String(validatingCString: path) != nil
            origin = unsafe isFile ? .file(name) : .opened(Self.opening(path))
            return
        }
        (name, isFile) = ("", false)
        guard let bytes = unsafe bytes else {
            let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard number >= 0 else { throw StatusError(.system(call: "fcntl", errno: errno)) }
            let file = OpenedFile(owning: number)
            origin = .opened { file }
            return
        }
        let count = unsafe Int(request.byte_count)
        guard count <= limits.fileBytes else {
            let limit = limits.fileBytes
            origin = .opened { () throws(PictureError.Reason) in
                throw .tooLarge(.bytes, found: count, limit: limit)
            }
            return
        }
        origin = unsafe .bytes(
            Array(UnsafeRawBufferPointer(start: bytes, count: count)))
    }

    /// Returns what opens a file whose path is no text.
    private static func opening(
        _ path: UnsafePointer<CChar>
    ) -> @Sendable () throws(PictureError.Reason) -> OpenedFile {
        let path = unsafe Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1))
        return { () throws(PictureError.Reason) in
            let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            guard number >= 0 else { throw .cannotOpen(errno: errno) }
            return OpenedFile(owning: number)
        }
    }
}
