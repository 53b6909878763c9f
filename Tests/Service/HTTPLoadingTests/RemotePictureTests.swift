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
        case "/unknown":
            return [.send(TestServer.text("HTTP/1.1 200 OK", "", "")), .send(good), .close]
        case "/progressive":
            let bytes = jpeg(progressive: true, 640)
            let end = bytes.count - 1000
            return [.send(head(bytes.count) + bytes[..<end]), .dribble(Array(bytes[end...]))]
        default: return TestServer.reply(good)
        }
    }

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
