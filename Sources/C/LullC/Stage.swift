internal import CLull
internal import IdleLoop

/// A counter of a loop's running C callbacks that lends them the slot in which they are called.
@safe
struct Stage {
    /// The place of the slot in the table of handles, taken while a slot is lent.
    private let place: UnsafeMutablePointer<lull_place>

    init() throws(Refusal) {
        guard let place = unsafe lull_place_new(LULL_KIND_SLOT, nil) else { throw .noMemory }
        unsafe self.place = place
    }

    /// Whether a callback is being called.
    var isBusy: Bool { unsafe place.pointee.depth > 0 }

    /// Runs a C program's job.
    @inline(__always)
    func run(
        in slot: borrowing IdleSlot, _ body: JobBody, _ key: UInt64,
        _ context: UnsafeMutableRawPointer?
    ) -> lull_progress {
        unsafe withUnsafePointer(to: slot) { slot in
            unsafe lull_run(place, slot, body, key, context)
        }
    }

    /// Calls a C program's callback before idle.
    @inline(__always)
    func work(
        in slot: borrowing IdleSlot, _ body: IdleBody, _ context: UnsafeMutableRawPointer?
    ) -> lull_idle {
        unsafe withUnsafePointer(to: slot) { slot in
            unsafe lull_work(place, slot, body, context)
        }
    }

    /// Loads a row's value by the C callback.
    func load(
        in slot: borrowing IdleSlot, _ body: LoadBody, _ load: UnsafeMutablePointer<lull_load>,
        _ context: UnsafeMutableRawPointer?
    ) -> lull_progress {
        unsafe withUnsafePointer(to: slot) { slot in
            unsafe lull_run_load(place, slot, body, load, context)
        }
    }

    /// Calls a callback without a slot.
    func call<T>(_ body: () -> T) -> T {
        unsafe place.pointee.depth += 1
        defer { unsafe place.pointee.depth -= 1 }
        return body()
    }

    /// Frees the place.
    func vacate() {
        unsafe lull_place_free(place)
    }
}

/// The types of C's functions for jobs, loads and callbacks before idle.
typealias JobBody =
    @convention(c) (OpaquePointer?, UInt64, UnsafeMutableRawPointer?) -> lull_progress
typealias LoadBody =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<lull_load>?, UnsafeMutableRawPointer?) ->
    lull_progress
typealias IdleBody = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> lull_idle
