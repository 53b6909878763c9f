import CLullLibevent
import Glibc
import TestSupport
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

    @Test func `a socket tells what it is`() throws {
        let folder = ManagerFolder()
        let manager = try DatagramSocket(folder.socket)
        #expect(
            try DescriptorKind(of: manager.number)
                == .socket(
                    SocketFacts(
                        family: .unix, kind: .datagrams, isListening: false, path: folder.socket,
                        port: nil)))
        let named = try DatagramSocket("@lull-kind-\(getpid())")
        guard case .socket(let facts) = try DescriptorKind(of: named.number) else {
            Issue.record("a socket is a socket")
            return
        }
        #expect(facts.path == "@lull-kind-\(getpid())")
    }

    @Test func `an internet socket tells its port, and whether it listens`() throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        let fresh = SocketFacts(
            family: .inet, kind: .stream, isListening: false, path: nil, port: nil)
        #expect(try DescriptorKind(of: number) == .socket(fresh))
        #expect(listen(number, 1) == 0)  // which has it bound to a port of the system's choice
        guard case .socket(let facts) = try DescriptorKind(of: number) else {
            Issue.record("a socket is a socket")
            return
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(number, $0, &length)
            }
        }
        #expect(facts.isListening)
        #expect(facts.port == UInt16(bigEndian: address.sin_port))
        #expect(facts.port != nil)
    }

    @Test func `pairs, other families and other kinds are told apart`() throws {
        var pair: [Int32] = [-1, -1]
        #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
        let netlink = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 0)
        defer { for descriptor in pair + [netlink] { close(descriptor) } }
        let nameless = SocketFacts(
            family: .unix, kind: .sequencedPackets, isListening: false, path: nil, port: nil)
        #expect(try DescriptorKind(of: pair[0]) == .socket(nameless))
        let other = SocketFacts(
            family: .other(AF_NETLINK), kind: .other(Int32(SOCK_RAW.rawValue)), isListening: false,
            path: nil, port: nil)
        #expect(try DescriptorKind(of: netlink) == .socket(other))
    }

    @Test func `what is no socket is told apart, too`() throws {
        let kinds: [(String, DescriptorKind)] = [
            ("/", .folder), ("/dev/null", .characterDevice), ("/proc/self/status", .file),
        ]
        for (path, kind) in kinds {
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            #expect(try DescriptorKind(of: descriptor) == kind)
        }
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        let bell = eventfd(0, Int32(EFD_CLOEXEC))
        defer { for descriptor in ends + [bell] { close(descriptor) } }
        #expect(try DescriptorKind(of: ends[0]) == .pipe)
        #expect(try DescriptorKind(of: bell) == .other)
        #expect(throws: SystemdError.notOpen(descriptor: -1)) { try DescriptorKind(of: -1) }
    }
}
