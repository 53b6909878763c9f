internal import Glibc
internal import HTTPLoading
internal import IdleLoop
internal import ImageLoading

/// One input taken for what a cache has stored.
///
/// The process ends unless all of this holds: a transfer ends once, with the body that was
/// stored or as it does without a cache, and asks no server for what it then has.
struct CacheTrial {
    /// The part of a stored response that the input is.
    private enum Part {
        /// The lines of its head.
        case lines
        /// All that is stored beside its body.
        case metadata
        /// The whole file.
        case file
    }

    private static let url = "http://127.0.0.1:9/"
    private static let now = 1_795_521_600
    private static let body = Array("body".utf8)
    private static let folder = "\(P_tmpdir)/lull-fuzz-http-\(getpid())"

    private let part: Part
    private let bytes: [UInt8]

    /// A trial of bytes of which the first says what they are; nil if it says nothing.
    init?(_ bytes: [UInt8]) {
        switch bytes.first {
        case UInt8(ascii: "l"): part = .lines
        case UInt8(ascii: "m"): part = .metadata
        case UInt8(ascii: "f"): part = .file
        default: return nil
        }
        self.bytes = Array(bytes.dropFirst())
    }

    func run() {
        let cache = HTTPCache(in: Self.folder, now: { .seconds(Self.now) })
        var configuration = HTTPLoaderConfiguration()
        configuration.addresses = .only { _ in false }
        store(in: cache, "\(configuration.userAgent) \(configuration.accept)")
        defer {
            cache.remove(Self.url)
            unsafe rmdir(Self.folder)
        }
        guard let loop = try? MainLoop() else { fatalError("a loop can be had") }
        let loader = HTTPLoader(on: loop, configuration: configuration, cache: cache)
        var ends = 0
        loader.fetch(HTTPLoadRequest(Self.url)) { result in
            ends += 1
            switch result {
            case .success(let response):
                precondition(response.status == 200, "only what was right is stored")
                precondition(part == .file || response.bytes == Self.body, "it's what was stored")
                precondition(loader.statistics.cacheHits == 1, "no server was asked")
            case .failure(.refusedAddress):
                precondition(loader.statistics.cacheHits == 0, "what is there needs no server")
            case .failure(let error): fatalError("\(error): it's asked for or there")
            }
            loop.stop()
        }
        do { try loop.run() } catch { fatalError("\(error)") }
        loader.close()
        precondition(ends == 1, "a transfer ends once")
        loop.close()
    }

    private func store(in cache: HTTPCache, _ sender: String) {
        switch part {
        case .lines:
            let start = Array("\(Self.now)\n\(Self.now)\n\(sender)\nHTTP/1.1 200\n".utf8)
            cache.store(Self.body, metadata: start + bytes, for: Self.url)
        case .metadata: cache.store(Self.body, metadata: bytes, for: Self.url)
        case .file:
            unsafe mkdir(Self.folder, 0o700)
            let path = "\(Self.folder)/\(cache.name(of: Self.url))"
            let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            precondition(file >= 0, "a file can be written")
            _ = unsafe write(file, bytes, bytes.count)
            close(file)
        }
    }
}
