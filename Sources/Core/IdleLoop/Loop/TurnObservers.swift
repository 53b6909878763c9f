/// The callbacks on a loop's turns.
final class TurnObservers: ObserverList {
    private let loop: LoopContext
    /// The observers, in the order in which they were added.
    private var all: [Observer] = [] {
        didSet { haveChanged() }
    }

    init(on loop: LoopContext) {
        self.loop = loop
    }

    /// Adds a callback, until its observer is cancelled.
    func add(_ body: @escaping (Turn) -> Void) -> Observer {
        let observer = Observer(of: self, body: .turn(body))
        if loop.isClosed { observer.detach() } else { all.append(observer) }
        return observer
    }

    func remove(_ observer: Observer) {
        all.removeAll { $0 === observer }
    }

    /// Removes all callbacks, which are released when everything is in its place.
    func close() {
        let gone = all
        all = []
        for observer in gone { observer.detach() }
    }

    private func haveChanged() {
        loop.status.isRecording = !all.isEmpty || loop.recorder != nil
        if !loop.isInside { beginTurn() }
    }

    /// Starts recording a turn if there are observers.
    func beginTurn() {
        loop.recorder = all.isEmpty ? nil : loop.recorder ?? TurnRecorder()
        loop.status.isRecording = loop.recorder != nil
    }

    /// Ends the turn, calls the observers, and starts recording the next turn if there are any.
    func endTurn() {
        let spans = loop.recorder?.take() ?? []
        beginTurn()
        guard !spans.isEmpty else { return }
        let turn = Turn(number: loop.counts.turns, spans: spans)
        for observer in all {
            if case .turn(let body)? = observer.body { body(turn) }
        }
    }
}
