internal import LullLibC

/// The environment variables of this process, or substitutes for them in tests.
struct Variables {
    private let stand: [String: String]?

    /// Creates variables that are those of this process.
    init() { stand = nil }

    /// Creates variables that substitute for the environment.
    init(_ stand: [String: String]) { self.stand = stand }

    /// Returns the value of a variable; nil if it isn't set, or is empty.
    subscript(_ name: String) -> String? {
        let value: String?
        if let stand {
            value = stand[name]
        } else {
            value = unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the value of a variable as a nonnegative integer; nil if it isn't set.
    func number<Number: FixedWidthInteger>(
        _ name: String, as type: Number.Type = Number.self
    ) throws(SystemdError) -> Number? {
        guard let value = self[name] else { return nil }
        guard let number = Number(value), value.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
            throw .malformed(variable: name, value: value)
        }
        return number
    }

    /// Returns whether a variable contains this process's ID; nil if it isn't set.
    func isForMe(_ name: String) throws(SystemdError) -> Bool? {
        try number(name, as: pid_t.self).map { $0 == getpid() }
    }

    /// Unsets variables, so that child processes don't inherit them.
    static func unset(_ names: String...) {
        for name in names { unsafe unsetenv(name) }
    }
}
