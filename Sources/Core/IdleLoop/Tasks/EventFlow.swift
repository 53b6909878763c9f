/// The events of a descriptor, a timer or a signal, on their way to the one task that consumes
/// them.
///
/// Events that arrive while nobody waits are combined into one value.
final class EventFlow<Element> {
    private let loop: MainLoop
    private let gate: Gate
    private let add: (Element?, Element) -> Element
    private var kept: Element?
    private var isTaken = false
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
        gate = Gate(to: loop.tasks.executor)
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

/// A source's reference to a flow, which ends the flow when the source is released.
package final class FlowEnd<Element> {
    private weak var flow: EventFlow<Element>?
    /// The source, if it can be paused.
    weak var watch: Watch?

    init(of flow: EventFlow<Element>) {
        self.flow = flow
    }

    deinit { flow?.end() }

    package func send(_ element: Element) {
        flow?.send(element)
    }

    /// Whether the consuming task waits for an event.
    var isAwaited: Bool { flow?.isWaiting ?? false }
}
