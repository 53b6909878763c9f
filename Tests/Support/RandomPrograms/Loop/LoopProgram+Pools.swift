internal import IdleLoop
internal import TestSupport

// Workers, and operations that go on by themselves.
extension LoopProgram {
    private static let most = 2

    func actOnPool() {
        switch choices.number(below: 8) {
        case 0, 1: makeWorkers()
        case 2, 3: makeOperators()
        case 4:
            guard !workers.isEmpty else { return }
            _ = workers.remove(at: choices.number(below: workers.count))
        case 5:
            guard !operators.isEmpty else { return }
            _ = operators.remove(at: choices.number(below: operators.count))
        default:
            guard !completions.isEmpty else { return }
            let completion = choices.one(of: completions)
            completion(choices.flag() ? .failure(Trouble()) : .success(1))
        }
    }

    /// Workers on virtual time: threads would do something else each time.
    private func makeWorkers() {
        guard let home = anyHome(), home.isVirtual,
            let pool = try? WorkerPool(width: 1 + choices.number(below: 2), on: home.loop)
        else { return }
        if workers.count == Self.most { _ = workers.removeFirst() }
        workers.append((WeakLoop(it: home.loop), pool))
    }

    private func makeOperators() {
        guard let loop = anyLoop() else { return }
        if operators.count == Self.most { _ = operators.removeFirst() }
        let pool = OperationPool(width: 1 + choices.number(below: 2), on: loop)
        operators.append((WeakLoop(it: loop), pool))
    }
}
