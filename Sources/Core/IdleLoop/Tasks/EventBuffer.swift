internal import LullLibC

/// The events of a descriptor, a timer or a signal, on their way to the one task that consumes
/// them.
///
/// Events that arrive while nobody waits are combined into one value.
final class EventBuffer<Element> {
    private let loop: MainLoop
    private let gate: AsyncGate
    private let add: (Element?, Element) -> Element
    private var kept: Element?
    private(set) var isWaiting = false
    private(set) var hasEnded = false
    /// A closure that is called before a task waits, and returns false if there will be no more
    /// events.
    var prepare: () -> Bool = { true }
    /// A closure that stops the source of the events.
    var stop: () -> Void = {}

    init(on loop: MainLoop, add: @escaping (Element?, Element) -> Element) {
        self.loop = loop
        self.add = add
        gate = AsyncGate(to: loop.tasks.executor)
    }

    deinit { stop() }

    /// Delivers an event.
    func send(_ element: Element) {
        kept = add(kept, element)
        guard isWaiting else { return }
        isWaiting = false
        gate.open()
    }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        stop()
        stop = {}
        gate.open()
    }

    func next(isolation: isolated (any Actor)?) async -> Element? {
        guard !hasEnded else { return nil }
        precondition(loop.inbox.isOnOwnThread, "a loop's events are taken by a task on that loop")
        guard !isWaiting else { return nil }
        if Task.isCancelled { end() }
        guard !hasEnded, prepare() else {
            end()
            return nil
        }
        if kept == nil { await wait(isolation: isolation) }
        if Task.isCancelled { end() }
        guard !hasEnded else { return nil }
        return kept.take()
    }

    private func wait(isolation: isolated (any Actor)?) async {
        isWaiting = true
        gate.shut()
        await gate.passUnlessCancelled(from: isolation)
        isWaiting = false
    }
}

/// A source's reference to a buffer, which ends the buffer when the source is released.
package final class EventSender<Element> {
    private weak var buffer: EventBuffer<Element>?
    /// The source, if it can be paused.
    weak var watch: Watch?

    init(of buffer: EventBuffer<Element>) {
        self.buffer = buffer
    }

    deinit { buffer?.end() }

    package func send(_ element: Element) {
        buffer?.send(element)
    }

    /// Whether the consuming task waits for an event.
    var isAwaited: Bool { buffer?.isWaiting ?? false }
}
