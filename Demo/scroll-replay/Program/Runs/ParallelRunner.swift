import Foundation
import IdleLoop

/// A runner of independent tasks on several threads, which keeps the order of their results.
///
/// The waiting thread runs a loop: results arrive there, and a timer shows the progress.
struct ParallelRunner {
    /// The number of threads.
    let width: Int
    /// The label of the progress line.
    let label: String

    /// Returns the results of `body` for `items`, in their order; rethrows the first error.
    func map<Item: Sendable, Result: Sendable>(
        _ items: [Item], _ body: @escaping @Sendable (Item) throws -> Result
    ) throws -> [Result] {
        guard width > 1 || Progress.isShown, items.count > 1 else { return try items.map(body) }
        let loop = try MainLoop()
        let pool = try WorkerPool(width: max(1, min(width, items.count)), on: loop)
        let queue = IdleQueue<Int>(on: loop, configuration: Self.unbounded)
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

    /// The number of the machine's cores.
    static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }
}
