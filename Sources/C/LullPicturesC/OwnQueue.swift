internal import CLull
internal import LullCalls

/// A queue of the pictures' own.
struct OwnQueue {
    let handle: UInt

    /// Creates a queue by C's options.
    init(
        on loop: OpaquePointer?, _ options: UnsafePointer<lull_queue_options>?
    ) throws(StatusError) {
        var queue: OpaquePointer?
        if let refusal = unsafe Refusal(lull_queue_new(loop, options, &queue)) {
            throw refusal.error(of: "options", as: "options->queue")
        }
        handle = UInt(bitPattern: queue)
    }

    /// The handle as a C pointer.
    var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: handle) }

    /// Closes the queue, unless it or its loop was closed.
    func close() { keepingError { _ = unsafe lull_queue_close(pointer) } }
}

/// Why a function of lull.h has refused a call.
struct Refusal {
    private let status: lull_status
    /// The argument, and what is wrong with it.
    private let reason: String

    /// The refusal that a status tells of; nil if it isn't an error.
    init?(_ status: lull_status) {
        guard status.rawValue < 0 else { return nil }
        self.status = status
        let text = unsafe String(cString: lull_last_error())
        reason = text.split(separator: " ", maxSplits: 1).last.map(String.init) ?? text
    }

    /// Whether it is of this argument.
    func isOf(_ argument: String) -> Bool { reason.hasPrefix(argument) }

    /// The same for a function whose argument has another name.
    func error(of argument: String, as name: String) -> StatusError {
        StatusError(
            status, isOf(argument) ? name + reason.dropFirst(argument.count) : reason)
    }
}
