internal import CGallery

/// The `event_base` of the program, which this object frees.
@safe final class HostBase {
    let pointer: OpaquePointer

    /// The error that a base can't be created, or that its dispatch ended by itself.
    struct Failure: Error {
        /// The result of the dispatch; nil if it didn't start.
        var status: Int32?
    }

    init() throws(Failure) {
        guard let config = unsafe event_config_new() else { throw Failure() }
        defer { unsafe event_config_free(config) }
        // Evhttp disables and enables reading and writing for each request: with this flag only the
        // net change is passed to the system, once a turn. No descriptor here is a duplicate, which
        // would miss changes.
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
