import DeferredLoading
import Laboratory
import LullTesting
import ShippedTraces
import ScrollModel
import Testing

/// The model of replays with room for so many rows, against rows counted one by one.
struct MemoryTests {
    /// The model: after a load that exceeds it, the row that was visible longest ago
    /// leaves (never visible first, then the smaller row), not one that is visible nor the one just
    /// loaded; one that is wanted only if all others are.
    private struct Model {
        let room: Int
        var loaded: Set<Int> = []
        var visible = RowSet(0..<0)
        var wanted: Set<Int> = []
        var lastSeen: [Int: Int] = [:]
        var left: [Int] = []

        mutating func frame(_ number: Int, _ rows: RowSet) {
            visible = rows
            for row in rows { lastSeen[row] = number }
        }

        mutating func load(_ row: Int) {
            loaded.insert(row)
            guard loaded.count > room else { return }
            let candidates = loaded.filter { $0 != row && !visible.contains($0) }
            let unwanted = candidates.subtracting(wanted)
            guard
                let oldest = (unwanted.isEmpty ? candidates : unwanted).min(by: {
                    (lastSeen[$0, default: -1], $0) < (lastSeen[$1, default: -1], $1)
                })
            else { return }
            loaded.remove(oldest)
            left.append(oldest)
        }
    }

    @Test(arguments: ["visible", "lifo", "within3", "p7"], [20, 40])
    func `the row that was visible longest ago makes room`(_ rule: String, _ room: Int) throws {
        for trace in ["chromium-fling-reverse", "chromium-fling-flywheel-4"] {
            var options = ReplayOptions(.standard, .whole)
            options.memory = room
            options.isLogged = true
            let replay = try Replay(
                of: try Shipped.trace(trace), in: Shipped.list(trace),
                policy: try Shipped.policy(rule), options: options)
            var model = Model(room: room)
            replay.onNote = { _, note in
                switch note {
                case .frame(let number, let rows, _):
                    if number == 0 { for row in rows { model.load(row) } }
                    model.frame(number, rows)
                case .wanted(let wishes): model.wanted = Set(wishes.map(\.key))
                case .finished(let row): model.load(row)
                case .began, .failed: break
                }
            }
            _ = try replay.run()
            let left = try #require(replay.log).decisions
                .filter { if case .evicted = $0.kind { true } else { false } }.map(\.key)
            #expect(left == model.left, "\(trace)")
        }
    }
}
