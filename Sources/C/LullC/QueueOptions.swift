internal import CLull
internal import IdleLoop

extension QueueConfiguration {
    /// The configuration in C's options, if they are valid.
    init(_ options: lull_queue_options) throws(StatusError) {
        self.init()
        guard unsafe 1...Int64(Int32.max) ~= options.limit, unsafe options.weight > 0,
            unsafe options.batch >= 0
        else { throw .invalid }
        limit = unsafe Int(options.limit)
        costLimit = try unsafe Duration(positiveOrNone: options.cost_limit)
        slice = try unsafe Duration(positiveOrNone: options.slice)
        maxDeferral = try unsafe Duration(positiveOrNone: options.max_deferral)
        batch = unsafe .nanoseconds(options.batch)
        weight = unsafe Int(options.weight)
        modes = try unsafe LoopMode(options.modes)
        overflow = try unsafe Overflow(options.overflow)
        endsSlicesWhenDue = unsafe options.ends_slices_when_due != 0
        if let name = unsafe options.name { self.name = unsafe String(cString: name) }
    }
}

extension Overflow {
    fileprivate init(_ overflow: lull_overflow) throws(StatusError) {
        switch overflow {
        case LULL_DROP_LEAST_URGENT: self = .dropLeastUrgent
        case LULL_DROP_OLDEST: self = .dropOldest
        case LULL_DROP_NEWEST: self = .dropNewest
        case LULL_REJECT: self = .reject
        default: throw .invalid
        }
    }
}

extension Duration {
    /// A positive duration of C in nanoseconds, nil for `LULL_NONE`.
    fileprivate init?(positiveOrNone nanoseconds: Int64) throws(StatusError) {
        guard nanoseconds != 0 else { throw .invalid }
        try self.init(orNone: nanoseconds)
    }
}

extension Int64 {
    /// A duration in nanoseconds for C, `LULL_NONE` for nil.
    init(orNone duration: Duration?) {
        self = duration?.wholeNanoseconds ?? Int64(LULL_NONE)
    }
}
