/// The listeners to a loop's turns.
final class TurnListeners {
    private let loop: LoopContext
    /// The listener that is called first.
    var first: ((Turn) -> Void)? {
        didSet { haveChanged() }
    }
    /// The other listeners, in the order in which they were added.
    private var others: [(owner: ObjectIdentifier, body: (Turn) -> Void)] = [] {
        didSet { haveChanged() }
    }

    init(on loop: LoopContext) {
        self.loop = loop
    }

    private var isEmpty: Bool { first == nil && others.isEmpty }

    /// Sets an owner's listener, in addition to the first; nil removes it.
    func set(for owner: AnyObject, _ body: ((Turn) -> Void)?) {
        var others = others.filter { $0.owner != ObjectIdentifier(owner) }
        if let body { others.append((ObjectIdentifier(owner), body)) }
        self.others = others
    }

    /// Removes all listeners, and releases them after the change.
    func close() {
        let gone = (first, others)
        first = nil
        others = []
        withExtendedLifetime(gone) {}
    }

    private func haveChanged() {
        loop.status.isRecording = !isEmpty || loop.recorder != nil
        if !loop.isInside { beginTurn() }
    }

    /// Starts recording a turn if there are listeners.
    func beginTurn() {
        loop.recorder = isEmpty ? nil : loop.recorder ?? TurnRecorder()
        loop.status.isRecording = loop.recorder != nil
    }

    /// Ends the turn, calls the listeners, and starts recording the next turn if there are any.
    func endTurn() {
        let spans = loop.recorder?.take() ?? []
        beginTurn()
        guard !spans.isEmpty else { return }
        let turn = Turn(number: loop.counts.turns, spans: spans)
        first?(turn)
        for listener in others where !loop.isClosed { listener.body(turn) }
    }
}
