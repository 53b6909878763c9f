import DeferredLoading
import IdleLoop
import Testing

struct PreviewTests {
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
}
