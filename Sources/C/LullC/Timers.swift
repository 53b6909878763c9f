public import CLull
internal import IdleLoop
internal import LullCalls

/// Calls a function after a delay; see lull.h.
@c @implementation
public func lull_timer_new(
    _ loop: OpaquePointer!, _ delay: Int64, _ period: Int64, _ tolerance: Int64,
    _ fire: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void)!,
    _ context: UnsafeMutableRawPointer!, _ timer: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe timer?.pointee = nil
    return status { () throws(StatusError) in
        let object = unsafe try CLoop.named(loop)
        let fire = try unsafe given(fire, "fire")
        try require(delay >= 0, "delay", "is negative")
        try require(period != 0, "period", "is 0")
        let period = try Duration(orNone: period, "period")
        let tolerance = try Duration(orNone: tolerance, "tolerance")
        let registration = CRegistration(on: object)
        var handle: Handle?
        if let timer = unsafe timer {
            handle = try object.add(registration, LULL_KIND_TIMER)
            unsafe timer.pointee = handle?.pointer
        }
        let (last, scope, loop) = (period == nil ? handle : nil, object.scope, object.handle)
        let active = object.loop.schedule(
            after: .nanoseconds(delay), every: period, tolerance: tolerance
        ) { [unowned object] in
            if let last { object.remove(last) }
            scope.call { unsafe fire(loop.pointer, context) }
        }
        registration.cancel = { active.cancel() }
        return LULL_OK
    }
}

/// Cancels a timer; see lull.h.
@c @implementation
public func lull_timer_cancel(_ timer: OpaquePointer!) -> lull_status {
    unsafe remove(timer, LULL_KIND_TIMER, CRegistration.self)
}
