import CSandbox
import Glibc
import IdleLoop
import ImageLoading

/// The rights that a helper gives up before it looks at a picture.
enum Sandbox {
    /// Shuts this process in, for good.
    ///
    /// - Parameters:
    ///   - channel: What it may still talk over.
    ///   - pixels: The file that it may still write; descriptors above it are closed.
    ///   - memory: The bytes that it may take beyond those it has, and the most that a file may have.
    /// - Throws: The step that failed; the process is not to go on then.
    static func enter(
        _ channel: Channel, _ pixels: OpenedFile, memory: Int
    ) throws(LoopError) {
        guard let call = unsafe sandbox_enter(channel.number, pixels.number, Int64(memory))
        else { return }
        throw .system(call: unsafe String(cString: call), errno: errno)
    }

    /// Lets the process use that much processor time more before it's ended, rounded up to seconds.
    static func limit(cpu: Duration) {
        let seconds = max(0, min(cpu.components.seconds, 1_000_000_000))
        _ = sandbox_limit_cpu(seconds + 1)
    }

    /// Whether a sanitizer is built in, for which memory can't be limited.
    static var isInstrumented: Bool { sandbox_is_instrumented() }
}
