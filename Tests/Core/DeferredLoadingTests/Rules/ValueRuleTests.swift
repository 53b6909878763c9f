import DeferredLoading
import IdleLoop
import ScrollModel
import Testing

/// What the rule `value` promises, moment by moment, on lists of 100 px rows seen through 1,000 px.
struct ValueRuleTests {
    @Test func `a list at rest wants what is on screen and nothing that passed`() throws {
        var scroll = try Scroll()
        scroll.move(to: 4_000, over: 300)
        let wanted = scroll.rest(for: 200)
        #expect(Set(wanted.map(\.key)).isSuperset(of: 40..<50))
        #expect(wanted.prefix(10).allSatisfy { (40..<50).contains($0.key) })
        #expect(wanted.allSatisfy { abs($0.key - 45) < 25 })
    }

    @Test func `a row that costs a minute is still loaded where the list rests`() throws {
        var scroll = try Scroll(costs: .seconds(60))
        scroll.move(to: 4_000, over: 300)
        let wanted = scroll.rest(for: 200)
        #expect(Set(wanted.map(\.key)).isSuperset(of: 40..<50))
    }

    @Test func `rows in view are wanted from the first moment, whatever it is`() throws {
        for event in [ScrollEvent.down(y: 5), .wheel, .key] {
            var scroll = try Scroll(costs: .milliseconds(2))
            #expect(Set(scroll.send(event).map(\.key)).isSuperset(of: 0..<10))
        }
    }

    @Test
    func `between the notches of a wheel what they lead to is wanted on, while work is cheap`()
        throws
    {
        var scroll = try Scroll(costs: .milliseconds(2), offset: 20_000)
        scroll.facts.price = .free
        var far: [Int] = []
        for _ in 0..<6 {
            scroll.send(.wheel)
            far.append(scroll.move(by: 240, over: 17).map(\.key).max() ?? 0)
            far.append(scroll.rest(for: 100).map(\.key).max() ?? 0)
        }
        let first = scroll.viewport.visibleRows.upperBound
        #expect(far.suffix(4).allSatisfy { $0 >= first })
    }

    @Test func `in a fast flight rows that would be gone are dropped`() throws {
        var scroll = try Scroll(costs: .milliseconds(20))
        let wanted = scroll.coast(by: 120_000, at: 30_000, for: 200)
        let offset = scroll.viewport.offset
        // In view for a thirtieth of a second from now on.
        let visible = scroll.viewport.visibleRows
        #expect(Set(wanted.map(\.key)).isDisjoint(with: visible))
        #expect(wanted.contains { Double($0.key) * 100 > offset + 2_000 })
    }

    @Test func `a fling's landing is wanted while the list is still far from it`() throws {
        var scroll = try Scroll(costs: .milliseconds(2))
        scroll.rest(for: 100)
        scroll.touch()
        scroll.send(.up(y: 500))
        let wanted = scroll.coast(by: 4_000, at: 8_000, for: 250)
        let rest = scroll.viewport.visibleRows(at: 4_000)
        #expect(wanted.contains { rest.contains($0.key) })
        #expect(wanted.filter { rest.contains($0.key) }.allSatisfy { $0.urgency >= .near })
    }

    @Test func `a lift isn't a standstill`() throws {
        var scroll = try Scroll(costs: .milliseconds(2), offset: 20_000)
        scroll.rest(for: 100)
        scroll.touch(at: 800)
        let before = scroll.drag(by: -24, times: 8)  // the list itself follows a frame later
        let landing = try #require(before.map(\.key).max())
        #expect(landing > 210)
        for wanted in [scroll.send(.up(y: 608)), scroll.frame()] {
            #expect(try #require(wanted.map(\.key).max()) >= landing - 2)
        }
        #expect(try #require(scroll.rest(for: 100).map(\.key).max()) < landing)
    }

    @Test func `a catch is taken in with the next frame`() throws {
        var scroll = try Scroll(costs: .milliseconds(2))
        scroll.coast(by: 6_000, at: 12_000, for: 200)
        scroll.touch()
        let wanted = scroll.frame()
        let visible = scroll.viewport.visibleRows
        #expect(Set(wanted.map(\.key)).isSuperset(of: visible))
        #expect(wanted.prefix(visible.count).allSatisfy { visible.contains($0.key) })
    }

    @Test func `a finger that turns is followed before the list turns`() throws {
        var scroll = try Scroll(costs: .milliseconds(2), offset: 20_000)
        scroll.rest(for: 100)
        scroll.touch(at: 500)
        scroll.drag(by: -20, times: 6)
        let down = scroll.drag(by: -20, times: 1)
        #expect(down.contains { $0.key >= 210 })
        let up = scroll.drag(by: 20, times: 6)
        #expect(up.contains { $0.key < 200 })
        #expect(up.filter { $0.urgency > .speculative }.allSatisfy { $0.key < 211 })
    }

    @Test func `at the edge of the list the landing is the edge`() throws {
        var scroll = try Scroll(costs: .milliseconds(2), offset: 4_000)
        let wanted = scroll.coast(by: -9_000, at: 16_000, for: 150)
        #expect(Set(wanted.map(\.key)).isSuperset(of: 0..<5))
        #expect(wanted.allSatisfy { $0.key >= 0 })
    }

    @Test func `pages that keys turn are foreseen once some were turned`() throws {
        var scroll = try Scroll(costs: .milliseconds(20), offset: 10_000)
        for _ in 0..<5 {
            scroll.send(.key)
            scroll.move(by: 900, over: 150)
            scroll.rest(for: 400)
        }
        let wanted = scroll.frame()
        let visible = scroll.viewport.visibleRows
        let ahead = wanted.filter { $0.key >= visible.upperBound }
        let behind = wanted.filter { $0.key < visible.lowerBound }
        #expect(ahead.count >= 6)
        #expect(ahead.allSatisfy { $0.urgency == .speculative })
        #expect(behind.count < ahead.count)
    }

    @Test func `of two rows that stay, the one that costs less comes first`() throws {
        var scroll = try Scroll(costs: .milliseconds(2), hint: { .milliseconds($0 == 45 ? 1 : 9) })
        scroll.move(to: 4_000, over: 300)
        let wanted = scroll.rest(for: 200)
        #expect(wanted.first?.key == 45)
    }

    @Test func `no row is less urgent than one that comes after it, and none comes twice`() throws {
        var scroll = try Scroll(costs: .milliseconds(5), offset: 50_000)
        for (way, speed) in [(4_000.0, 9_000.0), (-2_000, 5_000), (300, 900)] {
            for time in [80, 160, 400] {
                let wanted = scroll.coast(by: way, at: speed, for: time)
                #expect(wanted.map(\.urgency) == wanted.map(\.urgency).sorted(by: >))
                #expect(wanted.map(\.rank) == Array(wanted.indices))
                #expect(Set(wanted.map(\.key)).count == wanted.count)
            }
        }
    }

    @Test func `every row has its reason`() throws {
        var scroll = try Scroll(costs: .milliseconds(80))
        scroll.coast(by: 120_000, at: 30_000, for: 200)
        let visible = scroll.viewport.visibleRows
        let gone = try #require(scroll.policy.explanation(ofRow: visible.upperBound - 1))
        #expect(gone.contains("gone before it could be there"))
        scroll.rest(for: 300)
        let row = scroll.viewport.visibleRows.lowerBound
        let stays = try #require(scroll.policy.explanation(ofRow: row))
        #expect(stays == "in view to stay, ready in 0.08 s: 0.33 s gained for 80 ms")
        #expect(scroll.policy.explanation(ofRow: 4_999) == "not on the way")
    }
}

/// A list that is moved by hand, frame by frame, under the rule's eyes.
private struct Scroll {
    struct Facts: LoadStatus {
        var settled: Set<Int> = []
        var fetching: Set<Int> = []
        var fetches = 0
        var price = WorkPrice.neutral
        var cost: Duration?
        var hint: (@Sendable (Int) -> Duration)?

        func progress(ofRow row: Int) -> LoadProgress {
            if fetching.contains(row) { return .fetching(since: .zero) }
            return settled.contains(row) ? .settled : .none
        }
        func costHint(ofRow row: Int) -> Duration? { hint?(row) }
        var usualCost: Duration? { cost }
        var usualFetch: Duration? { nil }
    }

    var policy = ValueRule()
    var viewport: Viewport
    var facts: Facts
    private var tracker: ScrollTracker
    private var now = Instant.zero
    private var finger = 0.0

    init(
        costs: Duration? = nil, offset: Double = 0, hint: (@Sendable (Int) -> Duration)? = nil
    ) throws {
        viewport = Viewport(rows: try RowHeights(count: 5_000, height: 100), height: 1_000)
        viewport.scroll(to: offset)
        tracker = ScrollTracker(viewport)
        facts = Facts(cost: costs, hint: hint)
    }

    @discardableResult
    mutating func send(_ event: ScrollEvent) -> [Wanted<Int>] {
        let moment = tracker.note(event, at: now, offset: viewport.offset)
        return policy.wanted(after: moment, loads: facts) ?? []
    }

    /// A sixtieth of a second later.
    @discardableResult
    mutating func frame() -> [Wanted<Int>] {
        now = now.advanced(by: .nanoseconds(16_666_667))
        return send(.frame)
    }

    @discardableResult
    mutating func rest(for milliseconds: Int) -> [Wanted<Int>] {
        var answer: [Wanted<Int>] = []
        for _ in 0..<max(1, milliseconds * 60 / 1_000) { answer = frame() }
        return answer
    }

    @discardableResult
    mutating func move(by distance: Double, over milliseconds: Int) -> [Wanted<Int>] {
        move(to: viewport.offset + distance, over: milliseconds)
    }

    /// Moves evenly.
    @discardableResult
    mutating func move(to target: Double, over milliseconds: Int) -> [Wanted<Int>] {
        let start = viewport.offset
        let count = max(1, milliseconds * 60 / 1_000)
        var answer: [Wanted<Int>] = []
        for step in 1...count {
            viewport.scroll(to: start + (target - start) * Double(step) / Double(count))
            answer = frame()
        }
        return answer
    }

    /// Goes on as a fling of that way and speed does, for a part of its time.
    @discardableResult
    mutating func coast(
        by distance: Double, at speed: Double, for milliseconds: Int
    ) -> [Wanted<Int>] {
        let start = viewport.offset
        let duration = 3 * abs(distance) / speed
        var answer: [Wanted<Int>] = []
        for step in 1...max(1, milliseconds * 60 / 1_000) {
            let left = max(0, 1 - Double(step) / 60 / duration)
            viewport.scroll(to: start + distance * (1 - left * left * left))
            answer = frame()
        }
        return answer
    }

    mutating func touch(at y: Double = 500) {
        finger = y
        send(.down(y: y))
    }

    /// Moves the finger so many times, each 8 ms, while the list stays where it is.
    @discardableResult
    mutating func drag(by distance: Double, times: Int) -> [Wanted<Int>] {
        var answer: [Wanted<Int>] = []
        for _ in 0..<times {
            now = now.advanced(by: .milliseconds(8))
            finger += distance
            answer = send(.moved(y: finger))
        }
        return answer
    }
}
