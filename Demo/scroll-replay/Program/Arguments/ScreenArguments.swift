import ArgumentParser
import Foundation
import ReplayTerminal

/// The choice of when to use colours.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// The size of a screen in columns and lines, such as `80x24`.
struct ScreenSize: ExpressibleByArgument, Equatable {
    let width: Int
    let height: Int

    init?(argument: String) {
        let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (1...1000).contains(width), (1...1000).contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// The options for drawings in the terminal.
struct ScreenArguments: ParsableArguments {
    @Option(help: "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.")
    var color = ColorChoice.auto

    @Option(
        help: ArgumentHelp("The size, such as 80x24 (default: the terminal's).", valueName: "size"))
    var size: ScreenSize?

    /// The number of colours to use.
    var depth: InkDepth {
        switch color {
        case .never: .none
        case .always: Terminal.hasAllColors ? .full : .indexed
        case .auto: Terminal.depth
        }
    }
}
