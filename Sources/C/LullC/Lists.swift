public import CLull
internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel
internal import LullCalls

/// Fills options with the defaults; see lull.h.
@c @implementation
public func lull_list_options_init(
    _ options: UnsafeMutablePointer<lull_list_options>!, _ size: Int
) {
    var defaults = unsafe lull_list_options()
    unsafe defaults.size = size
    unsafe defaults.row_height = 44
    unsafe defaults.rule = LULL_RULE_VALUE
    unsafe defaults.margin = 3
    unsafe defaults.limit = Int64(LoaderConfiguration().capacity)
    unsafe defaults.byte_limit = Int64(LULL_NONE)
    let prices = LoaderConfiguration().prices
    unsafe defaults.least_price = prices.lowerBound.secondsInView
    unsafe defaults.greatest_price = prices.upperBound.secondsInView
    unsafe fill(options, size, with: &defaults)
}

/// Creates a list; see lull.h.
@c @implementation
public func lull_list_new(
    _ loop: OpaquePointer!, _ options: UnsafePointer<lull_list_options>!,
    _ list: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe list?.pointee = nil
    return status { () throws(StatusError) in
        let object = unsafe try CLoop.named(loop)
        let list = try unsafe given(list, "list")
        let options = try unsafe given(options, "options")
        unsafe try check(options, size: options.pointee.size, "options")
        _ = try unsafe given(options.pointee.load, "options->load")
        let made = unsafe try CList(on: object, options.pointee)
        let handle = try object.add(made, LULL_KIND_LIST)
        made.callbacks.list = handle
        unsafe list.pointee = handle.pointer
        return LULL_OK
    }
}

/// Closes a list; see lull.h.
@c @implementation
public func lull_list_close(_ list: OpaquePointer!) -> lull_status {
    unsafe remove(list, LULL_KIND_LIST, CList.self)
}

// MARK: - Events and changes

/// Reports a touch, wheel or key event; see lull.h.
@c @implementation
public func lull_list_input(
    _ list: OpaquePointer!, _ input: lull_input, _ y: Double, _ time: Int64
) -> lull_status {
    unsafe CList.with(list) { object throws(StatusError) in
        let event: ScrollEvent
        switch input {
        case LULL_INPUT_DOWN: event = .down(y: try finger(y))
        case LULL_INPUT_MOVED: event = .moved(y: try finger(y))
        case LULL_INPUT_UP: event = .up(y: try finger(y))
        case LULL_INPUT_CANCELLED: event = .cancelled
        case LULL_INPUT_WHEEL: event = .wheel
        case LULL_INPUT_KEY: event = .key
        case LULL_INPUT_JUMP_ENDED: event = .jumpEnded
        default: throw .invalid("input", "is none of lull_input")
        }
        object.list.handle(event, at: try object.moment(time))
    }
}

/// Reports the start of a fling whose target is known; see lull.h.
@c @implementation
public func lull_list_fling(
    _ list: OpaquePointer!, _ y: Double, _ target: Double, _ time: Int64
) -> lull_status {
    unsafe CList.with(list) { object throws(StatusError) in
        let event = ScrollEvent.up(y: try finger(y), target: try object.offset(target, "target"))
        object.list.handle(event, at: try object.moment(time))
    }
}

/// Sets the list's offset; see lull.h.
@c @implementation
public func lull_list_scroll(
    _ list: OpaquePointer!, _ offset: Double, _ time: Int64
) -> lull_status {
    unsafe CList.with(list) { object throws(StatusError) in
        object.list.scrolled(to: try object.offset(offset, "offset"), at: try object.moment(time))
    }
}

/// Reports the start of a programmatic scroll; see lull.h.
@c @implementation
public func lull_list_jump(_ list: OpaquePointer!, _ target: Double, _ time: Int64) -> lull_status {
    unsafe CList.with(list) { object throws(StatusError) in
        let event = ScrollEvent.jumpBegan(target: try object.offset(target, "target"))
        object.list.handle(event, at: try object.moment(time))
    }
}

/// Sets the height of the viewport; see lull.h.
@c @implementation
public func lull_list_resize(_ list: OpaquePointer!, _ height: Double) -> lull_status {
    unsafe CList.with(list) { object throws(StatusError) in
        try require(0...Viewport.mostHeight ~= height, "height", Viewport.heightProblem)
        object.list.resized(to: height)
    }
}

/// Changes the flow of the rows in lines; see lull.h.
@c @implementation
public func lull_list_arrange(
    _ list: OpaquePointer!, _ flow: UnsafePointer<lull_flow>!
) -> lull_status {
    unsafe CList.with(list) { object throws(StatusError) in
        try object.arrange(unsafe given(flow, "flow").pointee)
    }
}

/// Inserts, removes, moves and reloads rows; see lull.h.
@c @implementation
public func lull_list_update(
    _ list: OpaquePointer!, _ updates: UnsafePointer<lull_update>!, _ count: Int, _ rows: Int64
) -> lull_status {
    unsafe CList.with(list) { object throws(StatusError) in
        let updates = try unsafe given(updates, "updates")
        try require(count >= 0, "count", "is more than there can be")
        unsafe try object.update(UnsafeBufferPointer(start: updates, count: count), count: rows)
    }
}

/// Lets a waiting load continue; see lull.h.
@c @implementation
public func lull_list_resume(_ list: OpaquePointer!, _ key: UInt64) -> lull_status {
    status { () throws(StatusError) in
        unsafe try CList.named(list).list.loader.resume(key) ? LULL_OK : LULL_ABSENT
    }
}

/// Retries a failed row; see lull.h.
@c @implementation
public func lull_list_retry(_ list: OpaquePointer!, _ row: Int64) -> lull_status {
    unsafe CList.with(list) { object throws(StatusError) in
        object.list.retry(row: try object.row(row))
    }
}

/// Drops a row's value; see lull.h.
@c @implementation
public func lull_list_invalidate(_ list: OpaquePointer!, _ row: Int64) -> lull_status {
    unsafe CList.with(list) { object throws(StatusError) in
        object.list.invalidate(row: try object.row(row))
    }
}

/// Returns the position of a finger, in px, if it is small enough that sums don't overflow.
private func finger(_ y: Double) throws(StatusError) -> Double {
    try require(
        abs(y) <= ScrollEvent.farthest, "y", "isn't a number from -10^9 to 10^9")
    return y
}
