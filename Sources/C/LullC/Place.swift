internal import CLull

/// A place in the table of handles, which refers to an object but doesn't retain it.
@safe
struct Place {
    private let place: UnsafeMutablePointer<lull_place>

    /// A place for an object that belongs to the calling thread.
    init(of object: AnyObject, _ kind: lull_kind) throws(Refusal) {
        let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        guard let place = unsafe lull_place_new(kind, address) else { throw .noMemory }
        unsafe self.place = place
    }

    /// Returns the object that a handle names, if it exists and belongs to the calling thread.
    static func object<Object: AnyObject>(
        of handle: OpaquePointer?, _ kind: lull_kind, as type: Object.Type = Object.self
    ) throws(Refusal) -> Object {
        var object: UnsafeRawPointer?
        let status = unsafe lull_find(UnsafeRawPointer(handle), kind, &object)
        guard status == LULL_OK, let object = unsafe object else { throw Refusal(status: status) }
        return unsafe Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }

    /// The handle that names the object.
    var handle: Handle { unsafe Handle(place.pointee.handle) }

    /// Frees the place: the handle is stale from now on.
    func vacate() {
        unsafe lull_place_free(place)
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
