import DeferredLoading
import IdleLoop
import TestSupport
import Testing

struct MemoryTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the memory of the model of replays is that of its plain text`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let capacity = Int.random(in: 1...6, using: &random)
        let bench = try LoaderBench {
            $0.capacity = capacity
            $0.eviction = .longestUnseen
        }
        // Row by row: when it was last visible, and whether it's there.
        var seen: [Int: Int] = [:]
        var there: Set<Int> = []
        var visible: [Int: Int] = [:]
        for step in 1...200 {
            let key = Int.random(in: 0..<15, using: &random)
            let cell = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                bench.loader.bind(cell: cell, to: key)
                if let old = visible[cell] { seen[old] = step }
                visible[cell] = key
            case 1:
                bench.loader.unbind(cell: cell)
                if let old = visible.removeValue(forKey: cell) { seen[old] = step }
            case 2:
                #expect((bench.loader.showOnce(key) != nil) == there.contains(key))
                if there.contains(key) { seen[key] = step }
            default:
                bench.want([key])
                try bench.run()
                guard there.insert(key).inserted else { continue }
                while there.count > capacity {
                    let shown = Set(visible.values)
                    let leaving = there.filter { $0 != key && !shown.contains($0) }
                        .min { (seen[$0, default: 0], $0) < (seen[$1, default: 0], $1) }
                    guard let leaving else { break }
                    there.remove(leaving)
                }
            }
            #expect(bench.loaded == there.sorted())
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
        for cell in 0..<5 { bench.loader.bind(cell: cell, to: cell) }
        bench.want(0..<20)
        try bench.run()
        #expect(bench.loaded == Array(0..<5))
        #expect(bench.loader.bytes == 1500)
        for cell in 0..<5 { bench.loader.unbind(cell: cell) }
        bench.check()
        #expect(bench.loader.bytes == 900)
        try bench.run()
        #expect(bench.loaded == [0, 1, 2])  // the most urgent have come back
        #expect(bench.loader.bytes == 900)
    }

    @Test func `a value larger than the memory is shown, and not loaded again and again`() throws {
        let bench = try LoaderBench { $0.byteLimit = 1000 }
        bench.source.size = 2000
        bench.loader.bind(cell: 0, to: 1)
        bench.want([1, 2, 3])
        try bench.run()
        #expect(bench.cells[0]?.key == 1)
        #expect(bench.source.begun.count <= 3)
    }

    @Test func `what was begun and given up counts, and goes first`() throws {
        let bench = try LoaderBench {
            $0.byteLimit = 1000
            $0.nearlyDone = nil
        }
        bench.source.size = 500
        bench.source.slices = 4
        bench.want([1])
        try bench.run(until: 2)
        bench.want([])
        #expect(bench.loader.bytes == 250)
        bench.want([2, 3])
        try bench.run()
        #expect(bench.loaded == [2, 3])
        #expect(bench.loader.bytes == 1000)
        #expect(bench.loader.progress(of: 1) == .none)
    }

    @Test func `trimming leaves what is shown and wanted`() throws {
        let bench = try LoaderBench()
        for cell in 0..<2 { bench.loader.bind(cell: cell, to: cell) }
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

    @Test func `a loader without bounds can be trimmed as well`() throws {
        let bench = try LoaderBench { $0.capacity = .max }
        bench.want(0..<20)
        try bench.run()
        bench.want([])
        bench.loader.trim(to: 0.25)
        bench.check()
        #expect(bench.loader.count == 5)
    }

    @Test func `what is wanted and fits is loaded once, whatever was seen before`() throws {
        let bench = try LoaderBench {
            $0.capacity = 3
            $0.eviction = .longestUnseen
        }
        bench.want([1, 2])
        try bench.run()
        for key in 1...2 { bench.loader.bind(cell: 0, to: key) }
        bench.loader.unbind(cell: 0)
        bench.source.forget()
        bench.want([3, 4])
        try bench.run(until: 1000)
        #expect(bench.source.begun == [3, 4])
        #expect(bench.loaded == [2, 3, 4])
    }

    @Test func `wanting more than the model's memory holds loads for ever, as the model has it`()
        throws
    {
        let bench = try LoaderBench {
            $0.capacity = 3
            $0.eviction = .longestUnseen
        }
        bench.want(0..<5)
        try bench.run(until: 100)
        #expect(bench.source.begun.count > 90)
        bench.want([])
        try bench.run()
        #expect(bench.loader.count == 3)
    }
}
