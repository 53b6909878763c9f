internal import LullLibC

/// The descriptors that the service manager passed to this process, such as listening sockets.
///
/// ```swift
/// var passed = try PassedDescriptors()
/// for one in passed.take(named: "web") { try serve(on: one.number) }
/// ```
///
/// Descriptors that weren't taken are closed when this value is dropped. Create it once, early: the
/// variables are unset, and no other thread may read the environment meanwhile.
public struct PassedDescriptors: ~Copyable {
    /// A passed descriptor.
    public struct Descriptor: Equatable, Sendable {
        /// The number of the descriptor in this process.
        public let number: Int32
        /// The name of the descriptor, `FileDescriptorName=` in the unit; `unknown` if the manager
        /// gave none.
        public let name: String
    }

    /// The descriptors that weren't taken, in the manager's order.
    public private(set) var descriptors: [Descriptor]

    /// Takes ownership of the descriptors in `$LISTEN_FDS`, `$LISTEN_FDNAMES` and `$LISTEN_PID`.
    ///
    /// There are none if the variables aren't set, or aren't meant for this process. Throws
    /// `malformed` or `notOpen` if they are invalid; nothing is closed then.
    public init() throws(SystemdError) {
        defer {
            Variables.unset("LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID")
        }
        try self.init(Variables(), from: 3)
    }

    init(_ variables: Variables, from first: Int32) throws(SystemdError) {
        descriptors = []
        guard try variables.isForMe("LISTEN_PID") ?? false,
            let count = try variables.number("LISTEN_FDS", as: Int32.self), count > 0
        else { return }
        guard count <= .max - first else {
            throw .malformed(variable: "LISTEN_FDS", value: "\(count)")
        }
        let numbers = first..<(first + count)
        for number in numbers where fcntl(number, F_GETFD) < 0 {
            throw .notOpen(descriptor: number)
        }
        let names = try Self.names(in: variables, count: Int(count))
        for number in numbers where fcntl(number, F_SETFD, FD_CLOEXEC) < 0 {
            throw .system(call: "fcntl", errno: errno)
        }
        descriptors = zip(numbers, names).map { Descriptor(number: $0, name: $1) }
    }

    deinit {
        for descriptor in descriptors { close(descriptor.number) }
    }

    /// Removes and returns the descriptors with a name, which the caller must close.
    public mutating func take(named name: String) -> [Descriptor] {
        take { $0.name == name }
    }

    /// Removes and returns the descriptors that satisfy a condition, which the caller must close.
    public mutating func take(where fits: (Descriptor) -> Bool) -> [Descriptor] {
        let taken = descriptors.filter(fits)
        descriptors.removeAll { taken.contains($0) }
        return taken
    }

    private static func names(
        in variables: Variables, count: Int
    ) throws(SystemdError) -> [String] {
        guard let text = variables["LISTEN_FDNAMES"] else {
            return Array(repeating: "unknown", count: count)
        }
        let names = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard names.count == count else {
            throw .malformed(variable: "LISTEN_FDNAMES", value: text)
        }
        return names
    }
}
