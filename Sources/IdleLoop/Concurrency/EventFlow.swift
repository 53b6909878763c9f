/// What comes from a descriptor, a timer or a signal, on its way to the one task that takes it.
///
/// Of what comes while nobody waits the sum is kept, which is one value.
final class EventFlow<Element> {
    private let loop: MainLoop
    private let gate: Gate
    private let add: (Element?, Element) -> Element
    private var kept: Element?
    private var isTaken = false
    private(set) var isWaiting = false
    private(set) var hasEnded = false
    /// Called before somebody waits; false if nothing will come.
    var prepare: () -> Bool = { true }
    /// Has nothing more come.
    var stop: () -> Void = {}

    init(on loop: MainLoop, add: @escaping (Element?, Element) -> Element) {
        self.loop = loop
        self.add = add
        gate = Gate(to: loop.tasks.executor)
    }

    deinit { stop() }

    /// Takes something that has come.
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

/// What a loop's source holds of a flow: when the loop lets go of the source, the flow ends.
package final class FlowEnd<Element> {
    private weak var flow: EventFlow<Element>?
    /// The source, if it's one that can be paused.
    weak var watch: Watch?

    init(of flow: EventFlow<Element>) {
        self.flow = flow
    }

    deinit { flow?.end() }

    package func send(_ element: Element) {
        flow?.send(element)
    }

    /// Whether the task at the other end waits.
    var isAwaited: Bool { flow?.isWaiting ?? false }
}
