import Foundation
import Glibc
import ReplayTerminal
import TerminalPictures

/// The properties of the terminal at standard output, and of its environment.
enum Terminal {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The properties of the environment that affect pictures.
    static var facts: TerminalEnvironment {
        TerminalEnvironment(environment, isTerminal: isThere)
    }

    /// Whether standard output is a terminal.
    static var isThere: Bool { isatty(1) == 1 }

    /// Whether it declares that it supports all colours.
    static var hasAllColors: Bool {
        ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    }

    /// The number of colours to use; none if the output is no terminal, has no colours, or they are
    /// turned off.
    ///
    /// NO_COLOR and CLICOLOR=0 turn them off; CLICOLOR_FORCE turns them on even for a file.
    static var depth: InkDepth {
        if let no = environment["NO_COLOR"], !no.isEmpty { return .none }
        let isForced = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "0")
        let isWanted = isThere && environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb"
        guard isForced || isWanted else { return .none }
        return hasAllColors ? .full : .indexed
    }

    /// The size; nil if the output is no terminal.
    static var size: ScreenSize? {
        var size = winsize()
        guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return ScreenSize(width: Int(size.ws_col), height: Int(size.ws_row))
    }

    /// The number of columns: that of COLUMNS, else the terminal's, else 80.
    static var columns: Int {
        environment["COLUMNS"].flatMap { Int($0) } ?? size?.width ?? 80
    }
}
