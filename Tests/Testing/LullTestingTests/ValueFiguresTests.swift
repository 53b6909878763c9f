import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import ShippedTraces
import Testing

/// The figures of the rule `value` on the shipped traces.
struct ValueFiguresTests {
    struct Bound: CustomTestStringConvertible, Sendable {
        let setting: Setting
        let hasHints: Bool
        /// In row-seconds, of whole jobs; with the share that is wasted.
        let blank: Double
        let waste: Double
        /// The 95th percentile of the time until a rest is full.
        let settle: Duration

        var testDescription: String { "\(setting.rawValue)\(hasHints ? ", costs known" : "")" }

        init(
            _ setting: Setting, blank: Double, waste: Double, settle: Duration,
            hasHints: Bool = false
        ) {
            self.setting = setting
            self.hasHints = hasHints
            self.blank = blank
            self.waste = waste
            self.settle = settle
        }

        private static let frame = Duration.nanoseconds(16_666_668)

        static let all = [
            Bound(.light, blank: 1.1, waste: 0.63, settle: frame),
            Bound(.standard, blank: 4.6, waste: 0.5, settle: frame),
            Bound(.heavy, blank: 24.8, waste: 0.55, settle: .milliseconds(100)),
            Bound(.latency, blank: 23.2, waste: 0.49, settle: .milliseconds(50)),
            Bound(.standard, blank: 2.9, waste: 0.5, settle: frame, hasHints: true),
            Bound(.heavy, blank: 15.6, waste: 0.55, settle: .milliseconds(100), hasHints: true),
            Bound(.latency, blank: 22.3, waste: 0.47, settle: .milliseconds(50), hasHints: true),
        ]
    }

    /// Loads nothing at all.
    private struct Nothing: LoadingPolicy {
        mutating func wanted(
            after moment: ScrollState, loads: any LoadStatus
        ) -> [Wanted<Int>]? { nil }
    }

    private static func figures(
        of name: String, _ setting: Setting, _ slicing: Slicing, hasHints: Bool,
        by policy: any LoadingPolicy = ValueRule()
    ) throws -> Figures {
        var options = ReplayOptions(setting, slicing)
        options.hz = Shipped.hz(name)
        options.hasHints = hasHints
        return try Replay(
            of: try Shipped.trace(name), in: Shipped.list(name), policy: policy, options: options
        ).run().figures
    }

    @Test(arguments: Bound.all)
    func `little is blank, little is wasted, rests fill, and no frame is late`(
        _ bound: Bound
    ) throws {
        func play(_ slicing: Slicing) throws -> [Figures] {
            try Shipped.names.map {
                try Self.figures(of: $0, bound.setting, slicing, hasHints: bound.hasHints)
            }
        }
        let whole = Figures(sumOf: try play(.whole))
        #expect(whole.blank / .seconds(1) <= bound.blank)
        #expect(whole.wasteShare <= bound.waste)
        #expect(whole.settleNever == 0)
        #expect(Figures.percentile(95, of: whole.settles) <= bound.settle)

        let all = try play(.lull)
        let sliced = Figures(sumOf: all)
        #expect(sliced.framesLate == 0 && sliced.hitch == .zero)
        // One rest of 150 ms, between two notches of a wheel, is over two frames before it is full.
        #expect(sliced.settleNever <= (bound.hasHints && bound.setting == .heavy ? 1 : 0))
        let most = bound.setting == .heavy ? 1.2 : 1.15
        #expect(sliced.blank <= whole.blank * most)
        for (name, figures) in zip(Shipped.names, all) {
            let delay = Figures.percentile(99, of: figures.inputDelays)
            guard delay > .microseconds(2200) else { continue }
            let idle = try Self.figures(
                of: name, bound.setting, .lull, hasHints: false, by: Nothing())
            #expect(delay <= Figures.percentile(99, of: idle.inputDelays), "\(name)")
        }
    }
}
