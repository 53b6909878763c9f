internal import CLull
internal import IdleLoop
internal import LullCalls

extension QueueConfiguration {
    /// The configuration in C's options, if they are valid.
    ///
    /// `name` is how the caller's argument names them.
    init(_ options: lull_queue_options, _ name: String) throws(StatusError) {
        self.init()
        try unsafe require(
            1...Int64(Int32.max) ~= options.limit, "\(name)->limit", "isn't 1 to \(Int32.max)")
        try unsafe require(options.weight > 0, "\(name)->weight", "isn't more than 0")
        try unsafe require(options.batch >= 0, "\(name)->batch", "is negative")
        limit = unsafe Int(options.limit)
        slice = try unsafe Duration(positiveOrNone: options.slice, "\(name)->slice")
        maxDeferral = try unsafe Duration(
            positiveOrNone: options.max_deferral, "\(name)->max_deferral")
        batch = unsafe .nanoseconds(options.batch)
        weight = unsafe Int(options.weight)
        lanes = try unsafe LaneLimit(options.lanes, "\(name)->lanes")
        modes = try unsafe LoopMode(options.modes, "\(name)->modes")
        endsSlicesWhenDue = unsafe options.ends_slices_when_due != 0
        if let name = unsafe options.name { self.name = unsafe String(cString: name) }
    }
}

extension LaneLimit {
    /// The number of lanes that C has given.
    fileprivate init(_ number: Int64, _ argument: String) throws(StatusError) {
        if number == Int64(LULL_NONE) {
            self = .none
        } else {
            try require(number >= 0, argument, "is negative, and not LULL_NONE")
            self = number == 0 ? .automatic : .atMost(Int(number))
        }
    }
}

extension Duration {
    /// A positive duration of C in nanoseconds, nil for `LULL_NONE`.
    fileprivate init?(
        positiveOrNone nanoseconds: Int64, _ argument: String
    ) throws(StatusError) {
        try require(nanoseconds != 0, argument, "is 0")
        try self.init(orNone: nanoseconds, argument)
    }
}

extension Int64 {
    /// A duration in nanoseconds for C, `LULL_NONE` for nil.
    init(orNone duration: Duration?) {
        self = duration?.wholeNanoseconds ?? Int64(LULL_NONE)
    }
}
