import CLullSandbox
import LullLibC
import IdleLoop
import ImageLoading

/// A child process, which is killed and reaped when this value is dropped.
///
/// It's identified by a process descriptor (pidfd), because a process ID may be reused.
struct HelperProcess: ~Copyable {
    let number: pid_t
    private let descriptor: ProcessDescriptor
    private let parent = getpid()
    /// Whether the process was reaped.
    var isReaped = false

    /// Starts the program with one end of a socket as its descriptor 3.
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
            // The process isn't reaped yet, so the ID is still its own.
            LullLibC.kill(number, SIGKILL)
            while waitpid(number, nil, 0) < 0, errno == EINTR {}
            throw error
        }
        self.number = number
    }

    deinit {
        // A forked child must not kill its parent's helpers.
        guard !isReaped, getpid() == parent else { return }
        kill()
        sandbox_reap(descriptor.descriptor)
    }

    /// The processor time that the process has used, measured by the kernel; zero once it's reaped,
    /// because its ID may be reused.
    var cpuTime: Duration { isReaped ? .zero : .nanoseconds(max(0, sandbox_cpu_time_of(number))) }

    /// Kills the process, unless it was reaped.
    func kill() {
        if !isReaped { sandbox_kill(descriptor.descriptor) }
    }
}
