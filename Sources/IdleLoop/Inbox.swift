internal import Glibc
internal import Synchronization

/// The one way into a loop from other threads.
///
/// What is posted runs on the loop's thread, in the order in which it was posted, and is handed
/// the loop; the loop is woken if it sleeps. After 50 µs of posts the loop polls before the next, so
/// that whoever posts much keeps nobody waiting. Results of workers and pieces of tasks come this
/// way, too:
///
/// ```swift
/// let inbox = loop.inbox
/// Thread.detachNewThread { inbox.post { loop in loop.stop() } }
/// ```
public final class Inbox: Sendable {
    enum Message: Sendable {
        case call(@Sendable (MainLoop) -> Void)
        case value(port: Int, generation: UInt32, any Sendable)
        /// A piece of a task, to be run on the loop.
        case job(UnownedJob)
        /// The same of a task from elsewhere, which has waited here.
        case guest(UnownedJob)
        /// What is left of a message that was taken out of a backlog.
        case taken
    }

    /// Messages that were taken out together, and are run one by one.
    struct Backlog {
        private(set) var messages: [Message] = []
        private var next = 0

        init(_ messages: [Message] = []) {
            self.messages = messages
        }

        var isEmpty: Bool { next == messages.count }

        /// Takes the first out, which is held by nobody else then; O(1).
        mutating func popFirst() -> Message? {
            guard !isEmpty else { return nil }
            var message = Message.taken
            swap(&message, &messages[next])
            next += 1
            return message
        }
    }

    private struct State: Sendable {
        var messages: [Message] = []
        var hasRung = false
        var isClosed = false
    }

    /// How many posts may wait before more are refused.
    package let capacity: Int

    private let state = Guarded(State())
    private let bell: Bell
    private let thread = pthread_self()
    /// Whether the loop looks in before it sleeps, so that its own thread needn't ring.
    private let isLookedInto: Bool
    private let holdsUnrung = Atomic(false)

    init(capacity: Int, isLookedInto: Bool) throws(LoopError) {
        precondition(capacity > 0, "an inbox holds at least one message")
        self.capacity = capacity
        self.isLookedInto = isLookedInto
        bell = try Bell()
    }

    /// Whether the caller is on the loop's thread.
    var isOnOwnThread: Bool { thread == pthread_self() }

    /// Whether something waits for which the bell wasn't rung.
    var hasUnrung: Bool {
        @inline(__always) get { holdsUnrung.load(ordering: .relaxed) }
    }

    var descriptor: Int32 { bell.descriptor }

    /// Runs `body` on the loop's thread, soon; false if the inbox is full or its loop is gone.
    ///
    /// May be called from any thread, also from the loop's own. O(1) amortized; the kernel is only
    /// called when the inbox was empty.
    @discardableResult
    public func post(_ body: @escaping @Sendable (MainLoop) -> Void) -> Bool {
        add(.call(body))
    }

    /// The same, also if the inbox is full: for what must not be lost, such as that the loop shall
    /// stop.
    @discardableResult
    package func postAnyway(_ body: @escaping @Sendable (MainLoop) -> Void) -> Bool {
        add(.call(body), evenIfFull: true)
    }

    /// Takes what is a task's, for which the loop's own thread needn't ring; false if the loop is gone.
    func addForTask(_ message: Message) -> Bool {
        add(message, evenIfFull: true, isQuiet: isLookedInto && isOnOwnThread)
    }

    func add(_ message: Message, evenIfFull: Bool = false, isQuiet: Bool = false) -> Bool {
        let (accepted, rings) = state.withLock { state in
            guard !state.isClosed, evenIfFull || state.messages.count < capacity else {
                return (false, false)
            }
            state.messages.append(message)
            let rings = !isQuiet && !state.hasRung
            if rings { state.hasRung = true }
            return (true, rings)
        }
        if isQuiet { holdsUnrung.store(true, ordering: .relaxed) }
        if rings { bell.ring() }
        return accepted
    }

    /// Wakes the loop without a message.
    func ring() {
        bell.ring()
    }

    /// Gives a forked child an inbox of its own, with nothing in it.
    ///
    /// Throws if another thread, which the child doesn't have, was just posting.
    func renew() throws(LoopError) {
        let lost: [Message]? = state.withLockIfAvailable { state in
            defer { state.messages = [] }
            state.hasRung = false
            return state.messages
        }
        guard lost != nil else { throw .postingWhileForking }
        try bell.renew()
    }

    /// Takes out all that waits, when the bell has rung.
    func empty() -> [Message] {
        bell.answer()
        return take { $0.hasRung = false }
    }

    /// Takes out all that waits, of which some was put in without ringing.
    func emptyUnrung() -> [Message] {
        take { _ in }
    }

    private func take(_ change: (inout State) -> Void) -> [Message] {
        holdsUnrung.store(false, ordering: .relaxed)
        return state.withLock { state in
            let messages = state.messages
            state.messages = []
            change(&state)
            return messages
        }
    }

    /// Takes nothing more, and gives back what has come and wasn't taken out.
    func close() -> [Message] {
        take { $0.isClosed = true }
    }
}

/// A way for other threads to hand values of one type to a handler on the loop.
///
/// The handler needn't be `Sendable`, as it never leaves the loop: only the values travel.
public struct InboxPort<Value: Sendable>: Sendable {
    let inbox: Inbox
    let id: PortID

    /// Hands a value to the loop; false if the inbox is full or its loop is gone.
    @discardableResult
    public func send(_ value: Value) -> Bool {
        inbox.add(.value(port: id.index, generation: id.generation, value))
    }

    /// The same, also if the inbox is full: for what must not be lost, and is bounded by what the
    /// loop itself has asked for.
    func sendAnyway(_ value: Value) {
        _ = inbox.add(.value(port: id.index, generation: id.generation, value), evenIfFull: true)
    }
}

/// The name of a port on its loop.
typealias PortID = SlotTable<(any Sendable) -> Void>.ID
