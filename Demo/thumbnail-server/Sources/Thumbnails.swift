import ImageLoading
import NIOPosix

/// A maker of thumbnails: what the three ways of doing it have in common.
protocol Thumbnails: Sendable {
    /// Returns a thumbnail, once it's made.
    func picture(_ request: PictureRequest) async throws -> Picture
}

/// Thumbnails that are decoded in the handler, which nothing else on the event loop gets past.
struct HandlerThumbnails: Thumbnails {
    func picture(_ request: PictureRequest) async throws -> Picture { try decode(request) }
}

/// Thumbnails that are decoded by NIO's thread pool.
struct ThreadPoolThumbnails: Thumbnails {
    func picture(_ request: PictureRequest) async throws -> Picture {
        try await NIOThreadPool.singleton.runIfActive { try decode(request) }
    }
}

/// Decodes a picture in one go.
private func decode(_ request: PictureRequest) throws -> Picture {
    let job = PictureJob(.file(request.name), fitting: request.targetSize)
    while true {
        if case .done(let picture) = try job.step() { return picture }
    }
}
