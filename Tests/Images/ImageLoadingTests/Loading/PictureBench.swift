import DeferredLoading
import IdleLoop
import Synchronization
import TestSupport

@testable import ImageLoading

/// A loader of pictures on virtual time, the files that it loads, and what it shows.
final class PictureBench {
    let time = VirtualTime()
    let loop: MainLoop
    let folder: CacheFolder
    private(set) var pictures: Pictures!
    var shown: [PictureRequest: Picture] = [:]
    var previews = 0
    /// What a step of a decoder takes.
    var stepCost = Duration.microseconds(100)
    /// The requests whose decoders have taken a step, each once, in order.
    private(set) var begun: [PictureRequest] = []
    static let targetSize = PixelSize(width: 60, height: 60)
    static let jpeg = Sample(300, 200).jpeg()
    static let png = Sample(200, 300).rgbPNG()
    static let files = ["a": jpeg, "b": png, "c": jpeg, "d": png]

    init(
        files: [String: [UInt8]] = files, store: FakeStore? = nil,
        _ change: (inout Pictures.Configuration) -> Void = { _ in }
    ) throws {
        loop = try MainLoop(clock: .virtual(time))
        folder = CacheFolder(files)
        var configuration = Pictures.Configuration()
        configuration.queue.batch = .zero
        change(&configuration)
        pictures = try Pictures(
            on: loop, store: store, configuration: configuration
        ) { [unowned self] request, state in
            shown[request] = state.shown
            if case .refined = state { previews += 1 }
        }
        pictures.source.onStep = { [unowned self] request in
            if begun.last != request { begun.append(request) }
            time.charge(stepCost)
        }
    }

    deinit {
        pictures?.close()
        loop.close()
    }

    /// The picture that all bytes give at once.
    static func whole(_ bytes: [UInt8], _ targetSize: PixelSize = targetSize) throws -> Picture {
        try PictureJob(.bytes(bytes), named: "", fitting: targetSize).decode()
    }

    var source: PictureSource { pictures.source }
    var done: PictureStatistics { source.statistics }

    func request(_ name: String, _ side: Int = 60) -> PictureRequest {
        PictureRequest(
            "\(folder.path)/\(name)", fitting: PixelSize(width: side, height: side))
    }

    func want(_ names: [String], _ urgency: Urgency = .visible) {
        pictures.reconcile(
            with: names.enumerated().map {
                Wanted(request($1), urgency: urgency, rank: $0)
            })
        check()
    }

    func run(until milliseconds: Int? = nil) throws {
        if let milliseconds {
            try loop.run(until: .zero.advanced(by: .milliseconds(milliseconds)))
        } else {
            try loop.run()
        }
        check()
    }

    func check() { pictures.loader.checkInvariants() }

    func error(_ name: String) -> PictureError.Reason? {
        guard case .failed(let error, _) = pictures.loader.state(of: request(name)) else {
            return nil
        }
        return (error as? PictureError)?.reason
    }

    func release() {
        pictures = nil
    }
}

/// A server that sends what a test says, and knows which transfers were cancelled.
final class FakeServer: PictureTransport {
    final class Transfer: PendingOperation {
        var isCancelled = false
        func cancel() { isCancelled = true }
    }

    private(set) var transfers: [Transfer] = []
    private(set) var receivers: [String: (PictureTransportEvent) -> Void] = [:]

    func fetch(
        _ url: String, receive: @escaping (PictureTransportEvent) -> Void
    ) -> any PendingOperation {
        receivers[url] = receive
        transfers.append(Transfer())
        return transfers[transfers.count - 1]
    }

    /// Sends a whole file.
    func send(_ bytes: [UInt8], of url: String) {
        receivers[url]?(.began(length: bytes.count))
        receivers[url]?(.bytes(bytes))
        receivers[url]?(.ended(nil))
    }
}

/// A store in memory, whose small pictures are files of a folder all the same.
final class FakeStore: PictureStore {
    final class Writer: SteppedWork {
        var steps = 3
        let end: () -> Void
        let isFull: Bool

        init(isFull: Bool, _ end: @escaping () -> Void) {
            self.isFull = isFull
            self.end = end
        }

        struct DiskFull: Error {}

        func advance() throws -> Void? {
            if isFull { throw DiskFull() }
            steps -= 1
            if steps == 0 { end() }
            return steps == 0 ? () : nil
        }
    }

    private struct Content {
        var found: [String: StoredPicture<Picture>] = [:]
        var written: [String: Picture] = [:]
        var failed: [String] = []
        var isFull = false
    }

    let targetSize = PixelSize(width: 128, height: 128)
    private let content = Mutex(Content())

    var written: [String: Picture] { content.withLock { $0.written } }
    var failed: [String] { content.withLock { $0.failed } }

    func has(_ entry: StoredPicture<Picture>, of file: String) {
        content.withLock { $0.found[file] = entry }
    }

    func fill() { content.withLock { $0.isFull = true } }

    func decodingSize(of request: PictureRequest, _ header: PictureHeader?) -> PixelSize? {
        let isServed = header?.isServedByThumbnail(fitting: request.targetSize) ?? false
        guard !request.isRemote, request.targetSize.width <= 128, !isServed else {
            return nil
        }
        return targetSize
    }

    func find(_ request: PictureRequest, _ stamp: FileStamp?) -> StoredPicture<Picture> {
        guard stamp != nil else { return .none }
        return content.withLock { $0.found[request.name] } ?? .none
    }

    func writer(
        of made: MadePicture<Picture>, for request: PictureRequest
    ) -> (any SteppedWork<Void, any Error>)? {
        guard decodingSize(of: request, made.header) != nil else { return nil }
        return Writer(isFull: content.withLock { $0.isFull }) { [self] in
            content.withLock { $0.written[request.name] = made.picture }
        }
    }

    func failureWriter(
        of request: PictureRequest, _ stamp: FileStamp
    ) -> (any SteppedWork<Void, any Error>)? {
        SingleStep { [self] in content.withLock { $0.failed.append(request.name) } }
    }
}
