/// Those who are told of a loop's turns.
final class TurnListeners {
    private let loop: LoopContext
    /// Told first.
    var first: ((Turn) -> Void)? {
        didSet { haveChanged() }
    }
    /// Who else is told, in the order in which they came.
    private var others: [(owner: ObjectIdentifier, body: (Turn) -> Void)] = [] {
        didSet { haveChanged() }
    }

    init(on loop: LoopContext) {
        self.loop = loop
    }

    private var isEmpty: Bool { first == nil && others.isEmpty }

    /// Has `body` be told, beside the first, until `owner` gives nil.
    func set(for owner: AnyObject, _ body: ((Turn) -> Void)?) {
        var others = others.filter { $0.owner != ObjectIdentifier(owner) }
        if let body { others.append((ObjectIdentifier(owner), body)) }
        self.others = others
    }

    /// Tells nobody any more; what was to be called goes when everything is in its place.
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

    /// Records what runs from now on, if it is to be told of.
    func beginTurn() {
        loop.recorder = isEmpty ? nil : loop.recorder ?? TurnRecorder()
        loop.status.isRecording = loop.recorder != nil
    }

    /// Tells of the turn that ends, and begins to record the next if it is to be told of.
    func endTurn() {
        let spans = loop.recorder?.take() ?? []
        beginTurn()
        guard !spans.isEmpty else { return }
        let turn = Turn(number: loop.counts.turns, spans: spans)
        first?(turn)
        for listener in others where !loop.isClosed { listener.body(turn) }
    }
}
