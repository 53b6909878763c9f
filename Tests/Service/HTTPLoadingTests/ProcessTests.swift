import Glibc
import HTTPLoading
import IdleLoop
import TestServer
import Testing

/// What transfers do to a process, seen in one that does nothing else.
struct ProcessTests {
    /// How many entries a folder of /proc has.
    static func count(_ folder: String) -> Int {
        guard let stream = unsafe opendir("/proc/self/\(folder)") else { return -1 }
        defer { unsafe closedir(stream) }
        var count = 0
        while unsafe readdir(stream) != nil { count += 1 }
        return count
    }

    @Test func `thousands of transfers leave no descriptor and start no thread`() async {
        await #expect(processExitsWith: .success) {
            let bench = try LoaderBench()
            bench.server.answer = { request in
                request.path.hasSuffix("7") ? [.close] : TestServer.reply("hello")
            }
            func fetch(_ count: Int) throws {
                let before = bench.outcomes.count
                for index in 0..<count {
                    let transfer = bench.fetch("/\(index)")
                    if index % 10 == 3 { transfer.cancel() }
                }
                try bench.run(ends: before + count)
            }
            try fetch(100)
            let (descriptors, threads) = (ProcessTests.count("fd"), ProcessTests.count("task"))
            var most = threads
            for _ in 0..<20 {
                try fetch(100)
                most = max(most, ProcessTests.count("task"))
            }
            // Six connections may be there or not, at both ends.
            precondition(abs(ProcessTests.count("fd") - descriptors) <= 12, "no descriptor is left")
            precondition(most <= threads, "no thread is started")
            bench.loader.close()
            try bench.run { bench.server.connectionCount == 0 }
            precondition(ProcessTests.count("fd") <= descriptors, "connections are closed")
        }
    }

    @Test func `out of descriptors a transfer fails, and the next one comes`() async {
        await #expect(processExitsWith: .success) {
            let bench = try LoaderBench()
            _ = try bench.body(of: "/")  // libraries open what they need
            bench.loader.close()
            try bench.run { bench.server.connectionCount == 0 }
            let loader = HTTPLoader(on: bench.loop)
            var spare: [Int32] = []
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            while case let descriptor = dup(0), descriptor >= 0 { spare.append(descriptor) }
            var outcomes: [Result<HTTPLoadResponse, HTTPLoadError>] = []
            loader.fetch(HTTPLoadRequest(bench.server.url("/"))) { outcomes.append($0) }
            try bench.run { outcomes.count == 1 }
            guard case .failure(let error)? = outcomes.first else { fatalError("it has failed") }
            precondition(error.isTransient, "it may pass: \(error)")
            for descriptor in spare { close(descriptor) }
            loader.fetch(HTTPLoadRequest(bench.server.url("/"))) { outcomes.append($0) }
            try bench.run { outcomes.count == 2 }
            guard case .success? = outcomes.last else { fatalError("it comes: \(outcomes)") }
        }
    }
}
