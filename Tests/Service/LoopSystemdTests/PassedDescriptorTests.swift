import Glibc
import Testing

@testable import LoopSystemd

// One after another: what one has closed another would open again.
@Suite(.serialized) struct PassedDescriptorTests {
    /// Opens so many descriptors of consecutive numbers, far from all others, and gives the first.
    private func place(_ count: Int32) throws -> Int32 {
        var limit = rlimit()
        #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        var first = Int32(clamping: limit.rlim_cur / 2)
        while true {
            let numbers = (0..<count).map { fcntl(1, F_DUPFD, first + $0) }
            try #require(!numbers.contains(-1))
            if numbers == Array(numbers[0]..<(numbers[0] + count)) { return numbers[0] }
            for number in numbers { close(number) }
            first += count
        }
    }

    private func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    private func variables(_ count: String, names: String? = nil) -> Variables {
        var all = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": count]
        all["LISTEN_FDNAMES"] = names
        return Variables(all)
    }

    @Test func `they are found by name, closed at exec, and closed if nobody takes them`() throws {
        let first = try place(3)
        do {
            var passed = try PassedDescriptors(
                variables("3", names: "web:control:web"), from: first)
            #expect(passed.descriptors.map(\.name) == ["web", "control", "web"])
            for descriptor in passed.descriptors {
                #expect(fcntl(descriptor.number, F_GETFD) == FD_CLOEXEC)
            }
            #expect(passed.take(named: "control").map(\.number) == [first + 1])
            #expect(passed.take(named: "control").isEmpty)
            #expect(passed.take { $0.number == first + 2 }.map(\.name) == ["web"])
            #expect(passed.descriptors.map(\.number) == [first])
        }
        #expect(!isOpen(first) && isOpen(first + 1) && isOpen(first + 2))
        for number in [first + 1, first + 2] { close(number) }
    }

    @Test func `those without a name are unknown, and none are none`() throws {
        let first = try place(1)
        #expect(
            try PassedDescriptors(variables("1"), from: first).descriptors.first?.name == "unknown")
        #expect(try PassedDescriptors(variables("0"), from: first).descriptors.isEmpty)
        #expect(try PassedDescriptors(Variables([:]), from: first).descriptors.isEmpty)
    }

    @Test func `another process's are left alone`() throws {
        let first = try place(1)
        defer { close(first) }
        let others = Variables(["LISTEN_PID": "1", "LISTEN_FDS": "1"])
        #expect(try PassedDescriptors(others, from: first).descriptors.isEmpty)
        let nobodys = Variables(["LISTEN_FDS": "1"])
        #expect(try PassedDescriptors(nobodys, from: first).descriptors.isEmpty)
        #expect(isOpen(first))
        #expect(fcntl(first, F_GETFD) == 0)
    }

    @Test(arguments: ["x", "-1", "1.0", "99999999999999999999", "2147483647"])
    func `a count that makes no sense is told`(text: String) {
        #expect(throws: SystemdError.malformed(variable: "LISTEN_FDS", value: text)) {
            _ = try PassedDescriptors(variables(text), from: 3)
        }
    }

    @Test func `what doesn't fit together is told, and nothing is closed`() throws {
        let first = try place(2)
        defer { for number in [first, first + 1] { close(number) } }
        for names in ["a", "a:b:c"] {
            #expect(throws: SystemdError.malformed(variable: "LISTEN_FDNAMES", value: names)) {
                _ = try PassedDescriptors(variables("2", names: names), from: first)
            }
        }
        #expect(throws: SystemdError.notOpen(descriptor: first + 2)) {
            _ = try PassedDescriptors(variables("3"), from: first)
        }
        #expect(throws: SystemdError.malformed(variable: "LISTEN_PID", value: "me")) {
            _ = try PassedDescriptors(
                Variables(["LISTEN_PID": "me", "LISTEN_FDS": "2"]), from: first)
        }
        #expect(fcntl(first, F_GETFD) == 0 && fcntl(first + 1, F_GETFD) == 0)
    }
}
