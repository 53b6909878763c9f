/// The process in which pictures are decoded, and the threads.
public enum PictureDecoding {
    /// The process of the loader: its loop, and workers for what can't be cut into short slices or
    /// would take too many of them while the loop is busy.
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

    /// Returns the place where a picture is decoded, which may be a worker although there is none:
    /// then it can't be decoded.
    func place(of header: PictureHeader, fitting targetSize: PixelSize) -> PicturePlace {
        if let only { return only }
        guard hasWorkers else { return header.format.needsWorker ? .worker : .loop }
        return costs.prefersWorker(for: header, fitting: targetSize, isBusy: isBusy)
            ? .worker : .loop
    }
}
