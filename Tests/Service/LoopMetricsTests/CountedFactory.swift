#if Metrics
import CoreMetrics
import IdleLoop

/// A factory whose counters of fractions count fractions, which those for tests don't.
final class CountedFactory: MetricsFactory {
    final class Sum: FloatingPointCounterHandler {
        private let value = Guarded(0.0)

        var sum: Double { value.withLock { $0 } }

        func increment(by amount: Double) { value.withLock { $0 += amount } }

        func reset() { value.withLock { $0 = 0 } }
    }

    private let factory: any MetricsFactory
    let asleep = Sum()

    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { asleep }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        factory.makeCounter(label: label, dimensions: dimensions)
    }

    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        factory.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        factory.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
#endif
