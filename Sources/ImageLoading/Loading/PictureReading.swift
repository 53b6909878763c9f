/// The work of a worker on a key: a look at the disk, then reading the file, or all of the job.
struct PictureReading<Recipe: PictureRecipe>: Sendable {
    let recipe: Recipe
    let key: Recipe.Key
    let origin: PictureOrigin
    let limits: PictureLimits
    let decoders: PictureDecoders
    let lane: @Sendable (PictureHeader, PixelSize) -> DecodingLane
    /// The state of the file before anything was read of it.
    var stamp: FileStamp?

    /// Returns this reading with the state that the file is in now; it waits for the disk.
    func begun() -> Self {
        var copy = self
        copy.stamp = origin.stamp
        return copy
    }

    /// Does as much as is best done off the loop.
    func run() -> FetchedPicture<Recipe.Value> {
        do throws(PictureError) {
            if let value = try found() { return FetchedPicture(.found(value)) }
            let file = try open()
            if let read = try prepare(file) { return FetchedPicture(.read(read)) }
            let (made, decoding) = try make(file)
            if let writer = recipe.writer(of: made, for: key) { _ = try? writer.finish() }
            return FetchedPicture(.made(made, decoding: decoding))
        } catch {
            return FetchedPicture(.failed(error, stamp))
        }
    }

    /// Returns the value at once, with what there is to keep of it if it wasn't on disk.
    func value() throws(PictureError) -> (Recipe.Value, MadePicture<Recipe.Value>?) {
        if let value = try found() { return (value, nil) }
        let (made, _) = try make(try open())
        return (made.value, made)
    }

    /// The value that is on disk; nil if there's none.
    func found() throws(PictureError) -> Recipe.Value? {
        switch recipe.find(key, stamp) {
        case .none: return nil
        case .value(let value): return value
        case .failed: throw error(.knownFailure)
        case .file(let path):
            // A file that is damaged is as good as none.
            return try? finish(
                PictureJob(path: path, fitting: recipe.box(of: key), limits: limits)
            ).made.value
        }
    }

    enum Look {
        case found(Recipe.Value)
        case file(PictureHelperInput)
        case url(String)
    }

    /// Looks for the value on disk, and opens the file for a helper if it isn't there; or finds the
    /// address.
    func look() throws(PictureError) -> Look {
        if !origin.isRemote, let value = try found() { return .found(value) }
        do throws(PictureError.Reason) {
            switch origin {
            case .file(let path): return .file(.file(path))
            case .opened(let open): return .file(.opened(try open()))
            case .url(let url): return .url(url)
            case .linked(let find): return .url(try find())
            }
        } catch {
            throw self.error(error)
        }
    }

    private func open() throws(PictureError) -> PictureFile {
        do throws(PictureError.Reason) {
            return try origin.input.open(limits)
        } catch {
            throw self.error(error)
        }
    }

    /// Reads a file's header, and decides who decodes it; nil if it's to be done here.
    private func prepare(_ file: PictureFile) throws(PictureError) -> ReadFile? {
        do throws(PictureError.Reason) {
            let header = try OpenedPicture(file, limits: limits, decoders).header
            let box = recipe.decodingBox(of: key, header)
            // What little there is to do of a thumbnail in the file needs few of its bytes.
            guard lane(header, box) != .worker, !header.isServedByThumbnail(fitting: box),
                let opened = file.opened
            else { return nil }
            try file.readThrough()
            return ReadFile(file: opened, stamp: stamp)
        } catch {
            throw self.error(file.told(error))
        }
    }

    private func make(
        _ file: PictureFile
    ) throws(PictureError) -> (made: MadePicture<Recipe.Value>, decoding: Duration) {
        try finish(
            PictureJob(
                .file(file), named: recipe.name(of: key), fitting: recipe.box(of: key),
                limits: limits,
                options: PictureJob.Options(givesPreviews: false, decoders: decoders)
            ) { [recipe, key] in recipe.decodingBox(of: key, $0) })
    }

    /// Not inlined: within a closure that is sent to a worker, Swift 6.3's optimizer never comes to
    /// an end with a decoder.
    @inline(never)
    private func finish(
        _ job: PictureJob
    ) throws(PictureError) -> (made: MadePicture<Recipe.Value>, decoding: Duration) {
        let picture = try job.decode()
        let following = job.then { [recipe, key] (picture) throws(PictureError.Reason) in
            try recipe.make(picture, for: key)
        }
        let value = try following.finish()
        let made = MadePicture(value: value, picture: picture, header: job.header, stamp: stamp)
        return (made, job.cost)
    }

    private func error(_ reason: PictureError.Reason) -> PictureError {
        PictureError(file: recipe.name(of: key), reason: reason)
    }
}

/// A file that a worker has read, so that reading it again doesn't wait for the disk.
struct ReadFile: Sendable {
    let file: OpenedFile
    let stamp: FileStamp?
}

/// What was done of a picture before its load: an end, or a part of it.
public struct FetchedPicture<Value: Sendable>: Sendable {
    enum Content: Sendable {
        /// It was on disk.
        case found(Value)
        /// A worker has made it, and kept it; so long it took to decode.
        case made(MadePicture<Value>, decoding: Duration)
        /// It's to be decoded on the loop.
        case read(ReadFile)
        /// It was decoded elsewhere, of a file in this state if it was one.
        case decoded(Picture, FileStamp?)
        /// There is none.
        case failed(PictureError, FileStamp?)
    }

    let content: Content

    init(_ content: Content) { self.content = content }
}

extension PictureOrigin {
    /// The state of the file now, as far as a path tells it.
    var stamp: FileStamp? {
        if case .file(let path) = self { FileStamp(ofFile: path) } else { nil }
    }

    /// The input of a job in this process.
    var input: PictureInput {
        switch self {
        case .file(let path): .path(path)
        case .opened(let open): .opened(open)
        case .url, .linked: .opened { () throws(PictureError.Reason) in throw .missing }
        }
    }
}
