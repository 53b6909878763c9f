/// A key of the live screen.
package enum LiveKey: Equatable, Sendable {
    case pause, forward, back, restart, faster, slower, quit, help
    case rule(Int)
    case engine(Int)

    /// Returns the keys in a terminal's input; unknown bytes are ignored.
    package static func all(in bytes: [UInt8]) -> [LiveKey] {
        var keys: [LiveKey] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x1B {
                // An arrow key is ESC [ C, or ESC O C from a terminal in application mode.
                guard let next = rest.first, next == 0x5B || next == 0x4F else { continue }
                rest.removeFirst()
                let parameters = rest.prefix { !(0x40...0x7E).contains($0) }
                rest.removeFirst(parameters.count)
                switch rest.popFirst() {
                case 0x43: keys.append(.forward)
                case 0x44: keys.append(.back)
                default: break
                }
            } else if let key = named[Character(Unicode.Scalar(byte))] {
                keys.append(key)
            }
        }
        return keys
    }

    private static let named: [Character: LiveKey] = [
        " ": .pause, ".": .forward, ",": .back, "r": .restart, "+": .faster, "=": .faster,
        "-": .slower, "q": .quit, "?": .help, "p": .rule(1), "P": .rule(-1), "e": .engine(1),
        "E": .engine(-1),
    ]
}
