import ArgumentParser
import ReplayTerminal
import TerminalPictures

/// The option for how the live screen shows pictures.
enum PictureChoice: String, CaseIterable, ExpressibleByArgument {
    /// Kitty's graphics if the terminal reports that it supports them, otherwise half blocks.
    case auto
    /// Half blocks, which recordings of the terminal can contain.
    case blocks
    /// Kitty's graphics, unless the terminal reports that it doesn't support them.
    case kitty
    /// No pictures, only a colour for each row.
    case none

    /// Returns the method for pictures before the terminal has answered.
    func firstMethod(in depth: InkDepth) -> LivePictures.Method {
        switch self {
        case .auto, .blocks: .blocks
        // Without colours, kitty's placeholders can't identify pictures.
        case .kitty: depth == .none ? .blocks : .kitty
        case .none: .none
        }
    }

    /// Returns whether the terminal's answer would make a difference, and can be obtained.
    ///
    /// A multiplexer answers for itself.
    func asks(_ environment: TerminalEnvironment, depth: InkDepth) -> Bool {
        guard depth != .none, !environment.isMultiplexed else { return false }
        switch self {
        case .auto: return environment.mayHavePlaceholders
        case .kitty: return true
        case .blocks, .none: return false
        }
    }
}
