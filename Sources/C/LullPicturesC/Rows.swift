internal import CLull
public import CLullPictures
internal import IdleLoop
internal import ImageLoading
internal import LullCalls

/// Loads the picture of a list's row; see lull-pictures.h.
@c @implementation
public func lull_picture_load_row(
    _ pictures: OpaquePointer!, _ slot: OpaquePointer!, _ load: UnsafeMutablePointer<lull_load>!,
    _ request: UnsafePointer<lull_picture_request>!
) -> lull_progress {
    do throws(StatusError) {
        let load = try unsafe given(load, "load")
        let picture: CPicture
        if let handle = unsafe load.pointee.value {
            picture = try unsafe CPicture.named(OpaquePointer(handle))
        } else {
            let handle: UInt
            (picture, handle) = try unsafe begin(pictures, load.pointee, request)
            unsafe load.pointee.value = UnsafeMutableRawPointer(bitPattern: handle)
        }
        return unsafe picture.run(in: Slice(slot), &load.pointee)
    } catch {
        unsafe load?.pointee.fail(error)
        _ = error.report(by: #function)
        return LULL_FAILED
    }
}

/// Makes the picture of a row that begins.
private func begin(
    _ pictures: OpaquePointer?, _ load: lull_load, _ request: UnsafePointer<lull_picture_request>?
) throws(StatusError) -> (CPicture, UInt) {
    let number = UInt(bitPattern: pictures)
    guard let core = PicturesCore.open.withLock({ $0[number] }) else {
        let known = unsafe lull_check(UnsafeRawPointer(pictures), LULL_KIND_PICTURES)
        throw unsafe TableEntry.refusal(
            of: pictures, LULL_KIND_PICTURES, as: known == LULL_OK ? LULL_STALE : known)
    }
    let request = try unsafe given(request, "request")
    unsafe try check(request, size: request.pointee.size, "request")
    let checked = try unsafe CheckedRequest(request.pointee, limits: core.limits)
    let list = unsafe UInt(bitPattern: load.list)
    let work = unsafe PictureWork(
        checked, of: core, givesPreviews: true, resumption: .row(load.key, list: list))
    return try CPicture.make(work)
}

extension CPicture {
    /// Runs a slice of a row's load.
    fileprivate func run(in slice: Slice, _ load: inout lull_load) -> lull_progress {
        guard let work = unsafe work else { return LULL_DONE }
        let format = work.core.format
        switch work.run(in: slice) {
        case .again:
            unsafe load.bytes = Int64(work.size)
            return LULL_AGAIN
        case .waiting: return LULL_WAITING
        case .refined(let picture):
            show(picture, format, isPreview: true)
            unsafe load.bytes = Int64(picture.pixels.count + work.size)
            return LULL_REFINED
        case .done(let picture):
            show(picture, format, isPreview: false)
            endWork()
            unsafe load.bytes = Int64(picture.pixels.count)
            return LULL_DONE
        case .failed(let failure):
            endWork()
            unsafe load.error = Int32(bitPattern: failure.code.rawValue)
            unsafe load.retry_after = failure.isTransient ? 0 : Int64(LULL_NONE)
            return LULL_FAILED
        }
    }
}

extension lull_load {
    /// Notes why the load can't begin.
    fileprivate mutating func fail(_ failure: StatusError) {
        let isTransient = [LULL_SYSTEM, LULL_NO_MEMORY].contains(failure.status)
        let code =
            switch failure.status {
            case LULL_SYSTEM: LULL_PICTURE_CANNOT_OPEN
            case LULL_NO_MEMORY: LULL_PICTURE_NO_MEMORY
            default: LULL_PICTURE_REFUSED
            }
        unsafe error = Int32(bitPattern: code.rawValue)
        unsafe retry_after = isTransient ? 0 : Int64(LULL_NONE)
    }
}
