#if NIO
internal import LullLibC
internal import IdleLoop
internal import Synchronization

/// A thread that waits for a descriptor which NIO's selector can't watch, as NIO would read it.
///
/// It sleeps until the descriptor is readable, calls `whenReady`, and sleeps again until the
/// loop has served what was ready.
final class DescriptorThread: Sendable {
    private let control: EventFD
    private let hasEnded = Atomic(false)
    /// Whether the descriptor was readable, and the loop hasn't served it since.
    private let isWaiting = Atomic(false)

    init(
        watching descriptor: Int32, whenReady: @escaping @Sendable () -> Void
    ) throws(LoopError) {
        control = try EventFD()
        let code = startThread { [self] in run(descriptor, whenReady) }
        guard code == 0 else { throw .system(call: "pthread_create", errno: code) }
    }

    /// Whether the thread waits until the loop has served what is ready.
    var isReady: Bool { isWaiting.load(ordering: .acquiring) }

    /// Resumes waiting for the descriptor.
    func resume() {
        isWaiting.store(false, ordering: .releasing)
        control.signal()
    }

    /// Ends the thread, soon.
    func end() {
        hasEnded.store(true, ordering: .releasing)
        control.signal()
    }

    private func run(_ descriptor: Int32, _ whenReady: () -> Void) {
        var members = [control.descriptor, descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while !hasEnded.load(ordering: .acquiring) {
            guard unsafe poll(&members, isReady ? 1 : 2, -1) > 0 else { continue }
            if members[0].revents != 0 {
                control.clear()
            } else {
                isWaiting.store(true, ordering: .releasing)
                whenReady()
            }
        }
    }
}
#endif
