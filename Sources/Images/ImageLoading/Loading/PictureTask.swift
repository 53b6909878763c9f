/// The description of a picture's way to a value, which may be sent to a worker.
package struct PictureTask<Recipe: PictureRecipe>: Sendable {
    package let recipe: Recipe
    package let key: Recipe.Key
    package var origin: PictureOrigin
    package let limits: PictureLimits
    let decoders: PictureDecoders
    let places: PicturePlaces
    /// The state of the file before any of it was read.
    package var stamp: FileStamp?
    var givesPreviews = true

    package var name: String { recipe.name(of: key) }

    func error(_ reason: PictureError.Reason) -> PictureError {
        PictureError(file: name, reason: reason)
    }

    /// Returns the size to decode to; the header is nil if another process reads it.
    package func decodingSize(_ header: PictureHeader?) -> PixelSize {
        recipe.decodingSize(of: key, header)
    }

    /// Returns the work of storing a value on disk; nil if it isn't stored, as those of damaged
    /// pictures aren't.
    package func storing(_ made: MadePicture<Recipe.Value>) -> (any SteppedWork<Void, any Error>)? {
        made.picture.isDamaged ? nil : recipe.store?.writer(of: made, for: key)
    }

    /// Returns a copy with the current state of the file; it blocks on the disk.
    func begun() -> Self {
        var copy = self
        copy.stamp = origin.stamp
        return copy
    }

    /// Does the part of the work that belongs on a worker.
    ///
    /// A value of bytes that have arrived from a server is neither looked up nor stored on disk.
    func run(isArrived: Bool = false) -> FetchedPicture<Recipe.Value> {
        var task = self
        task.givesPreviews = false
        let sequence = isArrived ? PictureSequence.decoding(task) : PictureSequence(task)
        do throws(PictureError) {
            while true {
                if let origin = try task.handedOver(by: sequence) {
                    return FetchedPicture(.origin(origin, sequence.task.stamp))
                }
                guard case .done(let value) = try sequence.step() else { continue }
                guard let made = sequence.made(value) else { return FetchedPicture(.found(value)) }
                if !isArrived { _ = try? storing(made)?.finish() }
                return FetchedPicture(.made(made, decoding: sequence.job?.cost ?? .zero))
            }
        } catch {
            return FetchedPicture(.failed(error, sequence.task.stamp))
        }
    }

    /// Returns the bytes if the next step belongs elsewhere, opened or read so that it doesn't block
    /// there; nil if a worker does it.
    private func handedOver(
        by sequence: PictureSequence<Recipe>
    ) throws(PictureError) -> PictureOrigin? {
        let file = sequence.job?.file
        do throws(PictureError.Reason) {
            switch sequence.place(in: places) {
            case nil, .worker: return nil
            case .helper:
                guard case .opened(let open) = origin else { return origin }
                let file = try open()
                return .opened { file }
            case .loop:
                // Decoding a thumbnail inside the file is little work, and needs few of its bytes.
                guard sequence.job?.usesThumbnail == false, let file, let opened = file.opened
                else {
                    return nil
                }
                try file.readThrough()
                return .opened { opened }
            }
        } catch {
            throw self.error(file?.checked(error) ?? error)
        }
    }
}

extension PictureTask {
    /// Creates the way of a picture that is decoded outside of a loader.
    package init(
        recipe: Recipe, key: Recipe.Key, origin: PictureOrigin, limits: PictureLimits,
        decoders: PictureDecoders, givesPreviews: Bool
    ) {
        let places = PicturePlaces(
            only: nil, hasWorkers: false, isBusy: false, costs: DecodingCosts())
        self.init(
            recipe: recipe, key: key, origin: origin, limits: limits, decoders: decoders,
            places: places, givesPreviews: givesPreviews)
    }
}

/// The result of the part of a load that runs before the loop's part: final, or intermediate.
public struct FetchedPicture<Value: Sendable>: Sendable {
    enum Content: Sendable {
        /// A value that was on disk.
        case found(Value)
        /// A value that a worker made and stored, with the time that decoding took.
        case made(MadePicture<Value>, decoding: Duration)
        /// The bytes of a picture that is to be decoded elsewhere, with the state of their file.
        case origin(PictureOrigin, FileStamp?)
        /// A picture that was decoded elsewhere, with the state of its file if it's from one.
        case decoded(Picture, FileStamp?)
        /// A failure, with the state of the file.
        case failed(PictureError, FileStamp?)
    }

    let content: Content

    init(_ content: Content) { self.content = content }
}
