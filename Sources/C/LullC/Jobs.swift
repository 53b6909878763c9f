public import CLull
internal import IdleLoop
internal import LullCalls

/// Fills a job with the defaults; see lull.h.
@c @implementation
public func lull_job_init(_ job: UnsafeMutablePointer<lull_job>!, _ size: Int) {
    var defaults = unsafe lull_job()
    unsafe defaults.size = size
    unsafe defaults.cost = Int64(LULL_NONE)
    unsafe defaults.timeout = Int64(LULL_NONE)
    unsafe defaults.priority = LULL_PRIORITY_NORMAL
    unsafe fill(job, size, with: &defaults)
}

/// Submits a job; see lull.h.
@c @implementation
public func lull_submit(_ queue: OpaquePointer!, _ job: UnsafePointer<lull_job>!) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CQueue.named(queue)
        let job = try unsafe given(job, "job")
        unsafe try check(job, size: job.pointee.size, "job")
        return unsafe try object.submit(job.pointee)
    }
}

/// Submits a job that may run anywhere; see lull.h.
@c @implementation
public func lull_submit_anywhere(
    _ queue: OpaquePointer!, _ job: UnsafePointer<lull_job>!
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CQueue.named(queue)
        let job = try unsafe given(job, "job")
        unsafe try check(job, size: job.pointee.size, "job")
        return unsafe try object.submit(job.pointee, anywhere: true)
    }
}

/// Changes the priority and rank of a key's job; see lull.h.
@c @implementation
public func lull_reprioritize(
    _ queue: OpaquePointer!, _ key: UInt64, _ priority: lull_priority, _ rank: Int64
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CQueue.named(queue)
        let priority = try Priority(priority, "priority")
        let isThere = object.queue.reprioritize(key, priority: priority, rank: Int(rank))
        return isThere ? LULL_OK : LULL_ABSENT
    }
}

/// Lets a waiting job run again; see lull.h.
@c @implementation
public func lull_resume(_ queue: OpaquePointer!, _ key: UInt64) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CQueue.named(queue).queue.resume(key) ? LULL_OK : LULL_ABSENT
    }
}

/// Cancels a key's job; see lull.h.
@c @implementation
public func lull_cancel(_ queue: OpaquePointer!, _ key: UInt64) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CQueue.named(queue).queue.cancel(key) ? LULL_OK : LULL_ABSENT
    }
}

/// Cancels every job; see lull.h.
@c @implementation
public func lull_cancel_all(_ queue: OpaquePointer!) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CQueue.named(queue).queue.cancelAll()
        return LULL_OK
    }
}

/// Returns whether a job would be accepted without dropping a more urgent one; see lull.h.
@c @implementation
public func lull_has_room(
    _ queue: OpaquePointer!, _ priority: lull_priority
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CQueue.named(queue)
        let priority = try Priority(priority, "priority")
        return object.queue.hasRoom(for: priority) ? LULL_OK : LULL_DROPPED
    }
}

/// Returns whether a key has a job here; see lull.h.
@c @implementation
public func lull_contains(_ queue: OpaquePointer!, _ key: UInt64) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CQueue.named(queue).queue.contains(key) ? LULL_OK : LULL_ABSENT
    }
}

/// Returns the number of waiting jobs; see lull.h.
@c @implementation
public func lull_count(_ queue: OpaquePointer!) -> Int64 {
    do {
        return unsafe Int64(try CQueue.named(queue).queue.count)
    } catch {
        return Int64(error.report(by: #function).rawValue)
    }
}
