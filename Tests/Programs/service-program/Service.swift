import Glibc
import IdleLoop
import LoopSystemd

/// The service, from its start to its end.
final class Service {
    private let loop: MainLoop
    private let service: ManagedService
    /// What it would rather keep.
    private var kept: [[UInt8]] = []
    private let queue: IdleQueue<String>
    private let backlog: IdleQueue<Int>
    private var passed: PassedDescriptors
    private var pressure: MemoryPressure?
    private var reloads = 0

    init() throws {
        passed = try PassedDescriptors()
        loop = try MainLoop()
        service = try ManagedService(on: loop, unsetsEnvironment: true)
        queue = IdleQueue(on: loop)
        var configuration = QueueConfiguration()
        configuration.limit = 1000
        configuration.modes = .tracking
        backlog = IdleQueue(on: loop, configuration: configuration)
    }

    func run() throws {
        fillCache()
        for job in 0..<1000 { backlog.submit(job) { _ in .done } }
        for web in passed.take(named: "web") {
            try loop.watch(web.number, for: .readable) { [unowned self] _ in answer(on: web.number)
            }
        }
        pressure = MemoryPressure(on: loop) { [unowned self] in empty() }
        try loop.watch(signal: SIGTERM) { [unowned self] in attempt(shutDown) }
        try loop.watch(signal: SIGHUP) { [unowned self] in attempt(reload) }
        try loop.watch(signal: SIGUSR1) { [unowned self] in hang() }
        try service.ready("\(backlog.count) jobs wait, \(keptBytes) bytes are kept")
        try loop.run()
        pressure?.cancel()
        loop.close()
    }

    private func fillCache() {
        kept = Array(repeating: [UInt8](repeating: 255, count: 4 * 64 * 64), count: 16)
    }

    private var keptBytes: Int { kept.reduce(0) { $0 + $1.count } }

    private func answer(on listener: Int32) {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        let text = "\(backlog.count) jobs wait\n"
        _ = unsafe send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        close(connection)
    }

    private func empty() {
        let count = keptBytes
        kept = []
        say("gave back \(count) bytes, \(keptBytes) are kept")
    }

    private func reload() throws {
        try service.reload { reloads += 1 }
        say("reloaded \(reloads) times")
    }

    private func hang() {
        queue.submit("hang") { [unowned self] _ in
            say("a job hangs")
            while true { pause() }
        }
    }

    private func shutDown() throws {
        try service.stopping()
        loop.shutDown(within: .milliseconds(100)) { [unowned self] reports in
            let returned = reports.reduce(0) { $0 + $1.returned.count }
            say("returned \(returned) jobs, \(backlog.count) wait")
            loop.stop()
        }
    }

    private func say(_ text: String) {
        print(text)
        fflush(nil)  // it may be ended before it ends
        attempt { try service.status(text) }
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            print("failed: \(error)")
        }
    }
}
