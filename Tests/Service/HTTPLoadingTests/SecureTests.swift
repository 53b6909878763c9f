import Glibc
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

    @Test(arguments: [false, true])
    func `a redirect from HTTPS to HTTP is followed only if that is allowed`(isAllowed: Bool) throws
    {
        let certificate = try SecureServer.Certificate()
        let bench = try LoaderBench {
            $0.certificateAuthorityFile = certificate.file
            $0.allowsDowngrade = isAllowed
        }
        bench.server.answer = { _ in TestServer.reply("plain") }
        let server = try SecureServer(on: bench.loop, certificate)
        try server.put("away", "HTTP/1.1 302 Found\r\nLocation: \(bench.server.url("/"))\r\n\r\n")
        try bench.run { server.isReady }
        let outcome = try bench.outcome(of: server.url("127.0.0.1", "/away"))
        #expect(
            outcome.map(\.text)
                == (isAllowed ? .success("plain") : .failure(.refusedScheme("http"))))
        #expect(bench.server.requests.count == (isAllowed ? 1 : 0))
    }
}

/// `openssl s_server`, with a certificate made for the test.
final class SecureServer {
    private static let program = "/usr/bin/openssl"

    static var isThere: Bool { unsafe access(program, X_OK) == 0 }

    struct Trouble: Error {}

    /// A certificate for 127.0.0.1 that vouches for itself, with its key, in a folder of its own.
    final class Certificate {
        let folder: String
        var file: String { folder + "/certificate.pem" }
        var key: String { folder + "/key.pem" }

        init() throws {
            folder = makeTemporaryFolder("secure")
            let process = try SecureServer.start(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "2", "-subj",
                    "/CN=tester", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
                    file,
                ], in: folder, output: nil)
            var status: Int32 = 0
            guard unsafe waitpid(process, &status, 0) == process, status == 0 else {
                throw Trouble()
            }
        }

        deinit {
            for name in ["certificate.pem", "key.pem", "answer", "away"] {
                unsafe unlink("\(folder)/\(name)")
            }
            unsafe rmdir(folder)
        }
    }

    private(set) var isReady = false
    private let certificate: Certificate
    private let port: Int
    private let process: pid_t
    private let output: Int32
    private var watch: Watch?

    init(on loop: MainLoop, _ certificate: Certificate? = nil) throws {
        let certificate = try certificate ?? Certificate()
        self.certificate = certificate
        let free = try TestServer(on: loop)
        port = free.port
        free.close()
        _ = consume free
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw Trouble() }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        output = ends[0]
        process = try SecureServer.start(
            [
                "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.file, "-key",
                certificate.key, "-HTTP",
            ], in: certificate.folder, output: ends[1])
        close(ends[1])
        try put("answer", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nsecret")
        watch = try loop.watch(output, for: .readable) { [unowned self] _ in
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(output, &bytes, bytes.count)
            if count <= 0 { watch?.cancel() }
            if String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("ACCEPT") {
                isReady = true
            }
        }
    }

    deinit {
        watch?.cancel()
        close(output)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    func url(_ host: String, _ path: String) -> String { "https://\(host):\(port)\(path)" }

    /// Has the server answer with this, head and all, at a path.
    func put(_ name: String, _ answer: String) throws {
        let file = unsafe open("\(certificate.folder)/\(name)", O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        guard file >= 0 else { throw Trouble() }
        defer { close(file) }
        let bytes = Array(answer.utf8)
        guard unsafe write(file, bytes, bytes.count) == bytes.count else { throw Trouble() }
    }

    private static func start(
        _ arguments: [String], in folder: String, output: Int32?
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if let output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        let words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program] + arguments
        var list = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe list.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, words[0], &actions, nil, &list, environ) == 0 else {
            throw Trouble()
        }
        return process
    }
}
