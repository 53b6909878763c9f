import Foundation
import GalleryKit
import GalleryWeb
import Logging
import ScrollModel
import TestSupport
import Testing

@testable import GalleryLog
@testable import gallery

/// The configuration file, at the start and when it's read again.
struct ConfigurationTests {
    private func configuration(_ text: String, _ arguments: String...) throws -> Configuration {
        let folder = try Folder()
        let file = try folder.write("gallery.conf", text)
        return try Configuration(["--config", file] + arguments)
    }

    /// An example of each option.
    private static let values = [
        "listen": "127.0.0.1:0", "host": "a.example", "base-path": "/a", "trusted-proxy": "unix",
        "admin": "same", "cache": "none", "connections": "7", "connections-per-address": "7",
        "clients": "7", "clients-per-address": "7", "request-log": "-", "log-level": "debug",
        "make": "threads", "decoding": "helper",
    ]

    @Test func `a file has each option of the command line, which has precedence`() throws {
        let names = OptionTests.options.map(\.name).filter {
            !["config", "help", "version"].contains($0)
        }
        #expect(Set(names) == Set(Self.values.keys))
        let lines = Self.values.map { "\($0) = \($1)\n" }.joined() + "folder = /tmp/a b\n"
        let parsed = try configuration(lines).command
        #expect(parsed.folder == "/tmp/a b" && parsed.clients == 7 && parsed.hosts == ["a.example"])
        #expect(
            parsed.adminAccess == .same && parsed.logLevel == .debug)
        let given = try configuration(
            lines + "host = b.example", "--host=c.example", "--clients", "8", "/tmp"
        ).command
        #expect(given.folder == "/tmp" && given.clients == 8 && given.hosts == ["c.example"])
        #expect(given.connections == 7)
        let all = try configuration("host=a\nhost=b\n\n# c\n\t; d\r\n host\t= e = f \r\n", "/")
            .command
        #expect(all.hosts == ["a", "b", "e = f"])
    }

    @Test(arguments: [
        ("a = 1", ":1: Unknown option '--a'"), ("\n\nclients = x", ":3: The value 'x' is invalid"),
        ("clients = 0", ":1: a bound is a number"),
        ("clients=1\nclients=2", ":2: 'clients' is set already"),
        ("host", ":1: not OPTION = VALUE"), ("host =", ":1: 'host' has no value"),
        ("[a]", ":1: not OPTION"),
        ("= a", ":1: '' is no option"), ("--host = a", ":1: '--host' is no option"),
        ("Host = a", ":1: 'Host' is no option"),
        ("help = 1", ":1: 'help' is for the command line only"),
        ("version = 1", ":1: 'version' is for"), ("config = a", ":1: 'config' is for"),
        ("generate-completion-script = bash", ":1: 'generate-completion-script' is for"),
        ("folder = a\nfolder = b", ":2: 'folder' is set already"),
        ("host = \u{1b}", ":1: not text"),
        ("decoding = helper\nmake = handler", ": a handler decodes files"),
        (String(repeating: "#", count: 70_000), ": longer than 65536 bytes"),
        ("trusted-proxy = localhost", ":1: The value"), ("base-path = a", ":1: The value"),
        ("log-level = loud", ":1: The value"), ("listen = 8080", ":1: The value"),
    ])
    func `what is wrong in a file is told with its line`(text: String, error: String) throws {
        let thrown = #expect(throws: ConfigurationError.self) { try configuration(text, "/") }
        let told = "\(try #require(thrown))"
        #expect(told.contains("gallery.conf" + error), "\(told)")
        #expect(!told.contains("\n"))
    }

    @Test(arguments: 0..<20) func `any bytes are settings of some of its lines or an error`(
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let parts: [[UInt8]] =
            ["host", "=", " ", "\n", "#", "a", "[", "ä", "\t", "\r"].map { Array($0.utf8) }
            + [[0], [0xFF]]
        for _ in 0..<200 {
            let bytes = (0..<12).flatMap { _ in parts.randomElement(using: &random) ?? [] }
            let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
            do {
                let settings = try ConfigurationFile(bytes, at: "f").settings
                for setting in settings {
                    let line = String(decoding: lines[setting.line - 1], as: UTF8.self)
                    #expect(line.contains(setting.name) && line.contains(setting.value))
                }
                #expect(settings.map(\.line) == settings.map(\.line).sorted())
            } catch {
                #expect((1...lines.count).contains(error.line ?? 0))
            }
        }
    }

    @Test func `what can change while it runs does, and the rest is told`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let folder = try Folder()
            let log = folder.path + "/requests"
            let file = try folder.write(
                "gallery.conf", "host = a\nlisten = 127.0.0.1:0\nadmin = none")
            let output = LogOutput()
            LoggingSystem.bootstrap { JournalLogHandler($0, to: output) }
            let arguments = ["--config", file, folder.path, "--clients", "9"]
            let daemon = try Daemon(arguments, log: Logger(label: "gallery"), to: output)
            #expect(daemon.server.hosts == ["a"])
            let good = """
                host = b
                host = c
                trusted-proxy = 10.0.0.0/8
                connections = 5
                connections-per-address = 4
                clients = 3
                log-level = warning
                request-log = \(log)
                base-path = /new
                listen = 127.0.0.1:0
                """
            func expectGood() {
                #expect(daemon.server.hosts == ["b", "c"])
                #expect(daemon.server.proxies == [TrustedProxy("10.0.0.0/8")].compactMap(\.self))
                #expect(daemon.server.limits.connections == 5)
                #expect(daemon.server.limits.connectionsPerAddress == 4)
                #expect(daemon.gallery.limits.clients == 9)
                #expect(output.level == .warning)
                #expect(daemon.server.basePath == .root)
                #expect(FileManager.default.fileExists(atPath: log))
            }
            try folder.write("gallery.conf", good)
            daemon.reload()
            expectGood()
            // The file is renamed by logrotate, and there is a new one afterwards.
            try FileManager.default.removeItem(atPath: log)
            for bad in [
                "nonsense", "host = d\nclients = x", "host = d\nrequest-log = /nowhere/log",
            ] {
                try folder.write("gallery.conf", good)
                daemon.reload()
                try folder.write("gallery.conf", bad)
                daemon.reload()
                expectGood()
            }
        }
        let told = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            .split(separator: "\n").map(String.init)
        // The level is that of the file before.
        #expect(
            told.count { $0.contains("warning gallery: an option changes at the next start") } == 8)
        #expect(told.count { $0.contains("option=base-path") } == 4)
        #expect(told.count { $0.contains("option=admin") } == 4)
        #expect(told.count { $0.contains("the configuration stays as it was") } == 3)
        #expect(told.contains { $0.contains("gallery.conf:1: not OPTION = VALUE") })
        #expect(told.contains { $0.contains("/nowhere/log: No such file or directory (open)") })
    }
}
