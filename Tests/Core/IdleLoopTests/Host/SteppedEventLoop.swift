#if NIO
import Foundation
import IdleLoop
import NIOCore
import Synchronization

/// An event loop of SwiftNIO's protocol that runs its tasks when it's told to, so that a test can
/// run it pass by pass.
final class SteppedEventLoop: EventLoop {
    private struct Timer: Sendable {
        let id: Int
        let due: NIODeadline
        let body: @Sendable () -> Void
    }

    private struct State: Sendable {
        var tasks: [@Sendable () -> Void] = []
        var timers: [Timer] = []
        var count = 0
    }

    private let state = Mutex(State())
    private let eventFD: EventFD
    private let thread = pthread_self()

    init() throws {
        eventFD = try EventFD()
    }

    /// Readable when there are tasks, or other timers than before.
    var descriptor: Int32 { eventFD.descriptor }

    /// Runs what is there and what is due; the nanoseconds to the next timer.
    func run() -> Int64? {
        eventFD.clear()
        let now = NIODeadline.now()
        let bodies = state.withLock { state in
            let due = state.timers.filter { $0.due <= now }.sorted { $0.due < $1.due }
            state.timers.removeAll { $0.due <= now }
            defer { state.tasks = [] }
            return due.map(\.body) + state.tasks
        }
        for body in bodies { body() }
        return state.withLock { $0.timers.map(\.due).min() }.map { ($0 - .now()).nanoseconds }
    }

    var inEventLoop: Bool { thread == pthread_self() }

    func execute(_ task: @escaping @Sendable () -> Void) {
        state.withLock { $0.tasks.append(task) }
        eventFD.signal()
    }

    func scheduleTask<T>(
        deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T
    ) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let id = state.withLock { state in
            state.count += 1
            state.timers.append(
                Timer(id: state.count, due: deadline) {
                    do { promise.assumeIsolated().succeed(try task()) } catch {
                        promise.fail(error)
                    }
                })
            return state.count
        }
        eventFD.signal()
        return Scheduled(promise: promise) { [weak self] in
            self?.state.withLock { state in state.timers.removeAll { $0.id == id } }
        }
    }

    func scheduleTask<T>(
        in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T
    ) -> Scheduled<T> {
        scheduleTask(deadline: .now() + delay, task)
    }

    func shutdownGracefully(
        queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void
    ) {
        callback(nil)
    }
}
#endif
