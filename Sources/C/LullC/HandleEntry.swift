internal import CLull
internal import LullCalls

/// An entry in the table of handles, which refers to an object but doesn't retain it.
@safe
struct HandleEntry {
    private let entry: UnsafeMutablePointer<lull_entry>

    /// An entry for an object that belongs to the calling thread.
    init(of object: AnyObject, _ kind: lull_kind) throws(StatusError) {
        let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        guard let entry = unsafe lull_entry_new(kind, address) else { throw .noMemory }
        unsafe self.entry = entry
    }

    /// Returns the object that a handle names, if it exists and belongs to the calling thread.
    static func object<Object: AnyObject>(
        of handle: OpaquePointer?, _ kind: lull_kind, as type: Object.Type = Object.self
    ) throws(StatusError) -> Object {
        var object: UnsafeRawPointer?
        let status = unsafe lull_find(UnsafeRawPointer(handle), kind, &object)
        guard status == LULL_OK, let object = unsafe object else {
            throw unsafe kind.refusal(of: handle, as: status)
        }
        return unsafe Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }

    /// The handle that names the object.
    var handle: Handle { unsafe Handle(entry.pointee.handle) }

    /// Frees the entry: the handle is stale from now on.
    func free() {
        unsafe lull_entry_free(entry)
    }
}

extension lull_kind {
    /// Arguments have the names of their kinds.
    private var name: String {
        switch self {
        case LULL_KIND_LOOP: "loop"
        case LULL_KIND_QUEUE: "queue"
        case LULL_KIND_OBSERVER: "observer"
        case LULL_KIND_TIMER: "timer"
        case LULL_KIND_SLOT: "slot"
        default: "list"
        }
    }

    /// Returns why a handle was refused.
    func refusal(of handle: OpaquePointer?, as status: lull_status) -> StatusError {
        let problem =
            switch status {
            case LULL_STALE: "names what is closed or over"
            case LULL_WRONG_THREAD: "belongs to another thread"
            default: unsafe handle == nil ? "is NULL" : "isn't a handle of that kind"
            }
        return StatusError(status, "\(name) \(problem)")
    }
}

/// A handle as a plain number.
struct Handle: Hashable, Sendable {
    let number: UInt

    init(_ number: UInt) {
        self.number = number
    }

    /// A handle that came from C.
    init(_ pointer: OpaquePointer?) {
        number = UInt(bitPattern: pointer)
    }

    /// The handle as a C pointer.
    var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: number) }
}
