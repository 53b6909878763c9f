import Foundation
import HTTPLoading
import IdleLoop
import TestServer
import TestSupport
import Testing

/// HTTPS, against a server that OpenSSL's own program is.
@Suite(.enabled(if: SecureServer.isThere))
struct SecureTests {
    @Test func `a certificate that nobody vouches for is refused`() throws {
        let bench = try LoaderBench()
        let server = try SecureServer(on: bench.loop)
        try bench.run { server.isReady }
        guard case .tls(let text)? = try bench.error(of: server.url("127.0.0.1", "/answer")) else {
            Issue.record("nobody vouches for it")
            return
        }
        #expect(!text.isEmpty)
    }

    @Test func `a certificate counts for its own name, if it is vouched for`() throws {
        let certificate = try SecureServer.Certificate()
        let bench = try LoaderBench { $0.certificateAuthorityFile = certificate.file }
        let server = try SecureServer(on: bench.loop, certificate)
        try bench.run { server.isReady }
        #expect(try bench.body(of: server.url("127.0.0.1", "/answer")).text == "secret")
        let outcome = try bench.outcome(of: server.url("localhost", "/answer"))
        guard case .failure(.tls) = outcome else {
            Issue.record("it's another's name: \(outcome)")
            return
        }
    }

    @Test func `a redirect from HTTPS to HTTP is refused`() throws {
        let certificate = try SecureServer.Certificate()
        let bench = try LoaderBench { $0.certificateAuthorityFile = certificate.file }
        let server = try SecureServer(on: bench.loop, certificate)
        try server.put("away", "HTTP/1.1 302 Found\r\nLocation: \(bench.server.url("/"))\r\n\r\n")
        try bench.run { server.isReady }
        let url = server.url("127.0.0.1", "/away")
        #expect(try bench.error(of: url) == .refusedScheme("http"))
        #expect(bench.server.requests.isEmpty)
    }
}

/// `openssl s_server`, with a certificate made for the test.
final class SecureServer {
    private static let program = URL(filePath: "/usr/bin/openssl")

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

    /// A certificate for 127.0.0.1 that vouches for itself, with its key, in a folder of its own.
    final class Certificate {
        let folder = makeTemporaryFolder("secure")
        var file: String { folder + "/certificate.pem" }
        var key: String { folder + "/key.pem" }

        init() throws {
            let process = try SecureServer.start(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "2", "-subj", "/CN=tester", "-addext",
                    "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", file,
                ], in: folder, output: FileHandle.nullDevice)
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private(set) var isReady = false
    private let certificate: Certificate
    private let port: Int
    private let process: Process
    private let output = Pipe()
    private var watch: Watch?

    init(on loop: MainLoop, _ certificate: Certificate? = nil) throws {
        let certificate = try certificate ?? Certificate()
        self.certificate = certificate
        let free = try TestServer(on: loop)
        port = free.port
        free.close()
        _ = consume free
        process = try SecureServer.start(
            [
                "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.file, "-key",
                certificate.key, "-HTTP",
            ], in: certificate.folder, output: output)
        try put("answer", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nsecret")
        let reading = output.fileHandleForReading
        watch = try loop.watch(reading.fileDescriptor, for: .readable) { [unowned self] _ in
            let bytes = reading.availableData
            if bytes.isEmpty { watch?.cancel() }
            if String(decoding: bytes, as: UTF8.self).contains("ACCEPT") { isReady = true }
        }
    }

    deinit {
        watch?.cancel()
        // A test's thread may hold other signals back, and so its child.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func url(_ host: String, _ path: String) -> String { "https://\(host):\(port)\(path)" }

    /// Has the server answer with this, head and all, at a path.
    func put(_ name: String, _ answer: String) throws {
        try Data(answer.utf8).write(to: URL(filePath: "\(certificate.folder)/\(name)"))
    }

    private static func start(
        _ arguments: [String], in folder: String, output: Any
    ) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
