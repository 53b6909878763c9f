import DeferredLoading
import IdleLoop
import Testing

struct ProgressTests {
    @Test func `a preview is told, and the value after it`() throws {
        let bench = try LoaderBench()
        bench.source.slices = 3
        bench.source.refines = true
        var told: [String] = []
        let late = bench.loader.list { _, state in told.append(word(state)) }
        bench.list.subscribe(to: 1)
        bench.want([1])
        bench.at(2) {
            #expect(word(bench.loader.state(of: 1)) == "refined")
            #expect(bench.loader.state(of: 1).shown?.isWhole == false)
            late.subscribe(to: 1)
            #expect(told == ["refined"])
        }
        try bench.run()
        #expect(bench.commits.map(word) == ["refined", "refined", "loaded"])
        #expect(bench.shown[1]?.isWhole == true)
        #expect(told == ["refined", "loaded"])
        withExtendedLifetime(late) {}
    }

    @Test func `a preview of what has changed is never told`() throws {
        let bench = try LoaderBench()
        bench.source.slices = 3
        bench.source.refines = true
        bench.list.subscribe(to: 1)
        bench.want([1])
        var calls = 0
        bench.source.onCall = { _ in
            calls += 1
            guard calls == 3 else { return }  // inside the slice of the second preview
            bench.source.versions[1] = 2
            bench.loader.invalidate(1)
        }
        try bench.run()
        #expect(bench.commits.map(\.shown?.version) == [1, 2, 2, 2])
        #expect(bench.commits.map(word) == ["refined", "refined", "refined", "loaded"])
    }

    @Test func `a callback that changes a key ends its commits`() throws {
        let bench = try LoaderBench()
        let others = (0..<2).map { _ in bench.loader.list(commit: bench.take) }
        bench.list.subscribe(to: 1)
        for list in others { list.subscribe(to: 1) }
        bench.onCommit = { [unowned bench] _, state in
            #expect(state.value?.version == bench.source.version(of: 1))
            guard state.value?.version == 1 else { return }
            bench.source.versions[1] = 2
            bench.loader.invalidate(1)
        }
        bench.want([1])
        try bench.run()
        #expect(bench.commits.map(\.value?.version) == [1, 2, 2, 2])
        withExtendedLifetime(others) {}
    }

    @Test func `a list is told of progress before idle, of each change once`() throws {
        let bench = try LoaderBench()
        bench.source.fetchCost = .milliseconds(5)
        bench.source.slices = 2
        bench.source.failing = { $0 == 2 }
        var said: [Int: [String]] = [:]
        var isInside = false
        bench.list.onProgress = { key, state in
            #expect(!isInside)
            said[key, default: []].append(word(state))
        }
        isInside = true
        bench.list.subscribe(to: 1)
        bench.list.subscribe(to: 2)
        bench.want([1, 2])
        isInside = false
        try bench.run()
        #expect(said[1] == ["fetching", "queued", "loading", "loaded"])
        #expect(said[2] == ["fetching", "queued", "failed"])
        let turns = bench.loop.statistics.turns
        try bench.run()
        #expect(bench.loop.statistics.turns - turns <= 1)  // nothing to tell, nothing done
    }

    @Test func `many changes between two lulls are one`() throws {
        let bench = try LoaderBench()
        var count = 0
        bench.list.onProgress = { _, _ in count += 1 }
        for _ in 0..<10 {
            bench.list.unsubscribe(from: 1)
            bench.list.subscribe(to: 1)
            bench.want([1])
            bench.want([])
            bench.loader.invalidate(1)
        }
        try bench.run()
        #expect(count == 0)  // it is where it was
    }
}
