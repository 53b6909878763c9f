internal import IdleLoop

/// What a worker has made of a file.
public struct DecodedPicture: Sendable {
    /// The picture to be shown, and that to be stored if it's another.
    struct Pictures: Sendable {
        let shown: Picture
        let stored: Picture
    }

    let result: Result<Pictures, PictureError>
    let header: PictureHeader
    /// The state of the file before it was decoded.
    let stamp: FileStamp?
    /// What the decoder took, without the scaling.
    let took: Duration

    /// Decodes a file whole, for a worker.
    ///
    /// - Parameters:
    ///   - request: The file, and what is to be shown of it.
    ///   - box: What is to be stored, at least as large as what is shown.
    ///   - header: What the file said of itself.
    ///   - limits: What it may cost.
    ///
    /// Not inlined: within a closure that is sent to a worker, Swift 6.3's optimizer never comes to
    /// an end with it.
    @inline(never)
    init(
        _ request: PictureRequest, storing box: PixelSize, header: PictureHeader,
        limits: PictureLimits
    ) {
        self.header = header
        stamp = FileStamp(ofFile: request.path)
        let start = LoopClock.monotonic.now
        do throws(PictureError) {
            let decoder = PictureJob(
                path: request.path, fitting: box, limits: limits,
                options: PictureJob.Options(givesPreviews: false))
            let picture = try decoder.decode()
            took = start.duration(to: LoopClock.monotonic.now)
            let shown = PictureScaler.scaled(picture, fitting: request.box)
            result = .success(Pictures(shown: shown, stored: picture))
        } catch {
            took = start.duration(to: LoopClock.monotonic.now)
            result = .failure(error)
        }
    }

    var bytes: Int {
        guard case .success(let pictures) = result else { return 0 }
        let isOne = pictures.shown.size == pictures.stored.size
        return pictures.shown.pixels.count + (isOne ? 0 : pictures.stored.pixels.count)
    }
}
