public import CLull
internal import LullForeignHosts
internal import IdleLoop
internal import LullCalls

/// Makes Lull a guest on a host's base; see lull.h.
@c @implementation
public func lull_adopt(
    _ base: OpaquePointer!, _ loop: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe adopt(loop) { () throws(StatusError) in
        try CLoop { () throws(LoopError) in
            try unsafe MainLoop(adopting: base, servesMainQueue: false)
        }
    }
}

/// Makes Lull a guest on a loop that watches one descriptor; see lull.h.
@c @implementation
public func lull_adopt_fd(
    _ loop: UnsafeMutablePointer<OpaquePointer?>!, _ descriptor: UnsafeMutablePointer<Int32>!
) -> lull_status {
    unsafe descriptor?.pointee = -1
    return unsafe adopt(loop) { () throws(StatusError) in
        let descriptor = try unsafe given(descriptor, "descriptor")
        let host: DescriptorHost
        do throws(LoopError) {
            host = try DescriptorHost()
        } catch {
            throw StatusError(error)
        }
        let made = try CLoop(host) { () throws(LoopError) in
            try MainLoop(guestOf: host, servesMainQueue: false)
        }
        unsafe descriptor.pointee = host.descriptor
        return made
    }
}

/// Serves a loop of `lull_adopt_fd`; see lull.h.
@c @implementation
public func lull_process(_ loop: OpaquePointer!, _ wasBusy: Int32) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CLoop.named(loop).process(wasBusy: wasBusy != 0)
        return LULL_OK
    }
}

/// Makes Lull a guest on a host of C's own; see lull.h.
@c @implementation
public func lull_adopt_host(
    _ host: UnsafePointer<lull_host>!, _ loop: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    var foreign: ForeignHost?  // releases the host, whatever is refused
    if let host = unsafe host, unsafe (try? check(host, size: host.pointee.size, "")) != nil {
        foreign = unsafe ForeignHost(host.pointee)
    }
    return unsafe adopt(loop) { () throws(StatusError) in
        let host = try unsafe given(host, "host")
        unsafe try check(host, size: host.pointee.size, "host")
        _ = try unsafe given(host.pointee.request_idle, "host->request_idle")
        _ = try unsafe given(host.pointee.end, "host->end")
        guard let foreign else { throw .noMemory }
        return try CLoop { () throws(LoopError) in
            try MainLoop(guestOf: foreign, servesMainQueue: false)
        }
    }
}

/// Stores the handle of the loop that `make` makes.
private func adopt(
    _ loop: UnsafeMutablePointer<OpaquePointer?>?, by function: StaticString = #function,
    _ make: () throws(StatusError) -> CLoop
) -> lull_status {
    unsafe loop?.pointee = nil
    return status(function) { () throws(StatusError) in
        let loop = try unsafe given(loop, "loop")
        guard !lull_is_inside_body() else { throw .insideBody }
        unsafe loop.pointee = try make().handle.pointer
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

/// Notes when the host draws its next frame; see lull.h.
@c @implementation
public func lull_expect_frame(_ loop: OpaquePointer!, _ time: Int64) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CLoop.named(loop)
        try require(time >= 0, "time", "is negative")
        object.loop.expectFrame(at: Instant(nanoseconds: time))
        return LULL_OK
    }
}

/// Sets the mode of a loop; see lull.h.
@c @implementation
public func lull_set_mode(_ loop: OpaquePointer!, _ mode: lull_mode) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CLoop.named(loop)
        try require(
            mode == LULL_MODE_DEFAULT || mode == LULL_MODE_TRACKING, "mode", "isn't a single mode")
        object.loop.mode = try LoopMode(mode, "mode")
        return LULL_OK
    }
}

extension LoopMode {
    /// The modes that C has given.
    init(_ mode: lull_mode, _ argument: String) throws(StatusError) {
        switch mode {
        case LULL_MODE_DEFAULT: self = .default
        case LULL_MODE_TRACKING: self = .tracking
        case LULL_MODE_ALL: self = .all
        default: throw .invalid(argument, "is none of lull_mode")
        }
    }
}
