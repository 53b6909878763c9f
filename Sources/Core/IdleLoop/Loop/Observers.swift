/// Who is told of what a loop is doing.
final class Observers {
    private struct List {
        /// The observers in the order of calls.
        var all: [Observer] = []
        /// The bits of the activities that have observers.
        var noted: UInt8 = 0
    }

    private let loop: LoopContext
    private let list = ConfinedBox(List())

    init(on loop: LoopContext) {
        self.loop = loop
    }

    /// Whether somebody is told when the loop is about to sleep.
    var areToldOfIdle: Bool { list.value.noted & Activity.beforeIdle.bit != 0 }

    func add(_ observer: Observer) {
        let index = list.value.all.firstIndex { $0.order > observer.order }
        list.value.all.insert(observer, at: index ?? list.value.all.endIndex)
        list.value.noted |= observer.activity.bit
    }

    func remove(_ observer: Observer) {
        list.value.all.removeAll { $0 === observer }
        list.value.noted = list.value.all.reduce(0) { $0 | $1.activity.bit }
    }

    /// Cancels all observers.
    func close() {
        for observer in list.value.all { observer.cancel() }
    }

    func notify(_ activity: Activity) {
        guard list.value.noted & activity.bit != 0 else { return }
        for observer in list.value.all where observer.activity == activity {
            guard observer.modes.contains(loop.status.mode), let body = observer.body else {
                continue
            }
            if !observer.repeats { observer.cancel() }
            body(activity)
        }
        loop.lull.fresh = nil  // observers may have taken time
    }
}
