import CSandbox
import Glibc
import IdleLoop
import ImageLoading

/// A process that was started here; dropped, it is ended and reaped.
///
/// It is named by a descriptor, which is its own for ever, where a number may become another's.
struct HelperProcess: ~Copyable {
    let number: pid_t
    private let descriptor: ProcessDescriptor
    private let parent = getpid()
    /// Whether somebody has reaped it.
    var isReaped = false

    /// Starts the program with one end of a connection as its descriptor 3.
    init(path: String, socket: OpenedFile) throws(LoopError) {
        guard !path.utf8.contains(0) else {
            throw .system(call: "posix_spawn", errno: EINVAL)
        }
        var number: pid_t = 0
        let code = unsafe sandbox_spawn(path, socket.number, &number)
        guard code == 0 else { throw .system(call: "posix_spawn", errno: code) }
        do throws(LoopError) {
            descriptor = try ProcessDescriptor(of: number)
        } catch {
            // Not reaped yet, so that the number is still its own.
            Glibc.kill(number, SIGKILL)
            while waitpid(number, nil, 0) < 0, errno == EINTR {}
            throw error
        }
        self.number = number
    }

    deinit {
        // A forked child must not end its parent's helpers.
        guard !isReaped, getpid() == parent else { return }
        kill()
        sandbox_reap(descriptor.descriptor)
    }

    /// The processor time that it has used, by the system's count; none once it's reaped, when its
    /// number may be another's.
    var cpuTime: Duration { isReaped ? .zero : .nanoseconds(max(0, sandbox_cpu_time_of(number))) }

    /// Ends it, whatever it is doing, if it hasn't ended.
    func kill() {
        if !isReaped { sandbox_kill(descriptor.descriptor) }
    }
}
