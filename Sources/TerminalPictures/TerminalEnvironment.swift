/// What the environment says of a terminal, before the terminal itself is asked.
///
/// The rules: `NO_COLOR` that isn't empty takes colours away; `TERM=dumb`, and output that is no
/// terminal, take pictures away; `COLORTERM=truecolor` or `24bit` and some names of terminals give
/// all colours, other terminals 256; without UTF-8 there are no half blocks.
public struct TerminalEnvironment: Sendable {
    private let variables: [String: String]
    private let isTerminal: Bool

    /// What some variables say.
    ///
    /// - Parameters:
    ///   - variables: The environment.
    ///   - isTerminal: Whether output goes to a terminal.
    public init(_ variables: [String: String], isTerminal: Bool) {
        self.variables = variables
        self.isTerminal = isTerminal
    }

    /// What half blocks may be coloured with; nil if there should be no pictures.
    public var blockColors: BlockColors? {
        guard isTerminal, !term.isEmpty, term != "dumb" else { return nil }
        guard isUnicode else { return .ascii }
        guard !isSet("NO_COLOR"), variables["CLICOLOR"] != "0" else { return .shades }
        if ["truecolor", "24bit"].contains(variables["COLORTERM"] ?? "") { return .full }
        if term.hasSuffix("-direct") || isKitty || isGhostty { return .full }
        return ["vt100", "vt102", "vt220"].contains(term) ? .shades : .indexed
    }

    /// Whether a multiplexer stands between, which keeps answers and pictures to itself.
    public var isMultiplexed: Bool {
        isSet("TMUX") || isSet("STY") || term.hasPrefix("screen") || term.hasPrefix("tmux")
    }

    /// Whether commands can be handed through with `TmuxPassthrough`.
    public var isTmux: Bool { isSet("TMUX") || term.hasPrefix("tmux") }

    /// Whether it's a terminal whose answer about kitty's graphics also holds for placeholders.
    ///
    /// WezTerm and Konsole know the graphics, but not the placeholders.
    public var mayHavePlaceholders: Bool {
        guard blockColors == .full || blockColors == .indexed else { return false }
        return variables["TERM_PROGRAM"] != "WezTerm" && !isSet("KONSOLE_VERSION")
    }

    private var term: String { variables["TERM"] ?? "" }

    private var isKitty: Bool { isSet("KITTY_WINDOW_ID") || term == "xterm-kitty" }

    private var isGhostty: Bool {
        variables["TERM_PROGRAM"] == "ghostty" || term == "xterm-ghostty"
    }

    /// Whether characters beyond ASCII come out right: the first of three variables says.
    private var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].first { isSet($0) }
        guard let locale, let name = variables[locale]?.lowercased() else { return true }
        return name.contains("utf-8") || name.contains("utf8")
    }

    private func isSet(_ name: String) -> Bool { !(variables[name] ?? "").isEmpty }
}
