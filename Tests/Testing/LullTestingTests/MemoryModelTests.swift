import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import ShippedTraces
import Testing

/// The model of replays with a bounded memory, once more and as plainly as its text.
private struct PlainReplay {
    var loads = 0
    var cost: Int64 = 0
    var blank: Int64 = 0
    var frames = 0

    private var loaded: Set<Int> = []
    private var lastVisible: [Int: Int] = [:]
    private var visible = 0..<0
    private var wanted: [Wanted<Int>] = []
    private var shown: [(number: Int, missing: Int)] = []

    init(
        of trace: Trace, in list: Viewport, policy: any LoadingPolicy, memory: Int, base: Duration
    ) {
        var (policy, list, now) = (policy, list, Int64(0))
        let path = OffsetPath(of: trace, in: list, scroller: Scroller(.chromium))
        let work = DrawnWork(base: base, seed: 1)
        let end = path.end + 1_500_000_000
        func due(_ frame: Int) -> Int64 { 1_000_000 + Int64(frame) * 1_000_000_000 / 60 }
        list.scroll(to: path.offset(at: 0))
        var tracker = ScrollTracker(list)
        visible = list.visibleRows
        loaded = Set(visible)
        var inputs = trace.events.map(\.time)[...]
        var frame = 0
        while now < end || due(frame) <= end {
            if let input = inputs.first, input <= now {
                inputs.removeFirst()
                now += 50_000
            } else if due(frame) <= now, due(frame) <= end {
                list.scroll(to: path.offset(at: now))
                let rows = list.visibleRows
                let new = rows.count { frames == 0 || !visible.contains($0) }
                shown.append((frame, rows.count { !loaded.contains($0) }))
                for row in rows { lastVisible[row] = frame }
                visible = rows
                frames += 1
                let start = now
                now += 1_500_000 + 200_000 * Int64(new)
                frame += 1
                while due(frame) < now { frame += 1 }
                var moment = tracker.note(
                    .frame, at: Instant(nanoseconds: start), offset: list.offset)
                moment.now = Instant(nanoseconds: now)
                wanted = policy.wanted(after: moment, loads: NoLoadStatus()) ?? wanted
            } else if now < end, let next = next() {
                now += work.cost(ofRow: next)
                cost += work.cost(ofRow: next)
                load(next, memory: memory)
            } else {
                now = min(inputs.first ?? .max, due(frame) <= end ? due(frame) : .max, end)
            }
        }
        for (place, frame) in shown.enumerated() {
            let next = place + 1 < shown.count ? shown[place + 1].number : frame.number + 1
            blank += (due(next) - due(frame.number)) * Int64(frame.missing)
        }
    }

    /// The job by smallest urgency and rank.
    private func next() -> Int? {
        wanted.filter { !loaded.contains($0.key) }.min {
            $0.urgency == $1.urgency ? $0.rank < $1.rank : $0.urgency > $1.urgency
        }?.key
    }

    private mutating func load(_ row: Int, memory: Int) {
        loads += 1
        loaded.insert(row)
        while loaded.count > memory {
            let rows = loaded.filter { $0 != row && !visible.contains($0) }
            let unwanted = rows.subtracting(wanted.map(\.key))
            let leaving = (unwanted.isEmpty ? rows : unwanted).min {
                (lastVisible[$0, default: -1], $0) < (lastVisible[$1, default: -1], $1)
            }
            guard let leaving else { return }
            loaded.remove(leaving)
        }
    }
}

struct MemoryModelTests {
    @Test(arguments: ["chromium-fling-reverse", "chromium-fling-flywheel-4"], [4, 15, 20, 60])
    func `a bounded memory is that of the model`(_ name: String, _ memory: Int) throws {
        for (rule, base) in [(ListRule.visible, 1), (.everything, 4)] {
            let trace = try Shipped.trace(name)
            var options = ReplayOptions()
            options.engine = .whole
            options.memory = memory
            options.cost = .milliseconds(base)
            let figures = try Replay(
                of: trace, in: Shipped.list(name), policy: rule, options: options
            ).run().figures
            let plain = PlainReplay(
                of: trace, in: Shipped.list(name), policy: rule, memory: memory,
                base: .milliseconds(base))
            #expect(figures.framesShown == plain.frames, "\(base) ms")
            #expect(figures.blank == plain.blank)
            #expect(figures.loadsFinished == plain.loads)
            #expect(figures.loadCost == plain.cost)
        }
    }
}
