internal import CLull
internal import IdleLoop

/// Where a loop's callbacks are called: it knows how many are being called, and lends them the lull
/// they're called in.
@safe
struct Stage {
    /// The place of the slot, which is taken while one is lent.
    private let place: UnsafeMutablePointer<lull_place>

    init() throws(Refusal) {
        guard let place = unsafe lull_place_new(LULL_KIND_SLOT, nil) else { throw .noMemory }
        unsafe self.place = place
    }

    /// Whether a callback is being called.
    var isBusy: Bool { unsafe place.pointee.depth > 0 }

    /// Runs a job of C's.
    @inline(__always)
    func run(
        in slot: borrowing IdleSlot, _ body: JobBody, _ key: UInt64,
        _ context: UnsafeMutableRawPointer?
    ) -> lull_progress {
        unsafe withUnsafePointer(to: slot) { slot in
            unsafe lull_run(place, slot, body, key, context)
        }
    }

    /// Has a callback of C's work before idle.
    @inline(__always)
    func work(
        in slot: borrowing IdleSlot, _ body: IdleBody, _ context: UnsafeMutableRawPointer?
    ) -> lull_idle {
        unsafe withUnsafePointer(to: slot) { slot in
            unsafe lull_work(place, slot, body, context)
        }
    }

    /// Loads a row's value by C's callback.
    func load(
        in slot: borrowing IdleSlot, _ body: LoadBody, _ load: UnsafeMutablePointer<lull_load>,
        _ context: UnsafeMutableRawPointer?
    ) -> lull_progress {
        unsafe withUnsafePointer(to: slot) { slot in
            unsafe lull_run_load(place, slot, body, load, context)
        }
    }

    /// Calls back without a lull.
    func call<T>(_ body: () -> T) -> T {
        unsafe place.pointee.depth += 1
        defer { unsafe place.pointee.depth -= 1 }
        return body()
    }

    /// Gives the place back.
    func vacate() {
        unsafe lull_place_free(place)
    }
}

/// What C's jobs, loads and callbacks before idle look like here.
typealias JobBody =
    @convention(c) (OpaquePointer?, UInt64, UnsafeMutableRawPointer?) -> lull_progress
typealias LoadBody =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<lull_load>?, UnsafeMutableRawPointer?) ->
    lull_progress
typealias IdleBody = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> lull_idle
