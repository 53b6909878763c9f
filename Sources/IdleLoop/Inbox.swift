/// The one way into a loop from other threads.
///
/// What is posted runs on the loop's thread, in the order in which it was posted, and is handed
/// the loop; the loop is woken if it sleeps. Of the package's two locks between threads one is here;
/// the other is in the worker pool:
///
/// ```swift
/// let inbox = loop.inbox
/// Thread.detachNewThread { inbox.post { loop in loop.stop() } }
/// ```
public final class Inbox: Sendable {
    enum Message: Sendable {
        case call(@Sendable (MainLoop) -> Void)
        case value(port: Int, generation: UInt32, any Sendable)
    }

    private struct State: Sendable {
        var messages: [Message] = []
        var isClosed = false
    }

    /// How many posts may wait before more are refused.
    public let capacity: Int

    private let state = Guarded(State())
    private let bell: Bell

    init(capacity: Int) throws(LoopError) {
        precondition(capacity > 0, "an inbox holds at least one message")
        self.capacity = capacity
        bell = try Bell()
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

    func add(_ message: Message) -> Bool {
        let (accepted, isFirst) = state.withLock { state in
            guard !state.isClosed, state.messages.count < capacity else { return (false, false) }
            state.messages.append(message)
            return (true, state.messages.count == 1)
        }
        if isFirst { bell.ring() }
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
        guard state.withLockIfAvailable({ $0.messages = [] }) != nil else {
            throw .postingWhileForking
        }
        try bell.renew()
    }

    /// Takes out all that waits.
    func empty() -> [Message] {
        bell.answer()
        return state.withLock { state in
            let messages = state.messages
            state.messages = []
            return messages
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.messages = []
        }
    }
}

/// A way for other threads to hand values of one type to a handler on the loop.
///
/// The handler needn't be `Sendable`, as it never leaves the loop: only the values travel.
public struct Port<Value: Sendable>: Sendable {
    let inbox: Inbox
    let id: SlotTable<(any Sendable) -> Void>.ID

    /// Hands a value to the loop; false if the inbox is full or its loop is gone.
    @discardableResult
    public func send(_ value: Value) -> Bool {
        inbox.add(.value(port: id.index, generation: id.generation, value))
    }
}
