internal import CGallery
internal import Glibc
internal import IdleLoop

/// The resources of the process at a moment.
struct SoakSample {
    /// The time since the loop's beginning.
    let moment: Duration
    let clients: Int
    /// The bytes that malloc has given out and weren't given back.
    let memory: Int
    let descriptors: Int

    init(at moment: Instant, clients: Int) {
        self.moment = Instant.zero.duration(to: moment)
        self.clients = clients
        memory = gallery_bytes_in_use()
        var count = 0
        if let folder = unsafe opendir("/proc/self/fd") {
            while unsafe readdir(folder) != nil { count += 1 }
            unsafe closedir(folder)
        }
        descriptors = count
    }
}
