/// The capabilities of a terminal according to the environment, before the terminal is queried.
///
/// The rules: a nonempty `NO_COLOR` disables colours; `TERM=dumb`, and output that isn't a
/// terminal, disable pictures; `COLORTERM=truecolor` or `24bit`, and the names of some terminals,
/// enable true colour, other terminals have 256 colours; without UTF-8 there are no half blocks.
public struct TerminalEnvironment: Sendable {
    private let variables: [String: String]
    private let isTerminal: Bool

    /// Creates capabilities from environment variables.
    ///
    /// - Parameters:
    ///   - variables: The environment.
    ///   - isTerminal: Whether output goes to a terminal.
    public init(_ variables: [String: String], isTerminal: Bool) {
        self.variables = variables
        self.isTerminal = isTerminal
    }

    /// The colours that half blocks may use; nil if no pictures should be shown.
    public var blockColors: BlockColors? {
        guard isTerminal, !term.isEmpty, term != "dumb" else { return nil }
        guard isUnicode else { return .ascii }
        guard !isSet("NO_COLOR"), variables["CLICOLOR"] != "0" else { return .shades }
        if ["truecolor", "24bit"].contains(variables["COLORTERM"] ?? "") { return .full }
        if term.hasSuffix("-direct") || isKitty || isGhostty { return .full }
        return ["vt100", "vt102", "vt220"].contains(term) ? .shades : .indexed
    }

    /// Whether a terminal multiplexer is in use, which doesn't pass on responses and pictures.
    public var isMultiplexed: Bool {
        isSet("TMUX") || isSet("STY") || term.hasPrefix("screen") || term.hasPrefix("tmux")
    }

    /// Whether commands can be passed through by `TmuxPassthrough`.
    public var isTmux: Bool { isSet("TMUX") || term.hasPrefix("tmux") }

    /// Whether the terminal supports placeholders if it supports kitty's graphics protocol.
    ///
    /// WezTerm and Konsole support the protocol, but not the placeholders.
    public var mayHavePlaceholders: Bool {
        guard blockColors == .full || blockColors == .indexed else { return false }
        return variables["TERM_PROGRAM"] != "WezTerm" && !isSet("KONSOLE_VERSION")
    }

    private var term: String { variables["TERM"] ?? "" }

    private var isKitty: Bool { isSet("KITTY_WINDOW_ID") || term == "xterm-kitty" }

    private var isGhostty: Bool {
        variables["TERM_PROGRAM"] == "ghostty" || term == "xterm-ghostty"
    }

    /// Whether the locale is UTF-8, by the first of three variables that is set.
    private var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].first { isSet($0) }
        guard let locale, let name = variables[locale]?.lowercased() else { return true }
        return name.contains("utf-8") || name.contains("utf8")
    }

    private func isSet(_ name: String) -> Bool { !(variables[name] ?? "").isEmpty }
}
