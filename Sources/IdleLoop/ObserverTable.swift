/// A loop's observers by what they observe, each list in the order in which it's called.
struct ObserverTable {
    private var entry: [Observer] = []
    private var beforeIdle: [Observer] = []
    private var afterIdle: [Observer] = []
    private var exit: [Observer] = []
    /// Those that do work before idle.
    private(set) var workers: [Observer] = []
    /// The worker whose turn is next.
    var turn = 0

    func list(for activity: Activity) -> [Observer] {
        switch activity {
        case .entry: entry
        case .beforeIdle: beforeIdle
        case .afterIdle: afterIdle
        default: exit
        }
    }

    mutating func add(_ observer: Observer) {
        if case .work? = observer.body {
            insert(observer, into: &workers)
            return
        }
        if observer.activities.contains(.entry) { insert(observer, into: &entry) }
        if observer.activities.contains(.beforeIdle) { insert(observer, into: &beforeIdle) }
        if observer.activities.contains(.afterIdle) { insert(observer, into: &afterIdle) }
        if observer.activities.contains(.exit) { insert(observer, into: &exit) }
    }

    mutating func remove(_ observer: Observer) {
        entry.removeAll { $0 === observer }
        beforeIdle.removeAll { $0 === observer }
        afterIdle.removeAll { $0 === observer }
        exit.removeAll { $0 === observer }
        workers.removeAll { $0 === observer }
    }

    private func insert(_ observer: Observer, into list: inout [Observer]) {
        let index = list.firstIndex { $0.order > observer.order } ?? list.endIndex
        list.insert(observer, at: index)
    }
}
