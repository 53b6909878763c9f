public import CLull
internal import IdleLoop
internal import LullCalls

/// Shuts down a queue; see lull.h.
@c @implementation
public func lull_queue_shutdown(
    _ queue: OpaquePointer!, _ time: Int64,
    _ then: (
        @convention(c) (
            UnsafePointer<lull_shutdown_report>?, UnsafeMutableRawPointer?
        ) -> Void
    )!,
    _ context: UnsafeMutableRawPointer!
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CQueue.named(queue)
        let time = try given(Duration(orNone: time, "time"), "time", "is LULL_NONE")
        let handle = unsafe Handle(queue)
        let scope = object.loop.scope
        object.shutDown(as: handle, within: time) { report in
            guard let then = unsafe then else { return }
            unsafe report.lend(as: handle) { report in
                scope.call { unsafe then(report, context) }
            }
        }
        return LULL_OK
    }
}

/// Shuts down all queues of a loop; see lull.h.
@c @implementation
public func lull_loop_shutdown(
    _ loop: OpaquePointer!, _ time: Int64,
    _ each: (
        @convention(c) (
            UnsafePointer<lull_shutdown_report>?, UnsafeMutableRawPointer?
        ) -> Void
    )!,
    _ then: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void)!,
    _ context: UnsafeMutableRawPointer!
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CLoop.named(loop)
        let time = try given(Duration(orNone: time, "time"), "time", "is LULL_NONE")
        let then = try unsafe given(then, "then")
        let (scope, handle) = (object.scope, object.handle)
        object.shutDown(within: time) { queue, report in
            guard let each = unsafe each else { return }
            unsafe report.lend(as: queue) { report in
                scope.call { unsafe each(report, context) }
            }
        } then: {
            scope.call { unsafe then(handle.pointer, context) }
        }
        return LULL_OK
    }
}

extension ShutdownReport<UInt64> {
    /// Calls `body` with the report as a C struct, which is valid during the call.
    fileprivate func lend(
        as handle: Handle, to body: (UnsafePointer<lull_shutdown_report>) -> Void
    ) {
        var lent = unsafe lull_shutdown_report()
        unsafe lent.size = MemoryLayout<lull_shutdown_report>.size
        unsafe lent.queue = handle.pointer
        unsafe lent.finished_count = finished.count
        unsafe lent.failed_count = failed.count
        unsafe lent.returned_count = returned.count
        unsafe queue.withCString { name in
            unsafe finished.withUnsafeBufferPointer { finished in
                unsafe failed.withUnsafeBufferPointer { failed in
                    unsafe returned.withUnsafeBufferPointer { returned in
                        unsafe lent.name = name
                        unsafe lent.finished = finished.baseAddress
                        unsafe lent.failed = failed.baseAddress
                        unsafe lent.returned = returned.baseAddress
                        unsafe body(&lent)
                    }
                }
            }
        }
    }
}
