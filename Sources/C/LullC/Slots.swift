internal import CLull
internal import IdleLoop
internal import LullCalls

/// Returns whether a slice of work should end now; see lull.h.
@c @implementation
public func lull_slot_is_over(_ slot: OpaquePointer!) -> Int32 {
    unsafe Int32(truncatingIfNeeded: ask(slot) { $0.isOver || lull_has_body_ended() ? 1 : 0 })
}

/// Returns the time that is left of the slot; see lull.h.
@c @implementation
public func lull_slot_remaining(_ slot: OpaquePointer!) -> Int64 {
    unsafe ask(slot) { $0.timeRemaining.wholeNanoseconds }
}

/// Returns the time at which the slot ends; see lull.h.
@c @implementation
public func lull_slot_deadline(_ slot: OpaquePointer!) -> Int64 {
    unsafe ask(slot) { $0.deadline.nanoseconds }
}

/// Returns the time at which a slice should end; see lull.h.
@c @implementation
public func lull_slot_slice_end(_ slot: OpaquePointer!) -> Int64 {
    unsafe ask(slot) { $0.sliceEnd.nanoseconds }
}

/// Returns whether the job runs because it has waited past its timeout; see lull.h.
@c @implementation
public func lull_slot_did_time_out(_ slot: OpaquePointer!) -> Int32 {
    unsafe Int32(truncatingIfNeeded: ask(slot) { $0.didTimeout ? 1 : 0 })
}

/// Returns what `question` says of the slot that a handle names, or the status of a refused call.
private func ask(
    _ handle: OpaquePointer?, for function: StaticString = #function,
    _ question: (borrowing IdleSlot) -> Int64
) -> Int64 {
    var slot: UnsafeRawPointer?
    let status = unsafe lull_find(UnsafeRawPointer(handle), LULL_KIND_SLOT, &slot)
    guard status == LULL_OK, let slot = unsafe slot else {
        let error = unsafe LULL_KIND_SLOT.refusal(of: handle, as: status)
        return Int64(error.report(by: function).rawValue)
    }
    return unsafe question(slot.assumingMemoryBound(to: IdleSlot.self).pointee)
}
