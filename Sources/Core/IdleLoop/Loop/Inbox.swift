internal import CLullLibevent
internal import LullLibC

/// A thread-safe inbox: the only way into a loop from other threads.
///
/// Posted closures run on the loop's thread, in the order of their posts, with the loop as their
/// argument. A post wakes the loop if it sleeps. After 50 µs of posts the loop polls before the
/// next one, so that many posts don't delay other events. Results of workers and jobs of tasks use
/// the inbox, too:
///
/// ```swift
/// let inbox = loop.inbox
/// Thread.detachNewThread { inbox.post { loop in loop.stop() } }
/// ```
public final class Inbox: Sendable {
    enum Message: Sendable {
        case call(@Sendable (MainLoop) -> Void)
        /// A job of a task, to be run on the loop.
        case job(UnownedJob)
        /// A job of a task that belongs to another executor and has waited on the loop.
        case foreign(UnownedJob)
        /// A piece of a task that runs on a lane.
        case piece(TaskPiece)
    }

    private struct State: Sendable {
        var messages = Backlog<Message>()
        var hasSignaled = false
        var isClosed = false
    }

    /// The number of waiting posts at which more are refused.
    package let capacity: Int

    private let state = Guarded(State())
    private let eventFD: EventFD
    private let thread = lull_current_thread()
    /// A closure by which a host wakes its loop, in place of the eventfd.
    private let wakeHost: (@Sendable () -> Void)?

    init(capacity: Int, wakeHost: (@Sendable () -> Void)?) throws(LoopError) {
        precondition(capacity > 0, "an inbox holds at least one message")
        self.capacity = capacity
        self.wakeHost = wakeHost
        eventFD = try EventFD()
    }

    /// Whether the caller is on the loop's thread.
    package var isOnOwnThread: Bool { thread == lull_current_thread() }

    var descriptor: Int32 { eventFD.descriptor }

    /// Whether a host wakes the loop, in place of the eventfd.
    var isWokenByHost: Bool { wakeHost != nil }

    /// Whether the loop was woken for messages that it hasn't taken out.
    var hasSignaled: Bool { state.withLock { $0.hasSignaled } }

    /// Posts `body`, to run on the loop's thread; returns false if the inbox is full or its loop is
    /// closed.
    ///
    /// May be called from any thread, including the loop's own. O(1) amortized; it makes a system
    /// call only when the inbox was empty.
    @discardableResult
    public func post(_ body: @escaping @Sendable (MainLoop) -> Void) -> Bool {
        add(.call(body))
    }

    /// Posts `body` even if the inbox is full, for what must not be lost, such as a request to stop
    /// the loop.
    @discardableResult
    package func postAnyway(_ body: @escaping @Sendable (MainLoop) -> Void) -> Bool {
        add(.call(body), evenIfFull: true)
    }

    /// Adds a message; returns false if the inbox is full or its loop is closed.
    func add(_ message: Message, evenIfFull: Bool = false) -> Bool {
        let (accepted, signals) = state.withLock { state in
            guard !state.isClosed, evenIfFull || state.messages.count < capacity else {
                return (false, false)
            }
            state.messages.append(message)
            defer { state.hasSignaled = true }
            return (true, !state.hasSignaled)
        }
        if signals { signal() }
        return accepted
    }

    /// Wakes the loop without a message.
    func signal() {
        if let wakeHost { wakeHost() } else { eventFD.signal() }
    }

    /// Replaces the eventfd in a forked child, and empties the inbox.
    ///
    /// Throws if another thread, which the child doesn't have, was posting during the fork.
    func renew() throws(LoopError) {
        let lost: Backlog<Message>? = state.withLockIfAvailable { state in
            defer { state.messages = Backlog() }
            state.hasSignaled = false
            return state.messages
        }
        guard lost != nil else { throw .postingWhileForking }
        try eventFD.renew()
    }

    /// Resets the eventfd and removes all waiting messages.
    func empty() -> Backlog<Message> {
        eventFD.clear()
        return take { $0.hasSignaled = false }
    }

    private func take(_ change: (inout State) -> Void) -> Backlog<Message> {
        state.withLock { state in
            defer { state.messages = Backlog() }
            change(&state)
            return state.messages
        }
    }

    /// Closes the inbox, and returns the messages that were not taken out.
    func close() -> Backlog<Message> {
        take { $0.isClosed = true }
    }
}

/// A port by which other threads send values of one type to a handler on the loop.
///
/// The handler needn't be `Sendable`, as it never leaves the loop: only the values are sent.
package struct InboxPort<Value: Sendable>: Sendable {
    let inbox: Inbox
    let id: PortID

    /// Sends a value to the loop; returns false if the inbox is full or its loop is closed.
    @discardableResult
    package func send(_ value: Value) -> Bool { inbox.add(call(with: value)) }

    private func call(with value: Value) -> Inbox.Message {
        .call { [id] loop in loop.turn.dispatcher.receive(value, at: id) }
    }
}

/// The identifier of a port on its loop.
typealias PortID = SlotTable<(any Sendable) -> Void>.ID
