internal import CLull
public import CLullPictures
internal import ImageLoading
internal import LullCalls

/// A load of a picture, which is a job of the pictures' queue, and what has become of it.
@safe
final class PictureLoad {
    let key: UInt64
    private let work: PictureWork
    /// The result; nil if there is none.
    private(set) var result: Result<Picture, PictureFailure>?

    init(_ request: CheckedRequest, _ key: UInt64, of core: PicturesCore) {
        self.key = key
        work = PictureWork(
            request, of: core, givesPreviews: false,
            resumption: .job(key, queue: core.queue.handle))
    }

    func run(in slice: Slice) -> lull_progress {
        switch work.run(in: slice) {
        case .again, .refined: return LULL_AGAIN
        case .waiting: return LULL_WAITING
        case .done(let picture):
            result = .success(picture)
            return LULL_DONE
        case .failed(let failure):
            result = .failure(failure)
            return LULL_FAILED
        }
    }

    /// Lets go of what another process or thread does for it.
    func cancel() { work.cancel() }
}

/// A request that waits for a load, as the context of the job.
@safe
private final class LoadRequest {
    private let core: PicturesCore
    private weak var pictures: CPictures?
    var load: PictureLoad?
    private let key: UInt64
    private let done: DoneBody?
    private let context: UnsafeMutableRawPointer?

    init(_ load: PictureLoad, of pictures: CPictures, _ request: lull_picture_request) {
        (self.load, self.pictures, core) = (load, pictures, pictures.core)
        unsafe (key, done, context) = (request.key, request.done, request.context)
    }

    /// Tells the program of the end of its request.
    func end(_ end: lull_end) {
        let load = load.take()
        if let pictures, let load, pictures.loads[key] === load { pictures.loads[key] = nil }
        if end == LULL_END_CANCELLED || end == LULL_END_DROPPED { load?.cancel() }
        guard unsafe done != nil else { return }
        var result = unsafe lull_picture_result()
        unsafe result.size = MemoryLayout<lull_picture_result>.size
        unsafe result.key = key
        unsafe result.end = end
        switch (end, load?.result) {
        case (LULL_END_DONE, .success(let picture)?):
            do throws(StatusError) {
                let handle = try CPicture.make(picture, core.format)
                unsafe result.picture = OpaquePointer(bitPattern: handle)
                unsafe tell(&result, picture.damage.map { "damaged: \($0)" } ?? "")
            } catch {
                unsafe tell(&result, .noMemory)
            }
        case (_, .failure(let failure)?): unsafe tell(&result, failure)
        case (LULL_END_CANCELLED, _), (LULL_END_DROPPED, _):
            unsafe tell(&result, String(cString: lull_end_text(end)))
        case (_, nil) where load == nil: unsafe tell(&result, .joined)
        default: unsafe tell(&result, .noMemory)  // or it was lost in a fork
        }
    }

    private func tell(_ result: inout lull_picture_result, _ failure: PictureFailure) {
        unsafe result.end = LULL_END_FAILED
        unsafe result.error = failure.code
        unsafe result.system_error = failure.systemError
        unsafe result.is_transient = failure.isTransient ? 1 : 0
        unsafe tell(&result, failure.text)
    }

    private func tell(_ result: inout lull_picture_result, _ text: String) {
        unsafe text.withCString { text in
            unsafe result.text = text
            unsafe done?(&result, context)
        }
    }
}

/// Loads a picture; see lull-pictures.h.
@c @implementation
public func lull_picture_load(
    _ pictures: OpaquePointer!, _ request: UnsafePointer<lull_picture_request>!
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CPictures.named(pictures)
        let request = try unsafe given(request, "request")
        unsafe try check(request, size: request.pointee.size, "request")
        let checked = try unsafe CheckedRequest(request.pointee, limits: object.core.limits)
        return unsafe try object.load(checked, request.pointee)
    }
}

extension CPictures {
    /// Submits the job of a load, or joins one.
    fileprivate func load(
        _ checked: CheckedRequest, _ request: lull_picture_request
    ) throws(StatusError) -> lull_status {
        let key = unsafe request.key
        let present = loads[key]
        let load = PictureLoad(checked, key, of: core)
        let waiting = unsafe LoadRequest(load, of: self, request)
        let context = unsafe Unmanaged.passRetained(waiting)
        var job = unsafe lull_job()
        unsafe lull_job_init(&job, MemoryLayout<lull_job>.size)
        unsafe job.key = key
        unsafe job.rank = request.rank
        unsafe job.priority = request.priority
        unsafe job.context = context.toOpaque()
        unsafe job.run = { slot, _, context in
            guard let context = unsafe context else { return LULL_FAILED }
            let request = unsafe Unmanaged<LoadRequest>.fromOpaque(context).takeUnretainedValue()
            return unsafe request.load?.run(in: Slice(slot)) ?? LULL_FAILED
        }
        unsafe job.end = { _, end, context in
            guard let context = unsafe context else { return }
            unsafe Unmanaged<LoadRequest>.fromOpaque(context).takeRetainedValue().end(end)
        }
        loads[key] = load
        let submitted = unsafe lull_submit_anywhere(core.queue.pointer, &job)
        switch submitted {
        case LULL_OK, LULL_DROPPED: break
        case LULL_JOINED:
            waiting.load = present
            loads[key] = present
        default:
            loads[key] = present
            unsafe context.release()
            if let refusal = Refusal(submitted) {
                throw refusal.error(of: "queue", as: "the queue of pictures")
            }
        }
        return submitted
    }
}

/// The type of C's functions for the end of a load.
private typealias DoneBody =
    @convention(c) (UnsafePointer<lull_picture_result>?, UnsafeMutableRawPointer?) -> Void
