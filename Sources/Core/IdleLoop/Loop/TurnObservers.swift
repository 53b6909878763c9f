/// The callbacks on a loop's turns.
final class TurnObservers: ObserverList {
    private let loop: LoopContext
    /// The callback that comes first.
    var first: ((Turn) -> Void)? {
        didSet { haveChanged() }
    }
    /// The others, in the order in which they came.
    private var others: [Observer] = [] {
        didSet { haveChanged() }
    }

    init(on loop: LoopContext) {
        self.loop = loop
    }

    private var isEmpty: Bool { first == nil && others.isEmpty }

    /// Adds a callback, until its observer is cancelled.
    func add(_ body: @escaping (Turn) -> Void) -> Observer {
        let observer = Observer(of: self, body: .turn(body))
        if loop.isClosed { observer.detach() } else { others.append(observer) }
        return observer
    }

    func remove(_ observer: Observer) {
        others.removeAll { $0 === observer }
    }

    /// Removes all callbacks, which are released when everything is in its place.
    func close() {
        let gone = (first, others)
        first = nil
        others = []
        for observer in gone.1 { observer.detach() }
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
        for observer in others {
            if case .turn(let body)? = observer.body { body(turn) }
        }
    }
}
