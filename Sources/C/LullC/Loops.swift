public import CLull
internal import LullForeignHosts
internal import IdleLoop

/// Makes Lull a guest on a host's base; see lull.h.
@c @implementation
public func lull_adopt(
    _ base: OpaquePointer!, _ loop: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe adopt(loop) { () throws(StatusError) in
        try CLoop { () throws(LoopError) in try unsafe MainLoop(adopting: base) }
    }
}

/// Makes Lull a guest on a loop that watches one descriptor; see lull.h.
@c @implementation
public func lull_adopt_fd(
    _ loop: UnsafeMutablePointer<OpaquePointer?>!, _ descriptor: UnsafeMutablePointer<Int32>!
) -> lull_status {
    guard let descriptor = unsafe descriptor else {
        unsafe loop?.pointee = nil
        return LULL_INVALID
    }
    unsafe descriptor.pointee = -1
    return unsafe adopt(loop) { () throws(StatusError) in
        let host: DescriptorHost
        do throws(LoopError) {
            host = try DescriptorHost()
        } catch {
            throw StatusError(error)
        }
        let made = try CLoop(host) { () throws(LoopError) in try MainLoop(on: host) }
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
    guard let host = unsafe host else {
        unsafe loop?.pointee = nil
        return LULL_INVALID
    }
    do throws(StatusError) {
        unsafe try check(host, size: host.pointee.size)
    } catch {
        unsafe loop?.pointee = nil
        return error.status
    }
    let foreign = unsafe ForeignHost(host.pointee)
    return unsafe adopt(loop) { () throws(StatusError) in
        guard unsafe host.pointee.request_idle != nil, unsafe host.pointee.end != nil else {
            throw .invalid
        }
        return try CLoop { () throws(LoopError) in try MainLoop(on: foreign) }
    }
}

/// Stores the handle of the loop that `make` makes.
private func adopt(
    _ loop: UnsafeMutablePointer<OpaquePointer?>?, _ make: () throws(StatusError) -> CLoop
) -> lull_status {
    guard let loop = unsafe loop else { return LULL_INVALID }
    unsafe loop.pointee = nil
    return status { () throws(StatusError) in
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
