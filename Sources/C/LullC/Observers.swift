public import CLull
internal import IdleLoop
internal import LullCalls

/// Registers a callback before idle; see lull.h.
@c @implementation
public func lull_before_idle(
    _ loop: OpaquePointer!, _ order: Int32, _ modes: lull_mode,
    _ work: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> lull_idle)!,
    _ context: UnsafeMutableRawPointer!,
    _ observer: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe observer?.pointee = nil
    return status { () throws(StatusError) in
        let object = unsafe try CLoop.named(loop)
        let work = try unsafe given(work, "work")
        let modes = try LoopMode(modes, "modes")
        let registration = CRegistration(on: object)
        if let observer = unsafe observer {
            unsafe observer.pointee = try object.add(registration, LULL_KIND_OBSERVER).pointer
        }
        let scope = object.scope
        let active = object.loop.beforeIdle(order: Int(order), modes: modes) { slot in
            unsafe scope.work(in: slot, work, context) == LULL_WORKED ? .worked : .nothing
        }
        registration.cancel = active.cancel
        return LULL_OK
    }
}

/// Removes a callback before idle; see lull.h.
@c @implementation
public func lull_observer_cancel(_ observer: OpaquePointer!) -> lull_status {
    unsafe remove(observer, LULL_KIND_OBSERVER, CRegistration.self)
}
