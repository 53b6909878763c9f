import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import ShippedTraces
import Testing

/// The laws of the gate, over every shipped trace and setting.
struct GateTests {
    /// The rule, watched: what its gate was after each moment.
    final class Watched: LoadingPolicy {
        var rule = LandingRows()

        func wanted(
            after moment: ScrollState, loads: any LoadStatus
        ) -> [Wanted<Int>]? {
            rule.wanted(after: moment, loads: loads)
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let trace: String
        let setting: Setting
        let target: ReplayOptions.Target

        var testDescription: String { "\(trace) \(setting.rawValue) \(target.rawValue)" }

        static let all = Shipped.names.flatMap { trace in
            Setting.allCases.flatMap { setting in
                ReplayOptions.Target.allCases.map {
                    Case(trace: trace, setting: setting, target: $0)
                }
            }
        }
    }

    @Test(arguments: Case.all)
    func `while the gate is closed no load starts away from the landing`(_ given: Case) throws {
        let trace = try Shipped.trace(given.trace)
        let list = Shipped.list(given.trace)
        for slicing in [Slicing.whole, .sliced, .lull] {
            var options = ReplayOptions(given.setting, slicing)
            options.target = given.target
            options.hz = Shipped.hz(given.trace)
            let policy = Watched()
            let replay = try Replay(of: trace, in: list, policy: policy, options: options)
            var closings = 0
            replay.onNote = { _, note in
                guard let gate = policy.rule.gate else { return }
                switch note {
                case .wanted(let wanted):
                    closings += 1
                    #expect(wanted.allSatisfy { gate.contains($0.key) })
                    #expect(wanted.map(\.key).sorted() == Array(gate))
                case .began(let row):
                    #expect(gate.contains(row))
                case .finished, .failed, .frame:
                    break
                }
            }
            let outcome = try replay.run()
            #expect(outcome.unsettled.isEmpty)
            if given.target == .trace {
                #expect(closings == expectedClosings(of: trace, in: list))
            }
        }
    }

    /// Returns the number of times that the gate closes, from the trace alone: the jumps, and the lifts
    /// whose landing, the last recorded offset before the next touch, wheel, key or jump, is more than
    /// eight rows away.
    private func expectedClosings(of trace: Trace, in list: Viewport) -> Int {
        trace.events.indices.count { index in
            if case .jump = trace.events[index].input { return true }
            guard case .up = trace.events[index].input else { return false }
            let next = trace.events[(index + 1)...].first { event in
                switch event.input {
                case .down, .wheel, .key, .jump: true
                case .up, .move, .cancel: false
                }
            }
            let landing = trace.samples.last { $0.time < next?.time ?? .distantFuture }?.offset ?? 0
            let here = trace.samples.last { $0.time <= trace.events[index].time }?.offset ?? 0
            let rows =
                list.visibleRows(at: landing).lowerBound - list.visibleRows(at: here).lowerBound
            return abs(rows) > 8
        }
    }

    /// A list of rows of 80 px in a window of 800, and the rule `within3`.
    private struct Scene {
        var rule = LandingRows()
        var tracker: ScrollTracker

        init(offset: Double = 0) throws {
            tracker = ScrollTracker(
                Viewport(
                    rows: try RowHeights(count: 1000, height: 80), height: 800, offset: offset))
        }

        mutating func wanted(
            _ event: ScrollEvent, at milliseconds: Int, offset: Double? = nil
        ) -> [Wanted<Int>]? {
            let now = Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
            return rule.wanted(
                after: tracker.note(event, at: now, offset: offset), loads: NoLoadStatus())
        }

        mutating func rows(
            _ event: ScrollEvent, at milliseconds: Int, offset: Double? = nil
        ) -> [Int]? {
            wanted(event, at: milliseconds, offset: offset)?.map(\.key)
        }
    }

    @Test func `a scroll to the top loads the top, and at its end what is on screen`() throws {
        var scene = try Scene(offset: 40_000)
        #expect(scene.rows(.frame, at: 0) == Array(500..<510))
        #expect(scene.rows(.jumpBegan(target: 0), at: 10) == Array((0..<13)))
        #expect(scene.rows(.frame, at: 20, offset: 20_000) == nil)
        // Interrupted in the middle: what is on screen is wanted at once.
        #expect(scene.rows(.jumpEnded, at: 30) == Array((250..<260).reversed()))
    }

    @Test func `a catch, a settle, a wheel and a key open the gate at once`() throws {
        for event in [ScrollEvent.down(y: 0), .wheel, .key] {
            var scene = try Scene()
            _ = scene.rows(.frame, at: 0)
            #expect(scene.rows(.up(y: 0, target: 8_000), at: 10) == Array(97..<113))
            #expect(scene.rule.gate == 97..<113)
            #expect(scene.rows(.frame, at: 20, offset: 4_000) == nil)
            #expect(scene.rows(event, at: 25) == Array(50..<60))
            #expect(scene.rule.gate == nil)
        }
    }

    @Test func `a landing eight rows away leaves the gate open`() throws {
        var scene = try Scene()
        #expect(scene.wanted(.up(y: 0, target: 8 * 80), at: 0) == nil)
        #expect(scene.wanted(.up(y: 0, target: 9 * 80), at: 0)?.count == 10 + 6)
    }

    @Test func `upwards the landing is loaded from below`() throws {
        var scene = try Scene(offset: 40_000)
        let wanted = scene.wanted(.up(y: 0, target: 8_000), at: 0)
        #expect(wanted?.min { $0.rank < $1.rank }?.key == 112)
    }
}
