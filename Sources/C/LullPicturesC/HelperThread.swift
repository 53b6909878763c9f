internal import IdleLoop
internal import ImageLoading
internal import IsolatedDecoding
internal import LullCalls
internal import LullLibC

/// A thread with a loop of its own, on which helper processes are served.
///
/// A program's loop need not know of their sockets and their ends. The thread sleeps while there is
/// nothing to do.
final class HelperThread: Sendable {
    /// A request to the thread.
    private enum Command: Sendable {
        case decode(RemoteDecoding)
        case cancel(RemoteDecoding)
        case stop
    }

    /// How the thread has begun.
    private enum Start: Sendable {
        case pending
        case failed(LoopError)
        case running(InboxPort<Command>)
    }

    /// The counts of helpers, at the end of the last picture.
    struct Counts: Sendable {
        private(set) var started = 0
        private(set) var failed = 0

        init() {}

        init(_ counts: IsolatedDecoder.Statistics) {
            started = counts.started
            failed = counts.startFailures + counts.hung + counts.died + counts.invalidReplies
        }
    }

    private let process = getpid()
    private let port: InboxPort<Command>
    private let end: Semaphore
    private let seen: Shared<Counts>

    /// Starts the thread; no helper is started before there is a picture.
    init(_ configuration: IsolatedDecoder.Configuration) throws(StatusError) {
        let (begun, end) = (Semaphore(), Semaphore())
        let start = Shared(Start.pending)
        let seen = Shared(Counts())
        let code = startThread {
            do throws(LoopError) {
                let loop = try MainLoop()
                let decoder = IsolatedDecoder(on: loop, configuration: configuration)
                let port = loop.port { (command: Command) in
                    switch command {
                    case .decode(let picture):
                        picture.begin(on: decoder) { now in
                            let counts = Counts(now)
                            seen.guarded.withLock { $0 = counts }
                        }
                    case .cancel(let picture): picture.abandon()
                    case .stop:
                        decoder.close()
                        loop.stop()
                    }
                }
                start.guarded.withLock { $0 = .running(port) }
                begun.signal()
                defer { loop.close() }  // which lets go of the decoder
                try loop.run()
            } catch {
                let hasBegun = start.guarded.withLock { start in
                    guard case .pending = start else { return true }
                    start = .failed(error)
                    return false
                }
                if !hasBegun { begun.signal() }
            }
            end.signal()
        }
        guard code == 0 else { throw StatusError(.system(call: "pthread_create", errno: code)) }
        begun.wait()
        switch start.guarded.withLock({ $0 }) {
        case .running(let port): self.port = port
        case .failed(let error): throw StatusError(error)
        case .pending: preconditionFailure("a thread that has begun says how")
        }
        self.end = end
        self.seen = seen
    }

    var counts: Counts { seen.guarded.withLock { $0 } }

    /// Requests the decoding of a picture by a helper; returns false if the thread's queue is full.
    func begin(_ picture: RemoteDecoding) -> Bool { port.send(.decode(picture)) }

    /// Requests the end of a decoding that nobody waits for any more.
    func cancel(_ picture: RemoteDecoding) { port.send(.cancel(picture)) }

    /// Ends the helpers and the thread, and waits for that.
    ///
    /// A forked child has neither.
    func close() {
        guard getpid() == process else { return }
        while !port.send(.stop) { usleep(1000) }
        end.wait()
    }
}

/// The decoding of a picture that another thread or process does.
final class RemoteDecoding: Sendable {
    private struct State: Sendable {
        var picture: Picture?
        var failure: PictureFailure?
        var isCancelled = false
    }

    let origin: PictureOrigin
    let name: String
    let targetSize: PixelSize
    let limits: PictureLimits
    private let onEnd: @Sendable (RemoteDecoding) -> Void
    private let state = Guarded(State())
    // Of the helpers' thread.
    private nonisolated(unsafe) var request: IsolatedDecoder.Request?

    /// Creates a decoding; `onEnd` is called once, on whatever thread, also if it is cancelled.
    init(
        _ origin: PictureOrigin, named name: String, fitting targetSize: PixelSize,
        limits: PictureLimits, onEnd: @escaping @Sendable (RemoteDecoding) -> Void
    ) {
        (self.origin, self.name, self.targetSize) = (origin, name, targetSize)
        (self.limits, self.onEnd) = (limits, onEnd)
    }

    /// The picture, or why there is none; both are nil before the end.
    var result: (picture: Picture?, failure: PictureFailure?) {
        state.withLock { ($0.picture, $0.failure) }
    }

    /// Whether nobody waits for the result any more.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Notes that nobody waits any more.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Sets the result.
    func end(_ result: Result<Picture, PictureFailure>) {
        let isFirst = state.withLock { state in
            guard state.picture == nil, state.failure == nil else { return false }
            switch result {
            case .success(let picture): state.picture = picture
            case .failure(let failure): state.failure = failure
            }
            return true
        }
        if isFirst { onEnd(self) }
    }

    /// Begins on the helpers' thread; at the end `note` is given the decoder's counts.
    func begin(
        on decoder: IsolatedDecoder, note: @escaping (IsolatedDecoder.Statistics) -> Void
    ) {
        guard !isCancelled else { return end(.failure(.closed)) }
        unsafe request = decoder.decode(
            origin, named: name, fitting: targetSize, limits: limits
        ) { [self, weak decoder] result in
            unsafe request = nil
            if let decoder { note(decoder.statistics) }
            end(result.mapError { PictureFailure($0) })
        }
    }

    /// Ends on the helpers' thread what nobody waits for.
    func abandon() {
        unsafe request.take()?.cancel()
        end(.failure(.closed))
    }
}

/// A value that threads share under a lock.
final class Shared<Value: Sendable>: Sendable {
    let guarded: Guarded<Value>

    init(_ value: Value) { guarded = Guarded(value) }
}

/// A semaphore by which a thread waits for another to begin or to end.
@safe
final class Semaphore: Sendable {
    // A semaphore is for several threads, and its memory stays until the last has let go of it.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe semaphore.initialize(to: sem_t())
        _ = unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        _ = unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func signal() { _ = unsafe sem_post(semaphore) }

    func wait() {
        while unsafe sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
