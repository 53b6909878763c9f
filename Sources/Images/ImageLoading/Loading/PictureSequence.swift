/// The way from the bytes of a picture to a value, in steps: it's found on disk, or decoded and made.
///
/// The steps are the same wherever they run: in slices on a loop, or one after the other on a
/// worker; ``place(in:)`` says where the next one belongs.
package final class PictureSequence<Recipe: PictureRecipe> {
    package typealias Value = Recipe.Value

    /// The picture, and what is to be done with it.
    package private(set) var task: PictureTask<Recipe>
    /// The job that decodes; nil before the lookup on disk, and for a picture decoded elsewhere.
    package private(set) var job: PictureJob?
    /// The picture, once it's decoded.
    package private(set) var picture: Picture?
    /// Whether the value is made from what is on disk: if that is damaged, the original is decoded.
    package private(set) var isStored = false
    private var making: (any SteppedWork<Value, PictureError.Reason>)?

    /// Creates a sequence that begins with the lookup on disk.
    package init(_ task: PictureTask<Recipe>) { self.task = task }

    /// Creates a sequence that begins with decoding the original, or bytes that are arriving.
    static func decoding(
        _ task: PictureTask<Recipe>, arriving bytes: ArrivingBytes? = nil
    ) -> PictureSequence {
        let sequence = PictureSequence(task)
        sequence.decode(arriving: bytes)
        return sequence
    }

    /// Creates a sequence that begins with a decoded picture.
    package static func making(
        _ task: PictureTask<Recipe>, from picture: Picture
    ) -> PictureSequence {
        let sequence = PictureSequence(task)
        sequence.picture = picture
        return sequence
    }

    /// Returns the place where the next step belongs; nil if it stays where the last one ran.
    func place(in places: PicturePlaces) -> PicturePlace? {
        guard let job, picture == nil, !isStored else { return nil }
        guard let header = job.header else { return places.only }
        return places.place(of: header, fitting: task.decodingSize(header))
    }

    /// The memory of the decoder and of the picture.
    package var size: Int { (job?.header?.estimatedMemory ?? 0) + (picture?.pixels.count ?? 0) }

    /// The picture that a value is made from, with its header; nil if it's made from what is on disk.
    var made: (picture: Picture, header: PictureHeader?)? {
        isStored ? nil : picture.map { ($0, job?.header) }
    }

    /// The value with what it was made from, to be stored.
    package func made(_ value: Value) -> MadePicture<Value>? {
        made.map {
            MadePicture(value: value, picture: $0.picture, header: $0.header, stamp: task.stamp)
        }
    }

    /// Performs the next small part of the work; of decoding, as many as `goesOn` allows.
    ///
    /// It isn't inlined: within a closure that is sent to a worker, Swift 6.3's optimizer doesn't
    /// terminate on a decoder.
    @inline(never)
    package func step(
        while goesOn: () -> Bool = { false }
    ) throws(PictureError) -> PictureStep<Value> {
        do throws(PictureError) {
            return try advance(goesOn)
        } catch {
            guard isStored else { throw error }
            decode()
            return .more
        }
    }

    /// Performs all remaining work.
    func finish() throws(PictureError) -> Value {
        while true {
            if case .done(let value) = try step() { return value }
        }
    }

    private func advance(_ goesOn: () -> Bool) throws(PictureError) -> PictureStep<Value> {
        do throws(PictureError.Reason) {
            if let making { return try making.advance().map { .done($0) } ?? .more }
            if let picture {
                making = try task.recipe.make(picture, for: task.key)
                return .more
            }
        } catch {
            throw task.error(error)
        }
        guard let job else { return try find() }
        switch try job.steps(while: goesOn) {
        case .more: break
        case .waiting: return .waiting
        case .refined(let preview): return .refined(preview)
        case .done(let picture): self.picture = picture
        }
        return .more
    }

    private func find() throws(PictureError) -> PictureStep<Value> {
        task = task.begun()
        switch task.recipe.store?.find(task.key, task.stamp) {
        case nil, .some(.none): decode()
        case .failed?: throw task.error(.knownFailure)
        case .value(let value)?:
            isStored = true
            return .done(value)
        case .file(let path)?:
            isStored = true
            var options = PictureJob.Options()
            options.showsDamaged = false
            job = PictureJob(
                .file(path), fitting: task.recipe.targetSize(of: task.key), limits: task.limits,
                options: options)
        }
        return .more
    }

    /// Begins to decode the original.
    private func decode(arriving bytes: ArrivingBytes? = nil) {
        (isStored, picture, making) = (false, nil, nil)
        var options = PictureJob.Options()
        (options.givesPreviews, options.decoders) = (task.givesPreviews, task.decoders)
        job = PictureJob(
            task.origin, arriving: bytes, named: task.name,
            fitting: task.recipe.targetSize(of: task.key), limits: task.limits, options: options,
            decodingSize: task.decodingSize)
    }
}
