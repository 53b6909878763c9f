import Foundation
import IdleLoop

/// Does many independent things on several threads, and keeps their order.
///
/// The thread that waits for them runs a loop: results arrive there, and a timer shows how far it
/// has come.
struct Crew {
    /// How many work at once.
    let width: Int
    /// What is being done, for the line that tells how far it has come.
    let label: String

    /// What `body` gives for each of `items`, in their order; throws what the first of them threw.
    func map<Item: Sendable, Result: Sendable>(
        _ items: [Item], _ body: @escaping @Sendable (Item) throws -> Result
    ) throws -> [Result] {
        guard width > 1 || Progress.isShown, items.count > 1 else { return try items.map(body) }
        let loop = try MainLoop()
        let pool = try WorkerPool(width: max(1, min(width, items.count)), on: loop)
        let queue = IdleQueue<Int>(on: loop, configuration: Crew.unbounded)
        var results = [Result?](repeating: nil, count: items.count)
        var failures: [Int: any Error] = [:]
        var left = items.count
        let progress = Progress(label: label, count: items.count, on: loop)
        for (index, item) in items.enumerated() {
            queue.submit(
                index, rank: index, on: pool,
                onEnd: { end in
                    if case .failed(let error) = end { failures[index] = error }
                    left -= 1
                    progress.done = items.count - left
                    if left == 0 || failures[index] != nil { loop.stop() }
                },
                work: { try body(item) },
                then: { result in
                    { _ in
                        results[index] = result
                        return .done
                    }
                })
        }
        try loop.run()
        progress.clear()
        queue.close()
        if let first = failures.min(by: { $0.key < $1.key }) { throw first.value }
        return results.compactMap { $0 }
    }

    private static var unbounded: QueueConfiguration {
        var configuration = QueueConfiguration()
        configuration.limit = .max
        return configuration
    }

    /// As many as the machine has cores.
    static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }
}
