import CSandbox
import Glibc
import IdleLoop

/// The rights that a helper gives up before it looks at a picture.
enum Sandbox {
    /// Shuts this process in, for good.
    ///
    /// - Parameters:
    ///   - channel: What it may still talk over; descriptors above it are closed.
    ///   - memory: The bytes that it may take beyond those it has.
    /// - Throws: The step that failed; the process is not to go on then.
    static func enter(_ channel: Channel, memory: Int) throws(LoopError) {
        // It needs six. But a process may only send descriptors while no more than its own limit
        // are on their way between all processes of the user; others may have many.
        let limits = SandboxLimits(
            memory: Int64(memory), file_bytes: Int64(memory), descriptors: 256)
        guard let call = unsafe sandbox_enter(channel.number, limits) else { return }
        throw .system(call: unsafe String(cString: call), errno: errno)
    }

    /// Lets the process use that much processor time more before it's ended, rounded up to seconds.
    static func limit(cpu: Duration) {
        let seconds = max(0, min(cpu.components.seconds, 1_000_000_000))
        _ = sandbox_limit_cpu(seconds + 1)
    }

    /// Whether a sanitizer is built in, for which memory can't be limited.
    static var isInstrumented: Bool { sandbox_is_instrumented() }

    /// Does something forbidden; false if there's nothing of that name.
    static func attempt(_ name: String) -> Bool { unsafe sandbox_try(name) }
}
