public import GalleryFiles
import IdleLoop
public import ImageLoading

// The reading of headers, in batches.
extension Catalogue {
    private static var readingsAtOnce: Int { 2 }
    private static var urgentBatch: Int { 8 }
    private static var batch: Int { 32 }

    /// Gives priority to the headers of visible rows.
    ///
    /// O(log n) for each row whose height isn't known; of more than a thousand, only the last are
    /// used.
    public func prefer(positions: Range<Int>) {
        wishes.prefer(positions, in: list)
        readHeaders()
    }

    /// Sets the size of a picture on a server, which is known once there is a thumbnail of it.
    public func take(_ pixels: PixelSize, ofRemote key: PictureKey) {
        guard entry(of: key.id)?.pixels != pixels else { return }
        news.headers.append(ReadHeader(key: key, pixels: pixels))
        arrangeSoon()
    }

    func readHeaders() {
        while mayBegin, !isStarved, readingCount < Self.readingsAtOnce {
            var batch = wishes.takeUrgent(Self.urgentBatch, in: list)
            let isUrgent = !batch.isEmpty
            // Folders are read before headers.
            if batch.isEmpty, areFoldersRead { batch = wishes.takeNext(Self.batch, in: list) }
            guard !batch.isEmpty else { return }
            read(batch, priority: isUrgent ? .highest : .low)
        }
    }

    private func read(_ batch: [HeaderWishes.Wish], priority: Priority) {
        jobNumber += 1
        readingCount += 1
        queue.submit(
            .headers(jobNumber), priority: priority, on: pool,
            onEnd: { [weak self] end in
                guard let self else { return }
                readingCount -= 1
                if case .done = end {
                } else {
                    wishes.giveBack(batch)
                    // Without threads it fails at once, and would fail again.
                    isStarved = true
                    retryLater()
                }
                work()
            },
            work: { [folder] in
                batch.map { HeaderReading(of: $0.key, at: $0.path, in: folder) }
            },
            then: { [weak self] readings in
                { _ in
                    self?.take(readings, of: batch)
                    return .done
                }
            })
    }

    private func take(_ readings: [HeaderReading], of batch: [HeaderWishes.Wish]) {
        for (wish, reading) in zip(batch, readings) {
            switch reading {
            case .read(let pixels): take(pixels, of: wish.key)
            case .failed: postpone(wish.key, counts: true)
            case .starved:
                isStarved = true
                postpone(wish.key, counts: false)
            }
        }
    }

    private func take(_ pixels: PixelSize?, of key: PictureKey) {
        counts.headersRead += 1
        if pixels == nil { counts.headersFailed += 1 }
        news.headers.append(ReadHeader(key: key, pixels: pixels))
    }

    private func postpone(_ key: PictureKey, counts: Bool) {
        guard wishes.postpone(key, counts: counts) else { return take(nil, of: key) }
        retryLater()
    }

    private func retryLater() {
        guard !isClosed, retryTimer == nil else { return }
        retryTimer = loop.schedule(after: .seconds(1)) { [weak self] in
            guard let self else { return }
            retryTimer = nil
            isStarved = false
            wishes.retry()
            work()
        }
    }
}
