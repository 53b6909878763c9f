#if Logging
import IdleLoop
import InMemoryLogging
import Logging
import LoopLogging
import Testing

/// What is written of a loop, and what isn't.
struct LoopLoggingTests {
    /// A loop on virtual time whose log is kept.
    private final class Watched {
        let time = VirtualTime()
        let loop: MainLoop
        let handler: InMemoryLogHandler
        let logging: LoopLogging

        init() throws {
            loop = try MainLoop(clock: .virtual(time))
            var handler = InMemoryLogHandler()
            handler.logLevel = .trace
            self.handler = handler
            let logger = Logger(label: "loop") { [handler] _ in handler }
            logging = LoopLogging(of: loop, to: logger)
        }

        func queue(_ name: String, limit: Int = 30) -> IdleQueue<Int> {
            var configuration = QueueConfiguration()
            configuration.name = name
            configuration.limit = limit
            configuration.batch = .zero
            return IdleQueue(on: loop, configuration: configuration)
        }

        var elapsed: Duration { Instant.zero.duration(to: time.now) }

        private func text(of value: Logger.MetadataValue) -> String {
            guard case .dictionary(let values) = value else { return "\(value)" }
            let parts = values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return "[\(parts.joined(separator: ", "))]"
        }

        /// Each line as text, its metadata in order.
        var lines: [String] {
            handler.entries.map { entry in
                let metadata = entry.metadata.sorted { $0.key < $1.key }
                    .map { "\($0.key)=\(text(of: $0.value))" }
                return "\(entry.level) \(entry.message): \(metadata.joined(separator: " "))"
            }
        }
    }

    @Test func `jobs that are as they should be are not written of`() throws {
        let watched = try Watched()
        let queue = watched.queue("jobs", limit: 1000)
        for key in 0..<1000 {
            queue.submit(key) { _ in
                watched.time.charge(.milliseconds(10))
                return .done
            }
        }
        try watched.loop.run()
        #expect(watched.elapsed >= .seconds(10))
        #expect(watched.lines.isEmpty)
    }

    @Test func `drops come in one line a second, with their sum by queue`() throws {
        let watched = try Watched()
        let (first, second) = (watched.queue("first", limit: 1), watched.queue("second", limit: 1))
        let ticks = watched.loop.schedule(after: .milliseconds(5), every: .milliseconds(10)) {
            for key in 0..<3 { first.submit(key) { _ in .done } }
            second.submit(1) { _ in .done }
            second.submit(2) { _ in .done }
        }
        watched.loop.schedule(after: .milliseconds(3000)) { ticks.cancel() }
        try watched.loop.run()
        let sums = watched.handler.entries.map(\.metadata["count"])
        #expect(watched.lines.allSatisfy { $0.hasPrefix("warning jobs were dropped: count=") })
        #expect(sums.count <= 4)
        #expect(sums.compactMap { Int("\($0 ?? "")") }.reduce(0, +) == 300 * 3)
        #expect(
            watched.lines.first
                == "warning jobs were dropped: count=300 queues=[first: 200, second: 100]")
    }

    @Test func `overruns and jobs that were held back are written of`() throws {
        let watched = try Watched()
        let queue = watched.queue("jobs")
        let frames = watched.loop.frames(
            every: .milliseconds(16), from: .zero.advanced(by: .milliseconds(16)),
            tolerance: .milliseconds(1)
        ) { _ in }
        queue.submit(1, cost: .milliseconds(3)) { _ in
            watched.time.charge(.milliseconds(40))
            return .done
        }
        queue.submit(2, cost: .milliseconds(17)) { _ in .done }
        try watched.loop.run(until: .zero.advanced(by: .milliseconds(900)))
        frames.cancel()
        #expect(
            watched.lines.first
                == "warning jobs made a timer or frame late: count=1 queues=[jobs: 1]")
        #expect(watched.lines.count == 2)
        #expect(watched.lines.last?.hasPrefix("info jobs were held back: count=") == true)
    }

    @Test func `after it was cancelled nothing is written`() throws {
        let watched = try Watched()
        let queue = watched.queue("jobs", limit: 1)
        for key in 0..<3 {
            queue.submit(key) { _ in
                watched.time.charge(.milliseconds(5))
                return .done
            }
        }
        watched.logging.cancel()
        try watched.loop.run()
        #expect(watched.lines.isEmpty)
    }

    @Test func `what became of queues that were shut down is a line each`() {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        let logger = Logger(label: "loop") { [handler] _ in handler }
        let time = VirtualTime()
        #expect(throws: Never.self) {
            let loop = try MainLoop(clock: .virtual(time))
            func queue(_ name: String, of count: Int) -> IdleQueue<Int> {
                var configuration = QueueConfiguration()
                configuration.name = name
                configuration.limit = 100
                configuration.modes = name == "resting" ? .tracking : .all
                let queue = IdleQueue<Int>(on: loop, configuration: configuration)
                for key in 0..<count { queue.submit(key) { _ in .done } }
                return queue
            }
            let queues = [queue("busy", of: 3), queue("empty", of: 0), queue("resting", of: 25)]
            loop.shutDown(within: .seconds(1)) { logger.log($0) }
            try loop.run()
            withExtendedLifetime(queues) {}
        }
        #expect(handler.entries.map(\.message) == ["queue shut down", "queue shut down"])
        #expect(handler.entries.map(\.level) == [.info, .warning])
        let metadata = handler.entries.map(\.metadata)
        #expect(metadata.map { $0["queue"] } == ["busy", "resting"])
        #expect(metadata.map { $0["finished"] } == ["3", "0"])
        #expect(metadata.map { $0["returned"] } == ["0", "25"])
        #expect(metadata[1]["keys"] == .array((0..<20).map { "\($0)" }))
    }
}
#endif
