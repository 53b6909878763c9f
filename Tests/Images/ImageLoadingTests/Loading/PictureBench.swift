import DeferredLoading
import Glibc
import IdleLoop
import Synchronization
import TestSupport

@testable import ImageLoading

/// A loader of pictures on virtual time, the files that it loads, and what it shows.
final class PictureBench {
    let time = VirtualTime()
    let loop: MainLoop
    let folder: Folder
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
        files: [String: [UInt8]] = files, store: (any ThumbnailStore)? = nil,
        _ change: (inout Pictures.Configuration) -> Void = { _ in }
    ) throws {
        loop = try MainLoop(clock: .virtual(time))
        folder = Folder(files)
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
        try PictureJob(bytes: bytes, named: "", fitting: targetSize).decode()
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

/// A folder of files that is there as long as this object.
final class Folder {
    let path: String
    private var names: Set<String> = []

    init(_ files: [String: [UInt8]] = [:]) {
        path = makeTemporaryFolder("pictures")
        for (name, bytes) in files { write(bytes, to: name) }
    }

    deinit {
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// Writes a file, as of a second that no file before was written in.
    func write(_ bytes: [UInt8], to name: String, at second: Int = 1_000_000_000) {
        names.insert(name)
        let file = unsafe fopen("\(path)/\(name)", "w")!
        _ = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        unsafe fclose(file)
        touch(name, at: second)
    }

    /// Says when a file was last written.
    func touch(_ name: String, at second: Int) {
        let times = [timespec(tv_sec: second, tv_nsec: 0), timespec(tv_sec: second, tv_nsec: 0)]
        _ = unsafe utimensat(AT_FDCWD, "\(path)/\(name)", times, 0)
    }

    func remove(_ name: String) { unsafe unlink("\(path)/\(name)") }

    func stamp(_ name: String) -> FileStamp? { FileStamp(ofFile: "\(path)/\(name)") }
}

/// A store in memory, whose small pictures are files of a folder all the same.
final class FakeStore: ThumbnailStore {
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

    func size(serving targetSize: PixelSize) -> PixelSize? {
        targetSize.width <= 128 ? self.targetSize : nil
    }

    func find(
        _ file: String, _ stamp: FileStamp, serving targetSize: PixelSize
    ) -> StoredPicture<Picture> {
        content.withLock { $0.found[file] } ?? .none
    }

    func writer(
        of picture: Picture, from file: String, _ stamp: FileStamp, header: PictureHeader?
    ) -> (any SteppedWork<Void, any Error>)? {
        Writer(isFull: content.withLock { $0.isFull }) { [self] in
            content.withLock { $0.written[file] = picture }
        }
    }

    func recordFailure(of file: String, _ stamp: FileStamp) {
        content.withLock { $0.failed.append(file) }
    }
}
