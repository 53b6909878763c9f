import DeferredLoading
import Glibc
import IdleLoop
import TestSupport
import Testing

@testable import ImageLoading

/// Random programs of what is public, also from inside the calls that tell of pictures: files that
/// change and vanish, servers that begin anew, fail and fall silent, helpers that fail.
struct PictureProgramTests {
    /// How the pictures of a program are made.
    struct Kind: CustomTestStringConvertible {
        var workers = 0
        var isHelped = false
        var isStored = false

        var testDescription: String {
            "\(workers) workers, \(isHelped ? "a helper" : "here")\(isStored ? ", stored" : "")"
        }

        static let all = [0, 1].flatMap { workers in
            [false, true].flatMap { isHelped in
                [false, true].map {
                    Kind(workers: workers, isHelped: isHelped, isStored: $0)
                }
            }
        }
    }

    @Test(arguments: Kind.all)
    func `any program ends with all that is wanted, as it is now`(kind: Kind) throws {
        for seed in seeds(0..<12) {
            let program = try PictureProgram(kind, seed: seed)
            try program.run(steps: 60)
            let context = "\(kind.testDescription), seed \(seed)"
            #expect(program.faults.isEmpty, "\(context): \(program.faults)")
        }
    }

    @Test(arguments: Kind.all)
    func `nothing is told after a close from inside any call`(kind: Kind) throws {
        for seed in seeds(100..<112) {
            let program = try PictureProgram(kind, seed: seed)
            program.closesInside = true
            try program.run(steps: 40)
            #expect(program.faults.isEmpty, "\(kind.testDescription), seed \(seed)")
        }
    }
}

/// A loader, what its pictures come from, and somebody who does anything at any time.
private final class PictureProgram {
    private static let contents = [
        Sample(60, 40).jpeg(), Sample(40, 60).rgbPNG(), Sample(30, 30).rgbaPNG(interlaced: true),
        Array(Sample(60, 40).jpeg().prefix(200)), Array("no picture".utf8),
        Array(Photo(seed: 6, width: 60, height: 40).sample.jpeg().dropLast(700)),
    ]
    private static let targetSizes = [20, 12].map { PixelSize(width: $0, height: $0) }
    private static let pictures = contents.map { bytes in
        targetSizes.map { try? PictureJob(.bytes(bytes), named: "", fitting: $0).decode() }
    }
    /// What is stored of each, if it's sound.
    private static let stored = contents.map { bytes in
        let size = FakeStore().targetSize
        return (try? PictureJob(.bytes(bytes), named: "", fitting: size).decode())
            .flatMap { $0.isDamaged ? nil : $0 }
    }
    /// The names of files and addresses, of which each is asked for in two sizes.
    private static let names = ["a", "b", "c", "d", "e"]

    let kind: PictureProgramTests.Kind
    var closesInside = false
    private(set) var faults: [String] = []
    private var random: SplitMix64
    private let time = VirtualTime()
    private let loop: MainLoop
    private let folder = CacheFolder()
    private let store = FakeStore()
    private var strangers: Strangers?
    private var pictures: Pictures?
    /// The content of each file and address now; nil for none.
    private var content: [String: Int] = [:]
    private var second = 1_000_000_000
    private var depth = 0

    init(_ kind: PictureProgramTests.Kind, seed: UInt64) throws {
        self.kind = kind
        random = SplitMix64(seed: seed)
        loop = try MainLoop(clock: .virtual(time))
        let strangers = Strangers(loop, seed: seed) { [unowned self] name in
            content[name].map { Self.contents[$0] }
        }
        self.strangers = strangers
        var configuration = Pictures.Configuration()
        configuration.workers = kind.workers
        if seed % 3 > 0 { configuration.queue.lanes = .atMost(Int(seed % 3)) }
        configuration.loading.capacity = 10
        pictures = try Pictures(
            on: loop, store: kind.isStored ? store : nil,
            decoding: kind.isHelped ? .helper(strangers) : .inProcess, transport: strangers,
            configuration: configuration
        ) { [unowned self] request, state in
            told(request, state)
        }
        pictures?.source.onStep = { [time] _ in time.charge(.microseconds(300)) }
        pictures?.source.onLoaded = { [unowned self] _, _ in doSomething(inside: true) }
    }

    deinit {
        pictures?.close()
        loop.close()
    }

    private func request(_ name: String, _ targetSize: PixelSize) -> PictureRequest {
        name < "d"
            ? PictureRequest("\(folder.path)/\(name)", fitting: targetSize)
            : PictureRequest(url: "http://a/\(name)", fitting: targetSize)
    }

    private func requests(_ name: String) -> [PictureRequest] {
        Self.targetSizes.map { request(name, $0) }
    }

    private func told(_ request: PictureRequest, _ state: LoadState<Picture>) {
        if pictures == nil { faults.append("\(request) was told after the close") }
        if let picture = state.shown, picture.size.fitted(in: request.targetSize) != picture.size {
            faults.append("a picture beyond its target size")
        }
        doSomething(inside: true)
    }

    func run(steps: Int) throws {
        weak let (source, inner) = (pictures?.source, pictures?.loader)
        try play(steps: steps)
        if source != nil || inner != nil { faults.append("something is held") }
    }

    private func play(steps: Int) throws {
        for _ in 0..<steps {
            doSomething(inside: false)
            if Int.random(in: 0..<3, using: &random) == 0 {
                let time = loop.clock.now.advanced(
                    by: .milliseconds(Int.random(in: 0...40, using: &random)))
                try loop.run(until: time)
            }
            pictures?.loader.checkInvariants()
        }
        guard !closesInside else {
            close()
            return try loop.run()
        }
        try checkEnd()
    }

    /// Wants everything anew, waits, and compares.
    private func checkEnd() throws {
        guard let pictures else { return }
        depth = 100  // nothing more is done inside
        strangers?.isReliable = true
        for request in Self.names.flatMap(requests) { pictures.loader.invalidate(request) }
        want(Self.names.flatMap(requests))
        try loop.run()
        for (name, index) in Self.names.flatMap({ [($0, 0), ($0, 1)] }) {
            let expected = content[name].flatMap { Self.pictures[$0][index] }
            switch pictures.loader.state(of: request(name, Self.targetSizes[index])) {
            case .loaded(let picture):
                let isStored = kind.isStored && name < "d"
                let isAsItIs = isStored ? picture.size == expected?.size : picture == expected
                if !isAsItIs { faults.append("\(name) isn't as it is") }
                let written = store.written["\(folder.path)/\(name)"]
                let sound = content[name].flatMap { Self.stored[$0] }
                if isStored, let sound, sound != written {
                    faults.append("\(name) isn't stored as it is")
                }
                if let written, !Self.stored.contains(written) {
                    faults.append("\(name) is stored damaged")
                }
            case .failed(let error, _):
                if expected != nil { faults.append("\(name) failed: \(error)") }
            case let state: faults.append("\(name) is \(state)")
            }
        }
        if kind.isHelped, pictures.source.statistics.decodedInSlices > 0 {
            faults.append("a stranger's file was decoded here")
        }
        close()
        try loop.run()
    }

    private func close() {
        let old = pictures
        pictures = nil
        old?.close()
    }

    private func want(_ requests: [PictureRequest]) {
        pictures?.reconcile(
            with: requests.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
    }

    private func doSomething(inside: Bool) {
        guard depth < 2, let pictures else { return }
        if inside, Int.random(in: 0..<3, using: &random) > 0 { return }
        depth += 1
        defer { depth -= 1 }
        let name = Self.names.randomElement(using: &random)!
        let request = request(name, Self.targetSizes.randomElement(using: &random)!)
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: want(Self.names.flatMap(requests).filter { _ in Bool.random(using: &random) })
        case 3: pictures.subscribe(to: request)
        case 4: pictures.list.unsubscribe(from: request)
        case 5: pictures.loader.invalidate(request)
        case 6: pictures.loader.retry(request)
        case 7: pictures.trim()
        case 8...10: change(name)
        default:
            if closesInside, inside { close() }
        }
    }

    /// Writes another file, or takes it away.
    private func change(_ name: String) {
        let new = Int.random(in: 0...Self.contents.count, using: &random)
        content[name] = new < Self.contents.count ? new : nil
        guard name < "d" else { return }
        second += 1
        if let new = content[name] {
            folder.write(name, Self.contents[new], at: second)
        } else {
            CacheFolder.remove("\(folder.path)/\(name)")
        }
    }
}

/// A server and a helper, which fail now and then.
private final class Strangers: PictureTransport, PictureHelper {
    private final class Visit: PendingOperation {
        var isOver = false
        func cancel() { isOver = true }
    }

    private struct Silence: Error {}

    var isReliable = false
    private let loop: MainLoop
    private var random: SplitMix64
    private let bytes: (String) -> [UInt8]?

    init(_ loop: MainLoop, seed: UInt64, _ bytes: @escaping (String) -> [UInt8]?) {
        (self.loop, self.bytes) = (loop, bytes)
        random = SplitMix64(seed: seed &+ 7)
    }

    private func fails() -> Bool { !isReliable && Int.random(in: 0..<6, using: &random) == 0 }

    private func later(_ visit: Visit, _ body: @escaping () -> Void) {
        loop.schedule(after: .microseconds(Int.random(in: 1...5000, using: &random))) {
            if !visit.isOver { body() }
        }
    }

    func fetch(
        _ url: String, receive: @escaping (PictureTransportEvent) -> Void
    ) -> any PendingOperation {
        let visit = Visit()
        later(visit) { [self] in
            guard let file = bytes(String(url.suffix(1))), !fails() else {
                return receive(.ended(PictureError(file: url, reason: .missing)))
            }
            send(file[...], of: file, visit, receive)
        }
        return visit
    }

    private func send(
        _ rest: ArraySlice<UInt8>, of file: [UInt8], _ visit: Visit,
        _ receive: @escaping (PictureTransportEvent) -> Void
    ) {
        var rest = rest
        if rest.count == file.count {
            receive(.began(length: Bool.random(using: &random) ? file.count : nil))
        }
        guard !visit.isOver else { return }
        let count = Int.random(in: 1...file.count, using: &random)
        receive(.bytes(Array(rest.prefix(count))))
        rest = rest.dropFirst(count)
        if fails() { rest = file[...] }
        guard !visit.isOver else { return }
        if rest.isEmpty { return receive(.ended(fails() ? Silence() : nil)) }
        later(visit) { [self, rest] in send(rest, of: file, visit, receive) }
    }

    func decode(
        _ origin: PictureOrigin, named name: String, fitting targetSize: PixelSize,
        limits: PictureLimits, completion: @escaping (Result<Picture, any Error>) -> Void
    ) -> any PendingOperation {
        let visit = Visit()
        later(visit) { [self] in
            if fails() { return completion(.failure(Silence())) }
            completion(Result { try PictureJob(origin, named: name, fitting: targetSize).decode() })
        }
        return visit
    }
}
