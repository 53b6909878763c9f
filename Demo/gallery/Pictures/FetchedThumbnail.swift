internal import GalleryFiles
internal import ImageLoading

/// A picture's file as a worker has read it.
struct ReadPicture: Sendable {
    let bytes: [UInt8]
    let header: PictureHeader
}

/// The result of a worker.
enum FetchedThumbnail: Sendable {
    /// It was made before.
    case found(Thumbnail)
    /// The worker has made it, as that can't be done in short slices; it took so long to decode.
    case made(Thumbnail, PictureHeader, decoding: Duration)
    /// It's to be made on the loop.
    case read(ReadPicture)
    /// There is none.
    case failed(ThumbnailFailure)

    var bytes: Int {
        switch self {
        case .found(let thumbnail), .made(let thumbnail, _, _): thumbnail.bytes.count
        case .read(let picture): picture.bytes.count
        case .failed: 0
        }
    }
}
