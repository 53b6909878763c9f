import DeferredLoading
import IdleLoop
import ImageLoading
import LoopNIO
import NIOCore

/// Thumbnails that are decoded on the server's own event loop, in slices, while nothing else is to
/// be done there.
@LoopActor
final class LullThumbnails: Thumbnails {
    private typealias Waiter = CheckedContinuation<Picture, any Error>

    private let loop: MainLoop
    private let pictures: PictureLoader
    private var waiters: [PictureRequest: [Waiter]] = [:]

    /// Puts a guest on an event loop, and a maker of thumbnails on the guest, which it keeps.
    nonisolated static func make(on eventLoop: any EventLoop) async throws -> LullThumbnails {
        try await eventLoop.submit {
            let loop = try MainLoop(on: eventLoop)
            try loop.serve(LoopActor.executor)
            return try LoopActor.assumeIsolated { try LullThumbnails() }
        }.get()
    }

    private init() throws {
        loop = try LoopActor.loop
        var configuration = PictureLoaderConfiguration()
        configuration.workers = 0  // all of it on the event loop
        weak var this: LullThumbnails?
        pictures = try PictureLoader(on: loop, configuration: configuration) {
            request, state in
            LoopActor.assumeIsolated { this?.changed(request, state) }
        }
        this = self
    }

    func picture(_ request: PictureRequest) async throws -> Picture {
        try await withCheckedThrowingContinuation { waiter in
            LoopActor.assumeIsolated { add(waiter, for: request) }
        }
    }

    private func add(_ waiter: Waiter, for request: PictureRequest) {
        waiters[request, default: []].append(waiter)
        pictures.subscribe(to: request)
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
        pictures.unsubscribe(from: request)
        reconcile()
    }

    /// Tells the loader which pictures are wanted: all that somebody waits for.
    private func reconcile() {
        pictures.reconcile(with: waiters.keys.map { Wanted($0, urgency: .visible, rank: 0) })
    }
}
