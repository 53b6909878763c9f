import DeferredLoading
import Glibc
import IdleLoop
import ImageLoading
import IsolatedDecoding
import TestSupport
import Testing

/// Decoders that are closed and let go of in any order, from inside any callback.
@Suite struct `An isolated decoder that is closed` {
    @Test func `has a loader's pictures end as closed, those too that wait for their turn`() throws
    {
        let folder = try TemporaryFolder()
        let program = try folder.fake("silence")
        let bench = try Bench { $0.program = program }
        let queue = IdleQueue<PictureRequest>(on: bench.loop)
        var configuration = LoaderConfiguration()
        configuration.operations = 2
        let loader = DeferredLoader(
            queue: queue, source: PictureSource(on: bench.loop, decoding: .helper(bench.decoder)),
            configuration: configuration)
        let list = loader.list { _, _ in }
        let requests = try (0..<6).map { number in
            PictureRequest(
                try folder.file("\(number).png", Sample.png(4, 4)), fitting: .small)
        }
        list.reconcile(
            with: requests.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
        try bench.run { bench.decoder.processes.count == 1 }
        bench.decoder.close()
        try bench.run { requests.allSatisfy { loader.state(of: $0).isSettled } }
        for request in requests {
            guard case .failed(IsolatedError.closed, nextTry: nil) = loader.state(of: request)
            else {
                Issue.record("\(loader.state(of: request))")
                continue
            }
        }
        loader.checkInvariants()
        queue.checkInvariants()
        loader.close()
    }

    @Test func `ends what it's asked for as closed, later, even when it has gone`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var decoder: IsolatedDecoder? = IsolatedDecoder(on: loop)
        decoder?.close()
        var errors: [IsolatedError?] = []
        decoder?.decode(.bytes(Sample.png(4, 4)), named: "", fitting: .small) {
            errors.append($0.error)
        }
        let cancelled = decoder?.decode(.file("a"), named: "a", fitting: .small) { _ in
            Issue.record("it was cancelled")
        }
        cancelled?.cancel()
        decoder = nil
        #expect(errors.isEmpty)
        try loop.run(until: loop.clock.now)
        #expect(errors == [.closed])
    }

    /// What may be done to decoders and requests at any moment, also from inside a completion.
    private final class Chaos {
        let loop: MainLoop
        let programs: [String]
        let live = LiveObjects()
        var random: SplitMix64
        var decoder: IsolatedDecoder?
        var requests: [Int: IsolatedDecoder.Request] = [:]
        var ends: [Int: Int] = [:]
        var cancelled: Set<Int> = []
        var begun = 0

        init(_ programs: [String], seed: UInt64) throws {
            loop = try MainLoop()
            self.programs = programs
            random = SplitMix64(seed: seed)
        }

        func act() {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: decoder?.close()
            case 1: _ = decoder.take()
            case 2, 3:
                if let number = requests.keys.sorted().randomElement(using: &random) {
                    if ends[number] == nil { cancelled.insert(number) }
                    requests[number]?.cancel()
                }
            case 4: requests = [:]
            case 5:
                if let process = decoder?.processes.first { kill(process, SIGKILL) }
            default: decode()
            }
        }

        func decode() {
            guard begun < 30 else { return }
            if decoder == nil {
                var configuration = IsolatedDecoder.Configuration()
                configuration.program = programs.randomElement(using: &random)
                configuration.helpers = 2
                configuration.waiting = 4
                configuration.picturesPerHelper = 3
                decoder = IsolatedDecoder(on: loop, configuration: configuration)
            }
            begun += 1
            let number = begun
            requests[number] = decoder?.decode(
                .bytes(Sample.png(4, 4)), named: "", fitting: .small
            ) { [self, object = live.make()] _ in
                ends[number, default: 0] += 1
                _ = object
                for _ in 0..<Int.random(in: 0..<3, using: &random) { act() }
            }
        }
    }

    @Test(arguments: seeds(0..<20))
    func `at any moment, from wherever, ends each picture once`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let names = ["honest", "silence", "exit", "wrong-id", "early-exit"]
        let chaos = try Chaos(names.map { try folder.fake($0) } + [Bench.helper], seed: seed)
        for _ in 0..<40 {
            chaos.act()
            guard chaos.random.next() % 3 == 0 else { continue }
            let now = chaos.loop.clock.now
            try chaos.loop.run(until: now.advanced(by: .milliseconds(2)))
        }
        while chaos.begun < 30 || chaos.decoder != nil {
            chaos.decode()
            chaos.decoder?.close()
            _ = chaos.decoder.take()
        }
        // What was refused is told when nothing is left to do.
        try chaos.loop.run(until: chaos.loop.clock.now)
        chaos.loop.close()
        #expect(chaos.live.count == 0)
        #expect(chaos.ends.values.allSatisfy { $0 == 1 })
        #expect(chaos.cancelled.isDisjoint(with: chaos.ends.keys))
        #expect(chaos.ends.count + chaos.cancelled.count == chaos.begun)
    }
}
