/// The process in which pictures are decoded, and the threads.
public enum PictureDecoding {
    /// The process of the loader: its lanes and its loop, and workers for what can't be cut into short
    /// slices or would take too many of them while the loop is busy.
    case inProcess
    /// The process of the loader, and there only its workers, for comparison.
    case workers
    /// A separate process that can do nothing else, for untrusted files.
    case helper(any PictureHelper)
}

/// A place where pictures are decoded.
enum PicturePlace {
    case loop, worker, helper
}

/// The choice of a place for a picture, as it is when a task is created.
struct PicturePlaces: Sendable {
    /// The place of every picture; nil if it depends on the picture.
    let only: PicturePlace?
    let hasWorkers: Bool
    /// Whether the loop has no time for many slices of one picture.
    let isBusy: Bool
    let costs: DecodingCosts

    /// The time that a slice of a loop's queue takes by default, in which any picture may be decoded.
    private static let slice = Duration.milliseconds(2)

    /// Returns the place where a picture is decoded: a worker if its steps are too long for a loop, or
    /// too many for one that is busy, while a list scrolls or frames are shown.
    ///
    /// That may be a worker although there is none: then it can't be decoded.
    func place(of header: PictureHeader, fitting targetSize: PixelSize) -> PicturePlace {
        if let only { return only }
        if header.format.needsWorker { return .worker }
        let bound = costs.bound(header, fitting: targetSize)
        guard hasWorkers, bound > Self.slice, !header.isServedByThumbnail(fitting: targetSize)
        else { return .loop }
        let pixels = header.size.width * header.size.height
        let isLong = pixels > header.format.slicedPixels
        return isLong || isBusy && bound > .milliseconds(50) ? .worker : .loop
    }
}
