package import LullTesting

/// The kind of an input, with its name.
package enum InputKind: Int, CaseIterable {
    case down, move, up, cancel, wheel, key, jump

    /// The kind of an input.
    package init(_ input: Trace.Input) {
        self =
            switch input {
            case .down: .down
            case .move: .move
            case .up: .up
            case .cancel: .cancel
            case .wheel: .wheel
            case .key: .key
            case .jump: .jump
            }
    }

    /// The name of the kind.
    package var name: String {
        switch self {
        case .down: "finger down"
        case .move: "finger moved"
        case .up: "finger up"
        case .cancel: "touch taken away"
        case .wheel: "wheel"
        case .key: "key"
        case .jump: "jump"
        }
    }
}
