import Foundation
import Glibc
import ReplayTerminal
import TerminalPictures

/// The properties of the terminal at standard output, and its environment's.
enum Terminal {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The environment's facts that matter to pictures.
    static var facts: TerminalEnvironment {
        TerminalEnvironment(environment, isTerminal: isThere)
    }

    /// Whether standard output is a terminal.
    static var isThere: Bool { isatty(1) == 1 }

    /// Whether it says that it has all colours.
    static var hasAllColors: Bool {
        ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    }

    /// The number of colours to use: none unless it's a terminal that has some and nobody said no.
    ///
    /// NO_COLOR and CLICOLOR=0 say no; CLICOLOR_FORCE says yes even to a file.
    static var depth: InkDepth {
        if let no = environment["NO_COLOR"], !no.isEmpty { return .none }
        let isForced = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "0")
        let isWanted = isThere && environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb"
        guard isForced || isWanted else { return .none }
        return hasAllColors ? .full : .indexed
    }

    /// Its size; nil if there's none.
    static var size: ScreenSize? {
        var size = winsize()
        guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return ScreenSize(width: Int(size.ws_col), height: Int(size.ws_row))
    }

    /// The columns to fill: what COLUMNS says, else the terminal's, else 80.
    static var columns: Int {
        environment["COLUMNS"].flatMap { Int($0) } ?? size?.width ?? 80
    }
}
