public import CLull
internal import IdleLoop

/// A C program's callback before idle.
private final class GuestObserver: Guest {
    unowned let loop: GuestLoop
    var observer: Observer?

    init(on loop: GuestLoop) {
        self.loop = loop
    }

    func leave() {
        observer?.cancel()
    }
}

/// Registers a callback before idle; see lull.h.
@c @implementation
public func lull_before_idle(
    _ loop: OpaquePointer!, _ order: Int32, _ modes: lull_mode,
    _ work: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> lull_idle)!,
    _ context: UnsafeMutableRawPointer!,
    _ observer: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe observer?.pointee = nil
    return status { () throws(Refusal) in
        let guest = unsafe try GuestLoop.named(loop)
        guard let work = unsafe work else { throw .invalid }
        let modes = try LoopMode(modes)
        let made = GuestObserver(on: guest)
        if let observer = unsafe observer {
            unsafe observer.pointee = try guest.add(made, LULL_KIND_OBSERVER).pointer
        }
        let stage = guest.stage
        made.observer = guest.loop.beforeIdle(order: Int(order), modes: modes) { slot in
            unsafe stage.work(in: slot, work, context) == LULL_WORKED ? .worked : .nothing
        }
        return LULL_OK
    }
}

/// Removes a callback before idle; see lull.h.
@c @implementation
public func lull_observer_cancel(_ observer: OpaquePointer!) -> lull_status {
    status { () throws(Refusal) in
        let made = unsafe try Place.object(
            of: observer, LULL_KIND_OBSERVER, as: GuestObserver.self)
        unsafe made.loop.remove(Handle(observer))
        return LULL_OK
    }
}
