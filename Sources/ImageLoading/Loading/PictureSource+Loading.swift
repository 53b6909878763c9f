public import DeferredLoading
internal import IdleLoop

// From a request to its picture.
extension PictureSource {
    /// A picture was taken back from the loop, to be decoded on a worker.
    struct GoesToWorker: Error {}

    /// The load of a picture: where it comes from is decided here, at the start of a lull's slice.
    ///
    /// - Parameters:
    ///   - request: The file, and what is to be shown of it.
    ///   - fetched: What a worker made of it; nil if it's decoded here.
    /// - Returns: The load.
    /// - Throws: Why there is no picture, as an `PictureError`.
    public func load(
        _ request: PictureRequest, fetched: DecodedPicture?
    ) throws -> any Load<Picture> {
        if let fetched { return try take(fetched, request) }
        let stamp = FileStamp(ofFile: request.path)
        if let error = failures.error(of: request.path, stamp, at: loop.clock.now) {
            statistics.refused += 1
            throw error
        }
        let unread = LoadJob(
            request: request, stamp: stamp, header: nil, box: request.box)
        if let picture = cache.picture(for: request, stamp) {
            statistics.foundInMemory += 1
            onLoaded?(request)
            return PictureLoad(picture, unread, of: self)
        }
        let stored = stored(request, stamp)
        if case .picture(let path) = stored { return PictureLoad(unread, stored: path, of: self) }
        if stored == .failed {
            let reason = PictureError.Reason.corrupt("known to give no picture")
            throw failed(unread, PictureError(file: request.path, reason: reason), isStored: true)
        }
        let job = try withHeader(unread)
        if let onWorkerWanted, let header = job.header, lane(header, job.box) == .worker {
            sendToWorker(request, header)
            onWorkerWanted(request)
            throw GoesToWorker()
        }
        return PictureLoad(job, of: self)
    }

    /// The same job with what the file says of itself, so that the file itself can be decoded.
    func withHeader(_ job: LoadJob) throws(PictureError) -> LoadJob {
        let header: PictureHeader
        do throws(PictureError) {
            header = try self.header(of: job.request.path, job.stamp)
        } catch {
            throw failed(job, error)
        }
        return LoadJob(
            request: job.request, stamp: job.stamp, header: header,
            box: decodingBox(for: job.request, header))
    }

    /// What a file in this state says of itself, read if that isn't known yet.
    func header(of path: String, _ stamp: FileStamp?) throws(PictureError) -> PictureHeader {
        if let stamp, let known = headers.header(of: path, stamp) { return known }
        statistics.headersRead += 1
        let header = try PictureHeader.read(path, limits: limits)
        if let stamp { headers.add(header, of: path, stamp) }
        return header
    }

    /// What a picture is decoded to: what serves the store if it's stored, else what is shown.
    ///
    /// A picture that a thumbnail in its file stands for isn't stored: it's had sooner from there.
    func decodingBox(for request: PictureRequest, _ header: PictureHeader) -> PixelSize {
        guard let box = store?.size(serving: request.box),
            !header.isServedByThumbnail(fitting: request.box)
        else { return request.box }
        return PixelSize(
            width: max(box.width, request.box.width), height: max(box.height, request.box.height))
    }

    func decoder(of job: LoadJob) -> PictureJob {
        PictureJob(path: job.request.path, fitting: job.box, limits: limits)
    }

    private func stored(_ request: PictureRequest, _ stamp: FileStamp?) -> StoredThumbnail {
        guard let store, let stamp, store.size(serving: request.box) != nil else { return .none }
        return store.find(request.path, stamp, serving: request.box)
    }

    // MARK: - What comes of it

    private func take(
        _ decoded: DecodedPicture, _ request: PictureRequest
    ) throws -> any Load<Picture> {
        cameFromWorker(request)
        let job = LoadJob(
            request: request, stamp: decoded.stamp, header: decoded.header,
            box: decodingBox(for: request, decoded.header))
        let pictures: DecodedPicture.Pictures
        do throws(PictureError) {
            pictures = try decoded.result.get()
        } catch {
            throw failed(job, error)
        }
        statistics.decodedOnWorkers += 1
        // On virtual time all must be the same in each run.
        if case .monotonic = loop.clock {
            costs.learn(decoded.header, fitting: job.box, cost: decoded.took)
        }
        write(pictures.stored, of: job)
        return PictureLoad(keep(pictures.shown, of: job), job, of: self)
    }

    /// Notes that a picture was decoded on the loop, and has it stored later.
    func decoded(
        _ picture: Picture, of job: LoadJob, isFromStore: Bool, spent: Duration
    ) {
        guard !isFromStore else {
            statistics.foundInStore += 1
            return
        }
        statistics.decodedOnLoop += 1
        if let header = job.header { costs.learn(header, fitting: job.box, cost: spent) }
        write(picture, of: job)
    }

    private func write(_ picture: Picture, of job: LoadJob) {
        guard let store, let stamp = job.stamp, store.size(serving: job.request.box) != nil,
            let header = job.header ?? headers.header(of: job.request.path, stamp),
            !header.isServedByThumbnail(fitting: job.request.box),
            let writer = store.writer(of: picture, from: job.request.path, stamp, header: header)
        else { return }
        chores.write(job.request.path, with: writer)
    }

    /// Keeps a picture, and gives the copy that is to be handed out.
    func keep(_ picture: Picture, of job: LoadJob) -> Picture {
        failures.forget(job.request.path)
        let picture = cache.insert(picture, for: job.request, job.stamp)
        onLoaded?(job.request)
        return picture
    }

    /// Notes that a file gave no picture, and says so.
    func failed(_ job: LoadJob, _ error: PictureError, isStored: Bool = false) -> PictureError {
        statistics.failed += 1
        guard !error.reason.isMissing else { return error }
        let path = job.request.path
        failures.note(error, of: path, job.stamp, at: loop.clock.now)
        if let store, let stamp = job.stamp, !isStored, !error.reason.mayPass,
            stamp == FileStamp(ofFile: path)
        {
            store.noteFailure(of: path, stamp)
        }
        return error
    }
}
