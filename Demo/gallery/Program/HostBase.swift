internal import CGallery

/// The `event_base` of the program, freed when this is let go of.
@safe final class HostBase {
    let pointer: OpaquePointer

    /// Says that there's no memory or descriptor for one, or that dispatching it has ended by itself.
    struct Failure: Error {
        /// The result of the dispatch; nil if there was none.
        var status: Int32?
    }

    init() throws(Failure) {
        guard let config = unsafe event_config_new() else { throw Failure() }
        defer { unsafe event_config_free(config) }
        // Evhttp turns reading off and on, and writing on and off, for each request: the system is
        // told what came of it, once a turn, and no descriptor here has a twin that would miss that.
        let flags = Int32(
            EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue)
        guard unsafe event_config_set_flag(config, flags) == 0,
            let base = unsafe event_base_new_with_config(config)
        else { throw Failure() }
        unsafe pointer = base
    }

    deinit {
        unsafe event_base_free(pointer)
    }
}
