internal import CLull

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
            throw StatusError(status: status)
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
