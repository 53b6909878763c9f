import DeferredLoading
import Foundation
import HTTPLoading
import IdleLoop
import ImageLoading
import IsolatedDecoding
import ListCells
import LoopSystemd
import LullTesting
import ScrollModel
import Testing

/// Arguments that make no sense end the process, which says what was wrong.
struct MistakeTests {
    /// What ends the process, and what it says.
    typealias Mistake = (text: String, make: @Sendable () async throws -> Void)

    @Test(arguments: mistakes.indices)
    func `a mistake ends the process with its reason`(index: Int) async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [index = index as Int] in try await Self.mistakes[index].make() }
        let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = error.split(separator: "\n").first { $0.contains(".swift:") } ?? ""
        #expect(line.hasSuffix(": \(Self.mistakes[index].text)"), "\(error)")
    }

    private static let mistakes: [Mistake] = [
        (
            "a loop, and all that is on it, is used on the thread that has made it",
            { try await foreignLoop().schedule(at: .zero) {} }
        ),
        ("a task is begun on a loop from its own thread", { try await foreignLoop().task {} }),
        ("an inbox holds at least one message", { _ = try MainLoop(inboxCapacity: 0) }),
        ("an idle queue holds at least one job", { try queue { $0.limit = 0 } }),
        ("a slice is longer than zero", { try queue { $0.slice = .zero } }),
        ("jobs are put off for longer than zero", { try queue { $0.maxDeferral = .zero } }),
        ("a weight is one or more", { try queue { $0.weight = 0 } }),
        (
            "a watch waits for reading, for writing or for the other's end",
            { try loop.watch(0, for: []) { _ in } }
        ),
        (
            "a timer's period is longer than zero",
            { try loop.schedule(at: .zero, every: .zero) {} }
        ),
        (
            "a frame takes a microsecond at least",
            { _ = try loop.frames(every: .nanoseconds(999)) { _ in } }
        ),
        ("a loop is in one mode at a time", { try loop.mode = .all }),
        (
            "a worker pool has at least one worker",
            { _ = try WorkerPool(width: 0, on: try loop) }
        ),
        ("virtual time never goes back", { VirtualTime().charge(.nanoseconds(-1)) }),
        (
            "a watchdog waits at least a microsecond",
            {
                _ = Watchdog(
                    on: try loop, notifier: try ServiceNotifier(socket: nil), period: .zero)
            }
        ),
        (
            "a row is laid out once in a pass",
            {
                var pool = ReusePool<Int, Int, Int>()
                pool.layout([4, 4], at: 4, prepare: { _ in }) { _, pass in pass.dequeue(0) { 0 } }
            }
        ),
        (
            "a row shows a cell that was dequeued for it",
            {
                var pool = ReusePool<Int, Int, Int>()
                var first: ReusePool<Int, Int, Int>.DequeuedCell?
                pool.layout(0..<2, prepare: { _ in }) { _, pass in
                    let dequeued = first ?? pass.dequeue(0) { 0 }
                    first = dequeued
                    return dequeued
                }
            }
        ),
        (
            "a row's number is below the count of its section's rows",
            { _ = try list.extent(of: .row(RowIndex(section: 0, row: 2))) }
        ),
        ("a row's position is below the count of rows", { _ = try list.row(atPosition: 2) }),
        (
            "a section's number is below the count of sections",
            { _ = try list.rowCount(inSection: 1) }
        ),
        (
            "a flow has columns or a height, of at most 2^20",
            { _ = LineFlow(.justified(height: .nan), width: 100) }
        ),
        (
            "only rows that are there can go",
            {
                var rows = try RowHeights(count: 2, height: 1)
                rows.remove(1..<3)
            }
        ),
        ("a loader keeps at least one value", { _ = try loader { $0.capacity = 0 } }),
        ("waits aren't negative", { _ = try loader { $0.backoff.first = .nanoseconds(-1) } }),
        (
            "a loader without a limit of bytes doesn't count them",
            { try loader().limitBytes(to: 1) }
        ),
        (
            "servers live on the machine's clock",
            { _ = HTTPLoader(on: try loop) }
        ),
        (
            "addresses behind a proxy can't be checked",
            {
                var configuration = HTTPLoaderConfiguration()
                configuration.addresses = .publicOnly
                configuration.proxy = .environment
                _ = HTTPLoader(on: try MainLoop(), configuration: configuration)
            }
        ),
        (
            "a disk cache is under an absolute path",
            { _ = DiskCache(in: "a") }
        ),
        (
            "virtual time doesn't wait for a helper process",
            { _ = IsolatedDecoder(on: try loop) }
        ),
        (
            "a distance is finite",
            {
                var hand = TraceBuilder("")
                hand.drag(by: .nan)
            }
        ),
    ]

    private static var loop: MainLoop {
        get throws { try MainLoop(clock: .virtual(VirtualTime())) }
    }

    /// A loop whose thread is another one.
    private static func foreignLoop() async throws -> MainLoop {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try MainLoop(clock: .virtual(VirtualTime())) })
                while true { pause() }
            }
        }
    }

    private static func queue(_ change: (inout QueueConfiguration) -> Void) throws {
        var configuration = QueueConfiguration()
        change(&configuration)
        _ = IdleQueue<Int>(on: try loop, configuration: configuration)
    }

    /// A list of two rows.
    private static var list: ListLayout {
        get throws { try ListLayout(rowCounts: [2]) }
    }

    private struct Rows: LoadSource {
        func load(_ row: Int, fetched: Never?) throws -> any Load<Int> {
            throw CancellationError()
        }
    }

    private static func loader(
        _ change: (inout LoaderConfiguration) -> Void = { _ in }
    ) throws -> DeferredLoader<Int, Int> {
        var configuration = LoaderConfiguration()
        change(&configuration)
        return DeferredLoader(
            queue: IdleQueue(on: try loop), source: Rows(), configuration: configuration)
    }
}
