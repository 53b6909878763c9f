internal import CGallery

/// The `event_base` of the program, freed when this is let go of.
@safe final class HostBase {
    let pointer: OpaquePointer

    /// Says that there's no memory or descriptor for one.
    struct Failure: Error {}

    init() throws(Failure) {
        guard let base = unsafe event_base_new() else { throw Failure() }
        unsafe pointer = base
    }

    deinit {
        unsafe event_base_free(pointer)
    }
}
