import IdleLoop
import TestSupport
import Testing

/// The queue against an obvious one: an array that is searched.
struct QueueModelTests {
    private struct Entry {
        let key: Int
        var urgency: Urgency
        var rank: Int
        let number: Int
        var slices: Int
    }

    /// What the queue should do, in as few words as possible.
    private struct PlainQueue {
        let limit: Int
        var entries: [Entry] = []
        var begun: Int?
        var log: [String] = []
        var number = 0

        mutating func submit(_ key: Int, _ urgency: Urgency, _ rank: Int, slices: Int) {
            number += 1
            if let index = entries.firstIndex(where: { $0.key == key }) {
                entries[index].urgency = urgency
                entries[index].rank = rank
                return
            }
            entries.append(
                Entry(key: key, urgency: urgency, rank: rank, number: number, slices: slices))
            makeRoom()
        }

        mutating func makeRoom() {
            guard entries.count > limit else { return }
            let victim = entries.min { ($0.urgency, $0.number) < ($1.urgency, $1.number) }
            if let victim { end(victim.key, "dropped") }
        }

        mutating func reprioritize(_ key: Int, _ urgency: Urgency, _ rank: Int) {
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
            entries[index].urgency = urgency
            entries[index].rank = rank
        }

        mutating func end(_ key: Int, _ how: String) {
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
            entries.remove(at: index)
            if begun == key { begun = nil }
            log.append("\(key) \(how)")
        }

        mutating func runOne() {
            let first = entries.min { a, b in
                a.urgency == b.urgency
                    ? (a.rank, a.number) < (b.rank, b.number) : a.urgency > b.urgency
            }
            guard let key = begun ?? first?.key,
                let index = entries.firstIndex(where: { $0.key == key })
            else { return }
            log.append("\(key) runs")
            entries[index].slices -= 1
            begun = key
            if entries[index].slices == 0 { end(key, "done") }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `the queue does what an array would do`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (loop, _) = try virtualLoop()
        var configuration = IdleQueue<Int>.Configuration()
        configuration.limit = Int.random(in: 1...12, using: &random)
        configuration.batch = .zero
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        var plain = PlainQueue(limit: configuration.limit)
        var log: [String] = []

        for _ in 0..<300 {
            let key = Int.random(in: 0..<20, using: &random)
            let urgency = Urgency.allCases.randomElement(using: &random) ?? .near
            let rank = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                var slices = Int.random(in: 1...3, using: &random)
                plain.submit(key, urgency, rank, slices: slices)
                let onEnd: (JobEnd) -> Void = { end in
                    switch end {
                    case .done: log.append("\(key) done")
                    case .cancelled: log.append("\(key) cancelled")
                    case .dropped: log.append("\(key) dropped")
                    case .skipped, .failed: log.append("\(key) wrong")
                    }
                }
                let isNew = !queue.contains(key)
                queue.submit(key, urgency: urgency, rank: rank, onEnd: isNew ? onEnd : nil) { _ in
                    log.append("\(key) runs")
                    slices -= 1
                    loop.stop()
                    return slices == 0 ? .done : .again
                }
            case 5:
                plain.reprioritize(key, urgency, rank)
                queue.reprioritize(key, urgency: urgency, rank: rank)
            case 6:
                plain.end(key, "cancelled")
                queue.cancel(key)
            default:
                plain.runOne()
                try loop.run()
            }
            queue.checkInvariants()
            #expect(log == plain.log)
            #expect(queue.count == plain.entries.count)
            for entry in plain.entries { #expect(queue.urgency(of: entry.key) == entry.urgency) }
        }
        queue.close()
        #expect(queue.statistics.isConserved)
        #expect(queue.statistics.waiting == 0)
    }
}
