public import CLull
internal import IdleLoop

/// A C program's timer.
private final class GuestTimer: Guest {
    unowned let loop: GuestLoop
    var timer: LoopTimer?

    init(on loop: GuestLoop) {
        self.loop = loop
    }

    func leave() {
        timer?.cancel()
    }
}

/// Calls a function after a delay; see lull.h.
@c @implementation
public func lull_timer_new(
    _ loop: OpaquePointer!, _ delay: Int64, _ period: Int64, _ tolerance: Int64,
    _ fire: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void)!,
    _ context: UnsafeMutableRawPointer!, _ timer: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe timer?.pointee = nil
    return status { () throws(Refusal) in
        let guest = unsafe try GuestLoop.named(loop)
        guard let fire = unsafe fire, delay >= 0, period != 0 else { throw .invalid }
        let period = try Duration(orNone: period)
        let tolerance = try Duration(orNone: tolerance)
        let made = GuestTimer(on: guest)
        var handle: Handle?
        if let timer = unsafe timer {
            handle = try guest.add(made, LULL_KIND_TIMER)
            unsafe timer.pointee = handle?.pointer
        }
        let (last, stage, loop) = (period == nil ? handle : nil, guest.stage, guest.handle)
        made.timer = guest.loop.schedule(
            after: .nanoseconds(delay), every: period, tolerance: tolerance
        ) { [unowned guest] in
            if let last { guest.remove(last) }
            stage.call { unsafe fire(loop.pointer, context) }
        }
        return LULL_OK
    }
}

/// Cancels a timer; see lull.h.
@c @implementation
public func lull_timer_cancel(_ timer: OpaquePointer!) -> lull_status {
    status { () throws(Refusal) in
        let made = unsafe try Place.object(of: timer, LULL_KIND_TIMER, as: GuestTimer.self)
        unsafe made.loop.remove(Handle(timer))
        return LULL_OK
    }
}
