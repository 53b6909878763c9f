internal import CLull
public import CLullPictures
internal import IdleLoop
internal import LullCalls
internal import LullLibC
internal import Synchronization

/// A C program's pictures, which retain themselves until they are closed.
@safe
final class CPictures {
    let core: PicturesCore
    /// The loads that haven't ended, by their keys in the queue.
    var loads: [UInt64: PictureLoad] = [:]
    private var entry: TableEntry?
    private var selfRetain: CPictures?

    init(_ core: PicturesCore) throws(StatusError) {
        self.core = core
        let entry = try TableEntry(of: self, LULL_KIND_PICTURES)
        self.entry = entry
        PicturesCore.open.withLock { $0[entry.handle] = core }
        selfRetain = self
    }

    var handle: UInt { entry?.handle ?? 0 }

    /// Returns the pictures that a handle names.
    static func named(_ handle: OpaquePointer?) throws(StatusError) -> CPictures {
        let object: CPictures = unsafe try TableEntry.object(
            of: handle, LULL_KIND_PICTURES, anywhere: false)
        // Inside a job that may run anywhere, the loop's own thread is another.
        let isElsewhere = keepingError {
            unsafe lull_count(object.core.queue.pointer) == Int64(LULL_WRONG_THREAD.rawValue)
        }
        guard !isElsewhere else {
            throw unsafe TableEntry.refusal(of: handle, LULL_KIND_PICTURES, as: LULL_WRONG_THREAD)
        }
        return object
    }

    /// Closes the pictures; their handle is stale before any callback is called.
    func close() {
        _ = PicturesCore.open.withLock { $0.removeValue(forKey: handle) }
        entry.take()?.free()
        core.close()
        selfRetain = nil
    }
}

/// Creates what loads pictures; see lull-pictures.h.
@c @implementation
public func lull_pictures_new(
    _ loop: OpaquePointer!, _ options: UnsafePointer<lull_pictures_options>!,
    _ pictures: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe pictures?.pointee = nil
    return status { () throws(StatusError) in
        // Lull checks its loop before anything else.
        if let refusal = unsafe Refusal(lull_queue_new(loop, nil, nil)), refusal.isOf("loop") {
            throw refusal.error(of: "loop", as: "loop")
        }
        let pictures = try unsafe given(pictures, "pictures")
        var chosen = unsafe lull_pictures_options()
        unsafe lull_pictures_options_init(&chosen, MemoryLayout<lull_pictures_options>.size)
        if let options = unsafe options {
            unsafe try check(options, size: options.pointee.size, "options")
            unsafe chosen = options.pointee
        }
        let configuration = try unsafe PicturesConfiguration(chosen)
        let core = try unsafe PicturesCore(on: loop, chosen.queue, configuration)
        do throws(StatusError) {
            unsafe pictures.pointee = OpaquePointer(bitPattern: try CPictures(core).handle)
        } catch {
            core.close()
            throw error
        }
        return LULL_OK
    }
}

/// Closes pictures; see lull-pictures.h.
@c @implementation
public func lull_pictures_close(_ pictures: OpaquePointer!) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CPictures.named(pictures).close()
        return LULL_OK
    }
}

/// Gets the queue of loads; see lull-pictures.h.
@c @implementation
public func lull_pictures_get_queue(
    _ pictures: OpaquePointer!, _ queue: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe queue?.pointee = nil
    return status { () throws(StatusError) in
        let object = unsafe try CPictures.named(pictures)
        let queue = try unsafe given(queue, "queue")
        unsafe queue.pointee = object.core.queue.pointer
        return LULL_OK
    }
}

/// Fills a struct with counts; see lull-pictures.h.
@c @implementation
public func lull_pictures_get_statistics(
    _ pictures: OpaquePointer!, _ statistics: UnsafeMutablePointer<lull_pictures_statistics>!,
    _ size: Int
) -> lull_status {
    status { () throws(StatusError) in
        let core = unsafe try CPictures.named(pictures).core
        let statistics = try unsafe given(statistics, "statistics")
        let helpers = core.helpers?.counts
        var counts = lull_pictures_statistics(
            decoded: core.counts.decoded.load(ordering: .relaxed),
            decoded_by_helpers: core.counts.decodedByHelpers.load(ordering: .relaxed),
            found: core.counts.found.load(ordering: .relaxed),
            stored: core.counts.stored.load(ordering: .relaxed),
            damaged: core.counts.damaged.load(ordering: .relaxed),
            failed: core.counts.failed.load(ordering: .relaxed),
            helpers_started: UInt64(helpers?.started ?? 0),
            helpers_failed: UInt64(helpers?.failed ?? 0))
        unsafe fill(statistics, size, with: &counts)
        return LULL_OK
    }
}
