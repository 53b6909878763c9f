import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import ShippedTraces
import Testing

/// The model of replays with a bounded memory, once more and as plainly as its text.
private struct PlainReplay {
    var loads = 0
    var cost = Duration.zero
    var blank = Duration.zero
    var frames = 0

    private var loaded: Set<Int> = []
    private var lastVisible: [Int: Int] = [:]
    private var visible = RowSet(0..<0)
    private var wanted: [Wanted<Int>] = []
    private var shown: [(number: Int, missing: Int)] = []

    init(
        of trace: Trace, in list: Viewport, policy: any LoadingPolicy, memory: Int, base: Duration
    ) {
        var (policy, list, now) = (policy, list, Instant.zero)
        let path = OffsetPath(of: trace, in: list, scroller: Scroller(.chromium))
        let work = DrawnWork(base: base, seed: 1)
        let end = path.end + .milliseconds(1500)
        func due(_ frame: Int) -> Instant {
            Instant(nanoseconds: 1_000_000 + Int64(frame) * 1_000_000_000 / 60)
        }
        list.scroll(to: path.offset(at: .zero))
        var tracker = ScrollTracker(list)
        visible = list.visibleRows
        loaded = Set(visible)
        var inputs = trace.events.map(\.time)[...]
        var frame = 0
        while now < end || due(frame) <= end {
            if let input = inputs.first, input <= now {
                inputs.removeFirst()
                now = now + .microseconds(50)
            } else if due(frame) <= now, due(frame) <= end {
                list.scroll(to: path.offset(at: now))
                let rows = list.visibleRows
                let new = rows.count { frames == 0 || !visible.contains($0) }
                shown.append((frame, rows.count { !loaded.contains($0) }))
                for row in rows { lastVisible[row] = frame }
                visible = rows
                frames += 1
                let start = now
                now = now + .microseconds(1500 + 200 * new)
                frame += 1
                while due(frame) < now { frame += 1 }
                var moment = tracker.note(
                    .frame, at: start, offset: list.offset)
                moment.now = now
                wanted = policy.wanted(after: moment, loads: NoLoadStatus()) ?? wanted
            } else if now < end, let next = next() {
                now = now + work.cost(ofRow: next)
                cost += work.cost(ofRow: next)
                load(next, memory: memory)
            } else {
                now = min(inputs.first ?? end, due(frame) <= end ? due(frame) : end, end)
            }
        }
        for (place, frame) in shown.enumerated() {
            let next = place + 1 < shown.count ? shown[place + 1].number : frame.number + 1
            blank += (due(next) - due(frame.number)) * frame.missing
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
            var options = ReplayOptions(.standard, .whole)
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
