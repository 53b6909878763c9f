internal import IdleLoop
internal import TestSupport

// Calls of queues.
extension LoopProgram {
    private static let mostQueues = 3
    static let keys = ["a", "b", "c", "d", "e"]

    func anyQueue() -> IdleQueue<String>? {
        guard !queues.isEmpty else { return nil }
        let queue = choices.one(of: queues)
        return queue
    }

    func makeQueue() {
        guard let loop = anyLoop() else { return }
        let queue = IdleQueue<String>(
            on: loop, configuration: configuration(on: loop), order: choices.number(below: 3))
        if queues.count == Self.mostQueues { _ = queues.removeFirst() }
        queues.append(queue)
    }

    /// The defaults, but for a few bits of one byte and what they ask for.
    private func configuration(on loop: MainLoop) -> QueueConfiguration {
        var configuration = QueueConfiguration()
        let odd = choices.byte()
        // Threads would do something else each time.
        let lanes = odd & 2 != 0 ? choices.one(of: [2, 1, 3]) : 0
        if lanes > 0 || !loop.clock.isVirtual {
            configuration.lanes = loop.clock.isVirtual ? .atMost(lanes) : .none
        }
        if odd & 1 != 0 { configuration.limit = 1 + choices.number(below: 4) }
        if odd & 4 != 0 { configuration.maxDeferral = choices.period() }
        if odd & 16 != 0 {
            configuration.slice = choices.maybe(choices.period())
            configuration.endsSlicesWhenDue = choices.flag()
        }
        if odd & 32 != 0 { configuration.batch = choices.longDuration() }
        if odd & 64 != 0 { configuration.modes = choices.one(of: [.all, .default, .tracking]) }
        if odd & 128 != 0 {
            configuration.weight = 1 + choices.number(below: 3)
            configuration.name = choices.one(of: Self.keys)
        }
        return configuration
    }

    func actOnQueue() {
        guard let queue = anyQueue() else { return makeQueue() }
        switch choices.number(below: 14) {
        case 0: makeQueue()
        case 1: queue.cancel(choices.one(of: Self.keys))
        case 2: queue.cancelAll()
        case 3: queue.close()
        case 4, 5: release(queue)
        case 6, 7:
            queue.reprioritize(
                choices.one(of: Self.keys), priority: choices.one(of: Priority.allCases),
                rank: choices.one(of: [0, 1, .min, .max]))
        case 8: shutDown(queue)
        case 9:
            queue.cancel { [self] _ in
                callback()
                return choices.flag()
            }
        case 10: queue.cancel { [prefix = choices.one(of: Self.keys)] in $0.hasPrefix(prefix) }
        case 11: lookAt(queue)
        case 12 where !tokens.isEmpty: choices.one(of: tokens).cancel()
        default: submit()
        }
    }

    private func release(_ queue: IdleQueue<String>) {
        if let place = queues.firstIndex(where: { $0 === queue }) { _ = queues.remove(at: place) }
    }

    private func shutDown(_ queue: IdleQueue<String>) {
        let promise = promise()
        let object = live.make()
        queue.shutDown(within: choices.duration()) { [self] _ in
            _ = object
            promise.keep()
            callback()
        }
    }

    private func lookAt(_ queue: IdleQueue<String>) {
        let key = choices.one(of: Self.keys)
        expect(queue.contains(key) == (queue.priority(of: key) != nil), "what is there shows")
        _ = queue.hasRoom(for: choices.one(of: Priority.allCases))
    }
}
