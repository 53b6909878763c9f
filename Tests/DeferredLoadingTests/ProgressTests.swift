import DeferredLoading
import IdleLoop
import Testing

struct ProgressTests {
    @Test func `a preview is shown, and the value after it`() throws {
        let bench = try LoaderBench()
        bench.source.slices = 3
        bench.source.refines = true
        bench.loader.bind(cell: 0, to: 1)
        bench.want([1])
        bench.at(2) {
            #expect(word(bench.loader.state(of: 1)) == "refined")
            #expect(bench.loader.state(of: 1).shown?.isWhole == false)
            bench.loader.bind(cell: 1, to: 1)
            #expect(bench.cells[1]?.isWhole == false)
        }
        try bench.run()
        #expect(bench.commits.filter { $0.cell == 0 }.map(\.isFinal) == [false, false, true])
        #expect(bench.cells[0]?.isWhole == true)
        #expect(bench.cells[1]?.isWhole == true)
    }

    @Test func `a preview of what has changed is never shown`() throws {
        let bench = try LoaderBench()
        bench.source.slices = 3
        bench.source.refines = true
        bench.loader.bind(cell: 0, to: 1)
        bench.want([1])
        var calls = 0
        bench.source.onCall = { _ in
            calls += 1
            guard calls == 3 else { return }  // inside the slice of the second preview
            bench.source.versions[1] = 2
            bench.loader.invalidate(1)
        }
        try bench.run()
        #expect(bench.commits.map(\.value.version) == [1, 2, 2, 2])
        #expect(bench.commits.map(\.isFinal) == [false, false, false, true])
    }

    @Test func `a callback that changes a key ends its commits`() throws {
        let bench = try LoaderBench()
        for cell in 0..<3 { bench.loader.bind(cell: cell, to: 1) }
        bench.onCommit = { commit in
            #expect(commit.value.version == bench.source.version(of: 1))
            guard commit.value.version == 1 else { return }
            bench.source.versions[1] = 2
            bench.loader.invalidate(1)
        }
        bench.want([1])
        try bench.run()
        #expect(bench.commits.map(\.value.version) == [1, 2, 2, 2])
    }

    @Test func `cells are told of progress before idle, each change once`() throws {
        let bench = try LoaderBench()
        bench.source.fetchCost = .milliseconds(5)
        bench.source.slices = 2
        bench.source.failing = { $0 == 2 }
        var said: [Int: [String]] = [:]
        var isInside = false
        bench.loader.onProgress = { progress in
            #expect(!isInside)
            said[progress.cell, default: []].append(word(progress.state))
        }
        isInside = true
        bench.loader.bind(cell: 0, to: 1)
        bench.loader.bind(cell: 1, to: 2)
        bench.want([1, 2])
        isInside = false
        try bench.run()
        #expect(said[0] == ["fetching", "queued", "loading", "loaded"])
        #expect(said[1] == ["fetching", "queued", "failed"])
        let turns = bench.loop.statistics.turns
        try bench.run()
        #expect(bench.loop.statistics.turns - turns <= 1)  // nothing to tell, nothing done
    }

    @Test func `many changes between two lulls are one`() throws {
        let bench = try LoaderBench()
        var count = 0
        bench.loader.onProgress = { _ in count += 1 }
        for _ in 0..<10 {
            bench.loader.bind(cell: 0, to: 1)
            bench.want([1])
            bench.want([])
            bench.loader.invalidate(1)
        }
        try bench.run()
        #expect(count == 0)  // it is where it was
    }
}
