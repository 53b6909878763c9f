internal import CGallery
internal import Glibc
internal import IdleLoop

/// The resources of the process at one time.
struct SoakSample {
    /// The time since the start of the loop.
    let moment: Duration
    let clients: Int
    /// The number of bytes that are allocated with malloc.
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
