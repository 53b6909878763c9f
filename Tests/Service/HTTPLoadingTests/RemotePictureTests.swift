import CPictureEncoders
import DeferredLoading
import Foundation
import Glibc
import HTTPLoading
import IdleLoop
import ImageLoading
import TestServer
import TestSupport
import Testing

/// Pictures that a source has from a server.
@Suite struct `A request with an address` {
    private static func jpeg(progressive: Bool = false, _ side: Int32 = 160) -> [UInt8] {
        let values = (0..<3 * Int(side * side)).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let layout = JPEGLayout(
            width: side, height: side, channels: 3, progressive: progressive, separate: false,
            arithmetic: false,
            ycck: false, restart_rows: 0)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode_jpeg(values, layout, &bytes)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// A slow server's answers, one that fails and such as lie, by their paths.
    private static func answer(_ path: String) -> [TestServer.Step] {
        let good = jpeg()
        let head = { (length: Int) in
            TestServer.text("HTTP/1.1 200 OK", "Content-Length: \(length)", "", "")
        }
        switch path {
        case "/slow": return [.send(head(good.count)), .dribble(Array(good))]
        case "/gone": return TestServer.reply("", status: "404 Gone")
        case "/page": return TestServer.reply("<html>")
        case "/long": return [.send(head(good.count + 1000)), .send(good), .close]
        case "/short": return [.send(head(good.count / 2)), .send(good), .close]
        case "/endless": return [.send(head(1 << 40)), .close]
        case "/unknown":
            return [.send(TestServer.text("HTTP/1.1 200 OK", "", "")), .send(good), .close]
        case "/progressive":
            let bytes = jpeg(progressive: true, 640)
            let end = bytes.count - 1000
            return [.send(head(bytes.count) + bytes[..<end]), .dribble(Array(bytes[end...]))]
        default: return TestServer.reply(good)
        }
    }

    private let targetSize = PixelSize(width: 20, height: 20)

    private func loading(
        _ paths: [String], on bench: LoaderBench
    ) throws -> (loader: DeferredLoader<PictureRequest, Picture>, previews: [String: Int]) {
        bench.server.answer = { [unowned bench] request in
            let isFirst = bench.server.requests.count { $0.path == request.path } <= 1
            return request.path == "/again" && isFirst ? [.close] : Self.answer(request.path)
        }
        let source = PictureSource(on: bench.loop, transport: bench.loader)
        var configuration = LoaderConfiguration()
        configuration.operations = 6
        configuration.backoff.first = .milliseconds(1)
        let queue = IdleQueue<PictureRequest>(on: bench.loop)
        let loader = DeferredLoader(queue: queue, source: source, configuration: configuration)
        var previews: [String: Int] = [:]
        let list = loader.list { request, state in
            if case .refined = state { previews[request.name, default: 0] += 1 }
        }
        let requests = paths.map { PictureRequest(url: bench.server.url($0), fitting: targetSize) }
        for request in requests { list.subscribe(to: request) }
        list.reconcile(with: requests.map { Wanted($0, urgency: .visible, rank: 0) })
        // What may pass is tried again.
        try bench.run {
            requests.allSatisfy {
                let state = loader.state(of: $0)
                return state.isSettled && !($0.name.hasSuffix("/again") && state.value == nil)
            }
        }
        loader.checkInvariants()
        return (loader, previews)
    }

    private func state(
        _ path: String, _ loader: DeferredLoader<PictureRequest, Picture>, _ bench: LoaderBench
    ) -> LoadState<Picture> {
        loader.state(of: PictureRequest(url: bench.server.url(path), fitting: targetSize))
    }

    @Test func `gives the picture that is there, in slow pieces, or at the second try`() throws {
        let bench = try LoaderBench()
        let paths = ["/a", "/slow", "/unknown", "/again"]
        let (loader, _) = try loading(paths, on: bench)
        let whole = try PictureJob(bytes: Self.jpeg(), named: "", fitting: targetSize).decode()
        for path in paths {
            #expect(state(path, loader, bench).value == whole, "\(path)")
        }
    }

    @Test func `shows a progressive picture before its last byte`() throws {
        let bench = try LoaderBench()
        let (loader, previews) = try loading(["/progressive"], on: bench)
        #expect(previews == [bench.server.url("/progressive"): 1])
        let bytes = Self.jpeg(progressive: true, 640)
        #expect(
            try state("/progressive", loader, bench).value
                == PictureJob(bytes: bytes, named: "", fitting: targetSize).decode())
    }

    @Test func `fails as the server does, or as its bytes do`() throws {
        let bench = try LoaderBench()
        let (loader, _) = try loading(["/gone", "/page", "/long", "/endless"], on: bench)
        func error(_ path: String) -> (any Error)? {
            if case .failed(let error, _) = state(path, loader, bench) { error } else { nil }
        }
        guard case .status(404, _)? = error("/gone") as? HTTPLoadError else {
            Issue.record("\(state("/gone", loader, bench))")
            return
        }
        #expect(
            error("/page") as? PictureError
                == PictureError(
                    file: bench.server.url("/page"), reason: .unsupported("starts with \"<html>\""))
        )
        #expect(error("/long") is HTTPLoadError && error("/endless") is HTTPLoadError)
        #expect(error("/long") as? HTTPLoadError != .closed)
    }

    @Test func `is taken back with its row, and others have its connection`() throws {
        let bench = try LoaderBench { $0.connections = 2 }
        bench.server.answer = { Self.answer($0.path.hasPrefix("/slow") ? "/slow" : "/a") }
        let source = PictureSource(on: bench.loop, transport: bench.loader)
        let queue = IdleQueue<PictureRequest>(on: bench.loop)
        let loader = DeferredLoader(queue: queue, source: source)
        var shown: Set<String> = []
        let list = loader.list { request, state in
            if state.shown != nil { shown.insert(request.name) }
        }
        func requests(_ name: String) -> [PictureRequest] {
            (0..<10).map {
                PictureRequest(url: bench.server.url("/\(name)\($0)"), fitting: targetSize)
            }
        }
        for request in requests("slow") + requests("quick") { list.subscribe(to: request) }
        list.reconcile(
            with: requests("slow").map { Wanted($0, urgency: .visible, rank: 0) })
        try bench.run(whileBusy: true) { bench.server.requests.count == 2 }
        // The list is flung: two are under way, others wait for their places.
        list.reconcile(
            with: requests("quick").map { Wanted($0, urgency: .visible, rank: 0) })
        try bench.run { shown.count == 10 }
        #expect(shown == Set(requests("quick").map(\.name)), "nothing is told of one that has left")
        #expect(bench.loader.statistics.cancelled == LoaderConfiguration().operations)
        #expect(bench.server.requests.count { $0.path.hasPrefix("/slow") } == 2)
        loader.trim(to: 0)
        loader.close()
        #expect(bench.loader.counts == (0, 0) && queue.isEmpty)
        try bench.run { bench.server.departures >= 2 }
    }

    // MARK: - The article's daemon

    @Test func `is all that a daemon needs that shows a list of addresses`() throws {
        let program = try String(
            contentsOf: Command.project.appending(path: "Tests/Programs/remote-program/main.swift"),
            encoding: .utf8)
        let path = "Sources/Service/HTTPLoading/HTTPLoading.docc/PicturesFromServers.md"
        let article = try String(
            contentsOf: Command.project.appending(path: path), encoding: .utf8)
        #expect(article.contains("```swift\n\(program)```"))
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 41)
        let bench = try LoaderBench()
        bench.server.answer = { Self.answer($0.path) }
        let paths = ["/a", "/progressive", "/gone", "/long", "/page", "/b", "/slow", "/unknown"]
        let daemon = try Daemon(bench, urls: paths.map(bench.server.url), "any")
        try bench.run(whileBusy: true) { daemon.ends.isSuperset(of: 0..<5) }
        #expect(daemon.has("row 0: 80x80") && daemon.has("row 1: 80x80"))
        #expect(daemon.has("row 1: 80x80 until there is more"))
        #expect(daemon.lines.contains { $0.hasPrefix("row 2: ") && $0.contains("404") })
        #expect(daemon.lines.contains { $0.hasSuffix("starts with \"<html>\"") })
        #expect(!daemon.lines.contains { $0.hasPrefix("row 3: 80x80") })
        daemon.write("240")
        try bench.run(whileBusy: true) { daemon.ends.isSuperset(of: 5..<8) }
        #expect(daemon.has("row 6: 80x80") && daemon.has("row 7: 80x80"))
        #expect(daemon.end() == 0)
    }

    @Test func `leaves the daemon's own network alone`() throws {
        let bench = try LoaderBench()
        let daemon = try Daemon(bench, urls: [bench.server.url("/a")])
        try bench.run(whileBusy: true) { daemon.ends == [0] }
        #expect(!daemon.has("row 0: 80x80"))
        #expect(bench.server.requests.isEmpty && bench.server.accepted == 0)
        #expect(daemon.end() == 0)
    }
}

/// The article's daemon, run as a process whose output the loop of the server reads.
private final class Daemon {
    private(set) var lines: [String] = []
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var watch: Watch?
    private var rest = ""

    init(_ bench: LoaderBench, urls: [String], _ arguments: String...) throws {
        let list = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
        try urls.joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "remote-program")
        process.arguments = [list.path] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let descriptor = output.fileHandleForReading.fileDescriptor
        watch = try bench.loop.watch(descriptor, for: .readable) { [weak self] _ in
            self?.read(descriptor)
        }
    }

    /// The rows that have come to an end.
    var ends: Set<Int> {
        Set(
            lines.filter { !$0.hasSuffix("…") && !$0.hasSuffix("more") }
                .compactMap { Int($0.dropFirst(4).prefix { $0.isNumber }) })
    }

    func has(_ line: String) -> Bool { lines.contains(line) }

    func write(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

    /// Ends its input, and returns its status.
    func end() -> Int32 {
        watch?.cancel()
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func read(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else {
            watch?.cancel()
            return
        }
        rest += String(decoding: bytes[..<count], as: UTF8.self)
        var parts = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        rest = parts.removeLast()
        lines += parts
    }
}
