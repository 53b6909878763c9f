internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// The list that a replay plays and measures, whatever its keys and values are.
protocol ReplayedList: AnyObject {
    var viewport: Viewport { get }
    var forecast: FlingForecast? { get }
    /// The number of jobs that wait or run.
    var jobs: Int { get }
    var statistics: QueueStatistics { get }

    func handle(_ event: ScrollEvent, at time: Instant, offset: Double?)
    func isSettled(row: Int) -> Bool
    func isLoaded(row: Int) -> Bool
    func progress(ofRow row: Int) -> LoadProgress
    func explanation(ofRow row: Int) -> String?
    /// Returns the number of the key of a row, the same wherever its row moves; nil if it has none.
    func number(ofRow row: Int) -> Int?
    /// Calls `body` for each decision about a key of the list, with the row at which it was wanted
    /// last, its number, and the error of a load that has failed.
    func observe(
        _ body: @escaping (_ decision: LoadDecision<Int>, _ number: Int, (any Error)?) -> Void)
}

/// A list of any keys and values in a replay.
final class MeasuredList<Key: Hashable, Value>: ReplayedList {
    private let list: DeferredList<Key, Value>
    private var rows: [Key: Int] = [:]
    private var numbers: [Key: Int] = [:]

    init(_ list: DeferredList<Key, Value>) {
        self.list = list
    }

    var viewport: Viewport { list.viewport }
    var forecast: FlingForecast? { list.forecast }
    var jobs: Int { list.loader.queue.count }
    var statistics: QueueStatistics { list.loader.queue.statistics }

    func handle(_ event: ScrollEvent, at time: Instant, offset: Double?) {
        list.handle(event, at: time, offset: offset)
    }

    func isSettled(row: Int) -> Bool {
        list.key(ofRow: row).map { list.loader.state(of: $0).isSettled } ?? true
    }

    func isLoaded(row: Int) -> Bool { list.state(ofRow: row).value != nil }

    func progress(ofRow row: Int) -> LoadProgress {
        list.key(ofRow: row).map { list.loader.progress(of: $0) } ?? .settled
    }

    func explanation(ofRow row: Int) -> String? { list.explanation(ofRow: row) }

    func number(ofRow row: Int) -> Int? { list.key(ofRow: row).map { number(of: $0) } }

    /// Returns a number that is itself, or the number of keys that came before.
    private func number(of key: Key) -> Int {
        if let key = key as? Int { return key }
        let number = numbers[key] ?? numbers.count
        numbers[key] = number
        return number
    }

    func observe(
        _ body: @escaping (_ decision: LoadDecision<Int>, _ number: Int, (any Error)?) -> Void
    ) {
        let before = list.loader.onDecision
        list.loader.onDecision = { [weak self] decision in
            before?(decision)
            guard let self else { return }
            if let row = list.wantedRows[decision.key] { rows[decision.key] = row }
            // Others may be those of lists that share the loader.
            guard let row = rows[decision.key] else { return }
            var error: (any Error)?
            if case .failed(let reason, _) = list.loader.state(of: decision.key) { error = reason }
            body(decision.renamed(row), number(of: decision.key), error)
        }
        // Lists know the rows of what they want only when they are observed.
        list.change { _ in }
    }
}
