import IdleLoop
import ScrollModel
import TestSupport
import Testing

@testable import DeferredLoading

struct DeferredListLawTests {
    /// Two lists that share a loader, to which anything may happen at any moment.
    private final class Chaos {
        let time = VirtualTime()
        let loop: MainLoop
        let source: TextSource
        let loader: DeferredLoader<Int, Text>
        var random: SplitMix64
        var lists: [DeferredList<Int, Text>?] = []
        /// The keys of all rows, by list.
        var keys: [[Int]] = []
        /// The last state that was shown of each row, by list.
        var shown: [[Int: String]] = [[:], [:]]
        var isReentrant = true
        /// Whether the next question for a key is only answered.
        private var isQuiet = false
        private var depth = 0

        init(seed: UInt64) throws {
            random = SplitMix64(seed: seed)
            loop = try MainLoop(clock: .virtual(time))
            source = TextSource(time)
            source.slices = Int.random(in: 1...3, using: &random)
            source.refines = Bool.random(using: &random)
            source.retries = Bool.random(using: &random) ? .later : .never
            source.size = 10
            if Bool.random(using: &random) { source.fetchCost = .milliseconds(6) }
            var limits = LoaderConfiguration()
            limits.capacity = [8, 20, 512].randomElement(using: &random) ?? 8
            limits.byteLimit = Bool.random(using: &random) ? 90 : nil
            limits.backoff.first = .milliseconds(20)
            loader = DeferredLoader(
                queue: IdleQueue<Int>(on: loop), pool: try WorkerPool(width: 2, on: loop),
                source: source, configuration: limits)
            source.failing = { [unowned self] _ in
                Int.random(in: 0..<10, using: &random) == 0
            }
            source.onCall = { [unowned self] _ in reenter() }
            for number in 0..<2 { try makeList(number) }
        }

        private func makeList(_ number: Int) throws {
            let rules: [any LoadingPolicy] = [
                .visible, .value, .everything, .within(rows: 3),
            ]
            keys.append((0..<60).map { $0 / (number + 1) })
            let viewport = Viewport(rows: try RowHeights(count: 60, height: 100), height: 400)
            lists.append(
                DeferredList(
                    sharing: loader, named: "\(number)", weight: number + 1, viewport,
                    rule: rules.randomElement(using: &random) ?? .visible
                ) { [unowned self] row in
                    if isQuiet { isQuiet = false } else { reenter() }
                    return key(row, of: number)
                } show: { [unowned self] row, state in
                    take(state, row, of: number)
                })
        }

        /// A rule may be asked of rows that have just gone.
        private func key(_ row: Int, of number: Int) -> Int? {
            keys[number].indices.contains(row) ? keys[number][row] : nil
        }

        private func take(_ state: LoadState<Text>, _ row: Int, of number: Int) {
            #expect(number >= lists.count || lists[number]?.isOpen != false)
            #expect(keys[number].indices.contains(row))
            if let text = state.shown, let key = key(row, of: number) {
                let version = source.version(of: key)
                #expect(text == Text(key: key, version: version, isWhole: state.value != nil))
            }
            shown[number][row] = word(state)
            reenter()
        }

        private func reenter() {
            guard isReentrant, depth < 2, lists.count == 2 else { return }
            guard Int.random(in: 0..<12, using: &random) == 0 else { return }
            depth += 1
            act()
            depth -= 1
        }

        /// Does one thing.
        func act() {
            let number = Int.random(in: 0..<2, using: &random)
            guard let list = lists[number], list.isOpen else { return }
            let rows = keys[number].count
            let row = Int.random(in: 0..<max(1, rows), using: &random)
            let offset = Double(Int.random(in: -200...100 * rows + 200, using: &random))
            let late = Duration.milliseconds([0, 0, 20, 400].randomElement(using: &random) ?? 0)
            let then = loop.clock.now - late
            switch Int.random(in: 0..<16, using: &random) {
            case 0..<4: list.scrolled(to: offset, at: then)
            case 4..<8:
                let y = Double(Int.random(in: 0..<400, using: &random))
                let events: [ScrollEvent] = [
                    .down(y: y), .moved(y: y), .moved(y: y), .up(y: y), .up(y: y, target: offset),
                    .cancelled, .wheel, .key, .jumpBegan(target: offset), .jumpEnded,
                ]
                list.touched(events.randomElement(using: &random) ?? .wheel, at: then)
            case 8: list.resized(to: [0, 100, 250, 400].randomElement(using: &random) ?? 0)
            case 9, 10: edit(list, number)
            case 11 where rows > 0:
                source.versions[keys[number][row], default: 1] += 1
                isQuiet = true  // as nobody knows of the new version yet
                list.invalidate(row: row)
            case 12 where rows > 0: list.retry(row: row)
            case 13 where rows > 0: _ = (list.explanation(ofRow: row), list.state(ofRow: row))
            case 14: loader.trim(to: 0.5)
            case 15 where Int.random(in: 0..<20, using: &random) == 0:
                if Bool.random(using: &random) { list.close() } else { lists[number] = nil }
            default: break
            }
        }

        /// A row comes, goes or moves, or two of these.
        private func edit(_ list: DeferredList<Int, Text>, _ number: Int) {
            var updates: [ListUpdate] = []
            var changed = keys[number]
            if !changed.isEmpty, Bool.random(using: &random) {
                let row = Int.random(in: 0..<changed.count, using: &random)
                updates.append(.deleteRow(RowIndex(section: 0, row: row)))
                changed.remove(at: row)
            }
            if Bool.random(using: &random) {
                let row = Int.random(in: 0...changed.count, using: &random)
                updates.append(.insertRow(RowIndex(section: 0, row: row)))
                changed.insert(Int.random(in: 0..<80, using: &random), at: row)
            }
            keys[number] = changed
            #expect(throws: Never.self) { try list.perform(updates) { _ in 100 } }
        }

        func run(for milliseconds: Int) throws {
            try loop.run(until: loop.clock.now.advanced(by: .milliseconds(milliseconds)))
            loader.checkInvariants()
        }
    }

    @Test(arguments: seeds(0..<400))
    func `whatever happens to lists, rows show their own values, and come to rest`(
        seed: UInt64
    ) throws {
        let chaos = try Chaos(seed: seed)
        for _ in 0..<120 {
            chaos.act()
            try chaos.run(for: Int.random(in: 0...20, using: &chaos.random))
        }
        chaos.isReentrant = false
        chaos.source.failing = { _ in false }
        for list in chaos.lists { list?.touched(.cancelled) }
        try chaos.run(for: 60_000)
        for (number, list) in chaos.lists.enumerated() {
            guard let list, list.isOpen else { continue }
            for row in list.viewport.visibleRows {
                let state = list.state(ofRow: row)
                #expect(state.isSettled)
                #expect(chaos.shown[number][row] == word(state))
            }
        }
        let turns = chaos.loop.statistics.turns
        try chaos.run(for: 600_000)
        #expect(chaos.loop.statistics.turns - turns <= 2)
        weak let list = chaos.lists[0]
        chaos.lists = []
        #expect(list == nil)
        chaos.loader.checkInvariants()
        #expect(chaos.loader.queue.isEmpty)
    }
}
