import ArgumentParser
import ReplayTerminal
import TerminalPictures

/// The choice of how the live screen shows pictures.
enum PictureChoice: String, CaseIterable, ExpressibleByArgument {
    /// Half blocks, and kitty's graphics if the terminal says that it knows them.
    case auto
    /// Half blocks: recordings keep them.
    case blocks
    /// Kitty's graphics, unless the terminal says that it knows none.
    case kitty
    /// No pictures: a row's own colour.
    case none

    /// Returns the way that pictures are shown before the terminal has answered.
    func firstWay(in depth: InkDepth) -> LivePictures.Way {
        switch self {
        case .auto, .blocks: .blocks
        // Without colours there is nothing to tell pictures by.
        case .kitty: depth == .none ? .blocks : .kitty
        case .none: .none
        }
    }

    /// Whether the terminal's answer would change anything, and can be had.
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
