internal import CGallery

/// The `event_base` of the program, freed when this is let go of.
@safe final class HostBase {
    let pointer: OpaquePointer

    /// Says that there's no memory or descriptor for one, or that dispatching it has ended by itself.
    struct Failure: Error {
        /// What the dispatch gave; nil if there was none.
        var status: Int32?
    }

    init() throws(Failure) {
        guard let base = unsafe event_base_new() else { throw Failure() }
        unsafe pointer = base
    }

    deinit {
        unsafe event_base_free(pointer)
    }
}
