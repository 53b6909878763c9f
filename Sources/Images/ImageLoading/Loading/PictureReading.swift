/// The work of a worker on a key: a search on disk, then reading the file, or the whole job.
struct PictureReading<Recipe: PictureRecipe>: Sendable {
    let recipe: Recipe
    let key: Recipe.Key
    let origin: PictureOrigin
    let limits: PictureLimits
    let decoders: PictureDecoders
    let prefersWorker: @Sendable (PictureHeader, PixelSize) -> Bool
    /// The state of the file before any of it was read.
    var stamp: FileStamp?

    /// Returns a copy of this reading with the current state of the file; it blocks on the disk.
    func begun() -> Self {
        var copy = self
        copy.stamp = origin.stamp
        return copy
    }

    /// Does the part of the work that is best done off the loop.
    func run() -> FetchedPicture<Recipe.Value> {
        do throws(PictureError) {
            if let value = try found() { return FetchedPicture(.found(value)) }
            let file = try open()
            if let read = try prepare(file) { return FetchedPicture(.read(read)) }
            let (made, decoding) = try make(file)
            _ = try? recipe.storing(made, for: key)?.finish()
            return FetchedPicture(.made(made, decoding: decoding))
        } catch {
            return FetchedPicture(.failed(error, stamp))
        }
    }

    /// Returns the value synchronously, with what is to be stored if it wasn't on disk.
    func value() throws(PictureError) -> (Recipe.Value, MadePicture<Recipe.Value>?) {
        if let value = try found() { return (value, nil) }
        let (made, _) = try make(try open())
        return (made.value, made)
    }

    /// Returns the value that is on disk; nil if there's none.
    func found() throws(PictureError) -> Recipe.Value? {
        switch recipe.find(key, stamp) {
        case .none: return nil
        case .value(let value): return value
        case .failed: throw error(.knownFailure)
        case .file(let path):
            // A damaged file counts as absent.
            return try? finish(
                PictureJob(
                    path: path, fitting: recipe.targetSize(of: key), limits: limits,
                    options: PictureJob.Options(showsDamaged: false))
            ).made.value
        }
    }

    enum Lookup {
        case found(Recipe.Value)
        case file(PictureHelperInput)
    }

    /// Looks for the value on disk and, if it isn't there, opens the file for a helper.
    func lookUp() throws(PictureError) -> Lookup {
        if let value = try found() { return .found(value) }
        do throws(PictureError.Reason) {
            switch origin {
            case .file(let path): return .file(.file(path))
            case .opened(let open): return .file(.opened(try open()))
            case .url: throw .missing
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

    /// Reads a file's header and decides who decodes it; nil if this worker does.
    private func prepare(_ file: PictureFile) throws(PictureError) -> ReadFile? {
        do throws(PictureError.Reason) {
            let header = try OpenedPicture(file, limits: limits, decoders).header
            let targetSize = recipe.decodingSize(of: key, header)
            // Decoding a thumbnail inside the file is little work, and needs few of its bytes.
            guard !prefersWorker(header, targetSize),
                !header.isServedByThumbnail(fitting: targetSize),
                let opened = file.opened
            else { return nil }
            try file.readThrough()
            return ReadFile(file: opened, stamp: stamp)
        } catch {
            throw self.error(file.checked(error))
        }
    }

    private func make(
        _ file: PictureFile
    ) throws(PictureError) -> (made: MadePicture<Recipe.Value>, decoding: Duration) {
        try finish(
            PictureJob(
                .file(file), named: recipe.name(of: key), fitting: recipe.targetSize(of: key),
                limits: limits,
                options: PictureJob.Options(givesPreviews: false, decoders: decoders)
            ) { [recipe, key] in recipe.decodingSize(of: key, $0) })
    }

    /// Decodes a picture and makes its value.
    ///
    /// It isn't inlined: within a closure that is sent to a worker, Swift 6.3's optimizer doesn't
    /// terminate on a decoder.
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

/// A file that a worker has read, so that reading it again doesn't block on the disk.
struct ReadFile: Sendable {
    let file: OpenedFile
    let stamp: FileStamp?
}

/// The result of the part of a load that runs before the loop's part: final, or intermediate.
public struct FetchedPicture<Value: Sendable>: Sendable {
    enum Content: Sendable {
        /// A value that was on disk.
        case found(Value)
        /// A value that a worker made and stored, with the time that decoding took.
        case made(MadePicture<Value>, decoding: Duration)
        /// A file that was read, to be decoded on the loop.
        case read(ReadFile)
        /// A picture that was decoded elsewhere, with the state of its file if it's from one.
        case decoded(Picture, FileStamp?)
        /// A failure, with the state of the file.
        case failed(PictureError, FileStamp?)
    }

    let content: Content

    init(_ content: Content) { self.content = content }
}

extension PictureOrigin {
    /// The current state of the file, as far as a path determines it.
    var stamp: FileStamp? {
        if case .file(let path) = self { FileStamp(ofFile: path) } else { nil }
    }

    /// The input of a job in this process.
    var input: PictureInput {
        switch self {
        case .file(let path): .path(path)
        case .opened(let open): .opened(open)
        case .url: .opened { () throws(PictureError.Reason) in throw .missing }
        }
    }
}
