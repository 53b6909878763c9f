import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import Testing

/// What the rule `value` comes to on the shipped traces, summed.
struct ValueFiguresTests {
    struct Bound: CustomTestStringConvertible, Sendable {
        let setting: Setting
        let hasHints: Bool
        /// In row-seconds.
        let blank: Double
        let waste: Double
        /// The 95th percentile of the time until a rest is full.
        let settle: Duration

        var testDescription: String { "\(setting.rawValue)\(hasHints ? ", costs known" : "")" }

        static let all = [
            Bound(
                setting: .standard, hasHints: false, blank: 3.88, waste: 0.44,
                settle: .nanoseconds(16_666_668)),
            Bound(
                setting: .heavy, hasHints: false, blank: 27.7, waste: 0.35,
                settle: .milliseconds(100)),
            Bound(
                setting: .latency, hasHints: false, blank: 23.4, waste: 0.34,
                settle: .milliseconds(50)),
            Bound(
                setting: .standard, hasHints: true, blank: 3.47, waste: 0.44,
                settle: .nanoseconds(16_666_668)),
            Bound(
                setting: .heavy, hasHints: true, blank: 18.6, waste: 0.35,
                settle: .milliseconds(100)),
            Bound(
                setting: .latency, hasHints: true, blank: 24.0, waste: 0.34,
                settle: .milliseconds(50)),
        ]
    }

    private static func sum(
        _ setting: Setting, _ engine: Engine, hasHints: Bool = false
    ) throws -> Figures {
        Figures(
            sumOf: try Shipped.names.map { name in
                var options = ReplayOptions()
                options.engine = engine
                options.cost = setting.cost
                options.latency = setting.latency
                options.hz = Shipped.hz(name)
                options.hasHints = hasHints
                return try Replay(
                    of: try Shipped.trace(name), in: Shipped.list(name), policy: ExpectedValue(),
                    options: options
                ).run().figures
            })
    }

    @Test(arguments: Bound.all)
    func `blank, waste and settling stay within their bounds`(_ bound: Bound) throws {
        let figures = try Self.sum(bound.setting, .whole, hasHints: bound.hasHints)
        #expect(Double(figures.blank) / 1e9 <= bound.blank)
        #expect(figures.wasteShare <= bound.waste)
        #expect(figures.settleNever == 0)
        #expect(
            Figures.percentile(95, of: figures.settles) <= Int64(bound.settle / .nanoseconds(1)))
    }

    @Test(arguments: Setting.allCases, [false, true])
    func `in slices that end with the frame none is late, and little more stays blank`(
        _ setting: Setting, hasHints: Bool
    ) throws {
        let whole = try Self.sum(setting, .whole, hasHints: hasHints)
        let sliced = try Self.sum(setting, .lull, hasHints: hasHints)
        #expect(sliced.framesLate == 0)
        #expect(sliced.hitch == 0)
        let most = setting == .heavy ? 1.2 : 1.15
        #expect(Double(sliced.blank) <= most * Double(whole.blank))
    }
}
