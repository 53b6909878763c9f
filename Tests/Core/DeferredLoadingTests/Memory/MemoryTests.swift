import DeferredLoading
import IdleLoop
import TestSupport
import Testing

struct MemoryTests {
    @Test(arguments: seeds(0..<40))
    func `what is kept is that of a plain memory`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // Room for those on screen and one that is wanted.
        let capacity = Int.random(in: 4...8, using: &random)
        let bench = try LoaderBench { $0.capacity = capacity }
        // Row by row: when it was last used, and when it came if it's there.
        var used: [Int: Int] = [:]
        var there: [Int: Int] = [:]
        var visible: [Int] = []
        func age(_ key: Int) -> (Int, Int) { (used[key, default: 0], there[key, default: 0]) }
        for step in 1...200 {
            let key = Int.random(in: 0..<15, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where visible.count < 3 && !visible.contains(key):
                bench.list.subscribe(to: key)
                visible.append(key)
            case 1 where !visible.isEmpty:
                let old = visible.removeFirst()
                bench.list.unsubscribe(from: old)
                if there[old] != nil { used[old] = step }
            case 2:
                #expect((bench.loader.value(of: key) != nil) == (there[key] != nil))
                if there[key] != nil { used[key] = step }
            default:
                bench.want([key])
                try bench.run()
                if there[key] == nil { there[key] = step }
                let others = there.keys.filter { $0 != key && !visible.contains($0) }
                if there.count > capacity, let leaving = others.min(by: { age($0) < age($1) }) {
                    there[leaving] = nil
                    used[leaving] = nil
                }
            }
            #expect(bench.loaded == there.keys.sorted())
        }
    }

    @Test func `what nobody wants goes first, and of what is wanted the least urgent`() throws {
        let bench = try LoaderBench { $0.capacity = 5 }
        bench.want(0..<3)
        try bench.run()
        bench.want(10..<14)
        try bench.run()
        #expect(bench.loaded == [2, 10, 11, 12, 13])
        bench.want(Array(20..<23) + Array(10..<14))
        try bench.run()
        #expect(bench.loaded == [10, 11, 20, 21, 22])
    }

    @Test
    func `a list that wants more than there is room for has the most urgent of it, and rests`()
        throws
    {
        let bench = try LoaderBench { $0.capacity = 10 }
        bench.want(0..<50, .near)
        try bench.run()
        #expect(bench.loaded == Array(0..<10))
        #expect(bench.source.begun.count == 10)  // nothing was loaded in vain
        bench.want(Array(100..<103) + Array(0..<50), .near)
        try bench.run()
        #expect(bench.loaded == Array(0..<7) + Array(100..<103))
        #expect(bench.source.begun.count == 13)
        bench.want(0..<50, .near)
        try bench.run()
        #expect(bench.loaded == Array(0..<10))
        #expect(bench.source.begun.count == 16)
    }

    @Test func `bytes are bounded, and visible rows stay whatever they have`() throws {
        let bench = try LoaderBench { $0.byteLimit = 1000 }
        bench.source.size = 300
        for key in 0..<5 { bench.list.subscribe(to: key) }
        bench.want(0..<20)
        try bench.run()
        #expect(bench.loaded == Array(0..<5))
        #expect(bench.loader.byteCount == 1500)
        for key in 0..<5 { bench.list.unsubscribe(from: key) }
        bench.check()
        #expect(bench.loader.byteCount == 900)
        try bench.run()
        #expect(bench.loaded == [0, 1, 2])  // the most urgent have come back
        #expect(bench.loader.byteCount == 900)
    }

    @Test func `what was fetched for nobody counts, and goes before what is shown`() throws {
        let bench = try LoaderBench { $0.byteLimit = 1000 }
        bench.source.size = 500
        bench.source.fetchCost = .milliseconds(20)
        bench.want([100])
        try bench.run()
        bench.loader.invalidate(100)
        bench.source.slices = 4
        let start = bench.time.now
        bench.want([1])
        bench.loop.schedule(at: start + .milliseconds(15)) { bench.want([]) }
        bench.loop.schedule(at: start + .milliseconds(22)) {
            #expect(bench.loader.byteCount == 125)
            for key in 2...3 {
                bench.list.subscribe(to: key)
                bench.loader.settle(key, .success(Text(key: key, version: 1)))
            }
            bench.check()
            #expect(bench.loader.byteCount == 1000)
        }
        try bench.run()
        #expect(bench.loaded == [2, 3])
        #expect(bench.loader.progress(of: 1) == .none)
    }

    @Test func `a begun load that is in no queue takes its room from what waits`()
        throws
    {
        let bench = try LoaderBench { $0.byteLimit = 1000 }
        bench.source.size = 100
        for key in 0..<9 { bench.list.subscribe(to: key) }
        bench.want(0..<9)
        try bench.run()
        bench.source.slices = 2
        bench.source.loadSize = { _ in 50 }
        let start = bench.time.now
        bench.want([11])
        bench.loop.schedule(at: start + .milliseconds(1)) {
            bench.want([10, 11])
            bench.queue.cancel(11)
        }
        try bench.loop.run(until: start + .seconds(1))
        bench.check()
        #expect(bench.source.begun.count <= 9 + 2)
        #expect(bench.loader.byteCount <= 1000)
    }

    @Test func `trimming leaves what is subscribed to and wanted`() throws {
        let bench = try LoaderBench()
        for key in 0..<2 { bench.list.subscribe(to: key) }
        bench.want(0..<20)
        try bench.run()
        bench.want(0..<5)
        bench.loader.trim(to: 0.5)
        bench.check()
        #expect(bench.loader.count == 10)
        bench.loader.trim(to: 0)
        bench.check()
        #expect(bench.loaded == Array(0..<5))
        try bench.run()
        #expect(bench.source.begun.count == 20)
    }

    @Test func `a lower limit evicts at once, and a higher one lets in what waits`() throws {
        let bench = try LoaderBench { $0.byteLimit = 1000 }
        bench.source.size = 100
        bench.want(0..<20)
        try bench.run()
        #expect(bench.loaded == Array(0..<10))
        bench.loader.limitBytes(to: 450)
        bench.check()
        #expect(bench.loaded == Array(0..<4))
        bench.loader.limitBytes(to: 1500)
        try bench.run()
        bench.check()
        #expect(bench.loaded == Array(0..<15))
    }
}
