import CLullSandbox
import LullLibC
import IdleLoop
import ImageLoading

/// The restrictions that a helper puts on itself before it decodes a picture.
enum Sandbox {
    /// Enters the sandbox, irrevocably.
    ///
    /// - Parameters:
    ///   - channel: The connection that the process may still use.
    ///   - pixels: The file that it may still write; descriptors above it are closed.
    ///   - memory: The bytes that it may use beyond those it has, and the maximum size of a file.
    /// - Throws: The step that failed; the process must not continue then.
    static func enter(
        _ channel: Channel, _ pixels: OpenedFile, memory: Int
    ) throws(LoopError) {
        guard let call = unsafe sandbox_enter(channel.number, pixels.number, Int64(memory))
        else { return }
        throw .system(call: unsafe String(cString: call), errno: errno)
    }

    /// Limits the further processor time of the process, rounded up to seconds, after which it's
    /// killed.
    static func limit(cpu: Duration) {
        let seconds = max(0, min(cpu.components.seconds, 1_000_000_000))
        _ = sandbox_limit_cpu(seconds + 1)
    }

    /// Whether the program is built with a sanitizer, which prevents limiting memory.
    static var isInstrumented: Bool { sandbox_is_instrumented() }
}
