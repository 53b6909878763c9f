public import CLull
internal import IdleLoop

/// Makes Lull a guest on a host's base; see lull.h.
@c @implementation
public func lull_adopt(
    _ base: OpaquePointer!, _ loop: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    guard let loop = unsafe loop else { return LULL_INVALID }
    unsafe loop.pointee = nil
    return status { () throws(StatusError) in
        unsafe loop.pointee = try CLoop(adopting: base).handle.pointer
        return LULL_OK
    }
}

/// Closes a loop and everything that was made on it; see lull.h.
@c @implementation
public func lull_close(_ loop: OpaquePointer!) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CLoop.named(loop).close()
        return LULL_OK
    }
}

/// Reinitializes a loop in a forked child; see lull.h.
@c @implementation
public func lull_reinit_after_fork(_ loop: OpaquePointer!) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CLoop.named(loop).reinitAfterFork()
        return LULL_OK
    }
}

/// Requests that the callbacks before idle are called in the next idle pass; see lull.h.
@c @implementation
public func lull_poke(_ loop: OpaquePointer!) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CLoop.named(loop).loop.poke()
        return LULL_OK
    }
}

/// Sets the mode of a loop; see lull.h.
@c @implementation
public func lull_set_mode(_ loop: OpaquePointer!, _ mode: lull_mode) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CLoop.named(loop)
        guard mode == LULL_MODE_DEFAULT || mode == LULL_MODE_TRACKING else { throw .invalid }
        object.loop.mode = try LoopMode(mode)
        return LULL_OK
    }
}

extension LoopMode {
    /// The modes that C has given.
    init(_ mode: lull_mode) throws(StatusError) {
        guard mode.rawValue > 0, mode.rawValue <= LULL_MODE_ALL.rawValue else { throw .invalid }
        self.init(rawValue: UInt8(mode.rawValue))
    }
}
