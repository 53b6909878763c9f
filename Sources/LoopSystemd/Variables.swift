internal import Glibc

/// The environment's variables, or some that stand in for them.
struct Variables {
    private let stand: [String: String]?

    /// The environment of this process.
    init() { stand = nil }

    /// Variables that stand in for it.
    init(_ stand: [String: String]) { self.stand = stand }

    /// The value of a variable; nil if it's not set, or empty.
    subscript(_ name: String) -> String? {
        let value: String?
        if let stand {
            value = stand[name]
        } else {
            value = unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A variable that is a whole number of digits; nil if it's not set.
    func number<Number: FixedWidthInteger>(
        _ name: String, as type: Number.Type = Number.self
    ) throws(SystemdError) -> Number? {
        guard let value = self[name] else { return nil }
        guard let number = Number(value), value.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
            throw .malformed(variable: name, value: value)
        }
        return number
    }

    /// Whether a variable has the number of this process; nil if it's not set.
    func isForMe(_ name: String) throws(SystemdError) -> Bool? {
        try number(name, as: pid_t.self).map { $0 == getpid() }
    }

    /// Has children not inherit them.
    static func unset(_ names: String...) {
        for name in names { unsafe unsetenv(name) }
    }
}
