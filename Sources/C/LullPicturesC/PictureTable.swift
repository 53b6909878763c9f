internal import CLull
internal import IdleLoop
internal import LullCalls

/// The entry of an object in the table of handles.
@safe
struct TableEntry: Sendable {
    // The memory of entries is never given back, and C's functions check handles by atomics.
    private nonisolated(unsafe) let entry: UnsafeMutablePointer<lull_entry>

    /// An entry for an object of the calling thread, which it doesn't retain.
    init(of object: AnyObject, _ kind: lull_kind) throws(StatusError) {
        let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        guard let entry = unsafe lull_entry_new(kind, address) else { throw .noMemory }
        unsafe self.entry = entry
    }

    /// The handle that names the object.
    var handle: UInt { unsafe UInt(entry.pointee.handle) }

    /// Frees the entry: the handle is stale from now on.
    func free() { unsafe lull_entry_free(entry) }

    /// Returns the object that a handle names, if the calling thread may use it, or any thread.
    static func object<Object: AnyObject>(
        of handle: OpaquePointer?, _ kind: lull_kind, anywhere: Bool,
        as type: Object.Type = Object.self
    ) throws(StatusError) -> Object {
        var object: UnsafeRawPointer?
        let status =
            unsafe anywhere
            ? lull_find_anywhere(UnsafeRawPointer(handle), kind, &object)
            : lull_find(UnsafeRawPointer(handle), kind, &object)
        guard status == LULL_OK, let object = unsafe object else {
            throw unsafe refusal(of: handle, kind, as: status)
        }
        return unsafe Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }

    /// Returns why a handle was refused.
    static func refusal(
        of handle: OpaquePointer?, _ kind: lull_kind, as status: lull_status
    ) -> StatusError {
        let name = kind == LULL_KIND_PICTURES ? "pictures" : "picture"
        let problem =
            switch status {
            case LULL_STALE: "names what is closed or freed"
            case LULL_WRONG_THREAD: "belongs to another thread"
            default: unsafe handle == nil ? "is NULL" : "isn't a handle of that kind"
            }
        return StatusError(status, "\(name) \(problem)")
    }
}
