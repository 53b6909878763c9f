import DeferredLoading
import IdleLoop
import Testing

/// The costs that a loader learns by the kinds that its source names.
struct KindTests {
    /// A loader of even keys, which cost 1 ms, and odd ones, which cost 16 ms.
    private static func bench(limit: Int = 30, workers: Int = 2) throws -> LoaderBench {
        let bench = try LoaderBench(limit: limit, workers: workers)
        bench.source.sliceCost = { .milliseconds($0.isMultiple(of: 2) ? 1 : 16) }
        bench.source.kind = { WorkKind($0 % 2) }
        return bench
    }

    private static func hints(_ bench: LoaderBench, _ rows: [Int]) -> [Duration?] {
        let facts = bench.loader.facts { $0 }
        var hints: [Duration?] = []
        facts.forEachLoad(ofRows: rows) { hints.append($1) }
        #expect(hints == rows.map { facts.costHint(ofRow: $0) })
        return hints
    }

    @Test func `after a few loads, rules know what each kind costs`() throws {
        let bench = try Self.bench()
        #expect(Self.hints(bench, [100, 101]) == [nil, nil])
        bench.want(0..<8)
        try bench.run()
        let hints = Self.hints(bench, [100, 101])
        #expect(.milliseconds(1)...(.milliseconds(2)) ~= hints[0] ?? .zero)
        #expect(.milliseconds(15)...(.milliseconds(16)) ~= hints[1] ?? .zero)
    }

    @Test func `what the source says comes first, and without kinds nothing is said`() throws {
        let bench = try Self.bench()
        bench.want(0..<8)
        try bench.run()
        bench.source.hint = .milliseconds(3)
        #expect(Self.hints(bench, [100, 101]) == [.milliseconds(3), .milliseconds(3)])
        bench.source.hint = nil
        bench.source.kind = { _ in nil }
        #expect(Self.hints(bench, [100, 101]) == [nil, nil])
    }

    @Test func `a load counts for the kind that it was before, in all of its slices`() throws {
        let bench = try Self.bench()
        bench.source.slices = 3
        bench.source.kind = { [unowned source = bench.source] key in
            // As a file's header tells when it was read.
            source.begun.contains(key) ? WorkKind(2) : WorkKind(key % 2)
        }
        bench.want(0..<8)
        try bench.run()
        let hints = Self.hints(bench, [100, 101, 0])
        #expect(.milliseconds(3)...(.milliseconds(6)) ~= hints[0] ?? .zero)
        #expect(.milliseconds(45)...(.milliseconds(48)) ~= hints[1] ?? .zero)
        #expect(hints[2] == nil)
    }

    @Test func `kinds that tell nothing are no hints`() throws {
        let bench = try Self.bench()
        bench.source.kind = { WorkKind($0 / 2 % 2) }
        bench.want(0..<24)
        try bench.run()
        #expect(Self.hints(bench, [100, 102]) == [nil, nil])
    }

    @Test func `the time of fetches is learned by kind, and until then the source's counts`() throws
    {
        let bench = try Self.bench()
        bench.source.kind = { WorkKind($0 / 100) }
        let facts = bench.loader.facts { $0 }
        bench.source.fetchCost = .milliseconds(80)
        bench.want(0..<3)
        try bench.run()
        bench.source.fetchCost = .milliseconds(5)
        bench.want(100..<110)
        try bench.run()
        bench.source.fetchCost = .milliseconds(33)
        #expect((facts.fetchHint(ofRow: 0) ?? .zero) > .milliseconds(60))
        #expect((facts.fetchHint(ofRow: 100) ?? .zero) < .milliseconds(10))
        #expect(facts.fetchHint(ofRow: 200) == .milliseconds(33))
    }
}
