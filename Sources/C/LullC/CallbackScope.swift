internal import CLull
internal import IdleLoop
internal import LullCalls

/// A counter of a loop's running C callbacks that lends them the slot in which they are called.
@safe
struct CallbackScope {
    /// The entry of the slot in the table of handles, taken while a slot is lent.
    private let entry: UnsafeMutablePointer<lull_entry>

    init() throws(StatusError) {
        guard let entry = unsafe lull_entry_new(LULL_KIND_SLOT, nil) else { throw .noMemory }
        unsafe self.entry = entry
    }

    /// Whether a callback is being called.
    var isBusy: Bool { unsafe entry.pointee.depth > 0 }

    /// Runs a C program's job.
    @inline(__always)
    func run(
        in slot: borrowing IdleSlot, _ body: JobBody, _ key: UInt64,
        _ context: UnsafeMutableRawPointer?
    ) -> lull_progress {
        unsafe withUnsafePointer(to: slot) { slot in
            unsafe lull_run(entry, slot, body, key, context)
        }
    }

    /// Calls a C program's callback before idle.
    @inline(__always)
    func work(
        in slot: borrowing IdleSlot, _ body: IdleBody, _ context: UnsafeMutableRawPointer?
    ) -> lull_idle {
        unsafe withUnsafePointer(to: slot) { slot in
            unsafe lull_work(entry, slot, body, context)
        }
    }

    /// Loads a row's value by the C callback.
    func load(
        in slot: borrowing IdleSlot, _ body: LoadBody, _ load: UnsafeMutablePointer<lull_load>,
        _ context: UnsafeMutableRawPointer?
    ) -> lull_progress {
        unsafe withUnsafePointer(to: slot) { slot in
            unsafe lull_run_load(entry, slot, body, load, context)
        }
    }

    /// Calls a callback without a slot.
    func call<T>(_ body: () -> T) -> T {
        unsafe entry.pointee.depth += 1
        defer { unsafe entry.pointee.depth -= 1 }
        return body()
    }

    /// Frees the entry.
    func free() {
        unsafe lull_entry_free(entry)
    }
}

/// The types of C's functions for jobs, loads and callbacks before idle.
typealias JobBody =
    @convention(c) (OpaquePointer?, UInt64, UnsafeMutableRawPointer?) -> lull_progress
typealias LoadBody =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<lull_load>?, UnsafeMutableRawPointer?) ->
    lull_progress
typealias IdleBody = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> lull_idle
