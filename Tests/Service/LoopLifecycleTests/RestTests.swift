#if Lifecycle && Metrics
import IdleLoop
import InMemoryLogging
import Logging
import LoopLifecycle
import LoopLogging
import LoopMetrics
import LoopSystemd
import Testing

/// A loop with everything on it that a daemon has, at rest.
struct RestTests {
    /// What is on a loop, kept until it ends.
    private final class Adapters {
        let logging: LoopLogging
        let metrics: [LoopMetrics]
        let pressure: MemoryPressure
        let service: ManagedService

        init(on loop: MainLoop, watchdogPeriod: Duration?) throws {
            let logger = Logger(label: "loop") { _ in InMemoryLogHandler() }
            logging = LoopLogging(of: loop, to: logger)
            var quick = LoopMetrics.Configuration()
            quick.name = "quick"
            quick.period = .milliseconds(700)
            metrics = [LoopMetrics(of: loop), LoopMetrics(of: loop, configuration: quick)]
            // All tasks would have to stand still: the machine that tests run on may well be short of
            // memory, and that is work.
            var short = PressureSources()
            short.trigger = "full 2000000 2000000"
            pressure = MemoryPressure(on: loop, sources: short) {}
            service = ManagedService(
                on: loop, notifier: try ServiceNotifier(socket: nil),
                watchdogPeriod: watchdogPeriod)
            try service.ready()
        }
    }

    /// What a loop did in each of four hours, after some work in the first.
    private func hours(watchdogPeriod: Duration?) async throws -> [Statistics] {
        let told = Guarded<[Statistics]>([])
        let service = LoopService(
            makeLoop: { try MainLoop(clock: .virtual(VirtualTime())) },
            setUp: { loop in
                let adapters = try Adapters(on: loop, watchdogPeriod: watchdogPeriod)
                let queue = IdleQueue<Int>(on: loop)
                for key in 0..<20 {
                    loop.schedule(after: .seconds(key)) { queue.submit(key) { _ in .done } }
                }
                for hour in 1...4 {
                    loop.schedule(after: .seconds(3600 * hour - 1)) {
                        told.withLock { $0.append(loop.statistics) }
                        if hour == 4 { loop.stop() }
                    }
                }
                return (adapters, queue)
            })
        try await service.run()
        return told.withLock { $0 }
    }

    @Test func `a loop at rest isn't woken, whatever hangs on it`() async throws {
        let hours = try await hours(watchdogPeriod: nil)
        try #require(hours.count == 4)
        // Each piece of work may be told of once by each of three, and each hour's look, too.
        #expect(hours[0].sleeps <= 20 + 3 * 20 + 3)
        for (before, after) in zip(hours, hours.dropFirst()) {
            #expect(after.sleeps - before.sleeps == 4)
            #expect(after.timersFired - before.timersFired == 4)
        }
    }

    @Test func `a watchdog is fed, and wakes nobody else`() async throws {
        let hours = try await hours(watchdogPeriod: .seconds(60))
        try #require(hours.count == 4)
        for (before, after) in zip(hours, hours.dropFirst()) {
            #expect(after.timersFired - before.timersFired == 120 + 4)
        }
    }
}
#endif
