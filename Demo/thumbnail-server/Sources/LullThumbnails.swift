import DeferredLoading
import IdleLoop
import ImageLoading
import LoopNIO
import NIOCore

/// Thumbnails that are decoded in slices, in the lulls of all processors, or of the server's own event
/// loop alone.
@LoopActor
final class LullThumbnails: Thumbnails {
    private typealias Waiter = CheckedContinuation<Picture, any Error>

    private let loop: MainLoop
    private let loader: DeferredLoader<PictureRequest, Picture>
    private var list: LoadList<PictureRequest, Picture>?
    private var waiters: [PictureRequest: [Waiter]] = [:]
    /// The requests that somebody waits for, the first first.
    private var order: [PictureRequest] = []

    /// Puts a guest on an event loop, and a maker of thumbnails on the guest, which it keeps.
    nonisolated static func make(
        on eventLoop: any EventLoop, lanes: LaneLimit
    ) async throws -> LullThumbnails {
        try await eventLoop.submit {
            let loop = try MainLoop(on: eventLoop)
            try loop.serve(LoopActor.executor)
            return try LoopActor.assumeIsolated { try LullThumbnails(lanes) }
        }.get()
    }

    private init(_ lanes: LaneLimit) throws {
        loop = try LoopActor.loop
        var limits = LoaderConfiguration()
        limits.capacity = 4096
        limits.byteLimit = 1  // none is kept: each is made anew, as by the other ways
        var jobs = QueueConfiguration()
        jobs.lanes = lanes
        // Without a pool, files are read where they are decoded.
        loader = DeferredLoader(
            queue: IdleQueue(on: loop, configuration: jobs), source: PictureSource(on: loop),
            configuration: limits)
        list = loader.list { [weak self] request, state in
            LoopActor.assumeIsolated { self?.changed(request, state) }
        }
    }

    func picture(_ request: PictureRequest) async throws -> Picture {
        try await withCheckedThrowingContinuation { waiter in
            LoopActor.assumeIsolated { add(waiter, for: request) }
        }
    }

    private func add(_ waiter: Waiter, for request: PictureRequest) {
        if waiters[request] == nil { order.append(request) }
        waiters[request, default: []].append(waiter)
        list?.subscribe(to: request)
        reconcile()
    }

    private func changed(_ request: PictureRequest, _ state: LoadState<Picture>) {
        let result: Result<Picture, any Error>
        switch state {
        case .loaded(let picture): result = .success(picture)
        case .failed(let error, _): result = .failure(error)
        default: return
        }
        for waiter in waiters.removeValue(forKey: request) ?? [] { waiter.resume(with: result) }
        order.removeAll { $0 == request }
        list?.unsubscribe(from: request)
        reconcile()
    }

    /// Tells the loader which pictures are wanted: all that somebody waits for, the first first.
    private func reconcile() {
        list?.reconcile(
            with: order.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
    }
}
