internal import CLull
internal import CLullPictures
internal import IdleLoop
internal import ImageFormatsHEIF
internal import ImageLoading
internal import IsolatedDecoding
internal import LullCalls
internal import LullLibC
internal import Synchronization

/// The limits, the disk cache and the helpers of pictures, which all their loads share on any thread.
@safe
final class PicturesCore: Sendable {
    /// The counts of pictures.
    final class Counts: Sendable {
        let decoded = Atomic<UInt64>(0)
        let decodedByHelpers = Atomic<UInt64>(0)
        let found = Atomic<UInt64>(0)
        let stored = Atomic<UInt64>(0)
        let damaged = Atomic<UInt64>(0)
        let failed = Atomic<UInt64>(0)
    }

    /// The pictures that are open, for rows, which lanes load.
    static let open = Guarded<[UInt: PicturesCore]>([:])
    static let decoders = PictureDecoders.standard + [HEIFDecoder.self]

    /// The handle of the loop.
    let loop: UInt
    /// The queue of loads, and that of what is stored on disk.
    let queue: OwnQueue
    fileprivate let storing: OwnQueue?
    let limits: PictureLimits
    let format: lull_pixel_format
    let store: ThumbnailCache?
    let helpers: HelperThread?
    /// The places of helpers, or of the one thread for pictures that can't be cut into slices.
    let places: Places
    let counts = Counts()
    private let thread = pthread_self()
    private let hasClosed = Atomic(false)
    private let jobs = Atomic<UInt64>(0)
    /// The decodings that others do.
    private let remote = Guarded<[ObjectIdentifier: RemoteDecoding]>([:])
    private let hasTimer = Atomic(false)
    // Of the loop's thread.
    private nonisolated(unsafe) var timer: OpaquePointer?

    init(
        on loop: OpaquePointer?, _ options: UnsafePointer<lull_queue_options>?,
        _ configuration: PicturesConfiguration
    ) throws(StatusError) {
        (limits, format, store) = (configuration.limits, configuration.format, configuration.store)
        places = Places(configuration.helpers?.helpers ?? 1)
        self.loop = UInt(bitPattern: loop)
        let queue = try unsafe OwnQueue(on: loop, options)
        var storing: OwnQueue?
        do throws(StatusError) {
            if store != nil {
                var options = unsafe lull_queue_options()
                unsafe lull_queue_options_init(&options, MemoryLayout<lull_queue_options>.size)
                unsafe options.limit = 32
                storing = try unsafe OwnQueue(on: loop, &options)
            }
            if let helpers = configuration.helpers {
                self.helpers = try HelperThread(helpers)
            } else {
                helpers = nil
            }
        } catch {
            queue.close()
            storing?.close()
            throw error
        }
        (self.queue, self.storing) = (queue, storing)
    }

    var isClosed: Bool { hasClosed.load(ordering: .relaxed) }

    /// Whether the caller is on the loop's thread.
    var isOnLoop: Bool { pthread_equal(pthread_self(), thread) != 0 }

    /// Closes the queues and ends helpers; rows that aren't done fail.
    func close() {
        hasClosed.store(true, ordering: .relaxed)
        queue.close()
        storing?.close()
        helpers?.close()
        for decoding in remote.withLock({ Array($0.values) }) {
            decoding.cancel()
            decoding.end(.failure(.closed))
        }
    }

    // MARK: - Waiting for others

    /// Whether the loop of a host that ends when it has nothing to do goes on: only then loads may wait
    /// for others, which post what they have done.
    var isKeptRunning: Bool { hasTimer.load(ordering: .relaxed) }

    /// Notes that another process or thread begins to decode.
    func begin(_ decoding: RemoteDecoding) {
        remote.withLock { $0[ObjectIdentifier(decoding)] = decoding }
        LoopCall { [self] in keepRunning() }.post(to: loop)
    }

    /// Frees the place of a decoding that has ended, on whatever thread, and resumes its load and those
    /// that wait for the place.
    func end(_ decoding: RemoteDecoding, of load: Resumption) {
        remote.withLock { $0[ObjectIdentifier(decoding)] = nil }
        let loads = [load] + places.free()
        LoopCall { [self] in
            for load in loads { load.resume() }
            keepRunning()
        }.post(to: loop)
    }

    /// Keeps a timer while there is something to wait for, so that the host's loop doesn't end.
    private func keepRunning() {
        let isNeeded = remote.withLock { !$0.isEmpty }
        guard isNeeded != isKeptRunning else { return }
        keepingError {
            if isNeeded {
                let hour: Int64 = 3_600_000_000_000
                _ = unsafe lull_timer_new(
                    OpaquePointer(bitPattern: loop), hour, hour, Int64(LULL_NONE), { _, _ in },
                    nil, &timer)
            } else {
                _ = unsafe lull_timer_cancel(timer)
            }
        }
        hasTimer.store(isNeeded, ordering: .relaxed)
    }

    /// Returns the way of a picture to its pixels.
    func task(_ request: CheckedRequest, givesPreviews: Bool) -> PictureTask<ShownPictures> {
        let key = PictureRequest(request.name, fitting: request.targetSize)
        return PictureTask(
            recipe: ShownPictures(store: request.isFile ? store : nil), key: key,
            origin: request.origin, limits: limits, decoders: Self.decoders,
            givesPreviews: givesPreviews)
    }

    /// Has a job store something on disk, on whatever thread this is.
    func store(_ work: any SteppedWork<Void, any Error>) {
        // It's handed over to the job.
        nonisolated(unsafe) let job = StoringJob(work, of: self)
        LoopCall { unsafe job.submit() }.post(to: loop)
    }

    /// Returns a number for a job that stores something.
    fileprivate func nextJob() -> UInt64 { jobs.add(1, ordering: .relaxed).newValue }
}

/// A job that stores something on disk.
private struct StoringJob {
    private let work: any SteppedWork<Void, any Error>
    private let core: PicturesCore

    init(_ work: any SteppedWork<Void, any Error>, of core: PicturesCore) {
        (self.work, self.core) = (work, core)
    }

    /// Submits the job; when its queue is full, the oldest is dropped, and stored another time.
    func submit() {
        var job = unsafe lull_job()
        unsafe lull_job_init(&job, MemoryLayout<lull_job>.size)
        unsafe job.key = core.nextJob()
        unsafe job.priority = LULL_PRIORITY_LOWEST
        unsafe job.context = Passed.retained(self)
        unsafe job.run = { slot, _, context in
            unsafe Passed<StoringJob>.value(context)?.run(in: Slice(slot)) ?? LULL_FAILED
        }
        unsafe job.end = { _, end, context in
            guard let job = unsafe Passed<StoringJob>.take(context), end == LULL_END_DONE else {
                return
            }
            job.core.counts.stored.add(1, ordering: .relaxed)
        }
        let context = unsafe job.context
        let status = keepingError {
            unsafe lull_submit_anywhere(core.storing?.pointer, &job)
        }
        if status.rawValue < 0 { unsafe Passed<StoringJob>.release(context) }
    }

    private func run(in slice: Slice) -> lull_progress {
        var slice = slice
        do {
            repeat {
                if try work.advance() != nil { return LULL_DONE }
            } while slice.goesOn()
            return LULL_AGAIN
        } catch {
            return LULL_FAILED
        }
    }
}

/// A slice of work in a slot of C's.
@safe
struct Slice {
    private let slot: OpaquePointer?
    private let end: Int64
    private var last: Int64
    /// The longest step so far; another starts only if it would fit.
    private var grain: Int64 = 0

    init(_ slot: OpaquePointer?) {
        unsafe self.slot = slot
        end = unsafe lull_slot_slice_end(slot)
        last = Self.now
    }

    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return 1_000_000_000 * Int64(time.tv_sec) + Int64(time.tv_nsec)
    }

    /// Notes the end of a step; returns whether another one fits.
    mutating func goesOn() -> Bool {
        let now = Self.now
        grain = max(grain, now - last)
        last = now
        guard now < end, end - now > grain else { return false }
        return unsafe lull_slot_is_over(slot) == 0
    }
}
