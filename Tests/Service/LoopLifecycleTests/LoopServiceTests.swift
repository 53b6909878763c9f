#if Lifecycle && Metrics
import IdleLoop
import InMemoryLogging
import Logging
import LoopLifecycle
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

/// Loops as services.
struct LoopServiceTests {
    private struct Trouble: Error {}

    /// What several threads share.
    private final class Shared<Value: Sendable>: Sendable {
        private let value: Guarded<Value>

        init(_ value: Value) {
            self.value = Guarded(value)
        }

        func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
            value.withLock { value in body(&value) }
        }
    }

    /// What is noted on several threads.
    private final class Notes: Sendable {
        private let notes = Shared<[String]>([])

        var all: [String] { notes.change { $0 } }

        func add(_ note: String) { notes.change { $0.append(note) } }
    }

    /// A queue whose jobs wait for a mode that never comes, if they're to rest.
    private static func queue(
        on loop: MainLoop, jobs: Int, rest: Bool, _ notes: Notes? = nil
    ) -> IdleQueue<Int> {
        var configuration = QueueConfiguration()
        configuration.limit = jobs
        configuration.modes = rest ? .tracking : .all
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        for key in 0..<jobs {
            queue.submit(key, onEnd: { notes?.add("\(key) \($0)") }) { _ in .done }
        }
        return queue
    }

    @Test func `it ends when its loop is stopped from inside`() async throws {
        let notes = Notes()
        let service = LoopService { loop in
            let queue = IdleQueue<Int>(on: loop)
            queue.submit(1) { _ in
                notes.add("job")
                loop.stop()
                return .done
            }
            return queue
        }
        try await service.run()
        #expect(notes.all == ["job"])
        try await service.run()
        #expect(notes.all == ["job", "job"])
    }

    @Test func `more loops run at once than Swift has threads`() async throws {
        let inboxes = Shared<[Inbox]>([])
        try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    try await LoopService { loop in
                        let all = inboxes.change { inboxes in
                            inboxes.append(loop.inbox)
                            return inboxes
                        }
                        guard all.count == 16 else { return }
                        for inbox in all { inbox.post { $0.stop() } }
                    }
                    .run()
                }
            }
            try await group.waitForAll()
        }
        #expect(inboxes.change { $0.count } == 16)
    }

    @Test func `a graceful shutdown gives back what it can't finish, and says so`() async throws {
        let (notes, handler) = (Notes(), InMemoryLogHandler())
        let logger = Logger(label: "test") { _ in handler }
        await #expect(throws: Never.self) {
            try await testGracefulShutdown { trigger in
                try await LoopService(
                    finishingWithin: .zero, logger: logger,
                    onShutdown: { reports in
                        notes.add("\(reports.map(\.queue)) \(reports.map(\.returned.count))")
                    },
                    setUp: { loop in
                        let queue = Self.queue(on: loop, jobs: 1000, rest: true)
                        loop.schedule(after: .zero) { trigger.triggerGracefulShutdown() }
                        return queue
                    }
                )
                .run()
            }
        }
        #expect(notes.all == [#"["idle queue"] [1000]"#])
        #expect(
            handler.entries.map(\.metadata["lull.build"]) == ["\(LullBuild.description)", nil])
        #expect(handler.entries.map(\.metadata["returned"]) == [nil, "1000"])
    }

    @Test func `a graceful shutdown finishes what there is time for`() async throws {
        let notes = Notes()
        try await testGracefulShutdown { trigger in
            try await LoopService(
                finishingWithin: .seconds(3600),
                onShutdown: { notes.add("\($0.map(\.finished)) \($0.map(\.returned))") },
                setUp: { loop in
                    let queue = Self.queue(on: loop, jobs: 3, rest: false, notes)
                    loop.observe(.entry) { _ in trigger.triggerGracefulShutdown() }
                    return queue
                }
            )
            .run()
        }
        #expect(notes.all == ["0 done", "1 done", "2 done", #"[["0", "1", "2"]] [[]]"#])
    }

    @Test func `a shutdown that comes before the loop is there isn't lost`() async throws {
        let notes = Notes()
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await LoopService(
                finishingWithin: .zero, onShutdown: { notes.add("\($0.map(\.returned))") },
                setUp: { loop in Self.queue(on: loop, jobs: 2, rest: true) }
            )
            .run()
        }
        #expect(notes.all == [#"[["0", "1"]]"#])
    }

    @Test func `a full inbox doesn't keep a loop from its end`() async throws {
        try await testGracefulShutdown { trigger in
            try await LoopService(
                makeLoop: { try MainLoop(inboxCapacity: 1) },
                setUp: { loop in
                    loop.schedule(after: .zero) {
                        while loop.inbox.post({ _ in }) {}
                        trigger.triggerGracefulShutdown()
                    }
                }
            )
            .run()
        }
    }

    @Test func `cancelled, it stops at once and takes its jobs back`() async throws {
        let notes = Notes()
        let task = Shared<Task<Void, any Error>?>(nil)
        let service = LoopService(
            finishingWithin: .seconds(3600), onShutdown: { _ in notes.add("shut down") },
            setUp: { loop in
                loop.schedule(after: .zero, every: .milliseconds(1)) {
                    task.change { $0?.cancel() }
                }
                return Self.queue(on: loop, jobs: 2, rest: true, notes)
            })
        let running = Task { try await service.run() }
        task.change { $0 = running }
        try await running.value
        #expect(notes.all == ["0 cancelled", "1 cancelled"])
    }

    @Test func `cancelled before it begins, it ends in its first pass`() async throws {
        let notes = Notes()
        let service = LoopService { loop in
            loop.observe(.beforeIdle) { _ in notes.add("idle") }
        }
        await withDiscardingTaskGroup { group in
            group.cancelAll()
            group.addTask {
                await #expect(throws: Never.self) { try await service.run() }
            }
        }
        #expect(notes.all.isEmpty)
    }

    @Test func `what can't be made or set up is thrown`() async {
        await #expect(throws: Trouble.self) {
            try await LoopService { _ in throw Trouble() }.run()
        }
        await #expect(throws: Trouble.self) {
            try await LoopService(makeLoop: { throw Trouble() }, setUp: { _ in }).run()
        }
    }
}
#endif
