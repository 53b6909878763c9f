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
        /// At the neutral price, or at the loader's own.
        let isNeutral: Bool
        let hasHints: Bool
        /// In row-seconds, of whole jobs; with the share that is wasted.
        let blank: Double
        let waste: Double
        /// The 95th percentile of the time until a rest is full.
        let settle: Duration

        var testDescription: String {
            "\(setting.rawValue)\(hasHints ? ", costs known" : "")\(isNeutral ? ", neutral" : "")"
        }

        init(
            _ setting: Setting, blank: Double, waste: Double, settle: Duration = frame,
            isNeutral: Bool = false, hasHints: Bool = false
        ) {
            self.setting = setting
            self.isNeutral = isNeutral
            self.hasHints = hasHints
            self.blank = blank
            self.waste = waste
            self.settle = settle
        }

        private static let frame = Duration.nanoseconds(16_666_668)

        static let all = [
            Bound(.light, blank: 1.1, waste: 0.68),
            Bound(.standard, blank: 4.6, waste: 0.53),
            Bound(.heavy, blank: 23, waste: 0.54, settle: .milliseconds(100)),
            Bound(.latency, blank: 22.8, waste: 0.57, settle: .milliseconds(50)),
            Bound(.standard, blank: 3.82, waste: 0.395, isNeutral: true),
            Bound(
                .heavy, blank: 25, waste: 0.33, settle: .milliseconds(100), isNeutral: true),
            Bound(
                .latency, blank: 22.9, waste: 0.325, settle: .milliseconds(50), isNeutral: true),
            Bound(.standard, blank: 2.75, waste: 0.39, isNeutral: true, hasHints: true),
            Bound(
                .heavy, blank: 15.9, waste: 0.33, settle: .milliseconds(100), isNeutral: true,
                hasHints: true),
            Bound(
                .latency, blank: 22.7, waste: 0.33, settle: .milliseconds(50), isNeutral: true,
                hasHints: true),
        ]
    }

    /// Loads nothing at all.
    private struct Nothing: LoadingPolicy {
        mutating func wanted(
            after moment: ScrollState, loads: any LoadStatus
        ) -> [Wanted<Int>]? { nil }
    }

    private static func figures(
        of name: String, _ bound: Bound, _ slicing: Slicing,
        by policy: any LoadingPolicy = ValueRule()
    ) throws -> Figures {
        var options = ReplayOptions(bound.setting, slicing)
        options.hz = Shipped.hz(name)
        options.hasHints = bound.hasHints
        if bound.isNeutral { options.limits.prices = .neutral ... .neutral }
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
                try Self.figures(of: $0, bound, slicing)
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
        #expect(sliced.settleNever <= (bound.setting == .heavy ? 1 : 0))
        #expect(sliced.blank <= whole.blank * 1.25)
        for (name, figures) in zip(Shipped.names, all) {
            let delay = Figures.percentile(99, of: figures.inputDelays)
            guard delay > .microseconds(2200) else { continue }
            let idle = try Self.figures(of: name, bound, .lull, by: Nothing())
            #expect(delay <= Figures.percentile(99, of: idle.inputDelays), "\(name)")
        }
    }
}
