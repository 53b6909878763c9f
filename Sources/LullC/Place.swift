internal import CLull

/// A place in the table of handles, which knows an object but doesn't keep it.
@safe
struct Place {
    private let place: UnsafeMutablePointer<lull_place>

    /// A place for an object of the calling thread's.
    init(of object: AnyObject, _ kind: lull_kind) throws(Refusal) {
        let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        guard let place = unsafe lull_place_new(kind, address) else { throw .noMemory }
        unsafe self.place = place
    }

    /// The object that a handle names, if it's there and the calling thread's.
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

    /// Lets go of the object: the handle is stale from now on.
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

    /// One that came from C.
    init(_ pointer: OpaquePointer?) {
        number = UInt(bitPattern: pointer)
    }

    /// As C knows it.
    var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: number) }
}
